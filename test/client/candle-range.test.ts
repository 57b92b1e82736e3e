import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {candleCount, type PageOptions, readCandleRange} from '../../source/client/candle-range.ts';
import {HttpStatusError, SchemaError} from '../../source/client/errors.ts';
import type {Answer} from '../../source/client/exchange.ts';
import type {Http} from '../../source/client/http.ts';
import type {Trade} from '../../source/market/types.ts';
import {v2Client} from '../helpers/clients.ts';
import {candle} from '../helpers/wire-entries.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 22, 12);
const range = {now, period: 1};

/** How an exchange answers a request for candles. */
type Manners = {
	/** Times of its candles, oldest first. */
	readonly times: readonly number[];
	readonly newestFirst: boolean;
	/** Its own maximum, however many are asked for. */
	readonly most: number;
	readonly ignoresLimit: boolean;
	readonly ignoresFrom: boolean;
	readonly ignoresTo: boolean;
	/** Adds the candles of the periods before and after those that fit. */
	readonly addsNeighbours: boolean;
	readonly unit: 'ms' | 's';
	readonly excludesFrom: boolean;
	readonly excludesTo: boolean;
	/** Times of candles that it sends without a price. */
	readonly unreadable?: readonly number[];
	/** Sends the first candle of each answer again, without a price. */
	readonly repeatsInvalid?: boolean;
	/** `limit` counts periods back from the end, with or without a candle. */
	readonly limitsTime?: boolean;
	/** Answers requests for candles before this time with 503. */
	readonly failsBefore?: number;
};

const polite: Manners = {
	times: [],
	newestFirst: true,
	most: 1000,
	ignoresLimit: false,
	ignoresFrom: false,
	ignoresTo: false,
	addsNeighbours: false,
	unit: 'ms',
	excludesFrom: false,
	excludesTo: false,
};

const ignoresRange = {ignoresFrom: true, ignoresTo: true};

/** The page that the exchange sends, newest first as specified. */
function pageOf(manners: Manners, query: URLSearchParams): readonly number[] {
	const {times, newestFirst, most, unit} = manners;
	const bound = (name: string, none: number) => {
		const text = query.get(name);
		return text === null ? none : Number(text) * (unit === 's' ? 1000 : 1);
	};
	const from = manners.ignoresFrom ? -Infinity : bound('startTime', -Infinity);
	const to = manners.ignoresTo ? Infinity : bound('endTime', Infinity);
	const fits = (time: number) =>
		(manners.excludesFrom ? time > from : time >= from) && (manners.excludesTo ? time < to : time <= to);
	const end = Math.min(to, now);
	const isCounted = (time: number) => !manners.limitsTime || time > end - Number(query.get('limit')) * minute;
	const inRange = times.filter(time => fits(time) && isCounted(time));
	const size = manners.ignoresLimit ? most : Math.min(most, Number(query.get('limit')));
	const page = newestFirst ? inRange.slice(-size) : inRange.slice(0, size);
	const isNext = (time: number) => page.includes(time - minute) || page.includes(time + minute);
	const sent = manners.addsNeighbours ? times.filter(time => page.includes(time) || isNext(time)) : page;
	return sent.toReversed();
}

