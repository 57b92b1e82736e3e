import {Argument, type Command, InvalidArgumentError} from 'commander';
import {splitSymbol} from '../../market/symbol.ts';
import {largestPage} from '../../market/types.ts';
import {leaveScreen} from '../../terminal/lifecycle.ts';
import * as commands from '../commands.ts';
import {UsageError} from '../exit.ts';
import {type FlagsOf, mostRangeTrades} from '../options/option-table.ts';
import {markets, wholeNumber} from '../options/option-types.ts';
import {showStart, terminal} from '../start.ts';
import * as help from './help.ts';
import {commandBegunBy, commandMeant, commandNamed, helpOf} from './names.ts';
import {optionsOf} from './root.ts';

/** Runs the commands that viewers have too, where their words were given. */
export type Runner = Pick<typeof commands, 'monitor' | 'watch' | 'read'>;

/** Runs them in the terminal that the program was started in. */
const ownRunner: Runner = {
	monitor: (flags, market) => onScreen(!flags.json && terminal().interactive, () => commands.monitor(flags, market)),
	watch(flags, markets) {
		const early = flags.output === undefined && !flags.once && terminal().screen;
		return onScreen(early, () => commands.watch(flags, markets));
	},
	read: commands.read,
};

/** Runs a full-screen command. `early`: takes over the terminal before the command's code is loaded. */
export async function onScreen(early: boolean, command: () => Promise<number>): Promise<number> {
	if (early) showStart();
	else leaveScreen();
	return command().finally(leaveScreen);
}

/** Gets the exit status of the command that ran. */
export type Finish = (status: number) => void;

type Definition<Name extends string> = {
	/** Absent: help does not list the command. */
	readonly description?: string;
	/** Below the options. */
	readonly help?: string | (() => string);
	readonly args?: readonly Argument[];
	/** Settles with the exit status. */
	run(flags: FlagsOf<Name>, ...values: never[]): Promise<number>;
};

const market = new Argument('<MARKET>');
export const someMarkets = new Argument('[MARKET...]', 'separated by spaces or commas').argParser(markets);
/** Defines commands, each with its options of the table. `isViewers`: with those that viewers can give. */
export const definer =
	(program: Command, finish: Finish, isViewers = false) =>
	<const Name extends string>(
		name: Name,
		{description, help: below = '', args = [], run}: Definition<Name>,
	): Command => {
		const command = program.command(name, {isDefault: name === 'monitor', hidden: description === undefined});
		for (const argument of args) command.addArgument(argument);
		for (const option of optionsOf(name, isViewers)) command.addOption(option);
		if (!isViewers) command.addHelpText('after', help.below(below));
		return command.description(description ?? '').action(async () => {
			finish(await run(command.optsWithGlobals(), ...(command.processedArgs as never[])));
		});
	};

/** Defines the monitor and `watch`, which viewers have too. */
export function addScreens(program: Command, finish: Finish, run: Runner = ownRunner, isViewers = false): void {
	const define = definer(program, finish, isViewers);
	const monitor = define('monitor', {
		description: 'show the full-screen monitor (the default)',
		args: [new Argument('[MARKET]', 'in any spelling: BTCUSDT, BTC_USDT, btc-usdt, BTC/USDT')],
		help: help.examples('tapewatch', 'tapewatch btc-usdt --period 15m'),
		run(flags, named?: string) {
			const words = monitor.args.flatMap(word => markets(word));
			if (named) refuseMistyped(named, monitor.args.length > 1, program.commands);
			if (words.length > 1) refuseSeveral(words);
			return run.monitor(flags, named);
		},
	}).allowExcessArguments();
	define('watch', {
		description: 'watch markets without a keyboard: tiles on a terminal, lines or events elsewhere',
		...{args: [someMarkets], help: help.watchHelp},
		run: (flags, named: readonly string[]) => run.watch(flags, named),
	});
}

