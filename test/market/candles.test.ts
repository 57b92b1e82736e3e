import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type CandleSeries,
	candleEnd,
	candleGaps,
	candleStart,
	candlesFromTrades,
	isOtherPeriod,
	mergeCandles,
	withPartial,
	withTrades,
} from '../../source/market/candles.ts';
import {compareTrades} from '../../source/market/tape.ts';
import type {Candle, Trade} from '../../source/market/types.ts';
import {weekMinutes} from '../../source/market/units.ts';

const minute = 60_000;

function candle(time: number, price = 10, volume = 1): Candle {
	return {time, open: price, high: price, low: price, close: price, volume};
}

function trade(time: number, price = 10, quantity = 1): Trade {
	return {id: String(time), time, price, quantity};
}

function series(...candles: readonly Candle[]): CandleSeries {
	return {period: 1, candles, builtFrom: 'exchange'};
}

/** Newest first, over some ten minutes. */
const trades = fc
	.array(
		fc.record({
			id: fc.nat().map(String),
			time: fc.nat({max: 10 * minute}),
			price: fc.integer({min: 1, max: 10 ** 6}).map(ticks => ticks / 100),
			quantity: fc.integer({min: 1, max: 10 ** 6}).map(lots => lots / 10 ** 5),
		}),
		{maxLength: 60},
	)
	.map(list => list.sort(compareTrades));
const period = fc.constantFrom(1, 2, 3, 15);

test('starts a candle at the offset of its series', () => {
	const monday = Date.UTC(2026, 10, 16);
	expect(candleStart(Date.UTC(2026, 10, 25), 7 * 24 * 60, monday)).toBe(Date.UTC(2026, 10, 23));
	expect(candleStart(Date.UTC(2026, 10, 15), 7 * 24 * 60, monday)).toBe(Date.UTC(2026, 10, 9));
});

test('candles of a week begin on Monday, also those built from trades', () => {
	const [tuesday, monday] = [Date.UTC(2026, 10, 24, 12), Date.UTC(2026, 10, 23)];
	expect(candleStart(tuesday, weekMinutes)).toBe(monday);
	const {candles} = candlesFromTrades([{id: '1', time: tuesday, price: 1, quantity: 1, side: 'buy'}], weekMinutes);
	expect(candles.map(({time}) => time)).toEqual([monday]);
});

test('holds every time between the start and the end of its candle', () => {
	fc.assert(
		fc.property(fc.integer({min: -1e13, max: 1e13}), fc.integer({min: 1, max: 50_000}), (time, minutes) => {
			const start = candleStart(time, minutes);
			expect(start).toBeLessThanOrEqual(time);
			expect(candleEnd(candle(start), minutes)).toBeGreaterThan(time);
		}),
	);
});

test('merges candles oldest first and takes the newer answer for a time that both have', () => {
	const [a, b, c, d] = [candle(0), candle(minute), candle(2 * minute), candle(3 * minute)];
	const moved = candle(2 * minute, 11, 5);
	expect(mergeCandles([a, b, c], [moved, d])).toEqual([a, b, moved, d]);
	expect(mergeCandles([c], [a, d])).toEqual([a, c, d]);
	expect(mergeCandles([], [a, b])).toEqual([a, b]);
	expect(mergeCandles([a, b], [])).toEqual([a, b]);
});

test('moves the last candle with each later trade', () => {
	const moved = withTrades(
		series(candle(0), candle(minute)),
		[trade(90_000, 9, 0.25), trade(80_000, 12, 0.5), trade(70_000, 99)],
		2,
	);
	expect(moved).toEqual(series(candle(0), {time: minute, open: 10, high: 12, low: 9, close: 9, volume: 1.75}));
});

test('opens new candles for trades beyond the end, and none for times without trades', () => {
	const moved = withTrades(series(candle(0)), [trade(4 * minute, 13, 2), trade(minute, 11), trade(1)], 2);
	expect(moved).toEqual(series(candle(0), candle(minute, 11), candle(4 * minute, 13, 2)));
});

