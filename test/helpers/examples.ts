import {inProcess} from '../cli/in-process.ts';

/** An example of a command's help. */
export type Example = {
	/** As the shell runs it. */
	readonly line: string;
	/** Draws a screen in a terminal until a key quits it. */
	readonly isOnScreen: boolean;
};

/** The names of the commands that the help lists. */
async function commandNames(): Promise<readonly string[]> {
	const [, list = ''] = (await inProcess(['--help'])).stdout.split('\nCommands:\n');
	return list.split('\n\n', 1)[0]?.match(/(?<=^ {2})[a-z]+/gm) ?? [];
}

/** The examples of the main help and of the help of every command, each once. */
export async function helpExamples(): Promise<readonly Example[]> {
	const names = await commandNames();
	const lines = new Set<string>();
	for (const words of [[], ...names.map(name => [name])]) {
		const {stdout} = await inProcess([...words, '--help']);
		const [, rows = ''] = /^Examples:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
		// After three blanks or more stands what it shows.
		for (const [, line = ''] of rows.matchAll(/^ {2}(.*?)(?: {3,}.*)?$/gm)) lines.add(line);
	}

	return [...lines].map(line => {
		const [, word = 'monitor'] = line.split(' ');
		const isMonitor = line.startsWith('tapewatch') && (word === 'monitor' || !names.includes(word));
		return {line, isOnScreen: isMonitor || (word === 'replay' && !line.includes('--alert'))};
	});
}
