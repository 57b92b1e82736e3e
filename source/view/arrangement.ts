import type {Size} from '../format/cells.ts';
import {clamp} from '../market/numbers.ts';

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
type Extras = Readonly<Partial<Record<SharingPanel, number>>>;

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

/** How panels share an area: one alone, or parts side by side or one above the other. */
export type Tree = SharingPanel | Split;
export type Split = {readonly axis: keyof Size; readonly parts: readonly Part[]};
type Part = {
	/** Its first panel, shown or not, by which its extra cells are remembered. */
	readonly name: SharingPanel;
	readonly tree: Tree;
	/** What it gets of the whole length; the part with the main panel gets the rest. */
	wish(total: number): number;
};

type Wish = Part['wish'];

const firstPanel = (tree: Tree): SharingPanel =>
	typeof tree === 'string' ? tree : firstPanel(tree.parts[0]?.tree ?? 'chart');
const part = (tree: Tree, wish: Wish = () => 0): Part => ({name: firstPanel(tree), tree, wish});
const across = (...parts: readonly Part[]): Split => ({axis: 'columns', parts});
const down = (...parts: readonly Part[]): Split => ({axis: 'rows', parts});

/** A share of the whole, within bounds. */
const share =
	(ratio: number, least: number, most: number): Wish =>
	total =>
		clamp(Math.floor(total * ratio), least, most);
/** What is left of the whole, within bounds. */
const beyond =
	(rest: number, least: number, most: number): Wish =>
	total =>
		clamp(total - rest, least, most);
const tapeBelow: Wish = total => Math.max(Math.round(total * 0.38), 9);
const tapeBelowSmall: Wish = total => Math.max(Math.round(total * 0.36), 7);
const half = share(0.5, 0, Infinity);
const lesserHalf = share(0.45, 0, Infinity);

// The main parts, which need no wish.
const [chart, book, tape] = [part('chart'), part('book'), part('tape')];
// Columns beyond 120 go to the picker until it has room for sparklines.
const picker = beyond(88, 32, 41);
const widePicker = beyond(141, 32, 46);
const bookOverTape = down(book, part('tape', tapeBelow));
const beside = part(bookOverTape, share(0.3, 36, 44));
// With room for the traded volume.
const widelyBeside = part(bookOverTape, share(0.28, 44, 56));
const chartOverOthers = down(
	chart,
	part(
		across(part('markets', share(0.32, 32, 60)), book, part('tape', share(0.31, 36, 60))),
		share(0.42, 10, Infinity),
	),
);
const mostlyBook = across(part('markets', picker), book, part(down(chart, part('tape', tapeBelow)), lesserHalf));
const mostlyTape = across(part('markets', picker), tape, part(down(chart, part('book', half)), lesserHalf));

type Preset = {readonly tree: Tree; readonly hidden: readonly SharingPanel[]};

const shown = (tree: Tree): Preset => ({tree, hidden: []});
const withoutPicker = (tree: Tree): Preset => ({tree, hidden: ['markets']});

const standardDefault = shown(across(part('markets', picker), chart, beside));
const standard: Record<PresetName, Preset> = {
	default: standardDefault,
	// There is no room for all side by side.
	columns: standardDefault,
	wide: shown(chartOverOthers),
	chart: withoutPicker(across(part('markets', picker), chart, beside)),
	book: withoutPicker(mostlyBook),
	tape: withoutPicker(mostlyTape),
};

const chartOverTape = part(down(chart, part('tape', tapeBelowSmall)), total => Math.floor((total * 46) / 80));

const smallDefault = shown(
	across(
		chartOverTape,
		part('book', total => total - Math.floor((total * 46) / 80)),
	),
);