/** Defines the commands that print one answer, which viewers have too. */
export function addReads(program: Command, finish: Finish, run: Runner = ownRunner, isViewers = false): void {
	const define = definer(program, finish, isViewers);
	define('info', {
		description: 'print name, description and capabilities of the exchange',
		help: help.examples('tapewatch info'),
		run: flags => run.read(flags, () => ({ask: 'info'})),
	});
	define('markets', {
		description: 'list the markets',
		help: help.examples(
			'tapewatch markets',
			'tapewatch markets --quote USDT --sort base',
			'tapewatch markets --json | jq .markets[].symbol',
		),
		run: flags => run.read(flags, () => ({ask: 'markets', arrangement: flags})),
	});
	define('ticker', {
		description: 'print the 24 h summary of some or all markets',
		args: [someMarkets],
		help: help.examples(
			'tapewatch ticker',
			'tapewatch ticker BTCUSDT ETH/USDT --json',
			'tapewatch ticker BTC ETH --quote EUR',
			'tapewatch ticker --quote USDT --sort -changePercent --limit 10 --output csv',
			'tapewatch ticker BTCUSDT --recording monday.twr --at 14:03',
		),
		run: (flags, named: readonly string[]) =>
			run.read(flags, () => ({ask: 'tickers', markets: named, arrangement: flags})),
	});
	define('depth', {
		description: 'print the order book of a market',
		args: [market],
		help: help.examples(
			'tapewatch depth BTCUSDT',
			'tapewatch depth BTCUSDT --limit 20 --output csv',
			'tapewatch depth BTC --quote EUR --sort -quantity --limit 5',
			'tapewatch depth BTCUSDT --interface legacy --retry 3',
			'tapewatch depth BTCUSDT --recording monday.twr --at 14:03:10',
		),
		run: (flags, named: string) => run.read(flags, () => ({ask: 'depth', market: named, arrangement: flags})),
	});
	define('trades', {
		description: 'print recent trades of a market',
		// Without --market-id, nothing else names one.
		args: [isViewers ? market : new Argument('[MARKET]')],
		help: help.examples(
			'tapewatch trades BTCUSDT --limit 20',
			'tapewatch trades BTCUSDT --output ndjson | jq .price',
			'tapewatch trades --market-id 101 --json',
			'tapewatch trades BTCUSDT --recording monday.twr --from 14:00 --to 14:10 --json',
		),
		run: (flags, named?: string) => readTrades(run, flags, named),
	});
	define('candles', {
		description: 'print candles of a market',
		args: [market],
		help: help.examples(
			'tapewatch candles BTCUSDT --period 1d --limit 30',
			'tapewatch candles BTCUSDT --from -2d --to -1d',
			'tapewatch candles BTCUSDT --period 1m --from -1h30m --to now',
			'tapewatch candles BTCUSDT --recording monday.twr --period 5s --from 14:00 --to 14:10',
		),
		run: (flags, named: string) =>
			run.read(flags, ({period = 60}, times) => ({
				...{ask: 'candles', market: named, period, limit: flags.limit},
				...times(),
			})),
	});
}

function readTrades({read}: Pick<Runner, 'read'>, flags: FlagsOf<'trades'>, named: string | undefined) {
	const {marketId: id, from, to, recording, limit: text} = flags;
	if (named !== undefined && id !== undefined)
		throw new UsageError(`give MARKET or --market-id, not both (see ${helpOf('trades')})`);
	const market = id ?? named;
	if (market === undefined)
		throw new UsageError(`missing argument 'MARKET' or option '--market-id <N>' (see ${helpOf('trades')})`);
	const limit = text === undefined ? undefined : tradesLimit(text, recording !== undefined);
	return read(flags, ({choice}, times) => {
		if (recording === undefined && (from ?? to) !== undefined)
			throw new UsageError('--from and --to of trades need --recording FILE');
		if (id && choice === 'legacy') throw new UsageError('--market-id needs the v2 interface, not --interface legacy');
		return {ask: 'trades', market, limit, ...times()};
	});
}

/** A recording has more trades than an exchange gives. */
function tradesLimit(text: string, isRecorded: boolean): number {
	try {
		return wholeNumber(1, isRecorded ? mostRangeTrades : largestPage)(text);
	} catch (error) {
		if (error instanceof InvalidArgumentError) throw new UsageError(`--limit ${error.message}`, {cause: error});
		throw error;
	}
}

/** Throws a `UsageError` when `word`, given as a market, must mean a command. `hasArguments`: other words follow. */
function refuseMistyped(word: string, hasArguments: boolean, commands: readonly Command[]): void {
	const names = ['help', ...commands.map(command => command.name())];
	const meant = commandMeant(word, names) ?? (hasArguments ? commandBegunBy(word, names) : undefined);
	if (meant !== undefined)
		throw new UsageError(`no such command or market: ${word}, did you mean ${meant}? (see ${helpOf('tapewatch')})`);
}

/** Throws a `UsageError` about `words`, given as markets of the monitor. */
function refuseSeveral(words: readonly string[]): never {
	const problem = 'the monitor shows one market at a time';
	const other = words.find(word => !splitSymbol(word));
	if (other === undefined) throw new UsageError(`${problem}; tapewatch watch ${words.join(' ')} shows all`);
	const what = commandNamed(other) ?? `${other} is not a command`;
	throw new UsageError(`${problem}, and ${what} (see ${helpOf('tapewatch')})`);
}
