import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {CandleSeries} from '../../source/market/candles.ts';
import {
	atr,
	bollinger,
	ema,
	macd,
	rsi,
	type Session,
	sma,
	type Values,
	volumeAverage,
	vwap,
} from '../../source/market/indicators.ts';
import type {Candle} from '../../source/market/types.ts';
import {anySeries} from '../helpers/candles.ts';

const hour = 3_600_000;

const bar = (time: number, high: number, low: number, close: number, volume: number): Candle => ({
	time,
	open: close,
	high,
	low,
	close,
	volume,
});
const closing = (...prices: readonly number[]): readonly Candle[] =>
	prices.map((price, index) => bar(index * hour, price, price, price, 1));

const given = (candles: readonly Candle[]): CandleSeries => ({period: 60, candles, builtFrom: 'exchange'});
/** Of candles that none are older than. */
const wholeVwap = (candles: readonly Candle[], session: Session): Values => vwap(given(candles), session, true);

const listOf = (values: Values) => Array.from({length: values.length}, (_, index) => values.at(index));
/** Rounded as the reference is printed; undefined where there is no value yet. */
const rounded = (values: Values, decimals = 3) =>
	listOf(values).map(value => (value === undefined ? undefined : Number(value.toFixed(decimals))));
const afterMissing = (missing: number, ...values: readonly number[]) => [
	...Array.from({length: missing}, () => undefined),
	...values,
];

describe('rsi of a price that stands still', () => {
	test('is unknown, and known again from the first move on', () => {
		expect(rounded(rsi(closing(...Array.from({length: 8}, () => 50), 51, 51), 3))).toEqual([
			...Array.from({length: 8}, () => undefined),
			100,
			100,
		]);
	});

	test('is unknown once no change of its window moved the price', () => {
		expect(rounded(rsi(closing(50, 51, 52, 51, 51, 51, 51, 51), 3), 2)).toEqual([
			...afterMissing(3, 66.67, 66.67, 66.67),
			undefined,
			undefined,
		]);
	});

	test('follows a newest candle that moves and moves back', () => {
		const still = closing(50, 50, 50, 50, 50);
		const moved = [...still.slice(0, -1), bar(4 * hour, 51, 50, 51, 1)];
		expect([still, moved, [...still]].map(candles => rsi(candles, 3).at(4))).toEqual([undefined, 100, undefined]);
	});
});

describe('vwap', () => {
	const midnight = Date.UTC(2026, 10, 20);

	test('has no value before the first trade, and keeps the last one without trades', () => {
		const candles = [bar(midnight, 9, 9, 9, 0), bar(midnight + hour, 9, 9, 9, 2), bar(midnight + 2 * hour, 5, 5, 5, 0)];
		expect(listOf(wholeVwap(candles, 'day'))).toEqual([undefined, 9, 9]);
	});

	test('has no value in a session whose start is missing, unless nothing is older', () => {
		const candles = [22, 23, 24, 25].map(hours => bar(midnight + hours * hour, hours, hours, hours, 1));
		const today = [bar(midnight, 8, 8, 8, 1), ...candles];
		expect({
			inside: listOf(vwap(given(candles), 'day', false)),
			nothingOlder: listOf(vwap(given(candles), 'day', true)),
			fromTheStart: listOf(vwap(given(today), 'day', false)),
		}).toEqual({
			inside: [undefined, undefined, 24, 24.5],
			nothingOlder: [22, 22.5, 24, 24.5],
			fromTheStart: [8, 15, 53 / 3, 24, 24.5],
		});
	});

	test('has no value in a session that may lack trades', () => {
		const candles = [0, 1, 24, 25, 48].map(hours => bar(midnight + hours * hour, 9, 9, 9, 1));
		const partial = new Set([midnight, midnight + 25 * hour]);
		const series: CandleSeries = {...given(candles), builtFrom: 'trades', partial};
		expect(listOf(vwap(series, 'day', false))).toEqual([undefined, undefined, undefined, undefined, 9]);
		// The exchange counts the missing trades with its next answer.
		expect(listOf(vwap({...series, builtFrom: 'exchange'}, 'day', false))).toEqual([9, 9, 9, 9, 9]);
	});

	test('does not depend on how many candles are loaded', () => {
		const sessions = fc.constantFrom<Session[]>('day', 'month', 'year');
		fc.assert(
			fc.property(anySeries, fc.nat(60), sessions, ({candles}, from, session) => {
				const all = listOf(wholeVwap(candles, session)).slice(from);
				const some = listOf(vwap(given(candles.slice(from)), session, false));
				expect(some).toEqual(all.map((value, index) => (some[index] === undefined ? undefined : value)));
			}),
		);
	});
});

