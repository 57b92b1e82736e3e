import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {brokenOff, compareIds, compareTrades, emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';

function trade(id: number | string, time = Number(id)): Trade {
	return {id: String(id), time, price: 100, quantity: 1, side: 'buy'};
}

/** The trades from `newest` down to `oldest`, one a millisecond. */
function page(newest: number, oldest: number): readonly Trade[] {
	return Array.from({length: newest - oldest + 1}, (_, index) => trade(newest - index));
}

function shown(tape: Tape): {ids: string; gaps: readonly string[]} {
	return {ids: tape.trades.map(({id}) => id).join(' '), gaps: [...tape.gaps].sort(compareIds)};
}

const trades = fc.uniqueArray(
	fc
		.record({id: fc.bigInt({min: 0n, max: 2n ** 70n}).map(String), time: fc.nat({max: 50})})
		.map(({id, time}) => trade(id, time)),
	{selector: ({id}) => id, minLength: 1, maxLength: 60},
);

test('orders ids by number beyond 2^53, and by text when they are the same number or none', () => {
	const ids = ['9007199254740993', '10', '9', '9007199254740992', 'b7', '010', 'a', '0'];
	expect(ids.toSorted(compareIds)).toEqual(['0', '9', '010', '10', '9007199254740992', '9007199254740993', 'a', 'b7']);
});

test('orders any two ids consistently', () => {
	const id = fc.oneof(fc.bigInt({min: 0n}).map(String), fc.stringMatching(/^[0-9a-f]{0,4}$/));
	fc.assert(
		fc.property(id, id, id, (a, b, c) => {
			expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) || 0);
			expect(compareIds(a, b) === 0).toBe(a === b);
			if (compareIds(a, b) < 0 && compareIds(b, c) < 0) expect(compareIds(a, c)).toBeLessThan(0);
		}),
	);
});

test('orders trades newest first, those of one time by id', () => {
	expect([trade('9', 5), trade('10', 5), trade('1', 6)].sort(compareTrades).map(({id}) => id)).toEqual([
		'1',
		'10',
		'9',
	]);
});

test('moves a gap down with a page that fills only its upper part', () => {
	const tape = mergeTape(mergeTape(emptyTape, page(3, 1)), page(9, 8));
	expect(shown(mergeTape(tape, page(9, 6)))).toEqual({ids: '9 8 7 6 3 2 1', gaps: ['6']});
});

test('marks both ends of a page that lies inside a gap', () => {
	const tape = mergeTape(mergeTape(emptyTape, page(3, 1)), page(9, 8));
	expect(shown(mergeTape(tape, page(6, 5)))).toEqual({ids: '9 8 6 5 3 2 1', gaps: ['5', '8']});
});

test('inserts a late trade in place without a gap', () => {
	const tape = mergeTape(emptyTape, [trade(5), trade(4), trade(2)]);
	expect(shown(mergeTape(tape, [trade(5), trade(4), trade(3), trade(2)]))).toEqual({ids: '5 4 3 2', gaps: []});
	expect(shown(mergeTape(tape, [trade(3)]))).toEqual({ids: '5 4 3 2', gaps: []});
});

test('marks a gap below a newer page that lacks an expected trade of the tape', () => {
	const tape = mergeTape(emptyTape, page(5, 1));
	const strange = [trade(9), trade('77', 3)];
	expect(shown(mergeTape(tape, strange))).toEqual({ids: '9 5 4 77 3 2 1', gaps: ['77']});
});

test('returns the same object when a page has nothing new', () => {
	const tape = mergeTape(mergeTape(emptyTape, page(3, 1)), page(8, 6));
	expect(mergeTape(tape, page(8, 6))).toBe(tape);
	expect(mergeTape(tape, [trade(2)])).toBe(tape);
	expect(mergeTape(tape, [])).toBe(tape);
	expect(mergeTape(emptyTape, [])).toBe(emptyTape);
});

