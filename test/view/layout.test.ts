import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Size} from '../../source/format/cells.ts';
import {
	focusedResource,
	type Layout,
	layoutFor,
	layoutName,
	overlaySize,
	pageSize,
	panelNames,
	tooSmall,
	visibleResources,
} from '../../source/view/layout.ts';

const anySize = fc.record({columns: fc.integer({min: 1, max: 400}), rows: fc.integer({min: 1, max: 120})});
const anyView = fc.record({focus: fc.constantFrom(...panelNames), zoomed: fc.boolean()});
const namesOf = (layout: Layout) => layout.columns.map(({panels}) => panels.map(({name}) => name));
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

test.each([
	[{columns: 160, rows: 45}, [['markets'], ['chart'], ['book'], ['tape']]],
	[{columns: 120, rows: 40}, [['markets'], ['chart'], ['book', 'tape']]],
	[{columns: 80, rows: 24}, [['chart', 'tape'], ['book']]],
	[{columns: 40, rows: 12}, [['book']]],
	[{columns: 39, rows: 11}, []],
] as const)('columns at %o are %j', (size, columns) => {
	expect(namesOf(layoutFor(size, overview))).toEqual(columns);
});

test('the picker covers chart and tape at 80×24', () => {
	const layout = layoutFor({columns: 80, rows: 24}, {focus: 'markets', zoomed: false});
	expect(namesOf(layout)).toEqual([['markets'], ['book']]);
});

test('panels fill the screen exactly, none too small for its frame', () => {
	fc.assert(
		fc.property(anySize, anyView, (size, view) => {
			const layout = layoutFor(size, view);
			if (layout.name === 'none') return;
			const widths = layout.columns.map(({width}) => width);
			expect(widths.reduce((sum, width) => sum + width)).toBe(size.columns);
			const height = size.rows - layout.headerRows - layout.statusRows;
			for (const {panels} of layout.columns) {
				expect(panels.reduce((sum, panel) => sum + panel.height, 0)).toBe(height);
			}

			expect(Math.min(...widths)).toBeGreaterThanOrEqual(30);
			expect(Math.min(...layout.columns.flatMap(({panels}) => panels.map(panel => panel.height)))).toBeGreaterThan(6);
			expect(overlaySize(layout, size)).toEqual({columns: size.columns, rows: height});
		}),
	);
});

test('a zoomed panel is alone, and the focused panel is always shown except the ticker', () => {
	fc.assert(
		fc.property(anySize, anyView, (size, view) => {
			const layout = layoutFor(size, view);
			if (layout.name === 'none') return;
			const names = namesOf(layout).flat();
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

const always = ['depth', 'markets', 'tape', 'tickers'];
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
	['the exchange info', {columns: 120, rows: 40}, overview, 'info', [...always, 'candles', 'info']],
	['a terminal too small', {columns: 20, rows: 5}, overview, undefined, ['markets']],
] as const)('resources poll for %s', (_, size, view, overlay, resources) => {
	expect([...visibleResources(layoutFor(size, view), overlay)].sort()).toEqual([...resources].sort());
});

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
