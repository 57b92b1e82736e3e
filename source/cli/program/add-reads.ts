import {type Command, InvalidArgumentError, Option} from 'commander';
import type {MarketId} from '../../client/question.ts';
import {largestPage, mostLevels} from '../../market/types.ts';
import type {Arrangement} from '../commands/arrange.ts';
import {levelKeys, marketKeys, tickerKeys} from '../commands/fields.ts';
import {UsageError} from '../exit.ts';
import {helpOf, marketId, markets, mostRangeTrades, wholeNumber} from '../options/arguments.ts';
import {below, commands, examples, type Finish, ownRunner, type Runner} from './common.ts';

/** What there is to read. */
type Readable = {
	/** Of one read. */
	readonly candles: number;
	readonly recordings: boolean;
};

/** Defines the commands that print one answer. */
export function addReads(
	program: Command,
	finish: Finish,
	{read}: Pick<Runner, 'read'> = ownRunner,
	readable: Readable = {candles: 100_000, recordings: true},
): void {
	const run: Read = async (command, request) => finish(await read(command.optsWithGlobals(), request));
	for (const add of [addInfo, addMarkets, addTicker, addDepth, addTrades, addCandles]) add(program, run, readable);
}

/** Runs a command for what its arguments ask for. */
type Read = (command: Command, request: Parameters<Runner['read']>[1]) => Promise<void>;

function addInfo(program: Command, read: Read): void {
	addRead(program, 'info', 'print name, description and capabilities of the exchange', 'tapewatch info').action(
		(_, command: Command) => read(command, () => ({ask: 'info'})),
	);
}

function addMarkets(program: Command, read: Read): void {
	const lines = [
		'tapewatch markets',
		'tapewatch markets --quote USDT --sort base',
		'tapewatch markets --json | jq .markets[].symbol',
	];
	addArrangement(addRead(program, 'markets', 'list the markets', ...lines), marketKeys).action(
		(arrangement: Arrangement, command: Command) => read(command, () => ({ask: 'markets', arrangement})),
	);
}

function addTicker(program: Command, read: Read): void {
	const lines = [
		'tapewatch ticker',
		'tapewatch ticker BTCUSDT ETH/USDT --json',
		'tapewatch ticker BTC ETH --quote EUR',
		'tapewatch ticker --quote USDT --sort -changePercent --limit 10 --output csv',
		'tapewatch ticker BTCUSDT --recording monday.twr --at 14:03',
	];
	addArrangement(addRead(program, 'ticker', 'print the 24 h summary of some or all markets', ...lines), tickerKeys)
		.argument('[MARKET...]', 'separated by spaces or commas', markets)
		.action((named: readonly string[], arrangement: Arrangement, command: Command) =>
			read(command, () => ({ask: 'tickers', markets: named, arrangement})),
		);
}

function addDepth(program: Command, read: Read): void {
	const lines = [
		'tapewatch depth BTCUSDT',
		'tapewatch depth BTCUSDT --limit 20 --output csv',
		'tapewatch depth BTC --quote EUR --sort -quantity --limit 5',
		'tapewatch depth BTCUSDT --interface legacy --retry 3',
		'tapewatch depth BTCUSDT --recording monday.twr --at 14:03:10',
	];
	const depth = addRead(program, 'depth', 'print the order book of a market', ...lines).argument('<MARKET>');
	addArrangement(depth, levelKeys, {
		sort: 'sort the levels of each side by this field, with -FIELD descending (default: best first)',
		quote: 'the quote asset of MARKET, which can then be just a base asset such as BTC',
		limit: 'only the first N levels of each side after sorting (default: all)',
		most: mostLevels,
	}).action((market: string, arrangement: Arrangement, command: Command) =>
		read(command, () => ({ask: 'depth', market, arrangement})),
	);
}

function addTrades(program: Command, read: Read): void {
	const lines = [
		'tapewatch trades BTCUSDT --limit 20',
		'tapewatch trades BTCUSDT --output ndjson | jq .price',
		'tapewatch trades --market-id 101 --json',
		'tapewatch trades BTCUSDT --recording monday.twr --from 14:00 --to 14:10 --json',
	];
	addRead(program, 'trades', 'print recent trades of a market', ...lines)
		.argument('[MARKET]')
		.option('--market-id <N>', 'id of the market in the market list, instead of MARKET (v2 only)', marketId)
		.option('--limit <N>', "the newest 1 to 1000 trades (default: the exchange's)")
		.option('--from <TIME>', 'earliest time (only with --recording)')
		.option('--to <TIME>', 'latest time (only with --recording)')
		.action((text: string | undefined, {marketId: id, ...flags}: TradesFlags, command: Command) => {
			if (text !== undefined && id !== undefined)
				throw new UsageError(`give MARKET or --market-id, not both (see ${helpOf('trades')})`);
			const market = id ?? text;
			if (market === undefined)
				throw new UsageError(`missing argument 'MARKET' or option '--market-id <N>' (see ${helpOf('trades')})`);
			const limit = tradesLimit(flags);
			return read(command, ({choice}, times) => {
				if (flags.recording === undefined) refuseOfRecording(flags);
				if (id && choice === 'legacy')
					throw new UsageError('--market-id needs the v2 interface, not --interface legacy');
				return {ask: 'trades', market, limit, ...times()};
			});
		});
}

