import {interfaceChoices} from '../../market/types.ts';
import {arrangementFor} from '../arrangement.ts';
import {keyLabel, promptKeys} from '../keys.ts';
import {cursorOverlays, hasCursor, type Overlay, type PanelName, panelNames} from '../layout.ts';
import {
	type Change,
	changed,
	focusedOn,
	isTyping,
	oneStepBack,
	rewound,
	type UiState,
	withoutEditing,
} from '../ui-state.ts';
import {alertCommands} from './alerts-commands.ts';
import {scaleBook, scrollBook} from './book-commands.ts';
import {
	candlesOnPage,
	chartHidden,
	goToOldest,
	moveInChart,
	movePriceCursor,
	scaleChart,
	stopLooking,
} from './chart-commands.ts';
import {type Command, type Control, choice, cycle, openLine, pair, type Situation} from './command.ts';
import {copyCommands} from './copy-commands.ts';
import {helpCommand, scrollOverlay} from './help-commands.ts';
import {layoutCommands} from './layout-commands.ts';
import {lists} from './lists.ts';
import {marketsFound, moveCursor, selectNeighbour, unmatched} from './markets-commands.ts';
import {replayCommands} from './replay-commands.ts';
import {scaleTape, scrollTape} from './tape-commands.ts';

/** The exit status of SIGINT, for Ctrl-C, which is only a key in raw mode. */
export const interruptStatus = 130;

/** The overlays that can be longer than the screen. */
const scrolling: readonly Overlay[] = ['help', 'info', 'diagnosis', ...cursorOverlays];

/** Why nothing moves in the present view. */
function immovable({overlay, focus, book}: UiState): string | undefined {
	if (overlay) return undefined;
	if (focus === 'ticker') return 'the ticker panel does not scroll';
	if (focus !== 'book' || book.view === 'ladder' || (book.view === 'heatmap' && book.cursor)) return undefined;
	return `the ${book.view} does not scroll`;
}

const moving = {overlays: scrolling, unavailable: immovable};
const atBeginning = 'this is the beginning';
const atEnd = 'this is the end';

/** Why nothing has a scale in the present view: the panels without one zoom the chart. */
function unscaled(state: UiState, situation: Situation): string | undefined {
	if (state.focus === 'book' || state.focus === 'tape') return undefined;
	// In a small chart the menu covers all that zooming would change.
	return state.chart.menu === undefined ? chartHidden(state, situation) : 'close the menu first';
}

const scaleHint = (book: string) => ({word: 'scale', rank: 11, words: {chart: 'zoom', book, tape: 'min size'}});

