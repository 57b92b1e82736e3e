// `node [flags] launch.cjs script …` runs a script on a Node that is new enough: this one, else the one among the packages.
// Any Node from 18 on has to read this. It names the packages' Node by its path, as npm up to 10 leaves none in node_modules/.bin.
const {existsSync} = require('node:fs');
const {runMain} = require('node:module');
const {delimiter, dirname, join, resolve} = require('node:path');
const {engines} = require('./package.json');

const isWindows = process.platform === 'win32';
const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`;
const packaged = join(__dirname, 'node_modules', `node-${platform}`, 'bin', isWindows ? 'node.exe' : 'node');
const needed = engines.node.replace('>=', '');
const running = process.versions.node;
const tooOld = `needs Node ${needed} or newer: this is ${running}`;

function isNewEnough() {
	const [[major, minor], [neededMajor, neededMinor]] = [running, needed].map(version => version.split('.').map(Number));
	return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

function fail(reason) {
	console.error(`tapewatch: ${reason}`);
	process.exit(2);
}

/** Also for whatever the script starts as `node`. */
function preferNode(file) {
	process.env.PATH = [dirname(file), process.env.PATH].join(delimiter);
}

function runHere() {
	preferNode(process.execPath);
	process.argv.splice(1, 2, resolve(process.argv[2]));
	runMain();
}

function runOn(file) {
	preferNode(file);
	// Loaded only here: most starts do without.
	const {spawn} = require('node:child_process');
	const child = spawn(file, [...process.execArgv, ...process.argv.slice(2)], {stdio: 'inherit'});
	child.on('error', ({code}) => fail(`${tooOld}, and ${file} does not start (${code})`));
	const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];
	// On Windows they reach the child by themselves, and to send one is to kill.
	for (const signal of signals) process.on(signal, () => isWindows || child.kill(signal));
	child.on('exit', (status, signal) => {
		if (!signal) process.exit(status);
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}

if (!existsSync(join(__dirname, 'node_modules'))) fail('the packages are missing; run npm ci --ignore-scripts');
else if (isNewEnough()) runHere();
else if (existsSync(packaged)) runOn(packaged);
else fail(`${tooOld}, and the packages have none for ${platform}; see https://nodejs.org`);
