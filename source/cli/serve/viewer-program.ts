import {EventEmitter} from 'node:events';
import {type Command, CommanderError} from 'commander';
import {exitStatus, UsageError} from '../exit.ts';
import {isCommand} from '../options/arguments.ts';
import {addMonitor} from '../program/add-monitor.ts';
import {addReads} from '../program/add-reads.ts';
import {addWatch} from '../program/add-watch.ts';
import {addOutput, examples, type Runner} from '../program/common.ts';
import {outputOf, rootCommand} from '../program/root.ts';

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
	/** Of the terminal, for help. Default 80. */
	readonly columns: number | undefined;
	out(text: string): void;
	error(text: string): void;
};

/** Runs what a viewer asks for, of the commands and options that viewers have. Settles with the exit status; rejects with what failed. */
export async function runViewerLine({words, run, columns = 80, out, error}: ViewerLine): Promise<number> {
	let status: number = exitStatus.done;
	const finish = (newStatus: number): void => {
		status = newStatus;
	};
	const output = {
		writeOut: out,
		writeErr: error,
		getOutHelpWidth: () => columns,
		getErrHelpWidth: () => columns,
	};
	const program = rootCommand(output);
	addMonitor(program, finish, run);
	addWatch(program, finish, run);
	addReads(program, finish, run);
	for (const command of program.commands) {
		addOutput(command);
		command.configureOutput({...outputOf(command), ...output});
	}

	const names = program.commands.map(command => command.name());
	for (const command of [program, ...program.commands]) limit(command);
	program.addHelpText('after', viewerHelp);
	refuseOthers(words[0], names);
	try {
		await program.parseAsync(words, {from: 'user'});
		return status;
	} catch (failure) {
		if (!(failure instanceof CommanderError)) throw failure;
		return failure.exitCode === 0 ? exitStatus.done : exitStatus.usage;
	}
}

/** Throws a `UsageError` for the name of what viewers do not have: the monitor would take it for a market. */
function refuseOthers(word: string | undefined, names: readonly string[]): void {
	const have = `you can use ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
	if (word === undefined || names.includes(word)) return;
	if (shells.has(word)) throw new UsageError(`there is no ${word}, no shell and no file transfer here; ${have}`);
	if (isCommand(word)) throw new UsageError(`${word} is not for viewers; ${have}`);
}

/** Takes away what is the owner's, and the help on it. */
function limit(command: Command): void {
	const own = command.name() === 'candles' ? new Set([...viewerOptions, ...candleOptions]) : viewerOptions;
	const kept = command.options.filter(({long}) => long === '--version' || own.has(long ?? ''));
	(command.options as Command['options'][number][]).splice(0, Infinity, ...kept);
	if (command instanceof EventEmitter) command.removeAllListeners('afterHelp');
}

const viewerHelp = examples(
	'ssh -p 2222 HOST',
	'ssh -t -p 2222 HOST ETHUSDT --theme light',
	'ssh -t -p 2222 HOST watch BTCUSDT ETHUSDT',
	'ssh -p 2222 HOST watch BTCUSDT --json | jq .type',
	'ssh -p 2222 HOST "watch BTCUSDT --until \'last > 70000\'"',
	'ssh -p 2222 HOST candles BTCUSDT --period 1d --limit 30 -o csv',
);
