// The oldest Node must be able to read this file: what it needs is imported only after the check.
const neededNode = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < neededNode[0] || (major === neededNode[0] && minor < neededNode[1])) {
	process.stderr.write(
		`tapewatch: needs Node ${neededNode.join('.')} or newer, this is ${process.versions.node}; see https://nodejs.org\n`,
	);
	process.exitCode = 2;
} else {
	const {isMonitor, prepareEngine, showStart, terminal} = await import('./start.ts');
	const argv = process.argv.slice(2);
	prepareEngine(process.env);
	if (isMonitor(argv) && terminal().interactive) showStart();
	const {run} = await import('./program.ts');
	// The output has been taken: nothing that is still open, such as a connection under way, may hold the program.
	process.exit(await run(argv));
}

export {};
