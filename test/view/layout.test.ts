import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Size} from '../../source/format/cells.ts';
import {type Arrangement, presetArrangement, presetNames, sharingPanels} from '../../source/view/arrangement.ts';
import {
	focusedResource,
	grown,
	type Layout,
	layoutFor,
	layoutName,
	leastSizes,
	pageSize,
	panelNames,
	placesOf,
	sharedArea,
	tooSmall,
	type View,
	visibleResources,
} from '../../source/view/layout.ts';

const anySize = fc.record({columns: fc.integer({min: 1, max: 400}), rows: fc.integer({min: 1, max: 120})});
const anyView = fc.record({focus: fc.constantFrom(...panelNames), zoomed: fc.boolean()});
const namesOf = (layout: Layout) => layout.panels.map(({name}) => name);
const overview = {focus: 'book', zoomed: false} as const;

test.each([
	[{columns: 160, rows: 45}, 'wide'],
	[{columns: 159, rows: 45}, 'standard'],
	[{columns: 160, rows: 44}, 'standard'],
	[{columns: 120, rows: 40}, 'standard'],
	[{columns: 80, rows: 24}, 'small'],
	[{columns: 79, rows: 24}, 'tiny'],
	[{columns: 400, rows: 23}, 'tiny'],
	[{columns: 40, rows: 12}, 'tiny'],
	[{columns: 39, rows: 12}, 'none'],
	[{columns: 40, rows: 11}, 'none'],
] as const)('%o is %s', (size, name) => {
	expect(layoutName(size)).toBe(name);
});

const anyExtras = fc.dictionary(fc.constantFrom(...sharingPanels), fc.integer({min: -80, max: 80}), {maxKeys: 4});
const anyArrangement: fc.Arbitrary<Arrangement> = fc.record({
	preset: fc.constantFrom(...presetNames),
	hidden: fc.subarray([...sharingPanels], {maxLength: 3}).map(panels => new Set(panels)),
	columns: anyExtras,
	rows: anyExtras,
});
/** At least 40×12, near the smallest size of each class as often as elsewhere. */
const anyUsableSize = fc
	.tuple(fc.constantFrom([40, 12], [80, 24], [112, 30], [160, 45]), fc.nat(3), fc.nat(2), anySize)
	.chain(([[columns = 40, rows = 12], wider, higher, {columns: most, rows: mostRows}]) =>
		fc.constantFrom(
			{columns: columns + wider, rows: rows + higher},
			{columns: Math.max(most, 40), rows: Math.max(mostRows, 12)},
		),
	);
const arranged = (size: Size, arrangement: Arrangement) => ({[layoutName(size)]: arrangement});

/** The panels of each cell below the ticker panel, row by row. */
function cellsOf({panels}: Layout, {columns, rows}: Size): readonly string[] {
	const cells = Array.from({length: rows}, () => Array.from({length: columns}, () => ''));
	for (const {name, x, y, width, height} of panels) {
		for (let row = y; row < y + height; row++) {
			for (let column = x; column < x + width; column++) {
				const cell = cells[row]?.[column] ?? 'outside';
				cells[row]?.splice(column, 1, cell + name);
			}
		}
	}

	return cells.flat();
}

test('panels fill the screen exactly, none over another and none below its least size, however they are arranged', () => {
	fc.assert(
		fc.property(anyUsableSize, anyView, anyArrangement, (size, view, arrangement) => {
			const layout = layoutFor(size, {...view, layouts: arranged(size, arrangement)});
			const area = sharedArea(size);
			expect(area).toEqual({columns: size.columns, rows: size.rows - layout.headerRows - layout.statusRows});
			const names: readonly string[] = panelNames;
			expect(cellsOf(layout, area).filter(cell => !names.includes(cell))).toEqual([]);
			const cells = layout.panels.reduce((sum, {width, height}) => sum + width * height, 0);
			expect(cells).toBe(area.columns * area.rows);
			if (layout.name === 'tiny' || view.zoomed) return;
			for (const {name, width, height} of layout.panels) {
				if (name === 'ticker') continue;
				const least = leastSizes[name];
				expect([name, width >= least.columns, height >= least.rows]).toEqual([name, true, true]);
			}
		}),
	);
});

