import {ExchangeError, HttpStatusError, RefusedError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {monthsIn} from '../market/calendar.ts';
import {buildingPeriods} from '../market/candle-groups.ts';
import {type CandleSeries, candleStart, countOffPeriod, mergeCandles, startAfter} from '../market/candles.ts';
import {type Candle, largestPage, type Period} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';

/** Candles as the exchange sent them: of the requested period, or of a shorter one to build it from. */
export type CandlesAnswer = Answer<CandleSeries>;

type CandlesRequest = {
	readonly symbol: string;
	readonly period: Period;
	/** The last answer for this symbol and period; absent: none yet. */
	readonly last: CandlesAnswer | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly call: CallOptions;
	/** How many candles are requested where all are. Default 500. */
	readonly pageSize?: number | undefined;
	/** When the newest known trade happened, epoch ms: it shows that newer candles are missing. Absent: none is known. */
	readonly tradedAt?: number | undefined;
};

/** How many candles are requested where all are. */
export const fullPage = 500;
/** The most candles that are kept of one series; older ones are not requested. */
export const mostCandles = 20_000;
/** The candle that was forming, the one that is forming now, and one more for late trades. */
const overlap = 3;

/**
 * Fetches a market's candles, all at first and then those that may have changed (`fetchSeries`). Resolves with `unavailable`
 * if the exchange has no candles, else rejects like `exchange.candles`.
 */
export async function fetchCandles(
	exchange: Exchange,
	request: CandlesRequest,
): Promise<CandlesAnswer | 'unavailable'> {
	try {
		return await fetchSeries(exchange, request);
	} catch (error) {
		if (error instanceof ExchangeError && error.kind === 'unavailable') return 'unavailable';
		throw error;
	}
}

/**
 * Fetches all candles at first, then those that may have changed, and merges them into the last answer. After a long pause
 * it also fetches those in between, page by page; what the exchange no longer has stays a gap. It fetches all again when they
 * contradict the last answer (the exchange has set its clock) or come from the other interface. If the exchange refuses the
 * period or has no candles of it, it fetches a shorter period. Rejects like `exchange.candles`.
 */
export function fetchSeries(exchange: Exchange, request: CandlesRequest): Promise<CandlesAnswer> {
	const {last, tradedAt, pageSize = fullPage} = request;
	const isFarBehind = last && endsBefore(last.data, tradedAt, pageSize);
	return last && !isFarBehind ? refreshed(exchange, request, last) : firstAnswer(exchange, request);
}

/** Whether the newest trade is `by` candles or more after the last one: default, so many that a closed one may be missing. */
export function endsBefore({candles, period}: CandleSeries, tradedAt = -Infinity, by = 2): boolean {
	const last = candles.at(-1);
	return last !== undefined && tradedAt >= startAfter(last.time, period, by);
}

/**
 * Fetches the newest candles. Where a trade shows that newer ones are missing, they are requested again, by their time; what is
 * far older is then left out. Rejects like `exchange.candles`.
 */
async function fetchNewest(
	exchange: Exchange,
	{symbol, call, tradedAt}: CandlesRequest,
	{period, limit}: {readonly period: Period; readonly limit: number},
): Promise<Answer<readonly Candle[]>> {
	const page = await exchange.candles(symbol, {...call, period, limit});
	const last = page.data.at(-1);
	if (!last || tradedAt === undefined || !endsBefore({candles: page.data, period, builtFrom: 'exchange'}, tradedAt))
		return page;
	const earliest = startAfter(candleStart(tradedAt, period, last.time), period, 1 - limit);
	const range = {from: Math.max(last.time + 1, earliest), to: tradedAt};
	const newer = await exchange.candles(symbol, {...call, period, limit, ...range}).catch((error: unknown) => {
		if (error instanceof ExchangeError && error.kind !== 'aborted') return undefined;
		throw error;
	});
	if (!newer || newer.data.length === 0 || newer.interface !== page.interface) return page;
	if (last.time < earliest) return newer;
	return {...newer, data: mergeCandles(page.data, newer.data), dropped: page.dropped + newer.dropped};
}

/** Fetches a page of candles of the period itself, and merges it into the last answer if it meets that. Rejects like `exchange.candles`. */
export async function fetchPage(exchange: Exchange, request: CandlesRequest): Promise<CandlesAnswer> {
	const {period, last, pageSize = fullPage} = request;
	const page = await fetchNewest(exchange, request, {period, limit: pageSize});
	return last && meets(last, page) ? joined(last, page) : series(page, period);
}

async function refreshed(exchange: Exchange, request: CandlesRequest, last: CandlesAnswer): Promise<CandlesAnswer> {
	const {symbol, now, call, pageSize = fullPage} = request;
	const {period} = last.data;
	const requestPage: RequestPage = (limit, to) => exchange.candles(symbol, {...call, period, limit, to});
	if (last.data.candles.length === 0)
		return series(await fetchNewest(exchange, request, {period, limit: pageSize}), period);
	const tail = await fetchNewest(exchange, request, {period, limit: Math.min(tailSize(last, now), largestPage)});
	const newer = await backTo(last, tail, requestPage);
	if (meets(last, newer) || follows(last, newer)) return joined(last, newer);
	return fetchPage(exchange, {...request, period, last});
}

type RequestPage = (limit: number, to: number) => Promise<Answer<readonly Candle[]>>;

/** Extends `newest` back to the last answer, page by page, as far as the exchange has candles. */
async function backTo(
	last: CandlesAnswer,
	newest: Answer<readonly Candle[]>,
	request: RequestPage,
): Promise<Answer<readonly Candle[]>> {
	let joined = newest;
	for (let page = 1; page < mostCandles / largestPage && follows(last, joined); page++) {
		const before = joined.data[0]?.time ?? 0;
		const missing = Math.ceil((before - endOf(last)) / (last.data.period * minuteMs)) + overlap;
		const older = await request(Math.min(missing, largestPage), before - 1);
		const data = mergeCandles(older.data, joined.data);
		if (older.interface !== joined.interface || data[0]?.time === before) break;
		const rounded = (joined.rounded ?? 0) + (older.rounded ?? 0);
		const misdated = (joined.misdated ?? 0) + (older.misdated ?? 0);
		const counts = {dropped: joined.dropped + older.dropped, rounded, misdated};
		joined = {...joined, data, ...counts};
	}

	return joined;
}

/** Whether `newer` lies entirely after the last answer, so that candles between them may be missing. */
function follows(last: CandlesAnswer, newer: Answer<readonly Candle[]>): boolean {
	const [first] = newer.data;
	return newer.interface === last.interface && first !== undefined && first.time > endOf(last);
}

/** The start of the newest candle, epoch ms. */
const endOf = (last: CandlesAnswer): number => last.data.candles.at(-1)?.time ?? Infinity;

/** Fetches the period itself or, if that is refused or empty, the longest shorter one that has candles. */
async function firstAnswer(exchange: Exchange, request: CandlesRequest): Promise<CandlesAnswer> {
	const {period, pageSize = fullPage} = request;
	let refusal: unknown;
	let empty: CandlesAnswer | undefined;
	// No exchange is asked for months, whose length is not a number of minutes.
	const own = monthsIn(period) > 0 ? [] : [period];
	for (const candidate of [...own, ...fallbacks(period)]) {
		const limit = candidate === period ? pageSize : largestPage;
		try {
			const answer = await fetchNewest(exchange, request, {period: candidate, limit});
			const all = series(answer, candidate);
			if (answer.data.length > 0) return all;
			empty ??= all;
		} catch (error) {
			if (!isRefusal(error)) throw error;
			refusal ??= error;
		}
	}

	if (empty) return empty;
	throw refusal;
}

/** The longest period to build from, and the two that every exchange has. */
function fallbacks(period: Period): readonly Period[] {
	const [longest, ...others] = buildingPeriods(period);
	return longest === undefined ? [] : [longest, ...others.filter(shorter => shorter === 60 || shorter === 1)];
}

/** Whether the exchange refuses the period, rather than fails. */
function isRefusal(error: unknown): boolean {
	return (
		error instanceof RefusedError ||
		(error instanceof HttpStatusError && (error.status === 400 || error.status === 422))
	);
}

function joined(last: CandlesAnswer, newer: Answer<readonly Candle[]>): CandlesAnswer {
	const data = mergeCandles(last.data.candles, newer.data).slice(-mostCandles);
	return series({...newer, data}, last.data.period);
}

/** Candles of another period are counted over the whole series. */
function series(answer: Answer<readonly Candle[]>, period: Period): CandlesAnswer {
	const {data: candles} = answer;
	return {...answer, data: {period, candles, builtFrom: 'exchange'}, offPeriod: countOffPeriod(candles, period)};
}

function tailSize(last: CandlesAnswer, now: number): number {
	const periodMs = last.data.period * minuteMs;
	return Math.ceil(Math.max(now - last.receivedAt, 0) / periodMs) + overlap;
}

function meets(last: CandlesAnswer, tail: Answer<readonly Candle[]>): boolean {
	const [first] = tail.data;
	const newest = tail.data.at(-1);
	const end = last.data.candles.at(-1);
	if (tail.interface !== last.interface || !first || !newest || !end || first.time > end.time) return false;
	// An answer that lacks entries proves nothing, and must not replace a complete one.
	if (tail.dropped > 0) return true;
	return end.time <= newest.time && !isRedated(last.data.candles, tail.data);
}

/** Whether most of the shared candles open at different prices: the exchange has set its clock. */
function isRedated(older: readonly Candle[], newer: readonly Candle[]): boolean {
	const opens = new Map(newer.map(({time, open}) => [time, open]));
	const shared = older.filter(({time}) => opens.has(time));
	return shared.filter(({time, open}) => opens.get(time) !== open).length > shared.length / 2;
}

/** Whether there are candles older than the loaded ones. */
export type CandleHistory =
	/** There may be more; none have been requested yet. */
	| {readonly status: 'more'}
	| {readonly status: 'loading'}
	/** The exchange has no older ones. */
	| {readonly status: 'complete'}
	/** The limit of candles is reached. */
	| {readonly status: 'full'}
	| {readonly status: 'failed'; readonly error: ExchangeError; readonly retryAt: number};

export const moreHistory: CandleHistory = {status: 'more'};

/** Whether a page of older candles can be requested at `now`, epoch ms. */
export const canLoadOlder = (history: CandleHistory, now: number): boolean =>
	history.status === 'more' || (history.status === 'failed' && now >= history.retryAt);

/** Candles that end where the loaded ones begin. */
export type OlderPage = {
	readonly page: Answer<readonly Candle[]>;
	/** Start of the first loaded candle when the page was requested, epoch ms. */
	readonly before: number;
};

/**
 * Fetches the page of candles before `loaded`, which is empty at the beginning of history; undefined if nothing is loaded.
 * Rejects like `exchange.candles`.
 */
export async function fetchOlder(
	exchange: Exchange,
	symbol: string,
	loaded: CandlesAnswer,
	call: CallOptions,
): Promise<OlderPage | undefined> {
	const {candles, period} = loaded.data;
	const before = candles[0]?.time;
	if (before === undefined) return undefined;
	const limit = Math.min(largestPage, Math.max(mostCandles - candles.length, 1));
	return {page: await exchange.candles(symbol, {...call, period, limit, to: before - 1}), before};
}

/**
 * Adds an older page to the loaded candles. The page is dropped, and nothing changes, if the candles that it was requested
 * for have been replaced meanwhile or come from another interface.
 */
export function withOlder(
	loaded: CandlesAnswer,
	{page, before}: OlderPage,
): {readonly answer: CandlesAnswer; readonly history: CandleHistory} {
	const {candles} = loaded.data;
	if (page.interface !== loaded.interface || candles[0]?.time !== before) return {answer: loaded, history: moreHistory};
	const all = mergeCandles(page.data, candles);
	const status = all.length === candles.length ? 'complete' : all.length >= mostCandles ? 'full' : 'more';
	return {answer: series({...loaded, data: all}, loaded.data.period), history: {status}};
}

/** The history after `next` replaced `last`: if fewer candles begin later, there are older ones again. */
export function historyAfter(
	history: CandleHistory,
	last: CandlesAnswer | 'unavailable' | undefined,
	next: CandlesAnswer | 'unavailable',
): CandleHistory {
	if (!last || last === 'unavailable' || next === 'unavailable') return history;
	const [before, after] = [last.data.candles, next.data.candles];
	const lostOlder = after.length < before.length && (after[0]?.time ?? Infinity) > (before[0]?.time ?? Infinity);
	return lostOlder ? moreHistory : history;
}
