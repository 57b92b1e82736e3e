import {EventEmitter} from 'node:events';
import {basename} from 'node:path';
import type {Command} from 'commander';
import {viewerLimits} from '../context.ts';
import {exitStatus, UsageError} from '../exit.ts';
import {isCommand, isTaken} from '../options/arguments.ts';
import {addMonitor} from '../program/add-monitor.ts';
import {addReads} from '../program/add-reads.ts';
import {addWatch} from '../program/add-watch.ts';
import {addOutput, below, examples, type Runner} from '../program/common.ts';
import {rootCommand, runLine} from '../program/root.ts';

/** The options that a viewer can give: what to look at, and how. Addresses, limits, files and calls are the owner's. */
const viewerOptions: ReadonlySet<string> = new Set([
	...['--interface', '--json', '--output', '--color', '--no-color', '--theme', '--palette', '--timezone', '--ascii'],
	...[
		'--no-mouse',
		'--no-title',
		'--fps',
		'--period',
		'--quote-currency',
		'--interval',
		'--rotate',
		'--once',
		'--for',
		'--until',
	],
	...['--sort', '--quote', '--limit'],
]);
/** Elsewhere they choose a part of a recording. */
const candleOptions: ReadonlySet<string> = new Set(['--from', '--to']);

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
	const program = rootCommand();
	addMonitor(program, finish, {
		async monitor(flags, market) {
			// Without that word it is what `ssh HOST` alone gives.
			if (isWatchOnly && program.args[0] === 'monitor') throw new UsageError(noMonitor);
			return run.monitor(flags, market);
		},
	});
	addWatch(program, finish, run);
	addReads(program, finish, run, {candles: viewerLimits.candles, recordings: false});
	for (const command of program.commands) if (isTaken(command.name(), '--json')) addOutput(command);

	const names = program.commands.map(command => command.name());
	for (const command of [program, ...program.commands]) limit(command);
	program.usage(viewerUsage).addHelpText('after', below(viewerHelp, {columns}));
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

/** Takes away what is the owner's, and the help on it. */
function limit(command: Command): void {
	const own = command.name() === 'candles' ? new Set([...viewerOptions, ...candleOptions]) : viewerOptions;
	const kept = command.options.filter(({long}) => long === '--version' || own.has(long ?? ''));
	(command.options as Command['options'][number][]).splice(0, Infinity, ...kept);
	// Without --market-id, nothing else names one.
	if (command.name() === 'trades') for (const market of command.registeredArguments) market.argRequired();
	if (command instanceof EventEmitter) command.removeAllListeners('afterHelp');
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