/** The commands of no single panel. */
export const generalCommands: readonly Command[] = [
	...pair(
		{...moving, help: 'move up and down in the focused panel', hint: {word: 'move', rank: 10}},
		{
			name: 'up',
			keys: ['up', 'k'],
			atEnd: atBeginning,
			run: control => movePriceCursor(-1, control) || move(-1, control),
		},
		{name: 'down', keys: ['down', 'j'], atEnd, run: control => movePriceCursor(1, control) || move(1, control)},
	),
	...pair(
		{...moving, help: 'page up and down'},
		{name: 'page-up', keys: ['pgup', 'ctrl+b'], atEnd: atBeginning, run: control => movePages(-1, control)},
		{name: 'page-down', keys: ['pgdn', 'ctrl+f'], atEnd, run: control => movePages(1, control)},
	),
	...pair(
		{...moving, help: 'half a page up and down'},
		{name: 'half-page-up', keys: ['ctrl+u'], atEnd: atBeginning, run: control => movePages(-0.5, control)},
		{name: 'half-page-down', keys: ['ctrl+d'], atEnd, run: control => movePages(0.5, control)},
	),
	...pair(
		{...moving, help: 'first and last row or candle'},
		{
			name: 'first',
			keys: ['g', 'home'],
			atEnd: atBeginning,
			run: control => goToOldest(control) || move(-beyondAll, control),
		},
		{name: 'last', keys: ['G', 'end'], atEnd, run: control => control.replay?.end() || move(beyondAll, control)},
	),
	...pair(
		{help: 'next and previous market, from any panel', hint: {word: 'market', rank: 2}},
		{name: 'next-market', keys: ['n'], atEnd: 'this is the last market', run: control => selectNeighbour(1, control)},
		{
			name: 'previous-market',
			keys: ['p'],
			atEnd: 'this is the first market',
			run: control => selectNeighbour(-1, control),
		},
	),
	{
		name: 'filter',
		keys: ['/'],
		overlays: ['compare'],
		help: 'filter the markets, from any panel',
		hint: {word: 'filter', rank: 3, words: {markets: 'filter'}},
		run: ({ui}) => ui.update(filtering({editing: true})),
		argument: {
			takes: 'text to find',
			complete: marketsFound,
			run(filter, control) {
				const fault = unmatched(filter, control);
				if (fault === undefined) control.ui.update(filtering({filter, editing: false, cursor: undefined}));
				return fault;
			},
		},
	},
	...pair(
		{help: 'next and previous panel', hint: {word: 'panel', rank: 4}},
		{name: 'next-panel', keys: ['tab'], run: control => goToNeighbour(1, control)},
		{name: 'previous-panel', keys: ['shift+tab'], run: control => goToNeighbour(-1, control)},
	),
	...panelNames.map(
		(panel, index): Command => ({
			name: `go-to-${panel}`,
			keys: [String(index + 1)],
			help: index === 0 ? `go to ${panelNames.join(', ')}` : undefined,
			run: ({ui}) => ui.update(focusedOn(panel)),
		}),
	),
	{
		name: 'zoom',
		keys: ['z'],
		help: 'zoom the focused panel to full screen, and back',
		hint: {word: 'zoom', rank: 5},
		unavailable: ({overlay}, {layout}) => (layout === 'tiny' && !overlay ? 'already full screen' : undefined),
		run: ({ui}) => ui.update(state => ({...state, overlay: undefined, zoomed: !state.zoomed})),
	},
	...layoutCommands,
	...pair(
		{
			overlays: [],
			help: 'zoom; in the book: price grouping or range; in the tape: min size',
			hint: scaleHint('grouping'),
			hintNow: ({book}) => scaleHint(book.view === 'curve' ? 'range' : 'grouping'),
			unavailable: unscaled,
			atEnd: 'end of the scale',
		},
		{name: 'scale-up', keys: ['+', '='], run: control => scale(1, control)},
		{name: 'scale-down', keys: ['-', '_'], run: control => scale(-1, control)},
	),
	{
		name: 'pause',
		keys: ['space'],
		help: 'pause / resume',
		hint: {word: 'pause', rank: 9},
		hintNow(_, {replay}) {
			const shown = replay?.getSnapshot();
			return shown && {word: shown.isPlaying ? 'pause' : 'play', rank: -3};
		},
		run({store, replay}) {
			if (!replay?.togglePlaying()) store.setPaused(!store.getSnapshot().paused);
		},
	},
	{
		name: 'refresh',
		keys: ['r'],
		help: 'refresh everything on screen now, bypassing caches',
		inReplay: 'no refresh: a recording does not change',
		run({store, comparison}) {
			comparison.refresh();
			store.refresh();
		},
	},
	{
		...choice('interface', 'switch the interface:', interfaceChoices, (word, {store}) => store.setChoice(word)),
		keys: ['v'],
		inReplay: 'interface fixed: a recording shows the one that answered',
		run: ({store}) => store.setChoice(cycle(interfaceChoices, store.getSnapshot().choice)),
	},
	{name: 'info', keys: ['i'], help: 'show exchange info', run: toggleOverlay('info')},
	{
		name: 'diagnosis',
		keys: ['d'],
		help: 'show diagnosis: latency, errors, request budget',
		inReplay: 'no diagnosis: it needs live data',
		run: toggleOverlay('diagnosis'),
	},
	...alertCommands,
	...replayCommands,
	...copyCommands,
	{
		name: 'command',
		keys: [':'],
		help: `command line, for example market btcusdt; ${keyLabel(promptKeys.complete)} completes, ${keyLabel(promptKeys.recallOlder, true)} recalls`,
		hint: {word: 'command', rank: 1},
		keysOnly: true,
		run: control => openLine('', control),
	},
	helpCommand,
	{
		name: 'back',
		keys: ['esc'],
		help: 'close an overlay, or else acknowledge the newest alert, or else go back',
		hintNow(state, {layout, replay, leave}) {
			if (isTyping(state)) return cancelHint(state.focus);
			if (state.overlay) return undefined;
			if (replay?.getSnapshot() && replay.hasPresent) return {word: 'present', rank: -4};
			// It closes what is open first.
			return leave && !oneStepBack(state, layout) ? {word: 'tiles', rank: -5} : undefined;
		},
		run: goBack,
	},
	{
		name: 'redraw',
		keys: ['ctrl+l'],
		help: 'redraw the screen, if another program wrote on it',
		run: ({redraw}) => redraw(),
	},
	{name: 'suspend', keys: ['ctrl+z'], help: 'suspend (fg resumes)', run: ({suspend}) => suspend()},
	{name: 'interrupt', keys: ['ctrl+c'], help: 'force quit', keysOnly: true, run: ({quit}) => quit(interruptStatus)},
	{name: 'quit', keys: ['q'], help: 'quit', hint: {word: 'quit', rank: 0.5}, run: ({quit}) => quit(0)},
];

