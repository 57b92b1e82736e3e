import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isEqual, merged} from '../../../source/cli/state/saved-state.ts';

describe('merging the changes of two instances', () => {
	const base = {view: {period: 60, sort: 'volume'}, exchanges: {demo: {market: 'BTCUSDT', favourites: ['A', 'B']}}};

	test('keeps both where they changed different fields', () => {
		const mine = {...base, view: {period: 15, sort: 'volume'}};
		const theirs = {
			view: {period: 60, sort: 'name'},
			exchanges: {...base.exchanges, mine: {market: 'ETHUSDT'}},
		};
		expect(merged(base, mine, theirs)).toEqual({view: {period: 15, sort: 'name'}, exchanges: theirs.exchanges});
	});

	test('takes the later value where both changed one', () => {
		expect(merged({period: 60}, {period: 15}, {period: 5})).toEqual({period: 15});
	});

	test('applies the additions and removals of both to lists', () => {
		expect(merged(['A', 'B'], ['B', 'C'], ['A', 'B', 'D'])).toEqual(['B', 'D', 'C']);
	});

	test('takes the order of mine where I changed it, with what others added at its end', () => {
		expect(merged(['A', 'B', 'C'], ['C', 'A', 'B', 'D'], ['A', 'E', 'C'])).toEqual(['C', 'A', 'D', 'E']);
		expect(merged(['A', 'B', 'C'], ['A', 'B', 'C', 'D'], ['C', 'B', 'A'])).toEqual(['C', 'B', 'A', 'D']);
	});

	test('keeps unknown fields', () => {
		const theirs = {...base, later: {colour: 'mauve'}};
		expect(merged(base, {view: {period: 5}, exchanges: {}}, theirs)).toEqual({
			view: {period: 5},
			exchanges: {},
			later: {colour: 'mauve'},
		});
	});

	test('drops removed fields', () => {
		expect(merged({quote: 'BTC', log: true}, {log: true}, {quote: 'BTC', log: true})).toEqual({log: true});
	});
});

const anyList = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'));
const anyState = fc.record(
	{period: fc.nat({max: 3}), log: fc.boolean(), favourites: anyList, demo: fc.record({market: anyList})},
	{requiredKeys: ['favourites']},
);

test('gives mine without other changes, and theirs without mine', () => {
	fc.assert(
		fc.property(anyState, anyState, (base, mine) => {
			expect(isEqual(merged(base, base, mine), mine)).toBe(true);
			const sorted = (state: unknown) =>
				JSON.stringify(state, (_, value) => (Array.isArray(value) ? value.toSorted() : value));
			expect(JSON.parse(sorted(merged(base, mine, base)))).toEqual(JSON.parse(sorted(mine)));
		}),
	);
});

test('merges different favourites alike, whichever instance writes last', () => {
	fc.assert(
		fc.property(anyList, anyList, anyList, (base, mine, theirs) => {
			const one = new Set([merged(base, mine, theirs)].flat());
			const other = new Set([merged(base, theirs, mine)].flat());
			expect(one).toEqual(other);
		}),
	);
});
