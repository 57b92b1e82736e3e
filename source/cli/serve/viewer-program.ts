import {basename} from 'node:path';
import {exitStatus, UsageError} from '../exit.ts';
import {below, examples} from '../program/help.ts';
import {isCommand} from '../program/names.ts';
import {rootCommand, runLine} from '../program/root.ts';
import {addReads, addScreens, type Runner} from '../program/shared-commands.ts';

/** What people and programs ask other SSH servers for. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'scp', 'sftp', 'rsync', 'git-upload-pack']);

type ViewerLine = {
	readonly words: readonly string[];
	readonly run: Runner;
	/** Whether the key allows no monitor. */
	readonly isWatchOnly: boolean;
	/** Of the terminal, for help. Default 80. */
	readonly columns: number | undefined;
	/** Help and the version. */
	print(text: string): Promise<void>;
};

/** Runs what a viewer asks for, of the commands and options that viewers have. Settles with the exit status; rejects with what failed. */
export async function runViewerLine({words, run, isWatchOnly, columns = 80, print}: ViewerLine): Promise<number> {
	let status: number = exitStatus.done;
	const finish = (newStatus: number): void => {
		status = newStatus;
	};
	const program = rootCommand(true).usage(viewerUsage).addHelpText('after', below(viewerHelp, {columns}));
	async function monitor(...request: Parameters<Runner['monitor']>): Promise<number> {
		// Without that word it is what `ssh HOST` alone gives.
		if (isWatchOnly && program.args[0] === 'monitor') throw new UsageError(noMonitor);
		return run.monitor(...request);
	}

	addScreens(program, finish, {...run, monitor}, true);
	addReads(program, finish, run, true);
	const names = program.commands.map(command => command.name());
	refuseOthers(words[0], names, isWatchOnly ? names.filter(name => name !== 'monitor') : names);
	await runLine(program, words, {print, columns});
	return status;
}

const noMonitor = 'your key is for tiles, lines and reads (watch-only); watch shows tiles';

/** Throws a `UsageError` for the name of what viewers do not have: the monitor would take it for a market. `own`: what this one has. */
function refuseOthers(word: string | undefined, names: readonly string[], own: readonly string[]): void {
	const have = `you can use ${own.slice(0, -1).join(', ')} and ${own.at(-1)}`;
	if (word === undefined || names.includes(word)) return;
	if (shells.has(basename(word)))
		throw new UsageError(`there is no ${word}, no shell and no file transfer here; ${have}`);
	if (isCommand(word)) throw new UsageError(`${word} is not for viewers; ${have}`);
}

const viewerUsage = '[MARKET [options]]\n       tapewatch COMMAND [options]';

const viewerHelp = `
HOST stands for the address, and the options of ssh, by which you came here. ssh takes options before the first word for its
own: name a market or a command first, as in ssh -t HOST monitor --theme light.
${examples(
	'ssh HOST',
	'ssh -t HOST ETHUSDT --theme light',
	'ssh -t HOST watch BTCUSDT ETHUSDT',
	'ssh HOST watch BTCUSDT --json | jq .type',
	'ssh HOST "watch BTCUSDT --until \'last > 70000\'"',
	'ssh HOST candles BTCUSDT --period 1d --limit 30 -o csv',
)}`;

/** A quoted text, an escaped character, or a run of others. */
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/sy;
/** What a shell would act on. `>` and `<` with a blank on both sides are comparisons of a condition whose quotes the client's shell took. */
const operator = /[|&;`]|\$[({]/;

/**
 * The words of what `ssh HOST WORDS…` sends, which joins them with blanks: quotes and backslashes act as in a shell, nothing else
 * does. Throws a `UsageError` for an open quote, and for what only a shell can do.
 */
export function splitWords(text: string): readonly string[] {
	const words: string[] = [];
	let word: string | undefined;
	let at = 0;
	while (at < text.length) {
		const blank = /\s+/y;
		blank.lastIndex = at;
		if (blank.test(text)) {
			if (word !== undefined) words.push(word);
			word = undefined;
			at = blank.lastIndex;
			continue;
		}

		part.lastIndex = at;
		const found = part.exec(text);
		if (!found) throw new UsageError('a quote is not closed');
		const [, single, double, escaped, plain] = found;
		if (plain !== undefined && operator.test(plain)) {
			throw new UsageError(`there is no shell here: ${plain} cannot be used; put it in quotes if it belongs to a word`);
		}

		word = (word ?? '') + (single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? plain ?? '');
		at = part.lastIndex;
	}

	if (word !== undefined) words.push(word);
	return words;
}