/** Throws a `UsageError` about what only a recording has. */
function refuseOfRecording({from, to}: TradesFlags): void {
	if ((from ?? to) !== undefined) throw new UsageError('--from and --to of trades need --recording FILE');
}

/** Throws a `UsageError` with how many trades there can be: a recording has more than an exchange. */
function tradesLimit({limit, recording}: TradesFlags): number | undefined {
	try {
		const most = recording === undefined ? largestPage : mostRangeTrades;
		return limit === undefined ? undefined : wholeNumber(1, most)(limit);
	} catch (error) {
		if (error instanceof InvalidArgumentError) throw new UsageError(`--limit ${error.message}`, {cause: error});
		throw error;
	}
}

type TradesFlags = {
	readonly limit?: string;
	readonly marketId?: MarketId;
	readonly from?: string;
	readonly to?: string;
	readonly recording?: string;
};

function addCandles(program: Command, read: Read, {candles: most, recordings}: Readable): void {
	const lines = [
		'tapewatch candles BTCUSDT --period 1d --limit 30',
		'tapewatch candles BTCUSDT --from -2d --to -1d',
		'tapewatch candles BTCUSDT --period 1m --from -1h30m --to now',
		'tapewatch candles BTCUSDT --recording monday.twr --period 5s --from 14:00 --to 14:10',
	];
	addRead(program, 'candles', 'print candles of a market', ...lines)
		.argument('<MARKET>')
		.option(
			'--period <PERIOD>',
			`minutes, or 15m, 1h, 1d, 1M${recordings ? '; with --recording also 5s' : ''} (default: 1h)`,
		)
		.option(
			'--limit <N>',
			`the newest N candles, up to ${most} (default: the exchange's, 500; with --from: all)`,
			wholeNumber(1, most),
		)
		.option('--from <TIME>', 'earliest start, UTC: 2026-11-20, 2026-11-20T10:00, 14:03, now, or -2h')
		.option('--to <TIME>', 'latest start, UTC')
		.action((market: string, {limit}: {readonly limit?: number}, command: Command) =>
			read(command, ({period = 60}, times) => ({ask: 'candles', market, period, limit, ...times()})),
		);
}

const ofMarkets = {
	sort: 'sort by this field, with -FIELD descending, such as --sort -symbol',
	quote: 'only markets with this quote asset',
	limit: 'only the first N after sorting',
	most: 1_000_000,
};

/** Options about which entries are printed, in which order. `most`: of the limit. */
function addArrangement(command: Command, fields: readonly string[], texts = ofMarkets): Command {
	const sort = new Option('--sort <FIELD>', texts.sort).choices(fields).argParser((text: string) => {
		if (fields.includes(text.replace(/^-/, ''))) return text;
		throw new InvalidArgumentError(`must be one of ${fields.join(', ')}, with - before it to sort in descending order`);
	});
	return command
		.addOption(sort)
		.option('--quote <ASSET>', texts.quote)
		.option('--limit <N>', texts.limit, wholeNumber(1, texts.most));
}

function addRead(program: Command, name: string, description: string, ...lines: readonly string[]): Command {
	return program
		.command(name)
		.description(description)
		.option(
			'--retry <N>',
			'retry up to N times, 0 to 10, after network errors, 5xx and 429 (default: 2, only after 429)',
			wholeNumber(0, 10),
		)
		.option('--recording <FILE>', 'read a recording instead of an exchange')
		.option(
			'--at <TIME>',
			'with --recording: read the data as of this time, such as 14:03:10 or -5m (default: the end)',
		)
		.addHelpText('after', below(examples(...lines)));
}

/** Defines the command that prints what a recording holds. */
export function addRecording(program: Command, finish: Finish): void {
	program
		.command('recording')
		.description('print the contents of a recording: sessions, markets, counts, gaps and size')
		.argument('<FILE>')
		.addHelpText(
			'after',
			examples('tapewatch recording monday.twr', 'tapewatch recording monday.twr --json | jq .gaps'),
		)
		.action(async (file: string, _, command: Command) =>
			finish(await (await commands()).recording(command.optsWithGlobals(), file)),
		);
}
