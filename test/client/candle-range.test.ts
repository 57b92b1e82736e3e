import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {PageOptions} from '../../source/client/candle-pages.ts';
import {candleCount, readCandleRange} from '../../source/client/candle-range.ts';
import {HttpStatusError, SchemaError} from '../../source/client/errors.ts';
import type {Http} from '../../source/client/http.ts';
import {createV2Client} from '../../source/client/wire/v2/client.ts';
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
async function readFrom(
	manners: Manners,
	options: {from?: number; to?: number; limit?: number; tradeTimes?: () => Promise<readonly number[]>},
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
	const client = createV2Client(http, new URL('http://exchange.invalid'));
	const readPage = (page: PageOptions) => client.candles('BTCUSDT', {period: 1, ...page});
	const {answer, incomplete, failure} = await readCandleRange(readPage, {...range, ...options});
	return {times: answer.data.map(({time}) => time), incomplete, failure, requests};
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

	test('with a limit is the newest of it, from as few pages as hold them', async () => {
		const {times: read, requests} = await readFrom({...polite, times, newestFirst: false}, {from, limit: 300});
		expect([read, requests]).toEqual([minutesTo(now, 300), 1]);
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

	test('without candles, before the first one and between two is complete', async () => {
		const gap = [now - 30 * minute, now - 20 * minute, now];
		expect(await readFrom({...polite, times: gap}, {from: now - 60 * minute})).toMatchObject({
			times: gap,
			incomplete: undefined,
		});
		expect(await readFrom(polite, {from: now - 60 * minute})).toMatchObject({times: [], incomplete: undefined});
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

	test('of one instant is read from an exchange that excludes its end', async () => {
		const behaviour = {...polite, times, excludesTo: true};
		expect(await readFrom(behaviour, {from: now, to: now})).toMatchObject({times: [now], incomplete: undefined});
	});

	test('ends at the given time', async () => {
		const to = now - 1000 * minute;
		expect(await readFrom({...polite, times, most: 300}, {to, limit: 400})).toMatchObject({
			...{times: minutesTo(to, 400), incomplete: undefined},
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
	const tradesEvery = (newest: number) => async () => Array.from({length: 400}, (_, back) => newest - back * 30_000);

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
		const {times, incomplete} = await readFrom(all, {limit: 10, tradeTimes: tradesEvery(newestTrade)});
		expect(times).toEqual(minutesTo(newest, 10));
		expect(incomplete).toBe(why);
	});

	test('are incomplete where the exchange has trades, but sends no candles', async () => {
		const {times, incomplete} = await readFrom({...polite, times: []}, {limit: 10, tradeTimes: tradesEvery(now)});
		expect([times, incomplete]).toEqual([[], 'the exchange has trades, but sends no candles']);
		const plain = await readFrom({...polite, times: []}, {tradeTimes: tradesEvery(now)});
		expect(plain.incomplete).toBe('the exchange has trades, but sends no candles');
		const untraded = await readFrom({...polite, times: []}, {limit: 10, tradeTimes: async () => []});
		expect(untraded.incomplete).toBeUndefined();
	});

	test('are incomplete where the trades cannot be read', async () => {
		const all = {...polite, times: minutesTo(now - 3 * minute, 3000)};
		const tradeTimes = () => Promise.reject(status(503));
		const {incomplete} = await readFrom(all, {limit: 10, tradeTimes});
		expect(incomplete).toBe('the newest closed candle is missing');
	});
});
