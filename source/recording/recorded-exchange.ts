import {UnavailableError} from '../client/errors.ts';
import type {Answer, Exchange, Read} from '../client/exchange.ts';
import {exchangeOf, operationOf} from '../client/middleware.ts';
import {type Answers, type Ask, marketOf, type Question, type QuestionOf} from '../client/question.ts';
import {formatDateTime} from '../format/time.ts';
import {marketSuggestion, symbolKey} from '../market/symbol.ts';
import type {Candle} from '../market/types.ts';
import {type Logged, type LoggedAnswer, type Moment, notRecordedBrief, RecordedError, validMs} from './outcome-log.ts';
import {silentExchange} from './playback.ts';
import {recordedCandles} from './recorded-ranges.ts';
import type {RecordingReader} from './recording-reader.ts';

/** What a read of a recording gets instead of an exchange. */
export type Recorded = {readonly reader: RecordingReader; readonly moment: Moment};

/** The last session that was recorded at `time`; undefined: none was. */
export function momentAt(reader: RecordingReader, time: number): Moment | undefined {
	const session = reader.sessions().findLast(({from, to}) => from <= time && time <= to);
	return session && {session, time};
}

/**
 * An exchange that answers what was known at a moment of a recording. What failed then fails as it did, with a `RecordedError`;
 * what was not recorded is an `UnavailableError`. No request is sent.
 */
