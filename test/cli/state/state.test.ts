import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isEqual, merged} from '../../../source/cli/state/state.ts';

describe('what two instances did to the same state', () => {
	const base = {view: {period: 60, sort: 'volume'}, exchanges: {demo: {market: 'BTCUSDT', favourites: ['A', 'B']}}};

	test('is kept from both where they changed different things', () => {
		const mine = {...base, view: {period: 15, sort: 'volume'}};
		const theirs = {
			view: {period: 60, sort: 'name'},
			exchanges: {...base.exchanges, mine: {market: 'ETHUSDT'}},
		};
		expect(merged(base, mine, theirs)).toEqual({view: {period: 15, sort: 'name'}, exchanges: theirs.exchanges});
	});

	test('is the later word where both changed the same', () => {
		expect(merged({period: 60}, {period: 15}, {period: 5})).toEqual({period: 15});
	});

	test('adds and removes the favourites that each added and removed', () => {
		expect(merged(['A', 'B'], ['B', 'C'], ['A', 'B', 'D'])).toEqual(['B', 'D', 'C']);
	});

	test('leaves what it does not know', () => {
		const theirs = {...base, later: {colour: 'mauve'}};
		expect(merged(base, {view: {period: 5}, exchanges: {}}, theirs)).toEqual({
			view: {period: 5},
			exchanges: {},
			later: {colour: 'mauve'},
		});
	});

	test('drops what was taken away', () => {
		expect(merged({quote: 'BTC', log: true}, {log: true}, {quote: 'BTC', log: true})).toEqual({log: true});
	});
});

const anyList = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'));
const anyState = fc.record(
	{period: fc.nat({max: 3}), log: fc.boolean(), favourites: anyList, demo: fc.record({market: anyList})},
	{requiredKeys: ['favourites']},
);

test('with nobody else it gives mine, with nothing of mine theirs', () => {
	fc.assert(
		fc.property(anyState, anyState, (base, mine) => {
			expect(isEqual(merged(base, base, mine), mine)).toBe(true);
			const sorted = (state: unknown) =>
				JSON.stringify(state, (_, value) => (Array.isArray(value) ? value.toSorted() : value));
			expect(JSON.parse(sorted(merged(base, mine, base)))).toEqual(JSON.parse(sorted(mine)));
		}),
	);
});

test('two that changed different favourites end alike, whoever writes last', () => {
	fc.assert(
		fc.property(anyList, anyList, anyList, (base, mine, theirs) => {
			const one = new Set([merged(base, mine, theirs)].flat());
			const other = new Set([merged(base, theirs, mine)].flat());
			expect(one).toEqual(other);
		}),
	);
});
