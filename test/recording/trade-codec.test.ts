import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareTrades, tradeKey} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {decodeTrades, encodeTrades} from '../../source/recording/trade-codec.ts';
import {answered, query, recordSample, startedAt, symbol} from './recordings.ts';

const decimal = fc
	.tuple(fc.integer({min: 1, max: 5000}), fc.integer({min: 0, max: 9}))
	.map(([steps, digits]) => Number(`${steps}e-${digits}`));
const unusual = fc.constantFrom(1e-30, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 1e21, 2 ** 53 + 2);
const number = fc.oneof({weight: 20, arbitrary: decimal}, {weight: 1, arbitrary: unusual});

/** Those in a row often share time, price and side, and their ids are often counted. */
const tradesFrom = (ids: fc.Arbitrary<string>): fc.Arbitrary<readonly Trade[]> =>
	fc
		.uniqueArray(
			fc.record(
				{
					id: ids,
					key: fc.string({minLength: 1}),
					time: fc.integer({min: startedAt - 20, max: startedAt}),
					price: fc.oneof(fc.constant(100.5), number),
					quantity: number,
					side: fc.constantFrom('buy', 'sell'),
					sideText: fc.constantFrom('buy', 'sell', 'BID', ''),
				},
				{requiredKeys: ['id', 'time', 'price', 'quantity']},
			),
			{selector: tradeKey, minLength: 1, maxLength: 40},
		)
		.map(all => (all as readonly Trade[]).toSorted(compareTrades).toReversed());

const counted = fc.integer({min: 1, max: 100}).map(String);
const anyId = fc.oneof(
	counted,
	fc.constantFrom('', '007', '9007199254740993', '123456789012345678901234567890', "a'b", '-5', '1e3'),
);
const trades = fc.oneof(tradesFrom(counted), tradesFrom(anyId));

test('reads any trades, and the gaps before them, as they were', () => {
	const property = fc.property(trades, fc.array(fc.nat()), fc.array(fc.string()), (all, places, others) => {
		const marked = new Set(places.flatMap(place => all[place] ?? []).map(tradeKey));
		const gaps = all.map(tradeKey).filter(key => marked.has(key));
		const page = {trades: all, gaps, closed: others, startsOver: false};
		const columns = encodeTrades(page);
		expect(decodeTrades(columns)).toEqual(page);
		expect([columns.from_time, columns.to_time]).toEqual([all[0]?.time, all.at(-1)?.time]);
	});
	fc.assert(property, {numRuns: 60});
});

/** In an order of their own: that of a view is not said. */
const texts = (rows: readonly object[]): readonly string[] => rows.map(row => JSON.stringify(row)).sort();

test('the view trades has any trades as they were, once', () => {
	const property = fc.property(fc.array(trades, {maxLength: 4}), pages => {
		const path = recordSample(
			pages.map((page, index) => answered.trades(page, startedAt + index, {}, `${symbol}${index}`)),
		);
		const rows = query(path, 'SELECT market, time, id, price, quantity, side FROM trades');
		const expected = pages.flatMap((page, index) =>
			page.map(({time, id, price, quantity, side = null}) => ({
				...{market: `${symbol}${index}`, time, id, price, quantity, side},
			})),
		);
		expect(texts(rows)).toEqual(texts(expected));
	});
	fc.assert(property, {numRuns: 15});
});

test.each<[string, Partial<ReturnType<typeof encodeTrades>>]>([
	['fewer prices than times', {prices: '[]'}],
	['fewer sides than times', {sides: ''}],
	['a list that is no JSON', {times: '[1,'}],
])('a row with %s is damaged', (_, change) => {
	const columns = encodeTrades({
		...{trades: [{id: '1', time: 1, price: 2, quantity: 3}], gaps: [], closed: [], startsOver: false},
	});
	expect(() => decodeTrades({...columns, ...change})).toThrow(Error);
});
