import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readLevels, savedLevels} from '../../../source/cli/state/saved-entries.ts';
import {merged} from '../../../source/cli/state/saved-state.ts';
import {type DrawnLevels, withLevel, withoutLevel} from '../../../source/view/drawn-levels.ts';

const anyLevels = fc
	.array(
		fc.record({
			symbol: fc.constantFrom('BTCUSDT', 'ETH/USDT', 'SHIB_USDT'),
			price: fc.double({min: 1e-12, max: 1e12, noNaN: true}),
			note: fc.constantFrom(undefined, 'support', '支持 "x"'),
		}),
	)
	.map(all =>
		all.reduce<DrawnLevels>(
			(levels, {symbol, price, note}) => withLevel(levels, symbol, {price, ...(note !== undefined && {note})}),
			new Map(),
		),
	);

test('levels read back as they were saved', () => {
	fc.assert(
		fc.property(anyLevels, levels => {
			const json: unknown = JSON.parse(JSON.stringify(savedLevels(levels)));
			expect(readLevels(json).levels).toEqual(levels);
		}),
	);
});

test('two instances keep the levels that each draws, and lose those that either deletes', () => {
	const base = withLevel(withLevel(new Map(), 'BTCUSDT', {price: 1}), 'BTCUSDT', {price: 2, note: 'two'});
	const mine = withoutLevel(withLevel(base, 'BTCUSDT', {price: 3}), 'BTCUSDT', 1);
	const theirs = withLevel(withoutLevel(base, 'BTCUSDT', 2), 'ETHUSDT', {price: 4, note: 'four'});
	const both = merged(savedLevels(base), savedLevels(mine), savedLevels(theirs));
	expect(readLevels(both).levels).toEqual(
		new Map([
			['BTCUSDT', [{price: 3}]],
			['ETHUSDT', [{price: 4, note: 'four'}]],
		]),
	);
	const cleared = withoutLevel(withoutLevel(base, 'BTCUSDT', 1), 'BTCUSDT', 2);
	const grown = withLevel(base, 'BTCUSDT', {price: 5});
	expect(readLevels(merged(savedLevels(base), savedLevels(cleared), savedLevels(grown))).levels).toEqual(
		new Map([['BTCUSDT', [{price: 5}]]]),
	);
});

test('what is broken is left out, stays in the file, and costs no other level', () => {
	const file = {
		BTCUSDT: {
			'61500': {note: 'support'},
			'5.0': {},
			'-3': {},
			x: {},
			'7': 'seven',
			'8': {note: 8},
			'9': {note: 'a\u001B[2Jb'},
		},
		ETHUSDT: [1, 2],
		LTCUSDT: {},
	};
	const {levels: read} = readLevels(file);
	expect(read).toEqual(new Map([['BTCUSDT', [{price: 61_500, note: 'support'}, {price: 9, note: 'ab'}, {price: 8}]]]));
	const more = savedLevels(withLevel(read, 'BTCUSDT', {price: 6}));
	expect(merged(savedLevels(read), more, file)).toEqual({...file, BTCUSDT: {...file.BTCUSDT, '6': {}}});
	for (const broken of [undefined, null, 'x', 3, [1]]) expect(readLevels(broken).levels).toEqual(new Map());
});

test('what is left out is reported in one line', () => {
	const fault = (text: string) => `a level in the state file cannot be used: ${text}`;
	expect([
		readLevels(undefined).fault,
		readLevels({BTCUSDT: {'61500': {note: 'support'}, '7': {note: 8}}, LTCUSDT: {}}).fault,
		readLevels({BTCUSDT: {'5.0': {}}}).fault,
		readLevels({BTCUSDT: {'7': 'seven', x: {}, '-3': {}}, ETHUSDT: [1]}).fault,
		readLevels({'a\u001B[2Jb': 1}).fault,
		readLevels([1]).fault,
	]).toEqual([
		undefined,
		undefined,
		fault('"BTCUSDT" "5.0": not a price such as 61500'),
		fault('"BTCUSDT" "7": not a table, and 3 more'),
		fault('"ab" has no table of prices'),
		'the levels in the state file are not a table',
	]);
});
