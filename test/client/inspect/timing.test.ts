import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {clockSkew, tickerDelay} from '../../../source/client/inspect/timing.ts';
import type {Trade} from '../../../source/market/types.ts';
import {probeOf} from './probes.ts';

describe('clock skew', () => {
	const at = (startedAt: number, durationMs: number, serverTime: number | undefined) =>
		probeOf({data: [], startedAt, durationMs, serverTime});

	test.each([
		['no answer', [], undefined],
		['no answer with a time', [at(1000, 50, undefined)], undefined],
		['one answer: half the round trip', [at(10_000, 100, 12_051)], {skewMs: 2001, uncertaintyMs: 51}],
		[
			'several answers: what they all allow',
			[at(10_000, 100, 10_090), at(20_000, 100, 20_001)],
			{skewMs: -4.5, uncertaintyMs: 6.5},
		],
		[
			'whole seconds: the part that was cut',
			[at(10_500, 0, 10_000), at(20_800, 0, 20_000)],
			{skewMs: -150.5, uncertaintyMs: 350.5},
		],
		[
			'a clock set between two answers: the quicker one',
			[at(10_000, 400, 10_201), at(20_000, 100, 7_220_051)],
			{skewMs: 7_200_001, uncertaintyMs: 51},
		],
	])('of %s', (_, probes, expected) => {
		expect(clockSkew(probes)).toEqual(expected);
	});

	test('always lies within its uncertainty of the truth', () => {
		const trip = fc.record({there: fc.nat(3000), back: fc.nat(3000), pause: fc.nat(10_000)});
		const skews = fc.integer({min: -7_200_000, max: 7_200_000});
		fc.assert(
			fc.property(skews, fc.array(trip, {minLength: 1}), fc.boolean(), (truth, trips, seconds) => {
				let now = 1e12;
				const probes = trips.map(({there, back, pause}) => {
					const startedAt = now + pause;
					const exact = startedAt + there + truth;
					now = startedAt + there + back;
					return at(startedAt, there + back, seconds ? Math.floor(exact / 1000) * 1000 : exact);
				});
				const {skewMs = Number.NaN, uncertaintyMs = 0} = clockSkew(probes) ?? {};
				expect(Math.abs(skewMs - truth)).toBeLessThanOrEqual(uncertaintyMs);
			}),
		);
	});
});

describe('the delay of a ticker', () => {
	const trade = (time: number, price: number): Trade => ({id: `${time}${price}`, time, price, quantity: 1});
	/** Newest first. */
	const trades = [trade(9000, 12), trade(7000, 11), trade(4000, 10), trade(1000, 9)];
	const pair = (last: number | undefined, serverTime: number | undefined, list: readonly Trade[] = trades) => ({
		ticker: probeOf({data: [{symbol: 'BTCUSDT', last, state: 'active'}], serverTime}),
		trades: probeOf({data: list}),
	});

	test.each([
		['none with the price of the last trade before it', [pair(11, 8000), pair(12, 9000)], [2, 0, 0]],
		['the time since its price was replaced', [pair(10, 8000)], [1, 1, 1000]],
		['the worst of several', [pair(11, 8000), pair(9, 8000), pair(10, 8000)], [3, 2, 4000]],
		['as far as the trades reach back, where none has its price', [pair(5, 8000)], [1, 1, 7000]],
		[
			'none with the price of any trade of the last millisecond',
			[pair(10, 8000, [trade(7000, 11), trade(7000, 10)])],
			[1, 0, 0],
		],
	] as const)('is %s', (_, pairs, [samples, behind, atLeastMs]) => {
		expect(tickerDelay(pairs, 'BTCUSDT')).toEqual({samples, behind, atLeastMs});
	});

	test.each([
		['without a price', pair(undefined, 8000)],
		['without a time', pair(11, undefined)],
		['older than every trade', pair(11, 500)],
		['without trades', pair(11, 8000, [])],
	])('ignores a ticker %s', (_, only) => {
		expect(tickerDelay([only], 'BTCUSDT')).toBeUndefined();
		expect(tickerDelay([only, pair(11, 8000)], 'BTCUSDT')).toMatchObject({samples: 1});
	});

	test('ignores other markets', () => {
		expect(tickerDelay([pair(11, 8000)], 'ETHUSDT')).toBeUndefined();
	});
});
