// Loaded before TypeScript by `npm start`, where no Node comes with the packages: an old one would fail on the file's extension.
const {engines} = require('../../package.json');

const [needed, running] = [engines.node.replace('>=', ''), process.versions.node];
if (running.localeCompare(needed, 'en', {numeric: true}) < 0) {
	console.error(
		`tapewatch: needs Node ${needed} or newer on this computer, this is ${running}; see https://nodejs.org`,
	);
	process.exit(2);
}