/** The market list has no place of its own on a small screen. */
const presets: Record<Exclude<LayoutName, 'tiny' | 'none'>, Record<PresetName, Preset>> = {
	wide: {
		...standard,
		default: shown(across(part('markets', widePicker), chart, widelyBeside)),
		columns: shown(
			across(part('markets', widePicker), chart, part('book', share(0.27, 44, 60)), part('tape', share(0.18, 36, 40))),
		),
	},
	standard,
	small: {
		default: smallDefault,
		columns: smallDefault,
		wide: shown(down(chart, part(across(part('tape', half), book), share(0.48, 10, Infinity)))),
		chart: {tree: across(chartOverTape, part('book', share(0.45, 34, 44))), hidden: ['book']},
		book: shown(across(book, part(down(chart, part('tape', tapeBelowSmall)), half))),
		tape: shown(across(tape, part(down(chart, part('book', half)), half))),
	},
};

/** The arrangement of a size class as the preset has it. */
export const presetArrangement = (layout: LayoutName, preset: PresetName): Arrangement => ({
	preset,
	hidden: new Set(layout === 'tiny' || layout === 'none' ? [] : presets[layout][preset].hidden),
	columns: {},
	rows: {},
});

export const arrangementFor = (layout: LayoutName, arrangements: Arrangements): Arrangement =>
	arrangements[layout] ?? presetArrangement(layout, 'default');

/** How all panels of the preset share the screen, hidden or not; undefined: one has it alone. */
export const treeOf = (layout: LayoutName, preset: PresetName): Tree | undefined =>
	layout === 'tiny' || layout === 'none' ? undefined : presets[layout][preset].tree;

/** The panels in the order in which they take what others leave. */
export function mainPanels(preset: PresetName): readonly SharingPanel[] {
	const usual = ['chart', 'book', 'tape', 'markets'] as const;
	const first = usual.filter(panel => panel === preset);
	return [...first, ...usual.filter(panel => !first.includes(panel))];
}

/** The panels that have places of their own. On a tiny screen, where each has it in turn, the market list has none. */
export function placedPanels(layout: LayoutName, {preset, hidden}: Arrangement): readonly SharingPanel[] {
	const tree = treeOf(layout, preset);
	const panels = tree === undefined ? (['chart', 'book', 'tape'] as const) : panelsIn(tree);
	return panels.filter(panel => !hidden.has(panel));
}

/** Whether the panel keeps its place when it loses the focus. The ticker panel always does. */
export const hasPlace = (layout: LayoutName, arrangement: Arrangement, panel: PanelName): boolean =>
	panel === 'ticker' || placedPanels(layout, arrangement).includes(panel);

/** The panel that has the focus when another one gives it up. */
export function homePanel(layout: LayoutName, arrangement: Arrangement): SharingPanel {
	const placed = placedPanels(layout, arrangement);
	return mainPanels(arrangement.preset).find(panel => placed.includes(panel)) ?? 'chart';
}

export const panelsIn = (tree: Tree): readonly SharingPanel[] =>
	typeof tree === 'string' ? [tree] : tree.parts.flatMap(each => panelsIn(each.tree));

/** The tree with these panels only, without splits of a single part; undefined: it has none of them. */
export function treeWith(tree: Tree, isShown: (panel: SharingPanel) => boolean): Tree | undefined {
	if (typeof tree === 'string') return isShown(tree) ? tree : undefined;
	const parts = tree.parts.flatMap(each => {
		const inner = treeWith(each.tree, isShown);
		return inner === undefined ? [] : {...each, tree: inner};
	});
	return parts.length > 1 ? {...tree, parts} : parts[0]?.tree;
}

/** The arrangements with this one for a size class. Extras of no cells and what is as delivered are left out. */
export function withArrangement(
	arrangements: Arrangements,
	layout: LayoutName,
	{preset, hidden, columns, rows}: Arrangement,
): Arrangements {
	const next: Arrangement = {preset, hidden, columns: withoutZeros(columns), rows: withoutZeros(rows)};
	const {[layout]: _, ...others} = arrangements;
	const isDelivered =
		preset === 'default' &&
		[hidden.size, ...[next.columns, next.rows].map(each => Object.keys(each).length)].every(n => n === 0);
	return isDelivered ? others : {...others, [layout]: next};
}

const withoutZeros = (extras: Extras): Extras =>
	Object.fromEntries(Object.entries(extras).filter(([, cells]) => cells !== 0));
