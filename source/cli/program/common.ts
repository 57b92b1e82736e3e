import {type Command, Option} from 'commander';
import {clamp} from '../../market/numbers.ts';
import {leaveScreen} from '../../terminal/lifecycle.ts';
import {formatsOf} from '../options/formats.ts';
import {showStart, terminal} from '../start.ts';

/** Gets the exit status of the command that ran. */
export type Finish = (status: number) => void;

/** The examples below a command's help. */
export const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

/** Narrower lines would be words, wider ones are hard to read. */
const [leastColumns, mostColumns] = [40, 120];
/** Of the second column of a row. */
const leastText = 20;

/** Text below the options of a command's help, as wide as the terminal, or 80 columns. `terminal`: default the program's. */
export const below =
	(text: string | (() => string), terminal: {readonly columns?: number} = process.stdout) =>
	() =>
		filled(typeof text === 'string' ? text : text(), clamp(terminal.columns || 80, leastColumns, mostColumns));

const wrapped = (text: string, columns: number): readonly string[] =>
	text.replace(new RegExp(`(?=.{${columns + 1}})(.{1,${columns}}) `, 'g'), '$1\n').split('\n');

/** Paragraphs in lines of this width. Of indented lines, rows with two columns hang; others, such as commands, stay as they are. */
function filled(text: string, columns: number): string {
	return text.replace(/(?:^[^ \n].*\n?)+|^ .*$/gm, part => {
		if (!part.startsWith(' ')) {
			const end = part.endsWith('\n') ? '\n' : '';
			return wrapped(part.trimEnd().split('\n').join(' '), columns).join('\n') + end;
		}

		const [begin = ''] = /^ {5,}|^ {2,4}\S.*? {2,}(?=\S)/.exec(part) ?? [];
		if (begin === '') return part;
		const lines = wrapped(part.slice(begin.length), Math.max(columns - begin.length, leastText));
		return begin + lines.join(`\n${' '.repeat(begin.length)}`);
	});
}

export const quoteCurrencyOption = [
	'--quote-currency <ASSET>',
	'convert volumes in the list of markets to this asset (default: USDT)',
] as const;
export const blindAfterOption = [
	'--blind-after <SECONDS>',
	'age from which data is too old to judge rules (default: 30)',
] as const;
export const notifyOption = [
	'--notify <WAYS>',
	'how to alert you: some of bell,terminal,title,command,blind (default: bell,terminal)',
] as const;
export const onAlertOption = [
	'--on-alert <PROGRAM>',
	'run this program for each alert, with the alert as JSON on its standard input',
] as const;

/** How a command calls the user when an alert rule fires. */
export function addCallOptions(command: Command): void {
	command
		.option(...notifyOption)
		.option(...onAlertOption)
		.option(...blindAfterOption);
}

/** In which format a command prints. */
export function addOutput(command: Command): void {
	const formats = formatsOf(command.name());
	command.addOption(new Option('-o, --output <FORMAT>', 'format of the data (default: table)').choices(formats));
}

/** Runs the commands that viewers have too, where their words were given. */
export type Runner = Pick<typeof import('../commands.ts'), 'monitor' | 'watch' | 'read'>;

/** A command's code is imported when it runs, which keeps help fast. */
export const commands = () => import('../commands.ts');

/** Runs them in the terminal that the program was started in. */
export const ownRunner: Runner = {
	monitor: (flags, market) =>
		onScreen(!flags.json && terminal().interactive, async () => (await commands()).monitor(flags, market)),
	watch(flags, markets) {
		const early = flags.output === undefined && !flags.once && terminal().screen;
		return onScreen(early, async () => (await commands()).watch(flags, markets));
	},
	read: async (flags, request) => (await commands()).read(flags, request),
};

/** Runs a full-screen command. `early`: takes over the terminal before the command's code is loaded. */
export async function onScreen(early: boolean, command: () => Promise<number>): Promise<number> {
	if (early) showStart();
	else leaveScreen();
	return command().finally(leaveScreen);
}