test('a panel that grows and shrinks by the same leaves all panels as they were', () => {
	const anyStep = fc.tuple(fc.constantFrom('columns', 'rows'), fc.constantFrom(-2, -1, 1, 2));
	let changes = 0;
	fc.assert(
		fc.property(
			anyUsableSize,
			fc.constantFrom(...sharingPanels),
			anyArrangement,
			anyStep,
			(size, focus, arrangement, [axis, by]) => {
				const area = sharedArea(size);
				const division = {layout: layoutName(size), arrangement, focus};
				const before = placesOf(area, division);
				const next = grown(area, division, axis, by);
				if (!next) return;
				changes++;
				const after = placesOf(area, {...division, arrangement: next});
				const length = (panels: typeof before) => {
					const panel = panels.find(({name}) => name === focus);
					return axis === 'columns' ? panel?.width : panel?.height;
				};
				expect(length(after)).toBe((length(before) ?? 0) + by);
				const restored = grown(area, {...division, arrangement: next}, axis, -by);
				expect(restored && placesOf(area, {...division, arrangement: restored})).toEqual(before);
			},
		),
		{numRuns: 100},
	);
	expect(changes).toBeGreaterThan(10);
});

test('a zoomed panel is alone, and the focused panel is always shown except the ticker', () => {
	fc.assert(
		fc.property(anySize, anyView, (size, view) => {
			const layout = layoutFor(size, view);
			if (layout.name === 'none') return;
			const names = namesOf(layout);
			if (view.zoomed) expect(names).toEqual([view.focus]);
			if (view.focus !== 'ticker') expect(names).toContain(view.focus);
		}),
	);
});

test.each<[string, Size, Parameters<typeof layoutFor>[1] & {overlay?: 'help'}, Size]>([
	[
		'the inside of the focused panel',
		{columns: 120, rows: 40},
		{focus: 'tape', zoomed: false},
		{columns: 34, rows: 12},
	],
	['of the zoomed one', {columns: 120, rows: 40}, {focus: 'tape', zoomed: true}, {columns: 118, rows: 34}],
	[
		'of the overlay',
		{columns: 120, rows: 40},
		{focus: 'tape', zoomed: false, overlay: 'help'},
		{columns: 118, rows: 34},
	],
	['nothing in the header', {columns: 120, rows: 40}, {focus: 'ticker', zoomed: false}, {columns: 0, rows: 0}],
])('a page is %s', (_, size, view, page) => {
	expect(pageSize(layoutFor(size, view), size, view)).toEqual(page);
});

const always = ['depth', 'markets', 'trades', 'tickers'];
test.each([
	['120x40', {columns: 120, rows: 40}, overview, undefined, [...always, 'candles']],
	[
		'80x24, where the picker hides the chart',
		{columns: 80, rows: 24},
		{focus: 'markets', zoomed: false},
		undefined,
		always,
	],
	['40x12 with the book', {columns: 40, rows: 12}, overview, undefined, always],
	['40x12 with the chart', {columns: 40, rows: 12}, {focus: 'chart', zoomed: false}, undefined, [...always, 'candles']],
	['a zoomed tape', {columns: 120, rows: 40}, {focus: 'tape', zoomed: true}, undefined, always],
	[
		'120x40 without the chart',
		{columns: 120, rows: 40},
		{...overview, layouts: {standard: {...presetArrangement('standard', 'default'), hidden: new Set(['chart'])}}},
		undefined,
		always,
	],
	['the exchange info', {columns: 120, rows: 40}, overview, 'info', [...always, 'candles', 'info']],
	['a terminal too small', {columns: 20, rows: 5}, overview, undefined, ['markets']],
] as const satisfies ReadonlyArray<readonly [string, Size, View, 'info' | undefined, readonly string[]]>)(
	'resources poll for %s',
	(_, size, view, overlay, resources) => {
		expect([...visibleResources(layoutFor(size, view), overlay)].sort()).toEqual([...resources].sort());
	},
);

test('the resource of the focused panel polls', () => {
	for (const focus of panelNames) {
		const layout = layoutFor({columns: 40, rows: 12}, {focus, zoomed: false});
		expect(visibleResources(layout, undefined)).toContain(focusedResource(focus));
	}
});

test.each([
	[60, 'tapewatch needs 40×12, this is 60×5'],
	[30, 'tapewatch needs 40×12'],
	[12, 'needs 40×12'],
	[5, '40×12'],
	[4, ''],
])('a terminal of %s columns that is too small shows %j', (columns, text) => {
	expect(tooSmall({columns, rows: 5}, false)).toBe(text);
});

test('a terminal that is too small shows ASCII', () => {
	expect(tooSmall({columns: 60, rows: 5}, true)).toBe('tapewatch needs 40x12, this is 60x5');
});
