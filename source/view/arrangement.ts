import type {Size} from '../format/cells.ts';

export const panelNames = ['markets', 'chart', 'book', 'tape', 'ticker'] as const;
/** Ordered by their keys, `1` to `5`, which is also the order of the focus. */
export type PanelName = (typeof panelNames)[number];

/** The panels below the ticker panel, which share the screen and can be hidden. */
export const sharingPanels = ['markets', 'chart', 'book', 'tape'] as const satisfies readonly PanelName[];
export type SharingPanel = (typeof sharingPanels)[number];

/** Classes of terminal sizes. `tiny` shows one panel at a time, `none` no panel. */
export const layoutNames = ['wide', 'standard', 'small', 'tiny', 'none'] as const;
export type LayoutName = (typeof layoutNames)[number];

export const smallestSize: Size = {columns: 40, rows: 12};

export const layoutName = ({columns, rows}: Size): LayoutName => {
	if (columns >= 160 && rows >= 45) return 'wide';
	if (columns >= 112 && rows >= 30) return 'standard';
	if (columns >= 80 && rows >= 24) return 'small';
	if (columns >= smallestSize.columns && rows >= smallestSize.rows) return 'tiny';
	return 'none';
};

export const presetNames = ['default', 'columns', 'wide', 'chart', 'book', 'tape'] as const;
export type PresetName = (typeof presetNames)[number];

/** Cells that the user gave to (below 0: took from) parts of the screen, each by its first panel in the preset. Never 0. */
export type Extras = Readonly<Partial<Record<SharingPanel, number>>>;

/** How the user wants the panels on terminals of one size class. */
export type Arrangement = {
	readonly preset: PresetName;
	/** Shown in their places only while they have the focus. */
	readonly hidden: ReadonlySet<SharingPanel>;
	readonly columns: Extras;
	readonly rows: Extras;
};

/** By size class; absent: as delivered. */
export type Arrangements = Readonly<Partial<Record<LayoutName, Arrangement>>>;
