import type {Command} from 'commander';
import type {MarketId} from '../client/exchange.ts';
import {largestPage} from '../market/types.ts';
import type {ReadRequest} from './commands/read.ts';
import {UsageError} from './exit.ts';
import {examples} from './help.ts';
import {marketId, mostRangeTrades, wholeNumber} from './options/arguments.ts';
import type {Options} from './options/options.ts';
import type {AskedTimes} from './recorded.ts';

/** Gets the exit status of the command that ran. */
export type Finish = (status: number) => void;

/** Defines the commands that print one answer. */
export function addReads(program: Command, finish: Finish): void {
	const reads = [addInfo, addMarkets, addTicker, addDepth, addTrades, addCandles, addRecording];
	for (const add of reads) add(program, finish);
}

function addInfo(program: Command, finish: Finish): void {
	addRead(program, 'info', 'print name, description and capabilities of the exchange', 'tapewatch info').action(
		(_, command: Command) => read(command, finish, () => ({read: 'info'})),
	);
}

function addMarkets(program: Command, finish: Finish): void {
	const lines = ['tapewatch markets', 'tapewatch markets --json | jq .markets[].symbol'];
	addRead(program, 'markets', 'list the markets', ...lines).action((_, command: Command) =>
		read(command, finish, () => ({read: 'markets'})),
	);
}

function addTicker(program: Command, finish: Finish): void {
	const lines = [
		'tapewatch ticker',
		'tapewatch ticker BTCUSDT ETH/USDT --json',
		'tapewatch ticker BTCUSDT --recording monday.twr --at 14:03',
	];
	addRead(program, 'ticker', 'print the 24 h summary of some or all markets', ...lines)
		.argument('[MARKET...]')
		.action((markets: string[], _, command: Command) => read(command, finish, () => ({read: 'ticker', markets})));
}

function addDepth(program: Command, finish: Finish): void {
	const lines = [
		'tapewatch depth BTCUSDT',
		'tapewatch depth BTCUSDT --interface legacy',
		'tapewatch depth BTCUSDT --recording monday.twr --at 14:03:10',
	];
	addRead(program, 'depth', 'print the order book of a market', ...lines)
		.argument('<MARKET>')
		.action((market: string, _, command: Command) => read(command, finish, () => ({read: 'depth', market})));
}

function addTrades(program: Command, finish: Finish): void {
	const lines = [
		'tapewatch trades BTCUSDT --limit 20',
		'tapewatch trades --market-id 17 --json',
		'tapewatch trades BTCUSDT --recording monday.twr --from 14:00 --to 14:10 --json',
	];
	addRead(program, 'trades', 'print recent trades of a market', ...lines)
		.argument('[MARKET]')
		.option('--market-id <N>', 'instead of MARKET: its id in the market list (v2 only)', marketId)
		.option('--limit <N>', "the newest 1 to 1000 trades (default: the exchange's)", wholeNumber(1, mostRangeTrades))
		.option('--from <TIME>', 'of a recording: earliest time')
		.option('--to <TIME>', 'of a recording: latest time')
		.action((text: string | undefined, {limit, marketId: id, ...flags}: TradesFlags, command: Command) => {
			if (text !== undefined && id !== undefined) throw new UsageError('give MARKET or --market-id, not both');
			const market = id ?? text;
			if (market === undefined) throw new UsageError("missing argument 'MARKET' or option '--market-id <N>'");
			return read(command, finish, ({choice}, times) => {
				if (flags.recording === undefined) refuseOfRecording(flags, limit);
				if (id && choice === 'v1') throw new UsageError('--market-id needs the v2 interface, not --interface legacy');
				return {read: 'trades', market, limit, ...times()};
			});
		});
}

/** Throws a `UsageError` about what only a recording has. */
function refuseOfRecording({from, to}: TradesFlags, limit = 1): void {
	if ((from ?? to) !== undefined) throw new UsageError('--from and --to of trades need --recording FILE');
	if (limit > largestPage) throw new UsageError(`--limit must be a whole number from 1 to ${largestPage}`);
}

type TradesFlags = {
	readonly limit?: number;
	readonly marketId?: MarketId;
	readonly from?: string;
	readonly to?: string;
	readonly recording?: string;
};

function addCandles(program: Command, finish: Finish): void {
	const lines = [
		'tapewatch candles BTCUSDT --period 1d --limit 30',
		'tapewatch candles BTCUSDT --from 2026-11-20 --to 2026-11-20T12:00',
		'tapewatch candles BTCUSDT --recording monday.twr --period 5s --from 14:00 --to 14:10',
	];
	addRead(program, 'candles', 'print candles of a market', ...lines)
		.argument('<MARKET>')
		.option('--period <PERIOD>', 'minutes, or 15m, 1h, 1d, 1M, of a recording also 5s (default: 1h)')
		.option(
			'--limit <N>',
			"the newest N candles, up to 100000 (default: the exchange's, 500; with --from all)",
			wholeNumber(1, 100_000),
		)
		.option('--from <TIME>', 'earliest start, UTC')
		.option('--to <TIME>', 'latest start, UTC')
		.action((market: string, {limit}: {readonly limit?: number}, command: Command) =>
			read(command, finish, ({period = 60}, times) => ({read: 'candles', market, period, limit, ...times()})),
		);
}

function addRead(program: Command, name: string, description: string, ...lines: readonly string[]): Command {
	return program
		.command(name)
		.description(description)
		.option('--retry <N>', 'retries of a rate-limited request (429), 0 to 10 (default: 2)', wholeNumber(0, 10))
		.option('--recording <FILE>', 'read a recording instead of an exchange')
		.option('--at <TIME>', 'of a recording: as of this time, such as 14:03:10 or -5m (default: its end)')
		.addHelpText('after', examples(...lines));
}

async function read(
	command: Command,
	finish: Finish,
	request: (options: Options, times: () => AskedTimes) => ReadRequest,
): Promise<void> {
	finish(await (await import('./commands.ts')).read(command.optsWithGlobals(), request));
}

function addRecording(program: Command, finish: Finish): void {
	program
		.command('recording')
		.description('print what a recording holds: sessions, markets, counts, gaps and size')
		.argument('<FILE>')
		.addHelpText(
			'after',
			examples('tapewatch recording monday.twr', 'tapewatch recording monday.twr --json | jq .gaps'),
		)
		.action(async (file: string, _, command: Command) =>
			finish(await (await import('./commands.ts')).recording(command.optsWithGlobals(), file)),
		);
}