/** Focuses the panel `by` places further, hidden ones left out. */
function goToNeighbour(by: 1 | -1, {ui, layout}: Control): void {
	const {layouts, focus} = ui.getSnapshot();
	const {hidden}: {readonly hidden: ReadonlySet<PanelName>} = arrangementFor(layout, layouts);
	const panels = panelNames.filter(panel => panel === focus || !hidden.has(panel));
	ui.update(focusedOn(cycle(panels, focus, by)));
}

/** While a prompt is open. */
const cancelHint = (focus: PanelName) => ({word: 'cancel', rank: 1, words: {[focus]: 'cancel'}});

function toggleOverlay(overlay: Overlay): (control: Control) => void {
	return ({ui}) =>
		ui.update(state => ({...state, overlayScroll: 0, overlay: state.overlay === overlay ? undefined : overlay}));
}

const filtering =
	(fields: Partial<UiState['picker']>): Change =>
	state => {
		const {filter, cursor, cursorBefore} = state.picker;
		const before = {cursorBefore: filter === '' ? cursor : cursorBefore};
		return changed('picker', {...before, ...fields})({...withoutEditing(state), overlay: undefined, focus: 'markets'});
	};

/**
 * Closes an overlay, prompt or menu, which come before the alert that the status line shows, else takes one step back: to what
 * opened the monitor or, where nothing did, to the newest data and the middle of every panel.
 */
function goBack(control: Control): void {
	const {ui, alerts, layout, replay, leave} = control;
	const state = ui.getSnapshot();
	const {overlay, chart} = state;
	const isOpen = overlay !== undefined || isTyping(state) || chart.menu !== undefined;
	if (!isOpen && (alerts.acknowledge() || stopLooking(control) || replay?.end())) return;
	const closed = oneStepBack(state, layout);
	if (!closed && leave) return leave();
	ui.update(() => closed ?? rewound(state));
}

/** More rows than any panel has. */
const beyondAll = 100_000;

const movers: Readonly<Record<PanelName, (by: number, control: Control) => void>> = {
	markets: moveCursor,
	chart: moveInChart,
	book: scrollBook,
	tape: scrollTape,
	ticker() {},
};

/** Scrolls a panel by rows; above 0: down. Of the chart it moves candles. */
export const scrollPanel = (panel: PanelName, by: number, control: Control): void => movers[panel](by, control);

/** Moves the open overlay or the focused panel: the picker's cursor, rows or candles. Above 0: down. */
export function move(by: number, control: Control): void {
	const {overlay, focus} = control.ui.getSnapshot();
	if (overlay === undefined) movers[focus](by, control);
	else if (hasCursor(overlay)) lists[overlay].move(by, control);
	else scrollOverlay(by, control);
}

/** Moves by pages: rows on the screen or, in the chart, candles. */
function movePages(pages: number, control: Control): void {
	const rows = candlesOnPage(control) ?? control.page.rows;
	move(Math.sign(pages) * Math.max(Math.floor(Math.abs(pages) * rows), 1), control);
}

const scalers: Readonly<Partial<Record<PanelName, (by: 1 | -1, control: Control) => void>>> = {
	book: scaleBook,
	tape: scaleTape,
};

/** Changes the scale of the focused panel; panels without one zoom the chart. */
const scale = (by: 1 | -1, control: Control): void =>
	(scalers[control.ui.getSnapshot().focus] ?? scaleChart)(by, control);
