import {type Candle, largestPage, type Period} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import type {Answer} from './exchange.ts';

/** Maximum length of a range. */
export const mostRangeCandles = 100_000;

/** Why candles of a range may be missing. */
export const rangeIgnored = 'the exchange ignores the range';
export const unreadableCandles = 'the exchange sent candles that cannot be read';

/** Candle starts, epoch ms, inclusive. */
type StartRange = {readonly from: number; readonly to: number};

type CandlePage = Answer<readonly Candle[]>;

type RangeOptions = {
	readonly from: number;
	/** Default: `now`, and what the exchange has beyond it. */
	readonly to?: number | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly period: Period;
	/** Stops when this many of the newest candles are known. Default: no limit. */
	readonly limit?: number | undefined;
	/** Called before each page, 1 to `of`. */
	readonly onPage?: ((page: number, of: number) => void) | undefined;
};

type CandleRange = {
	/** The newest page's, with the candles of all pages, oldest first, each start once. */
	readonly answer: CandlePage;
	/** Why candles may be missing, as a clause; absent: all that the exchange has are there. */
	readonly incomplete?: string | undefined;
};

/** How many candles can start in the range. */
export const candleCount = ({from, to}: StartRange, period: Period): number =>
	Math.max(Math.floor((to - from) / (period * minuteMs)) + 1, 0);

/** One candle more may fit, and one may be added at either end. */
const pageCandles = largestPage - 3;

/**
 * Reads the candles of a range in pages, newest page first. Which candles the exchange leaves out of an answer, where its
 * maximum is lower or an end of the range is exclusive, is not specified: an end that an answer lacks is requested again,
 * one candle wider, until nothing comes. `readPage` reads at most 1000 candles of a range without an end or with one.
 */
export async function readCandleRange(
	readPage: (from: number, to: number | undefined) => Promise<CandlePage>,
	{from, to, now, period, limit = Infinity, onPage}: RangeOptions,
): Promise<CandleRange> {
	const periodMs = period * minuteMs;
	const end = Math.max(to ?? now, from);
	const pages = Math.ceil(candleCount({from, to: end}, period) / pageCandles);
	// Far more than an exchange needs that sends 100 candles an answer.
	let requestsLeft = 10 + 40 * pages;
	const byTime = new Map<number, Candle>();
	let newest: CandlePage | undefined;
	let [dropped, rounded] = [0, 0];

	/** Settles with why candles may be missing. */
	async function readAll(range: StartRange): Promise<string | undefined> {
		const missing = [range];
		for (let part = missing.pop(); part; part = missing.pop()) {
			if (requestsLeft-- === 0) return 'the exchange sends too few candles at a time';
			const isOpen = to === undefined && part.to === end;
			const widerMs = part === range ? 0 : periodMs;
			const answer = await readPage(part.from - widerMs, isOpen ? undefined : part.to + widerMs);
			newest ??= answer;
			const {from: earliest, to: latest} = isOpen ? {...part, to: Infinity} : part;
			const candles = answer.data.filter(({time}) => time >= earliest && time <= latest);
			for (const candle of candles) byTime.set(candle.time, candle);
			if (answer.rangeIgnored) return rangeIgnored;
			const [first, last] = [candles[0], candles.at(-1)];
			if (!first || !last) {
				// Possibly the same entries as in the answer before.
				dropped = Math.max(dropped, answer.dropped);
				continue;
			}

			dropped += answer.dropped;
			rounded += answer.rounded ?? 0;
			if (first.time - periodMs >= part.from) missing.push({from: part.from, to: first.time - 1});
			if (last.time + periodMs <= part.to) missing.push({from: last.time + 1, to: part.to});
		}

		return undefined;
	}

	let incomplete: string | undefined;
	let latest = end;
	for (let page = 1; latest >= from && byTime.size < limit && incomplete === undefined; page++) {
		onPage?.(page, pages);
		const earliest = Math.max(from, latest - pageCandles * periodMs);
		incomplete = await readAll({from: earliest, to: latest});
		latest = earliest - 1;
	}

	const data = [...byTime.values()].sort((a, b) => a.time - b.time);
	if (!newest) throw new RangeError(`the range from ${from} to ${end} is empty`);
	const {interface: source, receivedAt, serverTime} = newest;
	if (dropped > 0) incomplete ??= unreadableCandles;
	return {answer: {data, interface: source, receivedAt, serverTime, dropped, rounded}, incomplete};
}
