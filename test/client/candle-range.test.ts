import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {candleCount, readCandleRange} from '../../source/client/candle-range.ts';
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
	readonly ignoresRange: boolean;
	readonly unit: 'ms' | 's';
	readonly excludesFrom: boolean;
	readonly excludesTo: boolean;
	/** Times of candles that it sends without a price. */
	readonly unreadable?: readonly number[];
};

const polite: Manners = {
	times: [],
	newestFirst: true,
	most: 1000,
	ignoresLimit: false,
	ignoresRange: false,
	unit: 'ms',
	excludesFrom: false,
	excludesTo: false,
};

/** The page that the exchange sends, newest first as specified. */
function pageOf(manners: Manners, query: URLSearchParams): readonly number[] {
	const {times, newestFirst, most, unit} = manners;
	const bound = (name: string, none: number) => {
		const text = query.get(name);
		return text === null ? none : Number(text) * (unit === 's' ? 1000 : 1);
	};
	const [from, to] = [bound('startTime', -Infinity), bound('endTime', Infinity)];
	const fits = (time: number) =>
		(manners.excludesFrom ? time > from : time >= from) && (manners.excludesTo ? time < to : time <= to);
	const inRange = manners.ignoresRange ? times : times.filter(fits);
	const size = manners.ignoresLimit ? most : Math.min(most, Number(query.get('limit')));
	return (newestFirst ? inRange.slice(-size) : inRange.slice(0, size)).toReversed();
}

/** Reads a range of an exchange through the client, and counts the requests. */
async function readFrom(manners: Manners, options: {from: number; to?: number; limit?: number}) {
	let requests = 0;
	const http: Http = {
		async get({context}) {
			requests++;
			const data = pageOf(manners, new URL(context.url).searchParams).map(time =>
				candle(time / 1000, manners.unreadable?.includes(time) ? {close: null} : {}),
			);
			return {json: {data, success: true}, text: '', status: 200, sentBytes: 0, receivedAt: now};
		},
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
	const client = createV2Client(http, new URL('http://exchange.invalid'));
	const readPage = (from: number, to: number | undefined) =>
		client.candles('BTCUSDT', {period: 1, limit: 1000, from, to});
	const {answer, incomplete} = await readCandleRange(readPage, {...range, ...options});
	return {times: answer.data.map(({time}) => time), incomplete, requests};
}

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
	])('is read whole %s', async (_, manners, requests) => {
		expect(await readFrom({...polite, times, ...manners}, {from})).toEqual({
			times: minutesTo(now, 2500),
			incomplete: undefined,
			requests,
		});
	});

	test('with a limit is the newest of it, from as few pages as hold them', async () => {
		const {times: read, requests} = await readFrom({...polite, times, newestFirst: false}, {from, limit: 300});
		expect([read.slice(-300), requests]).toEqual([minutesTo(now, 300), 1]);
	});

	test('that the exchange ignores is incomplete after one page', async () => {
		const to = from + 10 * minute;
		expect(await readFrom({...polite, times, ignoresRange: true}, {from, to})).toEqual({
			...{times: [], incomplete: 'the exchange ignores the range', requests: 2},
		});
	});

	test.each([
		['some', times.slice(-5, -2)],
		['the newest', times.slice(-2)],
	])('with %s of its candles unreadable is incomplete', async (_, unreadable) => {
		expect(await readFrom({...polite, times, unreadable}, {from: now - 9 * minute})).toMatchObject({
			times: times.slice(-10).filter(time => !unreadable.includes(time)),
			incomplete: 'the exchange sent candles that cannot be read',
		});
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

test('reads every candle once and in order from any exchange, or says why not, with few requests', async () => {
	const gaps = fc.array(fc.integer({min: 1, max: 12}), {maxLength: 60});
	const manners = fc.record({
		newestFirst: fc.boolean(),
		most: fc.integer({min: 3, max: 40}),
		ignoresLimit: fc.boolean(),
		ignoresRange: fc.boolean(),
		unit: fc.constantFrom('ms' as const, 's' as const),
		excludesFrom: fc.boolean(),
		excludesTo: fc.boolean(),
	});
	const ago = fc.integer({min: 0, max: 500});
	await fc.assert(
		fc.asyncProperty(gaps, manners, ago, ago, async (gaps, behaviour, a, b) => {
			let time = now - 400 * minute;
			const times = gaps.map(gap => {
				time += gap * minute;
				return time;
			});
			const [from, to] = [now - Math.max(a, b) * minute, now - Math.min(a, b) * minute];
			const result = await readFrom({...polite, ...behaviour, times}, {from, to});
			const inRange = times.filter(time => time >= from && time <= to);
			const read = new Set(result.times);
			expect(result.times).toEqual(inRange.filter(time => read.has(time)));
			if (result.incomplete === undefined) expect(result.times).toEqual(inRange);
			if (!behaviour.ignoresRange) expect(result.incomplete).toBeUndefined();
			expect(result.requests).toBeLessThanOrEqual(2 * (10 + 40));
		}),
	);
});

test.each([
	[{from: now - 1440 * minute, to: now}, 1, 1441],
	[{from: now, to: now}, 60, 1],
	[{from: now, to: now - minute}, 1, 0],
	[{from: 0, to: 7 * 86_400_000 - 1}, 1440, 7],
])('%j can have the starts of so many candles of %i minutes: %i', (range, period, count) => {
	expect(candleCount(range, period)).toBe(count);
});
