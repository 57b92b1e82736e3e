import type {Size} from '../../format/cells.ts';
import {
	type Arrangement,
	arrangementFor,
	hasPlace,
	mainPanels,
	placedPanels,
	presetArrangement,
	presetNames,
	type SharingPanel,
	sharingPanels,
	treeOf,
	withArrangement,
} from '../arrangement.ts';
import {grown, isDivided, sharedArea} from '../layout.ts';
import {type Change, focusedOn, focusedOnPlaced, type UiState} from '../ui-state.ts';
import {
	anyOf,
	beginning,
	type Command,
	type Control,
	choice,
	pair,
	type Situation,
	type Vocabulary,
} from './command.ts';

/** Cells that a key moves a border by. */
const steps: Size = {columns: 2, rows: 1};

/** The commands that decide which panels share the screen, and how. */
export const layoutCommands: readonly Command[] = [
	{
		...choice('layout', 'lay out the panels:', presetNames, (preset, control) => {
			const {ui, layout} = control;
			const [main] = mainPanels(preset);
			arrange(presetArrangement(layout, preset), control);
			if (main === preset) ui.update(focusedOn(main));
		}),
		keys: [],
	},
	...pair(
		{
			overlays: [],
			help: 'make the focused panel wider, narrower, higher, lower',
			hint: {word: 'size', rank: 40},
			unavailable: whyFixed('columns'),
		},
		{
			name: 'wider',
			keys: ['w'],
			atEnd: 'no room for more columns: hide a panel to make room',
			run: control => grow('columns', 1, control),
		},
		{name: 'narrower', keys: ['W'], atEnd: 'already at min width', run: control => grow('columns', -1, control)},
	),
	...pair(
		{overlays: [], unavailable: whyFixed('rows')},
		{
			name: 'higher',
			keys: ['h'],
			atEnd: 'no room for more rows: hide a panel to make room',
			run: control => grow('rows', 1, control),
		},
		{name: 'lower', keys: ['H'], atEnd: 'already at min height', run: control => grow('rows', -1, control)},
	),
	ofPanels('hide', 'hide a panel, except while it has the focus:', {
		// One stays.
		candidates: ({placed}) => (placed.length > 1 ? placed : []),
		take: hide,
	}),
	ofPanels('show', 'show a hidden panel again:', {candidates: ({hidden}) => [...hidden], take: show}),
];

type OfPanels = {
	/** The panels that it can take now. */
	candidates(panels: NonNullable<Vocabulary['panels']>): readonly SharingPanel[];
	/** Returns why it does nothing; undefined: it did. */
	take(panel: SharingPanel, control: Control): string | undefined;
};

/** A command whose argument is a panel. */
function ofPanels(name: string, help: string, {candidates, take}: OfPanels): Command {
	const takes = anyOf(sharingPanels);
	return {
		name,
		keys: [],
		help: `${help} ${takes}`,
		argument: {
			takes,
			complete: (text, {panels}) => beginning(panels ? candidates(panels) : sharingPanels)(text),
			run(text, control) {
				const panel = sharingPanels.find(each => each === text.toLowerCase());
				return panel === undefined ? `${name} takes ${takes}` : take(panel, control);
			},
		},
	};
}

const arrangementNow = ({layouts}: Pick<UiState, 'layouts'>, {layout}: Pick<Control, 'layout'>): Arrangement =>
	arrangementFor(layout, layouts);

/** Puts the panels where the arrangement has them, with none in front of the others. */
function arrange(arrangement: Arrangement, {ui, layout}: Control): void {
	const arranged: Change = state => ({
		...state,
		zoomed: false,
		overlay: undefined,
		layouts: withArrangement(state.layouts, layout, arrangement),
	});
	ui.update(state => focusedOnPlaced(layout)(arranged(state)));
}

function hide(panel: SharingPanel, control: Control): string | undefined {
	const arrangement = arrangementNow(control.ui.getSnapshot(), control);
	const {hidden} = arrangement;
	if (hidden.has(panel)) return `${panel} is already hidden`;
	const next = {...arrangement, hidden: hidden.union(new Set([panel]))};
	if (!hasPlace(control.layout, arrangement, panel)) return `${panel} has no place of its own at this size`;
	if (placedPanels(control.layout, next).length === 0) return `${panel} is the last panel and cannot be hidden`;
	arrange(next, control);
	return undefined;
}

function show(panel: SharingPanel, control: Control): string | undefined {
	const arrangement = arrangementNow(control.ui.getSnapshot(), control);
	const {hidden} = arrangement;
	if (!hidden.has(panel)) return `${panel} is not hidden`;
	arrange({...arrangement, hidden: hidden.difference(new Set([panel]))}, control);
	return undefined;
}

/** Why the focused panel has no border to move along this axis. */
function whyFixed(axis: keyof Size): NonNullable<Command['unavailable']> {
	const length = axis === 'columns' ? 'width' : 'height';
	return (state, {layout}: Situation) => {
		const {focus, zoomed} = state;
		const arrangement = arrangementNow(state, {layout});
		if (focus === 'ticker') return 'the ticker panel keeps its size';
		if (zoomed || treeOf(layout, arrangement.preset) === undefined) return 'one panel has the whole screen';
		return isDivided({layout, arrangement, focus}, axis) ? undefined : `the ${focus} panel has the full ${length}`;
	};
}

/** Moves the borders of the focused panel: above 0 outwards. */
function grow(axis: keyof Size, by: 1 | -1, {ui, layout, size}: Control): void {
	ui.update(state => {
		const {focus, layouts} = state;
		const division = {layout, arrangement: arrangementNow(state, {layout}), focus};
		const next = grown(sharedArea(size), division, axis, by * steps[axis]);
		return next ? {...state, layouts: withArrangement(layouts, layout, next)} : state;
	});
}
