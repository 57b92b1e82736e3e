import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {decodeAsks, fillsOfOrders, tradesOfIds} from '../../../source/client/wire/lists.ts';
import {emptyTape, mergeTape} from '../../../source/market/tape.ts';
import type {Trade} from '../../../source/market/types.ts';

const fill = (id: number, time = 1000, quantity = 1, price = 10): Trade => ({id: String(id), time, price, quantity});

/** What the fills are, whatever tells them apart. */
const contents = (trades: readonly Trade[]) => trades.map(({key, ...rest}) => rest);

test('asks at one price are added, and all others keep every digit', () => {
	const wire = [
		[61_683, 123_456_789.123_456_78],
		[61_684, 0.123_456_789_012_345_68],
		[61_685, 0.1],
		[61_685, 0.2],
	];
	const fail = () => expect.fail('unreadable');
	expect(decodeAsks(wire, fail).data).toEqual([...wire.slice(0, 2), [61_685, 0.3]]);
});

describe('trades with an id of their own', () => {
	test('are sorted newest first, each id once', () => {
		const {data, dropped} = tradesOfIds([fill(9, 1000), fill(10, 1000), fill(9, 1000), fill(1, 2000)]);
		expect({data, dropped}).toEqual({data: [fill(1, 2000), fill(10, 1000), fill(9, 1000)], dropped: 0});
	});

	test('count an entry that repeats an id with another price, size, time or side', () => {
		const sold: Trade = {...fill(9), side: 'sell'};
		const {data, dropped} = tradesOfIds([fill(9), fill(9, 1000, 2), fill(9, 1000, 1, 11), fill(9, 999), sold, fill(9)]);
		expect({data, dropped}).toEqual({data: [fill(9)], dropped: 4});
	});
});

describe('fills of orders', () => {
	test('are all kept under the id of their order', () => {
		const fills = [fill(7, 1000, 1), fill(7, 1000, 2), fill(7, 1000, 1), fill(7, 1001, 1), fill(8, 1000, 1)];
		expect(fillsOfOrders(fills)).toEqual([
			{...fill(7, 1001, 1), key: '7 1001 10 1'},
			{...fill(8, 1000, 1), key: '8 1000 10 1'},
			{...fill(7, 1000, 2), key: '7 1000 10 2'},
			{...fill(7, 1000, 1), key: '7 1000 10 1 1'},
			{...fill(7, 1000, 1), key: '7 1000 10 1'},
		]);
	});

	test('do not depend on the order of the answer', () => {
		const fills = fc.array(
			fc
				.tuple(fc.integer({min: 1, max: 3}), fc.integer({min: 1, max: 4}), fc.integer({min: 1, max: 2}))
				.map(([id, time, quantity]) => fill(id, time, quantity)),
			{maxLength: 30},
		);
		const twoOrders = fills.chain(all =>
			fc.tuple(fc.constant(all), fc.shuffledSubarray(all, {minLength: all.length, maxLength: all.length})),
		);
		fc.assert(
			fc.property(twoOrders, ([one, other]) => {
				expect(fillsOfOrders(one)).toEqual(fillsOfOrders(other));
				expect(fillsOfOrders(one)).toHaveLength(one.length);
			}),
		);
	});
});

test('no fill is lost or doubled in pages that overlap by more than the longest run of equal fills', () => {
	const mostAlike = 3;
	/** Runs of like fills, few orders, few sizes: oldest first. */
	const history = fc
		.array(fc.record({id: fc.integer({min: 1, max: 4}), alike: fc.integer({min: 1, max: mostAlike})}), {
			minLength: 1,
			maxLength: 25,
		})
		.map(runs => runs.flatMap(({id, alike}, time) => Array.from({length: alike}, () => fill(id, time))));
	const polls = fc.array(fc.record({fresh: fc.nat({max: 8}), overlap: fc.nat({max: 6})}), {maxLength: 20});
	fc.assert(
		fc.property(history, polls, (all, steps) => {
			let tape = emptyTape;
			let end = 0;
			for (const {fresh, overlap} of [...steps, {fresh: all.length, overlap: 0}]) {
				const from = Math.max(end - mostAlike - overlap, 0);
				end = Math.min(end + fresh, all.length);
				tape = mergeTape(tape, fillsOfOrders(all.slice(from, end)));
			}

			expect(contents(tape.trades)).toEqual(all.toReversed());
			expect(tape.gaps).toEqual(new Set());
		}),
	);
});