export function recordedExchange(reader: RecordingReader, moment: Moment): Exchange {
	const {time} = moment;
	const session = moment.session.id;
	const id = reader.idAt(session, time);
	const intervals = reader.intervals(session);
	const lastOf = (question: Question) => reader.last(session, question, id, {from: -Infinity, count: 1})[0];

	/** Whether the read was followed by another one so soon that nothing can have been missed, or is that recent. */
	function isCurrent(question: Question, read: Logged): boolean {
		const next = reader.next(session, question, read.id);
		return Math.min(time, next?.sentAt ?? Infinity) - read.endedAt <= validMs(read, intervals[question.ask]);
	}

	/** The last read up to this moment. Throws how it failed, or that there is none. */
	function lastAnswer(question: Question): LoggedAnswer {
		const read = lastOf(question);
		if (!read || !isCurrent(question, read)) throw notRecorded(reader, question, time);
		if ('failure' in read) throw new RecordedError(read.failure);
		return read;
	}

	/** Whether the last read of candles did not fail, and the trades are known up to this moment. */
	function goesOn(question: QuestionOf<'candles'>): boolean {
		const trades = {ask: 'trades', market: question.market} as const;
		const [last, lastTrades] = [lastOf(question), lastOf(trades)];
		if (!lastTrades || 'failure' in lastTrades || (last && 'failure' in last)) return false;
		return isCurrent(trades, lastTrades);
	}

	/** Pages of a range ask for the same candles again. */
	const candleLists = new Map<string, readonly Candle[]>();

	function candlesUpTo({market, period}: QuestionOf<'candles'>): readonly Candle[] {
		const key = `${market} ${period}`;
		const all = candleLists.get(key) ?? recordedCandles(reader, moment, {symbol: market, period});
		candleLists.set(key, all);
		return all;
	}

	function candles(question: QuestionOf<'candles'>): Answer<readonly Candle[]> {
		const {market, from, to, limit = 500} = question;
		// Candles of a range are past: they need not be the newest. Trades go on where the candles were read last.
		const isAny = (from ?? to) !== undefined || goesOn(question);
		const read = isAny ? reader.lastAnswer(reader.sessions()[0]?.id ?? session, question, id) : lastAnswer(question);
		if (!read) throw notRecorded(reader, question, time);
		const {offPeriod: _ofPage, outside: _ofRequest, ...answer} = read.answer;
		const isInRange = (candle: Candle) => candle.time >= (from ?? -Infinity) && candle.time <= (to ?? Infinity);
		const data = candlesUpTo(question).filter(isInRange).slice(-limit);
		const trades = reader.lastAnswer(session, {ask: 'trades', market}, id)?.answer;
		const isTraded = data.at(-1)?.builtFrom === 'trades' && trades && trades.receivedAt > answer.receivedAt;
		const times = isTraded ? {receivedAt: trades.receivedAt, serverTime: trades.serverTime} : {};
		return {...answer, ...times, data};
	}

	/** The market's number itself if no list was recorded that has it. */
	function symbolOfId(marketId: string): string {
		const list = reader.lastAnswer(session, {ask: 'markets'}, id);
		const market = list && reader.data({ask: 'markets'}, list.id).find(each => each.id === marketId);
		return market?.symbol ?? `with the id ${marketId}`;
	}

	function asRecorded<Wanted extends Question>(question: Wanted): Wanted {
		if (!('market' in question)) return question;
		const {market} = question;
		return {...question, market: typeof market === 'string' ? recordedSymbol(reader, market) : symbolOfId(market.id)};
	}

	/** Async, so that a failure is a rejection. */
	const read = async (original: Question): Promise<Answer<Answers[Ask]>> => {
		const question = asRecorded(original);
		if (question.ask === 'candles') return candles(question);
		const {answer, id: of} = lastAnswer(question);
		return {...answer, data: reader.data(question, of)};
	};
	return exchangeOf(read as Read, silentExchange);
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

const nouns: Readonly<Record<Ask, string>> = {
	...{info: 'exchange info', markets: 'market list', tickers: 'tickers'},
	...{depth: 'order book', trades: 'trades', candles: 'candles'},
};

/** A read was not recorded at `time`. Says what was recorded instead. */
export function notRecorded(reader: RecordingReader, question: Question, time: number): UnavailableError {
	const {ask} = question;
	const market = marketOf(question);
	const noun = market === undefined ? nouns[ask] : `${nouns[ask]} of ${market}`;
	const {before, after} = answersAround(reader, question, time, time + 1);
	const [last, next] = [before, after].map(read => read && formatDateTime(read.endedAt));
	const none = market === undefined ? '' : otherMarkets(reader, question, market);
	if (last && next) return unavailable(ask, `the recording has no ${noun} from ${last} to ${next} UTC`);
	if (last) return unavailable(ask, `the recording has the ${noun} until ${last} UTC`);
	if (next) return unavailable(ask, `the recording has the ${noun} from ${next} UTC on`);
	return unavailable(ask, `the recording has no ${noun}${none}`);
}

/** Of any session: the last answer that was known at `time`, and the first at or after `since`, which tells what happened until then. */
export function answersAround(
	reader: RecordingReader,
	question: Question,
	time: number,
	since = time,
): {readonly before: LoggedAnswer | undefined; readonly after: LoggedAnswer | undefined} {
	const sessions = reader.sessions();
	function nextAnswer(session: number): LoggedAnswer | undefined {
		let read = reader.next(session, question, reader.idAt(session, since - 1));
		while (read && 'failure' in read) read = reader.next(session, question, read.id);
		return read;
	}

	// Sessions may be thousands: no more of them are read than needed.
	const befores = sessions.toReversed().values();
	return {
		before: befores
			.map(({id}) => reader.lastAnswer(id, question, reader.idAt(id, time)))
			.find(read => read !== undefined),
		after: sessions
			.values()
			.map(({id}) => nextAnswer(id))
			.find(read => read !== undefined),
	};
}

/** The most that are named. */
const mostMarkets = 5;

/** The markets that the user may have meant. */
function otherMarkets(reader: RecordingReader, question: Question, text: string): string {
	const [first, last] = [reader.sessions()[0], reader.sessions().at(-1)];
	const isRecorded = (market: string) =>
		reader.lastAnswer(first?.id ?? 0, {...question, market} as Question, last?.lastId ?? 0) !== undefined;
	const markets = reader.symbols().filter(isRecorded);
	const isListed = reader.symbols().includes(text);
	const suggestion = isListed
		? ''
		: marketSuggestion(
				markets.map(symbol => ({symbol, state: ''})),
				text,
			);
	if (suggestion) return `, ${suggestion}`;
	if (markets.length === 0) return '';
	return `, only of ${markets.slice(0, mostMarkets).join(', ')}${markets.length > mostMarkets ? ' and others' : ''}`;
}

const unavailable = (ask: Ask, remedy: string) =>
	new UnavailableError({operation: operationOf(ask), interface: 'v2', url: '', brief: notRecordedBrief, remedy});
