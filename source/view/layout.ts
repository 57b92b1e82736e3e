import type {Size} from '../format/cells.ts';
import {clamp} from '../market/numbers.ts';
import type {ResourceName} from '../store/state.ts';
import {bodySize} from './frame.ts';

export const panelNames = ['markets', 'chart', 'book', 'tape', 'ticker'] as const;
/** Ordered by their keys, `1` to `5`, which is also the order of the focus. */
export type PanelName = (typeof panelNames)[number];

/** What covers all panels while it is open. */
export type Overlay = 'help' | 'info' | 'diagnosis' | 'compare' | 'alerts';

export type LayoutName = 'wide' | 'standard' | 'small' | 'tiny' | 'none';

type Column = {
	readonly width: number;
	readonly panels: ReadonlyArray<{readonly name: PanelName; readonly height: number}>;
};

export type Layout = {
	readonly name: LayoutName;
	/** Rows of the ticker panel above the others. */
	readonly headerRows: 1 | 2;
	/** Rows of the status line. */
	readonly statusRows: 1 | 2;
	/** Side by side, each with its panels stacked. Together they fill the area exactly. */
	readonly columns: readonly Column[];
};

const smallestSize: Size = {columns: 40, rows: 12};

/** Whether the picker has a column of its own; otherwise it opens over the other panels while it has the focus. */
export const hasPickerColumn = (layout: LayoutName): boolean => layout === 'wide' || layout === 'standard';

export const layoutName = ({columns, rows}: Size): LayoutName => {
	if (columns >= 160 && rows >= 45) return 'wide';
	if (columns >= 112 && rows >= 30) return 'standard';
	if (columns >= 80 && rows >= 24) return 'small';
	if (columns >= smallestSize.columns && rows >= smallestSize.rows) return 'tiny';
	return 'none';
};

/** Lays out the panels for a size. `view` matters only if not all panels are on screen. */
export function layoutFor(size: Size, view: {focus: PanelName; zoomed: boolean}): Layout {
	const name = layoutName(size);
	const headerRows = name === 'tiny' || name === 'none' ? 1 : 2;
	const statusRows = hasPickerColumn(name) ? 2 : 1;
	const height = Math.max(size.rows - headerRows - statusRows, 0);
	// A zoomed panel has the screen to itself, like every panel of a tiny layout.
	const layout = name !== 'none' && view.zoomed ? 'tiny' : name;
	return {name, headerRows, statusRows, columns: columnsOf[layout](size.columns, height, view.focus)};
}

/** The columns of each layout for this width and height. */
const columnsOf: Record<LayoutName, (width: number, height: number, focus: PanelName) => readonly Column[]> = {
	none: () => [],
	tiny: (width, height, focus) => [{width, panels: [{name: focus, height}]}],
	small(width, height, focus) {
		const left = Math.floor((width * 46) / 80);
		const tape = Math.max(Math.round(height * 0.36), 7);
		const chartAndTape: Column['panels'] = [
			{name: 'chart', height: height - tape},
			{name: 'tape', height: tape},
		];
		return [
			// The picker has no column of its own here: it opens over chart and tape while it has the focus.
			{width: left, panels: focus === 'markets' ? [{name: 'markets', height}] : chartAndTape},
			{width: width - left, panels: [{name: 'book', height}]},
		];
	},
	standard(width, height) {
		// Columns beyond 120 go to the picker until it has room for sparklines.
		const picker = clamp(width - 88, 32, 41);
		const right = clamp(Math.floor(width * 0.3), 35, 44);
		const tape = Math.max(Math.round(height * 0.38), 9);
		return [
			{width: picker, panels: [{name: 'markets', height}]},
			{width: width - picker - right, panels: [{name: 'chart', height}]},
			{
				width: right,
				panels: [
					{name: 'book', height: height - tape},
					{name: 'tape', height: tape},
				],
			},
		];
	},
	wide(width, height) {
		const picker = clamp(width - 141, 32, 46);
		const book = clamp(Math.floor(width * 0.27), 44, 60);
		const tape = clamp(Math.floor(width * 0.18), 33, 40);
		return [
			{width: picker, panels: [{name: 'markets', height}]},
			{width: width - picker - book - tape, panels: [{name: 'chart', height}]},
			{width: book, panels: [{name: 'book', height}]},
			{width: tape, panels: [{name: 'tape', height}]},
		];
	},
};

const panelResources: Record<PanelName, readonly ResourceName[]> = {
	markets: ['markets', 'tickers'],
	chart: ['candles', 'tape'],
	book: ['depth', 'tickers'],
	tape: ['tape'],
	ticker: ['tape', 'depth', 'tickers'],
};

/** The resources that are polled in this layout: always those of the ticker panel and the market list (for names and `n`/`p`). */
export function visibleResources(layout: Layout, overlay: Overlay | undefined): ReadonlySet<ResourceName> {
	const visible = new Set<ResourceName>(['markets', ...panelResources.ticker]);
	if (layout.name === 'none') return new Set(['markets']);
	for (const column of layout.columns) {
		for (const panel of column.panels) for (const resource of panelResources[panel.name]) visible.add(resource);
	}

	if (overlay === 'info') visible.add('info');
	return visible;
}

/** The main resource of the focused panel, which is polled first when requests have to wait. */
export const focusedResource = (panel: PanelName): ResourceName =>
	(({markets: 'tickers', chart: 'candles', book: 'depth', tape: 'tape', ticker: 'tape'}) as const)[panel];

/** The size of overlays and zoomed panels: everything between the ticker panel and the status line. */
export const overlaySize = (layout: Layout, size: Size): Size => ({
	columns: size.columns,
	rows: size.rows - layout.headerRows - layout.statusRows,
});

/** The size of one page: the inside of the open overlay or, without one, of the focused panel. */
export function pageSize(layout: Layout, size: Size, view: {focus: PanelName; overlay?: Overlay | undefined}): Size {
	if (view.overlay) return bodySize(overlaySize(layout, size));
	return bodySize(panelSize(layout, view.focus));
}

/** The size of a panel with its border; 0×0 if it is not shown. */
export function panelSize(layout: Layout, name: PanelName): Size {
	const panels = layout.columns.flatMap(({width, panels}) => panels.map(panel => ({...panel, width})));
	const panel = panels.find(each => each.name === name);
	return {columns: panel?.width ?? 0, rows: panel?.height ?? 0};
}

/** What a terminal too small for any panel shows: the longest text that fits, at least the size it needs. */
export const tooSmall = ({columns, rows}: Size, ascii: boolean, needed = smallestSize): string => {
	const by = ascii ? 'x' : '×';
	const least = `${needed.columns}${by}${needed.rows}`;
	const texts = [
		`tapewatch needs ${least}, this is ${columns}${by}${rows}`,
		`tapewatch needs ${least}`,
		`needs ${least}`,
		least,
	];
	return texts.find(text => text.length <= columns) ?? '';
};