/** Reads a range of an exchange through the client, and counts the requests. */
async function readRange(
	manners: Manners,
	options: {from?: number; to?: number; limit?: number; readTrades?: () => Promise<Answer<readonly Trade[]>>},
) {
	let requests = 0;
	const http: Http = {
		async get({context}) {
			requests++;
			const {searchParams} = new URL(context.url);
			if (Number(searchParams.get('endTime') ?? now) < (manners.failsBefore ?? 0)) throw status(503);
			const data = pageOf(manners, searchParams).map(time =>
				candle(time / 1000, manners.unreadable?.includes(time) ? {close: null} : {}),
			);
			const [newest] = data;
			const invalid = manners.repeatsInvalid && newest ? [{...newest, close: null}] : [];
			return {
				json: {data: [...data, ...invalid], success: true},
				text: '',
				status: 200,
				headers: {},
				sentBytes: 0,
				receivedAt: now,
			};
		},
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
	const client = v2Client(http);
	const readPage = (page: PageOptions) => client.candles('BTCUSDT', {period: 1, ...page});
	const {answer, incomplete, failure} = await readCandleRange(readPage, {...range, ...options});
	return {candles: answer.data, incomplete, failure, requests};
}

async function readFrom(...asked: Parameters<typeof readRange>) {
	const {candles, ...read} = await readRange(...asked);
	return {times: candles.map(({time}) => time), ...read};
}

const status = (code: number) =>
	new HttpStatusError({operation: 'candles', interface: 'v2', url: '', status: code, body: '', message: ''});

/** Every minute back from `end`, oldest first. */
const minutesTo = (end: number, count: number) =>
	Array.from({length: count}, (_, index) => end - (count - 1 - index) * minute);

describe('a range', () => {
	const times = minutesTo(now, 5000);
	const from = now - 2499 * minute;

	test.each<readonly [name: string, manners: Partial<Manners>, requests: number]>([
		['in as few pages as it needs', {}, 3],
		['of an exchange that sends the oldest first', {newestFirst: false}, 3],
		['of an exchange with a lower maximum', {most: 500}, 6],
		['of an exchange with a lower maximum that sends the oldest first', {most: 500, newestFirst: false}, 6],
		['of an exchange that ignores the limit', {most: 9000, ignoresLimit: true}, 3],
		['of an exchange that means seconds', {unit: 's'}, 4],
		['of an exchange that adds the candles next to it', {addsNeighbours: true}, 3],
		['of an exchange that ignores the start', {ignoresFrom: true}, 4],
	])('is read whole %s', async (_, manners, requests) => {
		expect(await readFrom({...polite, times, ...manners}, {from})).toEqual({
			times: minutesTo(now, 2500),
			incomplete: undefined,
			failure: undefined,
			requests,
		});
	});

	test('that the exchange ignores is incomplete after one page, which is read twice', async () => {
		const to = from + 10 * minute;
		expect(await readFrom({...polite, times, ...ignoresRange}, {from, to})).toEqual({
			...{times: [], incomplete: 'the exchange ignores the range', failure: undefined, requests: 3},
		});
	});

	test.each([
		['some', times.slice(-5, -2)],
		['the newest', times.slice(-2)],
	])('with %s of its candles unreadable is incomplete', async (_, unreadable) => {
		expect(await readFrom({...polite, times, unreadable}, {from: now - 9 * minute})).toMatchObject({
			times: times.slice(-10).filter(time => !unreadable.includes(time)),
			incomplete: 'the exchange sent invalid entries',
		});
	});

	test.each([{from}, {from, to: now - 9 * minute}, {limit: 250}, {from, limit: 250}])(
		'with every candle, some again as invalid entries, is complete: %j',
		async options => {
			const {times: read, incomplete} = await readFrom({...polite, times, repeatsInvalid: true}, options);
			const count = options.limit ?? (options.to ? 2491 : 2500);
			expect([read, incomplete]).toEqual([minutesTo(options.to ?? now, count), undefined]);
		},
	);

	test('with a page that is unreadable as a whole is read without it, and incomplete', async () => {
		const unreadable = times.slice(-2000, -900);
		const {incomplete, failure, ...read} = await readFrom({...polite, times, unreadable}, {from});
		expect(read.times).toEqual(minutesTo(now, 2500).filter(time => !unreadable.includes(time)));
		expect([incomplete, failure]).toEqual(['unreadable answer', expect.any(SchemaError)]);
	});

	test('keeps the pages before a failure, and fails where there are none', async () => {
		const {
			times: read,
			incomplete,
			failure,
		} = await readFrom({...polite, times, failsBefore: now - 997 * minute}, {from});
		expect(read).toEqual(minutesTo(now, 998));
		expect([incomplete, failure?.status]).toEqual(['server error 503', 503]);
		await expect(readFrom({...polite, times, failsBefore: Infinity}, {from})).rejects.toThrow('HTTP 503');
	});
});

describe('a limit without a start', () => {
	const times = minutesTo(now, 5000);

	test.each<readonly [name: string, manners: Partial<Manners>, limit: number, count: number, requests: number]>([
		['is one request of an exchange that sends as many', {}, 300, 300, 1],
		['is read in pages above the maximum of an answer', {}, 2500, 2500, 3],
		['is read in pages above the own maximum of the exchange', {most: 300}, 700, 700, 3],
		['ends where the market starts', {times: times.slice(-30)}, 700, 30, 6],
		['ends with the answer of an exchange without candles', {times: []}, 700, 0, 1],
		['is not stopped by a gap', {times: [...times.slice(0, 10), ...times.slice(-100)]}, 700, 110, 6],
	])('%s', async (_, manners, limit, count, requests) => {
		const all = manners.times ?? times;
		expect(await readFrom({...polite, times, ...manners}, {limit})).toEqual({
			...{times: all.slice(all.length - count), incomplete: undefined, failure: undefined, requests},
		});
	});

	test('of an exchange that ignores the range is what one answer has, and incomplete', async () => {
		expect(await readFrom({...polite, times, most: 300, ...ignoresRange}, {limit: 700})).toMatchObject({
			...{times: minutesTo(now, 300), incomplete: 'the exchange ignores the range'},
		});
	});
});

describe('of any exchange', () => {
	const manners = fc.record({
		newestFirst: fc.boolean(),
		most: fc.integer({min: 3, max: 40}),
		ignoresLimit: fc.boolean(),
		ignoresFrom: fc.boolean(),
		ignoresTo: fc.boolean(),
		addsNeighbours: fc.boolean(),
		unit: fc.constantFrom('ms' as const, 's' as const),
		excludesFrom: fc.boolean(),
		excludesTo: fc.boolean(),
	});
	const ago = fc.integer({min: 0, max: 500});
	const gaps = fc.array(fc.integer({min: 1, max: 12}), {maxLength: 60});
	const times = gaps.map(gaps => gaps.map((_, index) => now - (400 - sum(gaps.slice(0, index + 1))) * minute));
	const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

	test('reads every candle of a range once and in order, or says why not, with few requests', async () => {
		await fc.assert(
			fc.asyncProperty(times, manners, ago, ago, async (times, behaviour, a, b) => {
				const [from, to] = [now - Math.max(a, b) * minute, now - Math.min(a, b) * minute];
				const result = await readFrom({...polite, ...behaviour, times}, {from, to});
				const inRange = times.filter(time => time >= from && time <= to);
				const read = new Set(result.times);
				expect(result.times).toEqual(inRange.filter(time => read.has(time)));
				if (result.incomplete === undefined) expect(result.times).toEqual(inRange);
				if (!behaviour.ignoresFrom && !behaviour.ignoresTo) expect(result.incomplete).toBeUndefined();
				expect(result.requests).toBeLessThanOrEqual(2 * (10 + 40));
			}),
		);
	});

	test('that sends the newest first, reads as many as the limit or as there are, or says why not', async () => {
		const limit = fc.integer({min: 1, max: 80});
		await fc.assert(
			fc.asyncProperty(times, manners, limit, async (times, behaviour, limit) => {
				const result = await readFrom({...polite, ...behaviour, newestFirst: true, times}, {limit});
				if (result.incomplete === undefined) expect(result.times).toEqual(times.slice(-limit));
				if (!behaviour.ignoresTo) expect(result.incomplete).toBeUndefined();
				expect(result.requests).toBeLessThanOrEqual(2 * (10 + 40));
			}),
		);
	});
});

test.each([
	[{from: now - 1440 * minute, to: now}, 1, 1441],
	[{from: now, to: now}, 60, 1],
	[{from: now, to: now - minute}, 1, 0],
	[{from: 0, to: 7 * 86_400_000 - 1}, 1440, 7],
])('%j can have the starts of so many candles of %i minutes: %i', (range, period, count) => {
	expect(candleCount(range, period)).toBe(count);
});

describe('the newest candles for a limit', () => {
	const quiet = now - 142 * minute;
	const tradesOf = (data: readonly Trade[]): Answer<readonly Trade[]> => ({
		...{data, interface: 'v2', receivedAt: now, serverTime: now, dropped: 0},
	});
	/** One every half minute, at a price that rises by 1. */
	const tradesEvery =
		(newest: number, count = 400) =>
		async () =>
			tradesOf(
				Array.from({length: count}, (_, back) => ({
					...{id: String(1000 - back), time: newest - back * 30_000, price: 1000 - back, quantity: 0.5},
				})),
			);

	test.each<
		readonly [name: string, manners: Partial<Manners>, newestTrade: number, newest: number, why: string | undefined]
	>([
		['are asked for by time where the exchange sends the oldest', {newestFirst: false}, now, now, undefined],
		[
			'are incomplete where trades came after the newest',
			{times: minutesTo(now - 3 * minute, 3000)},
			...([now, now - 3 * minute, 'the exchange has trades after its newest candle'] as const),
		],
		['are old and complete where nobody traded since', {times: minutesTo(quiet, 3000)}, quiet, quiet, undefined],
		[
			'are found where a limit of time found none',
			{times: minutesTo(quiet, 3000), limitsTime: true},
			...([quiet, quiet, undefined] as const),
		],
	])('%s', async (_, manners, newestTrade, newest, why) => {
		const all = {...polite, times: minutesTo(now, 3000), ...manners};
		const {times, incomplete} = await readFrom(all, {limit: 10, readTrades: tradesEvery(newestTrade)});
		expect(times).toEqual(minutesTo(newest, 10));
		expect(incomplete).toBe(why);
	});

	test('are asked for by time, or are incomplete, also without a limit', async () => {
		const oldest = {...polite, times: minutesTo(now, 3000), newestFirst: false, most: 500};
		const {times, incomplete} = await readFrom({...oldest, most: 1000}, {readTrades: tradesEvery(now)});
		expect([times.at(-1), incomplete]).toEqual([now, undefined]);
		const old = {...polite, times: minutesTo(now - 3 * minute, 3000)};
		expect((await readFrom(old, {readTrades: tradesEvery(now)})).incomplete).toBe(
			'the exchange has trades after its newest candle',
		);
	});

	const none = {...polite, times: []};
	const reason = 'built from trades, as the exchange sends no candles';
	const built = (back: number, volume: number) => ({
		...{time: now - back * minute, open: 999 - 2 * back, high: 1000 - 2 * back, low: 999 - 2 * back},
		...({close: 1000 - 2 * back, volume, builtFrom: 'trades'} as const),
	});

	test('are built from trades where the exchange sends none, the first one partial', async () => {
		const readTrades = tradesEvery(now + 30_000, 6);
		const candles = [2, 1, 0].map(back => built(back, 1));
		const [first, ...others] = candles;
		for (const options of [{}, {limit: 10}, {from: now - 2 * minute}]) {
			const read = await readRange(none, {...options, readTrades});
			expect([read.candles, read.incomplete]).toEqual([[{...first, partial: true}, ...others], reason]);
		}

		expect((await readRange(none, {limit: 2, readTrades})).candles).toEqual(others);
		const {candles: ofRange} = await readRange(none, {from: now - minute, to: now - minute, readTrades});
		expect(ofRange).toEqual([built(1, 1)]);
	});

	test('are partial where they are built from trades that could not all be read', async () => {
		const readTrades = async () => ({...(await tradesEvery(now + 30_000, 6)()), dropped: 1});
		const {candles} = await readRange(none, {limit: 2, readTrades});
		expect(candles.map(({partial}) => partial)).toEqual([true, true]);
	});

	test('are none where nobody traded, and incomplete where the trades cannot be read', async () => {
		const untraded = await readFrom(none, {limit: 10, readTrades: async () => tradesOf([])});
		expect([untraded.times, untraded.incomplete]).toEqual([[], undefined]);
		const unread = await readFrom(none, {limit: 10, readTrades: () => Promise.reject(status(503))});
		expect([unread.times, unread.incomplete]).toEqual([[], 'the exchange sends no candles, and no trades can be read']);
	});

	test('are incomplete where the trades cannot be read', async () => {
		const all = {...polite, times: minutesTo(now - 3 * minute, 3000)};
		const readTrades = () => Promise.reject(status(503));
		const {incomplete} = await readFrom(all, {limit: 10, readTrades});
		expect(incomplete).toBe('the newest closed candle is missing');
	});

	test('of a range that is past are complete where it ends without candles', async () => {
		const quietEnd = {...polite, times: minutesTo(now - 600 * minute, 3000)};
		const read = await readFrom(quietEnd, {
			...{from: now - 700 * minute, to: now - 590 * minute, readTrades: tradesEvery(now)},
		});
		expect([read.times.length, read.incomplete]).toEqual([101, undefined]);
	});
});
