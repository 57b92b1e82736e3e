import {inProcess} from '../cli/in-process.ts';
import {documents} from './documents.ts';

/** A command to copy. */
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

/** Those in the main help and in the help of every command. */
async function helpExamples(names: readonly string[]): Promise<readonly string[]> {
	const lines: string[] = [];
	for (const words of [[], ...names.map(name => [name])]) {
		const {stdout} = await inProcess([...words, '--help']);
		const [, rows = ''] = /^Examples:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
		// After three blanks or more stands what it shows.
		for (const [, line = ''] of rows.matchAll(/^ {2}(.*?)(?: {3,}.*)?$/gm)) lines.push(line);
	}

	return lines;
}

/** Documents whose blocks a test of their own runs, with what they need. */
const ownTests = ['docs/pipelines.md', 'docs/fleet.md', 'docs/archive.md'];
export const triedDocuments = documents.filter(({name}) => !ownTests.includes(name));

/** Of their blocks for a shell what fits on a line and runs the program, in a checkout or installed. */
const documentExamples = triedDocuments
	.flatMap(({text}) => [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n')))
	.map(line => line.replace(/^npm start --(?= )|^npx --yes \S+/, 'tapewatch').replace(/ +#.*/, ''))
	.filter(line => /^tapewatch(?: |$)/.test(line));

/** The examples of the help and of the documents; one of those that differ in numbers, names of files and format. */
export async function examples(): Promise<readonly Example[]> {
	const names = await commandNames();
	const forms = new Map<string, string>();
	for (const line of [...(await helpExamples(names)), ...documentExamples]) {
		const form = line.replaceAll(/\d+|\w+\.twr/g, '…').replace(/ (?:-o|--output) (?:csv|tsv)/, '');
		if (!forms.has(form)) forms.set(form, line);
	}

	return [...forms.values()].map(line => {
		const [, word = 'monitor'] = line.split(' ');
		const isMonitor = line.startsWith('tapewatch') && (word === 'monitor' || !names.includes(word));
		return {line, isOnScreen: isMonitor || (word === 'replay' && !line.includes('--alert'))};
	});
}
