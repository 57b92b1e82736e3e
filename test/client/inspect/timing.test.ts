import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Operation} from '../../../source/client/errors.ts';
import type {Probe} from '../../../source/client/inspect/operations.ts';
import {clockSkew, interfaceClocks, tickerDelay} from '../../../source/client/inspect/timing.ts';
import type {Trade} from '../../../source/market/types.ts';
import {probeOf} from './probes.ts';

const raise = (): never => {
	throw new Error('the probe failed');
};

/** Ms from here on. */
const epoch = Date.UTC(2026, 0);

describe('clock skew', () => {
	const at = (startedAt: number, durationMs: number, serverTime: number | undefined, isHit = false) =>
		probeOf({
			data: [],
			isHit,
			startedAt: epoch + startedAt,
			durationMs,
			serverTime: serverTime === undefined ? undefined : epoch + serverTime,
		});

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
			'answers from a cache and others: the bounds of these, and the lower ones of those',
			[at(10_000, 100, 8090, true), at(20_000, 100, 20_001), at(30_000, 10, 30_009, true)],
			{skewMs: 0, uncertaintyMs: 2},
		],
		[
			'one answer from a cache: no better than if it were fresh',
			[at(10_000, 100, 8051, true)],
			{skewMs: -1999, uncertaintyMs: 51},
		],
		[
			'answers from a cache only: the youngest one',
			[at(10_000, 100, 5051, true), at(20_000, 100, 19_051, true), at(30_000, 10, 28_009, true)],
			{skewMs: -999, uncertaintyMs: 51},
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
				let now = 0;
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

describe('the clocks of an interface', () => {
	const probe = (operation: Operation, serverTime: number) => ({
		...probeOf({data: [], startedAt: epoch, durationMs: 100, serverTime: epoch + serverTime}),
		operation,
	});

	test('are one, as exact as all answers together allow', () => {
		expect(interfaceClocks('v2', [probe('depth', 90), probe('trades', 20)])).toEqual([
			{interface: 'v2', skewMs: 5, uncertaintyMs: 16},
		]);
	});

	test('are told apart by operation, the most common first', () => {
		const probes = [probe('trades', 7_200_050), probe('depth', 50), probe('ticker', 50)];
		expect(interfaceClocks('v2', probes)).toEqual([
			{interface: 'v2', skewMs: 0, uncertaintyMs: 51},
			{interface: 'v2', skewMs: 7_200_000, uncertaintyMs: 51, operations: ['trades']},
		]);
	});

	test('are one where a cache gave all answers of an operation, in whatever order', () => {
		const kept = (operation: Operation, serverTime: number) => ({
			...probeOf({data: [], startedAt: epoch, durationMs: 100, serverTime: epoch + serverTime, isHit: true}),
			operation,
		});
		const one = [{interface: 'v2', skewMs: 0, uncertaintyMs: 51}];
		expect(interfaceClocks('v2', [kept('ticker', -4000), probe('depth', 50)])).toEqual(one);
		expect(interfaceClocks('v2', [probe('depth', 50), kept('ticker', -4000)])).toEqual(one);
		expect(interfaceClocks('v2', [kept('ticker', -4000), kept('depth', 50)])).toEqual(one);
		expect(interfaceClocks('v2', [kept('ticker', 7_200_000), probe('depth', 50)])).toHaveLength(2);
	});

	test('stand still when every answer over two seconds has one time', () => {
		const later = (ms: number) => ({...probe('depth', 0), startedAt: epoch + ms});
		expect(interfaceClocks('v2', [probe('ticker', 0), later(2000)])).not.toMatchObject([{frozenAt: epoch}]);
		expect(interfaceClocks('v2', [probe('ticker', 0), later(2001)])).toMatchObject([{frozenAt: epoch}]);
	});

	test('ignore times of 1970', () => {
		expect(interfaceClocks('v2', [probe('depth', -epoch + 1_767_225_600)])).toEqual([]);
	});
});

describe('the delay of a ticker', () => {
	const trade = (time: number, price: number): Trade => ({
		...{id: `${time}${price}`, time: epoch + time, price, quantity: 1},
	});
	/** Newest first. */
	const trades = [trade(9000, 12), trade(7000, 11), trade(4000, 10), trade(1000, 9)];
	const answered = (serverTime: number | undefined) =>
		serverTime === undefined ? {} : {startedAt: epoch + serverTime, serverTime: epoch + serverTime};
	const pair = (last?: number, serverTime?: number, list: readonly Trade[] = trades) => ({
		ticker: probeOf({data: [{symbol: 'BTCUSDT', last, state: 'active'}], ...answered(serverTime)}),
		// After the ticker, and after the newest of the trades.
		trades: probeOf({
			data: list,
			...answered(serverTime && serverTime > 0 ? Math.max(serverTime, 9000) + 100 : serverTime),
		}),
	});

	test.each([
		['none with the price of the last trade before it', [pair(11, 8000), pair(12, 9000)], [2, 0, 0, 0]],
		['the time since its price was replaced', [pair(10, 8000)], [1, 1, 1000, 1000]],
		['the worst of several, and the median', [pair(11, 8000), pair(9, 8000), pair(10, 8000)], [3, 2, 4000, 1000]],
		[
			'none with the price of any trade of the last millisecond',
			[pair(10, 8000, [trade(7000, 11), trade(7000, 10)])],
			[1, 0, 0, 0],
		],
	] as const)('is %s', (_, pairs, [samples, behind, atLeastMs, medianMs]) => {
		expect(tickerDelay(pairs, 'BTCUSDT')).toEqual({samples, behind, atLeastMs, medianMs});
	});

	test.each([
		['no-price', 'without a price', pair(undefined, 8000)],
		['no-such-trade', 'with a price that no trade has', pair(5, 8000)],
		['no-such-trade', 'with a price that only later trades have', pair(12, 8000)],
		['no-trades', 'older than every trade', pair(11, 500)],
		['no-trades', 'without trades', pair(11, 8000, [])],
	])('is not measurable (%s) %s', (why, _, only) => {
		expect(tickerDelay([only], 'BTCUSDT')).toBe(why);
		expect(tickerDelay([only, pair(11, 8000)], 'BTCUSDT')).toMatchObject({samples: 1});
	});

	test.each([
		['no-time', 'without a time', pair(11, undefined)],
		['no-time', 'with a time in 1970', pair(11, 8000 - epoch)],
	])('is not measurable (%s) %s', (why, _, only) => {
		expect(tickerDelay([only], 'BTCUSDT')).toBe(why);
	});

	test('is not measurable where trades were dropped', () => {
		const {answer, ...probe} = pair(10, 8000).trades;
		const partial = {...probe, answer: answer && {...answer, dropped: 1}};
		expect(tickerDelay([{...pair(10, 8000), trades: partial}], 'BTCUSDT')).toBe('unreadable');
	});

	test.each([-300, -60, -9, 9, 60, 300])('is the same where the stamps are %i s ahead of the trades', seconds => {
		const shifted = <T>(probe: Probe<T>): Probe<T> => {
			const {serverTime = 0, ...answer} = probe.answer ?? raise();
			return {...probe, answer: {...answer, serverTime: serverTime + seconds * 1000}};
		};
		const {ticker, trades: after} = pair(10, 8000);
		expect(tickerDelay([{ticker: shifted(ticker), trades: shifted(after)}], 'BTCUSDT')).toMatchObject({
			atLeastMs: 1000,
		});
	});

	test('is by the clock of the trades where that is not ours', () => {
		const behind = (probe: Probe<readonly Trade[]>) => ({...probe, startedAt: probe.startedAt + 7_200_000});
		const {ticker, trades: after} = pair(10, 8000);
		const late = {ticker: {...ticker, startedAt: ticker.startedAt + 7_200_000}, trades: behind(after)};
		expect(tickerDelay([late], 'BTCUSDT')).toMatchObject({atLeastMs: 1000});
	});

	test('is not measurable where no request succeeded', () => {
		const {answer, ...failed} = pair(11, 8000).ticker;
		expect(tickerDelay([{...pair(11, 8000), ticker: failed}], 'BTCUSDT')).toBe('failed');
	});

	test('ignores other markets', () => {
		expect(tickerDelay([pair(11, 8000)], 'ETHUSDT')).toBe('no-price');
	});
});
