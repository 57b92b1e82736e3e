// Node 12 must be able to read this file, so everything else is imported after the check.
const neededNode = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < neededNode[0] || (major === neededNode[0] && minor < neededNode[1])) {
	process.stderr.write(
		`tapewatch: needs Node ${neededNode.join('.')} or newer, this is ${process.versions.node}; see https://nodejs.org\n`,
	);
	process.exitCode = 2;
} else {
	import('./begin.ts')
		.then(({begin}) => begin())
		.catch((error: unknown) => {
			// `run` reports what it throws; its code may be missing, or not be opened because too many files are.
			process.stderr.write(`tapewatch: cannot start: ${error instanceof Error ? error.message : error}\n`);
			process.exit(1);
		});
}

export {};