describe('of lists that follow each other', () => {
	const anyPrice = fc.integer({min: 1, max: 10_000});
	const closes = fc.array(anyPrice, {minLength: 1, maxLength: 40});
	/** What a list does next: its newest candle moves, another opens, or the oldest goes. */
	const moves = fc.array(
		fc.record({
			does: fc.constantFrom('move', 'open', 'open in another session', 'forget'),
			close: anyPrice,
			volume: fc.nat(9),
		}),
		{minLength: 1, maxLength: 12},
	);
	const allOf = (candles: readonly Candle[]) => {
		const {lower, middle, upper} = bollinger(candles, 5, 2);
		const {macd: line, signal, histogram} = macd(candles, 2, 5, 9);
		const means = [sma(candles, 5), ema(candles, 5), rsi(candles, 5), wholeVwap(candles, 'day')];
		const others = [atr(candles, 3), volumeAverage(candles, 3)];
		return [...means, ...others, lower, middle, upper, line, signal, histogram].map(listOf);
	};

	test('indicators computed together have the values of each computed alone', () => {
		fc.assert(
			fc.property(closes, moves, (before, after) => {
				let candles = closing(...before);
				const lists = [
					candles,
					...after.map(({does, close, volume}) => {
						const newest = candles.at(-1) ?? bar(0, 1, 1, 1, 1);
						const time = newest.time + (does === 'open in another session' ? 30 : 1) * hour;
						if (does === 'move') candles = candles.with(-1, bar(newest.time, close, close, close, volume));
						else if (does === 'forget') candles = candles.length > 1 ? candles.slice(1) : candles;
						else candles = [...candles, bar(time, close, close, close, volume)];
						return candles;
					}),
				];
				const following = lists.map(allOf);
				const fresh = lists.map(list => allOf(list.map(candle => ({...candle}))));
				expect(following).toEqual(fresh);
			}),
		);
	});

	test('keep the results of earlier lists', () => {
		const first = closing(1, 2, 3, 4, 5);
		const values = sma(first, 2);
		const before = listOf(values);
		sma([...first.slice(0, -1), bar(4 * hour, 9, 9, 9, 1), bar(5 * hour, 9, 9, 9, 1)], 2);
		expect(listOf(values)).toEqual(before);
	});
});

test('figures of prices near the largest number are unknown where no number says them', () => {
	const largest = Array.from({length: 40}, (_, index): Candle => {
		const close = index % 2 === 0 ? Number.MAX_VALUE : 1;
		return {time: index * 60_000, open: close, high: Number.MAX_VALUE, low: 1, close, volume: Number.MAX_VALUE};
	});
	const series = {period: 1, candles: largest, builtFrom: 'exchange'} as const;
	const {lower, middle, upper} = bollinger(largest, 5, 2);
	const figures = [
		...[sma(largest, 5), ema(largest, 5), rsi(largest, 5), atr(largest, 5), volumeAverage(largest, 5)],
		...[vwap(series, 'day', true), lower, middle, upper, ...Object.values(macd(largest, 2, 5, 3))],
	];
	for (const values of figures) {
		const known = largest.flatMap((_, index) => values.at(index) ?? []);
		expect(known.filter(value => !Number.isFinite(value))).toEqual([]);
	}
});
