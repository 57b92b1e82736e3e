import {UnavailableError} from '../client/errors.ts';
import type {Answer, Exchange} from '../client/exchange.ts';
import {exchangeOf, readBy} from '../client/middleware.ts';
import {formatDateTime} from '../format/time.ts';
import {marketSuggestion, symbolKey} from '../market/symbol.ts';
import {type Candle, largestPage, type Trade} from '../market/types.ts';
import {knownMs, notRecordedBrief} from './known-time.ts';
import type {AnsweredChannelRead, Channel, RecordedRead} from './playback-reader.ts';
import {recordedCandles} from './recorded-candles.ts';
import {RecordedError} from './recorded-error.ts';
import type {RecordedMoment} from './recorded-sessions.ts';
import type {RecordingReader} from './recording-reader.ts';

/** What a read of a recording gets instead of an exchange. */
export type Recorded = {readonly reader: RecordingReader; readonly moment: RecordedMoment};

/** The last session that was recorded at `time`; undefined: none was. */
export function momentAt(reader: RecordingReader, time: number): RecordedMoment | undefined {
	const session = reader.sessions().findLast(({from, to}) => from <= time && time <= to);
	return session && {session: session.id, time};
}

/**
 * An exchange that answers what was known at a moment of a recording. What failed then fails as it did, with a `RecordedError`;
 * what was not recorded is an `UnavailableError`. No request is sent.
 */
export function recordedExchange(reader: RecordingReader, {session, time}: RecordedMoment): Exchange {
	const id = reader.idAt(session, time);
	const intervals = reader.intervals(session);
	const intervalOf: Readonly<Record<Channel['operation'], number>> = {
		...{info: intervals.info, markets: intervals.markets, ticker: intervals.tickers},
		...{depth: intervals.depth, trades: intervals.trades, candles: intervals.candles},
	};

	/** Whether the read was followed by another one so soon that nothing can have been missed, or is that recent. */
	function isKnown(channel: Channel, read: RecordedRead): boolean {
		const most = knownMs(read, intervalOf[channel.operation]);
		const next = reader.next(session, channel, read.id);
		return Math.min(time, next?.sentAt ?? Infinity) - read.endedAt <= most;
	}

	/** The last read up to this moment. Throws how it failed, or that there is none. */
	function lastAnswer(channel: Channel): AnsweredChannelRead {
		const [read] = reader.last(session, channel, id, {from: -Infinity, count: 1});
		if (!read || !isKnown(channel, read)) throw notRecorded(reader, channel, time);
		if ('failure' in read) throw new RecordedError(read.failure);
		return read;
	}

	/** Whether the last read of candles did not fail, and the trades are known up to this moment. */
	function goesOn(candles: Channel): boolean {
		const trades: Channel = {operation: 'trades', symbol: candles.symbol};
		const lastOf = (channel: Channel) => reader.last(session, channel, id, {from: -Infinity, count: 1})[0];
		const [last, lastTrades] = [lastOf(candles), lastOf(trades)];
		if (!lastTrades || 'failure' in lastTrades || (last && 'failure' in last)) return false;
		return isKnown(trades, lastTrades);
	}

	/** Async, so that a failure is a rejection. */
	async function answer<T>(channel: Channel, dataAt: (id: number) => T): Promise<Answer<T>> {
		const read = lastAnswer(channel);
		return {...read.answer, data: dataAt(read.id)};
	}

	/** The last answer up to this moment, of any session. */
	const lastAnswered = (channel: Channel) => reader.lastAnswer(reader.sessions()[0]?.id ?? session, channel, id);

	/** Pages of a range ask for the same candles again. */
	const candleLists = new Map<string, readonly Candle[]>();

	function candlesUpTo(symbol: string, period: number): readonly Candle[] {
		const key = `${symbol} ${period}`;
		const all = candleLists.get(key) ?? recordedCandles(reader, {session, time}, {symbol, period});
		candleLists.set(key, all);
		return all;
	}

	/** The market's number itself if no list was recorded that has it. */
	function symbolOfId(marketId: string): string {
		const list = reader.lastAnswer(session, {operation: 'markets'}, id);
		const market = list && reader.markets(list.id).find(each => each.id === marketId);
		return market?.symbol ?? `with the id ${marketId}`;
	}

	const read = readBy({
		info: () => answer({operation: 'info'}, reader.info),
		markets: () => answer({operation: 'markets'}, reader.markets),
		tickers: () => answer({operation: 'ticker'}, reader.tickers),
		async depth({market}) {
			const symbol = recordedSymbol(reader, market);
			return answer({operation: 'depth', symbol}, of => reader.book(symbol, of));
		},
		async trades({market, limit = largestPage}) {
			const symbol = typeof market === 'string' ? recordedSymbol(reader, market) : symbolOfId(market.id);
			return answer({operation: 'trades', symbol}, (of): readonly Trade[] => reader.tape(symbol, of, limit).trades);
		},
		async candles({market, period, from, to, limit = 500}) {
			const channel = {operation: 'candles', symbol: recordedSymbol(reader, market), period} as const;
			// Candles of a range are past: they need not be the newest. Trades go on where the candles were read last.
			const isAny = (from ?? to) !== undefined || goesOn(channel);
			const read = isAny ? lastAnswered(channel) : lastAnswer(channel);
			if (!read) throw notRecorded(reader, channel, time);
			const {offPeriod: _ofPage, outside: _ofRequest, ...answer} = read.answer;
			const isAsked = (candle: Candle) => candle.time >= (from ?? -Infinity) && candle.time <= (to ?? Infinity);
			const data = candlesUpTo(channel.symbol, period).filter(isAsked).slice(-limit);
			const trades = reader.lastAnswer(session, {operation: 'trades', symbol: channel.symbol}, id)?.answer;
			const isTraded = data.at(-1)?.builtFrom === 'trades' && trades && trades.receivedAt > answer.receivedAt;
			const times = isTraded ? {receivedAt: trades.receivedAt, serverTime: trades.serverTime} : {};
			return {...answer, ...times, data};
		},
	});
	return exchangeOf(read, {
		interfaces: ['v2', 'legacy'],
		budget: () => ({used: 0, allowed: 0}),
		retryNow() {},
		close: async () => {},
	});
}

