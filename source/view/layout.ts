import type {ResourceName} from '../store/state.ts';
import {bodySize} from './frame.ts';
import type {Size} from './line.ts';

export const panelNames = ['markets', 'chart', 'book', 'tape', 'ticker'] as const;
/** In the order of their keys, `1` to `5`, and of the focus. */
export type PanelName = (typeof panelNames)[number];

/** What stands over all panels while it is open. */
export type Overlay = 'help' | 'info' | 'diagnosis' | 'compare';

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
	/** Side by side; each column's panels stand one above the other. Together they fill the area exactly. */
	readonly columns: readonly Column[];
};

const smallestSize: Size = {columns: 40, rows: 12};

/** Elsewhere the picker opens over the other panels, or instead of them. */
export const hasPickerColumn = (layout: LayoutName): boolean => layout === 'wide' || layout === 'standard';

export const layoutName = ({columns, rows}: Size): LayoutName => {
	if (columns >= 160 && rows >= 45) return 'wide';
	if (columns >= 112 && rows >= 30) return 'standard';
	if (columns >= 80 && rows >= 24) return 'small';
	if (columns >= smallestSize.columns && rows >= smallestSize.rows) return 'tiny';
	return 'none';
};

/** Where everything stands at this size. `pickerOpen` matters where the picker has no column of its own. */
export function layoutFor(size: Size, view: {focus: PanelName; zoomed: boolean}): Layout {
	const name = layoutName(size);
	const headerRows = name === 'tiny' || name === 'none' ? 1 : 2;
	const statusRows = name === 'wide' || name === 'standard' ? 2 : 1;
	const height = Math.max(size.rows - headerRows - statusRows, 0);
	const whole = (panel: PanelName): Layout => ({
		name,
		headerRows,
		statusRows,
		columns: [{width: size.columns, panels: [{name: panel, height}]}],
	});

	if (name === 'none') return {name, headerRows, statusRows, columns: []};
	if (name === 'tiny' || view.zoomed) return whole(view.focus);
	if (name === 'small') {
		const left = Math.floor((size.columns * 46) / 80);
		const tape = Math.max(Math.round(height * 0.36), 7);
		const charts: Column['panels'] = [
			{name: 'chart', height: height - tape},
			{name: 'tape', height: tape},
		];
		return {
			name,
			headerRows,
			statusRows,
			columns: [
				// The picker has no column of its own here: it opens over chart and tape while it has the focus.
				{width: left, panels: view.focus === 'markets' ? [{name: 'markets', height}] : charts},
				{width: size.columns - left, panels: [{name: 'book', height}]},
			],
		};
	}

	if (name === 'standard') {
		// What is beyond 120 columns is the picker's until it has room for the course of the prices.
		const picker = Math.min(Math.max(size.columns - 88, 32), 41);
		const right = Math.min(Math.max(Math.floor(size.columns * 0.3), 35), 44);
		const tape = Math.max(Math.round(height * 0.38), 9);
		return {
			name,
			headerRows,
			statusRows,
			columns: [
				{width: picker, panels: [{name: 'markets', height}]},
				{width: size.columns - picker - right, panels: [{name: 'chart', height}]},
				{
					width: right,
					panels: [
						{name: 'book', height: height - tape},
						{name: 'tape', height: tape},
					],
				},
			],
		};
	}

	const picker = Math.min(Math.max(size.columns - 141, 32), 46);
	const book = Math.min(Math.max(Math.floor(size.columns * 0.27), 44), 60);
	const tape = Math.min(Math.max(Math.floor(size.columns * 0.18), 33), 40);
	return {
		name,
		headerRows,
		statusRows,
		columns: [
			{width: picker, panels: [{name: 'markets', height}]},
			{width: size.columns - picker - book - tape, panels: [{name: 'chart', height}]},
			{width: book, panels: [{name: 'book', height}]},
			{width: tape, panels: [{name: 'tape', height}]},
		],
	};
}

const panelResources: Record<PanelName, readonly ResourceName[]> = {
	markets: ['markets', 'tickers'],
	chart: ['candles', 'tape'],
	book: ['depth', 'tickers'],
	tape: ['tape'],
	ticker: ['tape', 'depth', 'tickers'],
};

/** What has to poll for this layout: the ticker panel's data always, the market list always (names and `n`/`p`). */
export function visibleResources(layout: Layout, overlay: Overlay | undefined): ReadonlySet<ResourceName> {
	const visible = new Set<ResourceName>(['markets', ...panelResources.ticker]);
	if (layout.name === 'none') return new Set(['markets']);
	for (const column of layout.columns) {
		for (const panel of column.panels) for (const resource of panelResources[panel.name]) visible.add(resource);
	}

	if (overlay === 'info') visible.add('info');
	return visible;
}

/** The resource that the focused panel reads first: it is polled before the others when requests have to wait. */
export const focusedResource = (panel: PanelName): ResourceName =>
	(({markets: 'tickers', chart: 'candles', book: 'depth', tape: 'tape', ticker: 'tape'}) as const)[panel];

/** What overlays and zoomed panels have: all between the ticker panel and the status line. */
export const overlaySize = (layout: Layout, size: Size): Size => ({
	columns: size.columns,
	rows: size.rows - layout.headerRows - layout.statusRows,
});

/** The inside of the overlay that is open, else of the focused panel, where it is shown: what a page is. */
export function pageSize(layout: Layout, size: Size, view: {focus: PanelName; overlay?: Overlay | undefined}): Size {
	if (view.overlay) return bodySize(overlaySize(layout, size));
	return bodySize(panelSize(layout, view.focus));
}

/** A panel with its border; nothing where it is not shown. */
export function panelSize(layout: Layout, name: PanelName): Size {
	const panels = layout.columns.flatMap(({width, panels}) => panels.map(panel => ({...panel, width})));
	const panel = panels.find(each => each.name === name);
	return {columns: panel?.width ?? 0, rows: panel?.height ?? 0};
}

/** What a terminal reads that is too small to show anything in: from long to short, down to the bare size. */
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