test('keeps the newest trades when it is full, and drops the gaps of the others', () => {
	const tape = mergeTape(mergeTape(emptyTape, page(3, 1), 4), page(8, 7), 4);
	expect(shown(tape)).toEqual({ids: '8 7 3 2', gaps: ['7']});
	expect(shown(mergeTape(tape, page(10, 8), 4))).toEqual({ids: '10 9 8 7', gaps: []});
});

test('returns the same object when a full tape gets trades that it dropped', () => {
	const tape = mergeTape(emptyTape, page(9, 1), 4);
	expect(mergeTape(tape, page(9, 1), 4)).toBe(tape);
});

test('keeps the first version of a trade that is sent again with another time', () => {
	const tape = mergeTape(emptyTape, page(5, 1));
	expect(mergeTape(tape, [trade(6), trade('2', 6), trade(5)]).trades).toEqual([trade(6), ...page(5, 1)]);
});

test('is complete and without gaps after overlapping pages of any split and order', () => {
	const cuts = fc.array(fc.tuple(fc.nat({max: 20}), fc.nat({max: 5})), {maxLength: 20});
	fc.assert(
		fc.property(trades, cuts, fc.boolean(), (all, steps, reversed) => {
			const oldestFirst = all.toSorted(compareTrades).reverse();
			let tape = emptyTape;
			let end = 0;
			for (const [length, overlap] of [...steps, [all.length, 0] as const]) {
				const from = Math.max(0, end - 1 - overlap);
				end = Math.min(all.length, end + length);
				const part = oldestFirst.slice(from, end);
				tape = mergeTape(tape, reversed ? part : part.toReversed());
			}

			expect(tape).toEqual({trades: oldestFirst.toReversed(), gaps: new Set()});
		}),
	);
});

test('never loses, doubles or disorders a trade, whatever the pages', () => {
	const pages = trades.chain(all => fc.tuple(fc.constant(all), fc.array(fc.subarray(all), {maxLength: 8})));
	fc.assert(
		fc.property(pages, fc.integer({min: 1, max: 70}), ([, parts], capacity) => {
			const collected = [...new Set(parts.flat())].sort(compareTrades).slice(0, capacity);
			const tape = parts.reduce((merged, part) => mergeTape(merged, part, capacity), emptyTape);
			expect(tape.trades).toEqual(collected);
			const above = new Set(tape.trades.slice(0, -1).map(({id}) => id));
			expect(tape.gaps.isSubsetOf(above)).toBe(true);
		}),
	);
});

test('marks every place where a trade is missing between complete pages', () => {
	const windows = fc.array(fc.tuple(fc.nat({max: 40}), fc.nat({max: 6})), {minLength: 1, maxLength: 10});
	fc.assert(
		fc.property(windows, spans => {
			const collected = new Set<number>();
			let tape = emptyTape;
			for (const [oldest, length] of spans) {
				for (let id = oldest; id <= oldest + length; id++) collected.add(id);
				tape = mergeTape(tape, page(oldest + length, oldest));
			}

			const first = Math.min(...collected);
			for (const id of collected) {
				if (id > first && !collected.has(id - 1)) expect(tape.gaps).toContain(String(id));
			}

			expect(mergeTape(tape, page(Math.max(...collected), first)).gaps).toEqual(new Set());
		}),
	);
});

describe('a tape that started over', () => {
	const tape = brokenOff(mergeTape(emptyTape, page(20, 10)));

	test('may miss trades below its oldest one', () => {
		expect(shown(brokenOff(mergeTape(emptyTape, page(3, 1))))).toEqual({ids: '3 2 1', gaps: ['1']});
		expect(brokenOff(emptyTape)).toBe(emptyTape);
	});

	test('keeps the mark while newer trades come', () => {
		expect(shown(mergeTape(tape, page(25, 18))).gaps).toEqual(['10']);
		expect(mergeTape(tape, page(20, 15))).toBe(tape);
	});

	test('loses the mark when a page reaches further back', () => {
		expect(shown(mergeTape(tape, page(22, 8))).gaps).toEqual([]);
	});

	test('loses the mark when its oldest trades are dropped', () => {
		expect(shown(mergeTape(tape, page(25, 18), 12)).gaps).toEqual([]);
	});
});