test('opens a candle that the trades begin inside, after a gap, which is marked', () => {
	const trades = [trade(3 * minute, 12), trade(2 * minute + 1, 11)];
	const moved = withTrades(series(candle(0)), trades);
	expect(moved).toEqual(series(candle(0), candle(2 * minute, 11), candle(3 * minute, 12)));
	expect(candleGaps(moved)).toEqual([1]);
	expect(withPartial(moved, {trades, gaps: new Set()}, 2, minute).partial).toEqual(new Set([2 * minute]));
});

test('leaves out trades of candles before the last', () => {
	const fetched = series(candle(0), candle(minute));
	expect(withTrades(fetched, [trade(30_000, 99)])).toBe(fetched);
});

test('opens candles at the starts that the series has', () => {
	const monday = Date.UTC(2026, 10, 16);
	const week = 7 * 24 * 60;
	const moved = withTrades(
		{...series(candle(monday)), period: week},
		[trade(Date.UTC(2026, 10, 24)), trade(monday)],
		1,
	);
	expect(moved.candles).toEqual([candle(monday), candle(Date.UTC(2026, 10, 23))]);
});

test('returns the same object when no trade counts', () => {
	const fetched = series(candle(0));
	expect(withTrades(fetched, [trade(30_000)], 0)).toBe(fetched);
	expect(withTrades(fetched, [])).toBe(fetched);
});

test('builds candles from trades and says so', () => {
	expect(candlesFromTrades([trade(130_000, 8, 0.2), trade(125_000, 9, 0.1), trade(10_000, 7)], 1)).toEqual({
		period: 1,
		candles: [candle(0, 7), {time: 2 * minute, open: 9, high: 9, low: 8, close: 8, volume: 0.3}],
		builtFrom: 'trades',
	});
	expect(candlesFromTrades([], 60)).toEqual({period: 60, candles: [], builtFrom: 'trades'});
});

test('gives the same candles whether trades arrive at once or in parts', () => {
	fc.assert(
		fc.property(trades, period, fc.nat({max: 10 * minute}), (all, minutes, after) => {
			const early = candlesFromTrades(
				all.filter(({time}) => time <= after),
				minutes,
			);
			const later = all.filter(({time}) => time > after).length;
			expect(withTrades(early, all, later)).toEqual(candlesFromTrades(all, minutes));
		}),
	);
});

test('lists the candles after a gap', () => {
	expect(
		candleGaps(series(candle(0), candle(minute), candle(3 * minute), candle(4 * minute), candle(9 * minute))),
	).toEqual([2, 4]);
	expect(candleGaps(series())).toEqual([]);
});

describe('candles are not of their period', () => {
	const hours = (...list: readonly number[]) => list.map(hour => candle(hour * 60 * minute));
	const regular = Array.from({length: 11}, (_, index) => index);
	const [sent, feb] = [regular.map(index => index * 60), 31 * 24];
	const many = hours(...regular);

	test.each<readonly [name: string, candles: readonly Candle[], period: number, expected: boolean]>([
		['none', [], 60, false],
		['one', hours(1), 60, false],
		['as requested', many, 60, false],
		['hours for minutes', many, 1, true],
		['hours and gaps for minutes', hours(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12), 1, true],
		['a few minutes of a quiet market', many.slice(0, 10), 1, false],
		['minutes of a quiet market', [...many, candle(sent.length * 60 * minute + minute)], 1, false],
		['hours for days', many, 1440, true],
		['two hours for days', many.slice(0, 2), 1440, true],
		['starts at half a minute', [candle(minute / 2)], 1, true],
		['quarters of a day with a gap', hours(2, 8, 26, 32), 360, false],
		['a day of summer time', hours(0, 24, 47, 71), 1440, false],
		['months', hours(0, feb, feb + 28 * 24), 43_200, false],
	])('%s', (_, candles, period, expected) => {
		expect(isOtherPeriod(candles, period)).toBe(expected);
	});
});
