/** What is read of an answer that holds more than was asked for, or what cannot have happened yet. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Http} from '../../../source/client/http.ts';
import {boundedTo} from '../../../source/client/wire/lists.ts';
import {legacyClient, v2Client} from '../../helpers/clients.ts';
import {legacyTrade, trade} from '../../helpers/wire-entries.ts';

const now = Date.UTC(2026, 10, 20, 10, 30);
const day = 86_400_000;

function clientsOf(data: unknown, timestamp?: number) {
	const json = {data, timestamp, success: true, isSuccess: true};
	const http: Http = {
		get: async () => ({json, text: '', status: 200, headers: {}, sentBytes: 0, receivedAt: now}),
		pause: () => ({waitMs: 0}),
		close: async () => {},
	};
	return {v2: v2Client(http), legacy: legacyClient(http)};
}

const iso = (time: number) => new Date(time).toISOString();
const idsOf = (entries: readonly {readonly id: string}[]) => entries.map(({id}) => id);

describe('an entry dated after its answer', () => {
	const good = [trade(3, {time: now - 1000}), trade(2, {time: now - 2000}), trade(1, {time: now - 3000})];

	test('is dropped and counted, by our own time where the exchange says none', async () => {
		const {v2} = clientsOf([trade(9, {time: now + day, price: 12_345}), ...good]);
		const {data, dropped} = await v2.trades('X');
		expect([idsOf(data), dropped]).toEqual([['3', '2', '1'], 1]);
	});

	test('is dropped of legacy trades too', async () => {
		const fills = [legacyTrade(9, iso(now + day)), legacyTrade(1, iso(now - 1000))];
		const legacy = await clientsOf(fills, now).legacy.trades('X');
		expect([idsOf(legacy.data), legacy.dropped]).toEqual([['1'], 1]);
	});

	test('is kept up to a minute ahead, where stamps of several clocks meet', async () => {
		const {data, dropped} = await clientsOf([trade(4, {time: now + 60_000}), ...good], now).v2.trades('X');
		expect([idsOf(data), dropped]).toEqual([['4', '3', '2', '1'], 0]);
	});

	test('is kept where the exchange’s clock lags, or only our lagging one is known', async () => {
		const lagging = await clientsOf(good, now - day).v2.trades('X');
		expect([idsOf(lagging.data), lagging.dropped]).toEqual([['3', '2', '1'], 0]);
		const run = Array.from({length: 9}, (_, index) => trade(9 - index, {time: now + (7 - index) * 30_000}));
		const {data, dropped} = await clientsOf(run).v2.trades('X');
		expect([data.length, dropped]).toEqual([9, 0]);
	});
});

describe('a list longer than the largest page', () => {
	test('is cut to the 1000 newest trades, in whatever order they come', async () => {
		const all = Array.from({length: 3000}, (_, id) => trade(id + 1, {time: now - (3000 - id)}));
		const newest = Array.from({length: 1000}, (_, index) => String(3000 - index));
		for (const sent of [all, all.toReversed()]) {
			const {data, cut, dropped} = await clientsOf(sent, now).v2.trades('X');
			expect([idsOf(data), cut, dropped]).toEqual([newest, 2000, 0]);
		}

		const fills = all.map(({id, time}) => legacyTrade(id, iso(time)));
		const {data, cut} = await clientsOf(fills, now).legacy.trades('X');
		expect([idsOf(data), cut]).toEqual([newest, 2000]);
	});

	test('is cut to the 5000 best levels of each side; broken ones go first', async () => {
		const ladder = (step: number) => Array.from({length: 6000}, (_, index) => [10_000 + index * step, 1]);
		const broken = Array.from({length: 6000}, () => [-1, 1]);
		const book = {asks: [...broken, ...ladder(1)].toReversed(), bids: [...ladder(-1), ...broken]};
		const {data, cut, dropped} = await clientsOf(book, now).v2.depth('X');
		expect([data.asks.length, data.asks[0], data.asks.at(-1)]).toEqual([5000, [10_000, 1], [14_999, 1]]);
		expect([data.bids?.length, data.bids?.[0], data.bids?.at(-1)]).toEqual([5000, [10_000, 1], [5001, 1]]);
		expect([cut, dropped]).toEqual([14_000, 0]);
	});

	test('is not reported of a short list', async () => {
		const {cut} = await clientsOf([trade(1)], now).v2.trades('X');
		expect(cut).toBeUndefined();
	});
});

test('keeps the entries of the lowest rank in their order', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({min: 0, max: 20})), fc.integer({min: 1, max: 30}), (ranks, most) => {
			const {entries, cut} = boundedTo(most, ranks, Number);
			expect(entries.length + cut).toBe(ranks.length);
			expect(entries.toSorted((a, b) => Number(a) - Number(b))).toEqual(ranks.toSorted((a, b) => a - b).slice(0, most));
			let at = -1;
			for (const entry of entries) {
				at = ranks.indexOf(Number(entry), at + 1);
				expect(at).toBeGreaterThanOrEqual(0);
			}
		}),
	);
});
