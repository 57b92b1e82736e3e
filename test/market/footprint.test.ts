import {expect, test} from 'vitest';
import type {PriceStep} from '../../source/market/depth.ts';
import {type Footprint, footprintOf, footprintStep, imbalanceAt} from '../../source/market/footprint.ts';
import {createTradedMinutes} from '../../source/market/traded-minutes.ts';
import type {Candle, Side, Trade} from '../../source/market/types.ts';

const minute = 60_000;
const step: PriceStep = {mantissa: 1, exponent: -1};
const candle: Candle = {time: 2 * minute, open: 10, high: 10.4, low: 9.9, close: 10.3, volume: 10.6};

type Fill = readonly [seconds: number, price: number, quantity: number, side?: Side];

/** A trade at 60 s, and those of the candle of the minutes 2 and 3. */
const fills: readonly Fill[] = [
	...([[60, 9, 1, 'buy']] as const),
	...([
		[120, 9.9, 0.1, 'sell'],
		[150, 10.04, 0.2, 'sell'],
		[179, 10.1, 6, 'buy'],
	] as const),
	...([
		[180, 10.19, 0.2, 'buy'],
		[200, 10.3, 0.1, 'sell'],
		[239.999, 10.3, 4, 'buy'],
	] as const),
];

function tradedOf(all: readonly Fill[]) {
	const trades = all.map(([seconds, price, quantity, side], id): Trade => {
		return {id: String(id), time: seconds * 1000, price, quantity, side};
	});
	return createTradedMinutes()({trades: trades.reverse(), gaps: new Set()});
}

const of = (all: readonly Fill[], change: Partial<Candle> = {}, isForming = false) =>
	footprintOf(tradedOf(all), {candle: {...candle, ...change}, period: 2, isForming}, step);

test('sums what was bought and sold in each price step, rounded down, with delta and point of control', () => {
	expect(of(fills)).toEqual({
		steps: new Map([
			[103, {bought: 4, sold: 0.1, total: 4.1}],
			[101, {bought: 6.2, sold: 0, total: 6.2}],
			[100, {bought: 0, sold: 0.2, total: 0.2}],
			[99, {bought: 0, sold: 0.1, total: 0.1}],
		]),
		delta: 9.8,
		control: 101,
	});
});

test('has totals alone where a trade has no side', () => {
	const [first, second, third, [seconds, price, quantity] = [0, 0, 0], ...rest] = fills;
	const sideless = [first, second, third, [seconds, price, quantity] as const, ...rest].filter(
		fill => fill !== undefined,
	);
	expect(of(sideless)).toMatchObject({delta: undefined, control: 101});
	expect((of(sideless) as Footprint).steps.get(101)).toEqual({bought: 0.2, sold: 0, total: 6.2});
});

test('is missing where no older trade shows that none is missing at its start, also at the same moment', () => {
	expect(of(fills.slice(1))).toBe('missing');
	expect(of([[120, 9, 1, 'buy'], ...fills.slice(1)])).toBe('missing');
	expect(of([])).toBe('missing');
});

test('differs where the trades are not the volume of the candle, which a forming one may not have yet', () => {
	expect(of(fills, {volume: 10.7})).toBe('differing');
	expect(of(fills, {volume: 10.600001})).toBeTypeOf('object');
	expect(of(fills, {volume: 9}, true)).toMatchObject({delta: 9.8});
});

test('a late trade changes a candle that was whole, and another step its rows', () => {
	const tradedIn = createTradedMinutes();
	const trades = fills.map(([seconds, price, quantity, side], id): Trade => {
		return {id: String(id * 2), time: seconds * 1000, price, quantity, side};
	});
	const at = (all: readonly Trade[], change: Partial<typeof step> = {}) => {
		const traded = tradedIn({trades: all.toReversed(), gaps: new Set()});
		return footprintOf(traded, {candle, period: 2, isForming: false}, {...step, ...change});
	};
	expect(at(trades)).toMatchObject({delta: 9.8});
	const late: Trade = {id: '5', time: 155_000, price: 10, quantity: 0.000001, side: 'sell'};
	expect(at([...trades.slice(0, 3), late, ...trades.slice(3)])).toMatchObject({delta: 9.799999});
	expect([...(at(trades, {mantissa: 5}) as Footprint).steps.keys()]).toEqual([20, 19]);
});

test('a candle in which nothing was traded has an empty footprint', () => {
	expect(of(fills, {time: 4 * minute, volume: 0})).toEqual({steps: new Map(), delta: 0, control: undefined});
});

test('an imbalance compares with the other side one step away, and needs something there', () => {
	const volume = (bought: number, sold: number) => ({bought, sold, total: bought + sold});
	const steps = new Map([
		[5, volume(30, 0)],
		[4, volume(2, 10)],
		[3, volume(29.9, 90)],
		[2, volume(1, 10)],
	]);
	const marked = [5, 4, 3, 2, 1].map(at => imbalanceAt({steps}, at, 3));
	expect(marked).toEqual([
		{bought: true, sold: false},
		{bought: false, sold: false},
		{bought: false, sold: true},
		{bought: false, sold: false},
		{bought: false, sold: false},
	]);
});

test.each([
	[100, 100.04, 5, 2, 0.01],
	[100, 100.05, 5, 2, 0.02],
	[100, 141, 30, 2, 2],
	[61_604, 61_710, 42, 2, 5],
	[5, 5, 1, 0, 1],
])('prices from %d to %d take at most %d steps with %d decimals: %d', (low, high, rows, decimals, size) => {
	const {mantissa, exponent} = footprintStep(low, high, rows, decimals);
	expect(Number(`${mantissa}e${exponent}`)).toBe(size);
});
