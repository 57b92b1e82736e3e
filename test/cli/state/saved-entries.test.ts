import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readLevels, readLines, savedLevels, savedLines} from '../../../source/cli/state/saved-entries.ts';
import {merged} from '../../../source/cli/state/saved-state.ts';
import type {TrendLine} from '../../../source/market/trend-line.ts';
import {type DrawnLevels, withLevel, withoutLevel} from '../../../source/view/drawn-levels.ts';
import {type DrawnLines, drawnLinesOf, withLine, withoutLine} from '../../../source/view/drawn-lines.ts';

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

const hour = 3_600_000;
const anyLine = fc
	.record({
		symbol: fc.constantFrom('BTCUSDT', 'ETH/USDT'),
		time: fc.integer({min: 0, max: 4e12}),
		ms: fc.integer({min: 1, max: 1e12}),
		first: fc.double({min: 1e-12, max: 1e12, noNaN: true}),
		second: fc.double({min: 1e-12, max: 1e12, noNaN: true}),
		log: fc.boolean(),
		isDeleted: fc.boolean(),
	})
	.map(({time, ms, first, second, log, ...rest}) => ({
		...rest,
		line: {from: {time, price: first}, to: {time: time + ms, price: second}, log},
	}));

/** The lines with one more, or with its number used up. */
const drawn = (lines: DrawnLines, symbol: string, line: TrendLine): DrawnLines => withLine(lines, symbol, line).lines;
function deleted(lines: DrawnLines, symbol: string, number: number): DrawnLines {
	const line = drawnLinesOf(lines, symbol).find(each => each.number === number);
	return line ? withoutLine(lines, symbol, line) : lines;
}

const lineAt = (price: number): TrendLine => ({from: {time: 0, price}, to: {time: hour, price: price + 1}, log: false});
const asSaved = (lines: DrawnLines): unknown => JSON.parse(JSON.stringify(savedLines(lines)));

test('lines read back as they were saved, and a deleted last one still has its number', () => {
	fc.assert(
		fc.property(fc.array(anyLine), all => {
			const lines = all.reduce<DrawnLines>((before, {symbol, line, isDeleted}) => {
				const {lines: after, number} = withLine(before, symbol, line);
				return isDeleted ? deleted(after, symbol, number) : after;
			}, new Map());
			expect(readLines(asSaved(lines))).toEqual({lines, fault: undefined});
		}),
	);
});

test('two instances keep the lines that each draws, also of one number, and lose those that either deletes', () => {
	const base = drawn(drawn(new Map(), 'BTCUSDT', lineAt(1)), 'BTCUSDT', lineAt(2));
	const mine = drawn(deleted(base, 'BTCUSDT', 1), 'BTCUSDT', lineAt(3));
	const theirs = drawn(drawn(base, 'BTCUSDT', lineAt(4)), 'ETHUSDT', lineAt(5));
	const both = readLines(merged(asSaved(base), asSaved(mine), asSaved(theirs))).lines;
	const named = ['BTCUSDT', 'ETHUSDT'].map(symbol =>
		drawnLinesOf(both, symbol).map(({number, from}) => [number, from.price]),
	);
	expect(named).toEqual([
		[
			[2, 2],
			[3, 4],
			[3, 3],
		],
		[[1, 5]],
	]);
	expect(withLine(both, 'BTCUSDT', lineAt(6)).number).toBe(4);
});

test('a broken line is reported, stays in the file, and costs no other line', () => {
	const good = '2024-08-08T20:00:00.000Z 61500 2024-08-08T23:00:00.000Z 62000';
	const file = {
		BTCUSDT: {'2': {[good]: {scale: 'log'}, 'x 1 y 2': {}, [`${good} 5`]: {}}, '7': {}, x: {}, '8': 'eight'},
		ETHUSDT: [1],
		LTCUSDT: {'1': {'2024-08-08T20:00:00.000Z -1 2024-08-08T23:00:00.000Z 2': {}}},
	};
	const {lines, fault} = readLines(file);
	const [from, to] = [20, 23].map(hours => Date.UTC(2024, 7, 8, hours));
	expect(lines).toEqual(
		new Map([
			[
				'BTCUSDT',
				{
					lines: [{number: 2, log: true, from: {time: from, price: 61_500}, to: {time: to, price: 62_000}}],
					used: [2, 7, 8],
				},
			],
			['LTCUSDT', {lines: [], used: [1]}],
		]),
	);
	expect(fault).toBe('a line in the state file cannot be used: "BTCUSDT" 2 "x 1 y 2", and 5 more');
	const more = drawn(lines, 'BTCUSDT', lineAt(6));
	expect(merged(asSaved(lines), asSaved(more), file)).toEqual({
		...file,
		BTCUSDT: {...file.BTCUSDT, '9': {'1970-01-01T00:00:00.000Z 6 1970-01-01T01:00:00.000Z 7': {}}},
	});
	for (const broken of [null, 'x', 3, [1]])
		expect(readLines(broken)).toEqual({lines: new Map(), fault: 'the lines in the state file are not a table'});
});

test.each([
	'2024-08-08T20:00Z 61500 2024-08-08T23:00:00.000Z 62000',
	'2024-08-08T23:00:00.000Z 62000 2024-08-08T20:00:00.000Z 61500',
	'2024-08-08T20:00:00.000Z 61500.0 2024-08-08T23:00:00.000Z 62000',
])('a line that is written otherwise than it is saved is reported, as it could not be deleted: %s', ends => {
	expect(readLines({BTCUSDT: {'1': {[ends]: {}}}})).toEqual({
		lines: new Map([['BTCUSDT', {lines: [], used: [1]}]]),
		fault: `a line in the state file cannot be used: "BTCUSDT" 1 ${JSON.stringify(ends.slice(0, 60))}`,
	});
});

test('two instances that draw, delete and save in any order lose no line of the other', () => {
	const anyStep = fc.record({of: fc.constantFrom(0, 1), does: fc.constantFrom('draw', 'delete', 'save'), at: fc.nat()});
	fc.assert(
		fc.property(fc.array(anyStep, {maxLength: 40}), steps => {
			let file: unknown = {};
			const instances = [0, 1].map(() => ({lines: new Map() as DrawnLines, base: {} as unknown}));
			const save = (instance: (typeof instances)[number]) => {
				const mine = asSaved(instance.lines);
				file = merged(instance.base, mine, file);
				instance.base = mine;
			};
			for (const [index, {of, does, at}] of steps.entries()) {
				const instance = instances[of];
				if (!instance) continue;
				const own = drawnLinesOf(instance.lines, 'BTCUSDT');
				const line = own[at % own.length];
				if (does === 'save') save(instance);
				else if (does === 'draw') instance.lines = drawn(instance.lines, 'BTCUSDT', lineAt(index + 1));
				else if (line) instance.lines = withoutLine(instance.lines, 'BTCUSDT', line);
			}

			for (const instance of instances) save(instance);
			const pricesIn = (lines: DrawnLines) => drawnLinesOf(lines, 'BTCUSDT').map(({from}) => from.price);
			const all = instances.flatMap(({lines}) => pricesIn(lines));
			expect(pricesIn(readLines(file).lines).toSorted()).toEqual(all.toSorted());
		}),
		{numRuns: 500},
	);
});