/** The market that `text` names in any spelling, or `text` itself. */
export function recordedSymbol(reader: RecordingReader, text: string): string {
	const key = symbolKey(text);
	return reader.symbols().find(symbol => symbolKey(symbol) === key) ?? text;
}

/** Nothing at all was recorded at `time`. */
export function nothingRecorded(reader: RecordingReader, time: number): UnavailableError {
	const stretches = reader.sessions().map(({from, to}) => `${formatDateTime(from)} to ${formatDateTime(to)}`);
	if (stretches.length === 0) return unavailable('info', 'the recording is empty');
	const times = stretches.length > 3 ? [...stretches.slice(0, 1), '…', ...stretches.slice(-1)] : stretches;
	return unavailable('info', `the recording is from ${times.join(', ')} UTC, not at ${formatDateTime(time)}`);
}

const nouns: Readonly<Record<Channel['operation'], string>> = {
	...{info: 'exchange info', markets: 'market list', ticker: 'tickers'},
	...{depth: 'order book', trades: 'trades', candles: 'candles'},
};

/** A read was not recorded at `time`. Says what was recorded instead. */
export function notRecorded(reader: RecordingReader, channel: Channel, time: number): UnavailableError {
	const {symbol, operation} = channel;
	const noun = symbol === undefined ? nouns[operation] : `${nouns[operation]} of ${symbol}`;
	const sessions = reader.sessions();
	// Sessions may be thousands: no more of them are read than needed.
	const before = sessions
		.toReversed()
		.values()
		.map(({id}) => reader.last(id, channel, reader.idAt(id, time), {from: -Infinity, count: 1})[0])
		.find(read => read !== undefined);
	const after = sessions
		.values()
		.map(({id}) => reader.next(id, channel, reader.idAt(id, time)))
		.find(read => read !== undefined);
	const [last, next] = [before, after].map(read => read && formatDateTime(read.endedAt));
	const none = symbol === undefined ? '' : otherMarkets(reader, channel, symbol);
	if (last && next) return unavailable(operation, `the recording has no ${noun} from ${last} to ${next} UTC`);
	if (last) return unavailable(operation, `the recording has the ${noun} until ${last} UTC`);
	if (next) return unavailable(operation, `the recording has the ${noun} from ${next} UTC on`);
	return unavailable(operation, `the recording has no ${noun}${none}`);
}

/** The most that are named. */
const mostMarkets = 5;

/** The markets that the user may have meant. */
function otherMarkets(reader: RecordingReader, {operation, period}: Channel, text: string): string {
	const [first, last] = [reader.sessions()[0], reader.sessions().at(-1)];
	const isRecorded = (symbol: string) =>
		reader.last(first?.id ?? 0, {operation, symbol, period}, last?.lastId ?? 0, {from: -Infinity, count: 1}).length > 0;
	const markets = reader.symbols().filter(isRecorded);
	const isKnown = reader.symbols().includes(text);
	const suggestion = isKnown
		? ''
		: marketSuggestion(
				markets.map(symbol => ({symbol, state: ''})),
				text,
			);
	if (suggestion) return `, ${suggestion}`;
	if (markets.length === 0) return '';
	return `, only of ${markets.slice(0, mostMarkets).join(', ')}${markets.length > mostMarkets ? ' and others' : ''}`;
}

const unavailable = (operation: Channel['operation'], remedy: string) =>
	new UnavailableError({operation, interface: 'v2', url: '', brief: notRecordedBrief, remedy});
