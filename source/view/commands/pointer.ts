import type {Size} from '../../format/cells.ts';
import {bodySize} from '../frame.ts';
import {hasCursor, type PanelName, shownPlaces} from '../layout.ts';
import {changed, focusedOn, type UiState} from '../ui-state.ts';
import {goToLadderRow, scaleBook, scrollBook} from './book-commands.ts';
import {crossAt, newerInView, panTo, scaleChart} from './chart-commands.ts';
import type {Control} from './command.ts';
import {move, scrollPanel} from './general-commands.ts';
import {selectInRow} from './markets-commands.ts';
import {forgetNotice, runByName} from './press.ts';

/** What the mouse does, at a cell of the screen. */
export type Gesture = Cell & {
	readonly kind: 'press' | 'release' | 'drag' | 'wheel-up' | 'wheel-down';
	/** Of the wheel: undefined. */
	readonly button: 'left' | 'middle' | 'right' | undefined;
	/** It is the terminal's, for its own selection. */
	readonly shift: boolean;
	/** Epoch ms. */
	readonly at: number;
};

/** A second click within this is a double click. */
const doubleClickMs = 400;
/** Rows that one step of the wheel scrolls. */
const wheelRows = 3;

/** A button that was pressed on a panel. */
type Press = Gesture & {
	readonly hit: Hit;
	/** What the screen showed before. */
	readonly before: UiState;
	/** Candles right of the view, in the chart, which it may be about to drag; absent elsewhere. */
	readonly newer?: number | undefined;
};

/** Acts on the mouse as keys do. It remembers where a button was pressed, for drags and double clicks. */
export class Pointer {
	/** The button is held down. */
	#press: Press | undefined;
	#dragged = false;
	/** The press of the last click. */
	#lastClick: Press | undefined;

	handle(gesture: Gesture, control: Control): void {
		const {ui, size} = control;
		const state = ui.getSnapshot();
		// What is typed on the command line comes first.
		if (gesture.shift || state.command) return;
		const hit = hitTest(gesture, size, state);
		const isWheel = gesture.kind === 'wheel-up' || gesture.kind === 'wheel-down';
		if (!isWheel && gesture.button !== 'left') return;
		if (gesture.kind !== 'release') forgetNotice(ui);
		if (isWheel) {
			if (hit) turnWheel(gesture.kind === 'wheel-up' ? -1 : 1, hit, control);
		} else if (gesture.kind === 'press') this.#begin(gesture, hit, control);
		else if (gesture.kind === 'drag') this.#drag(gesture, control);
		else this.#end(control);
	}

	#begin(gesture: Gesture, hit: Hit | undefined, control: Control): void {
		const last = this.#lastClick;
		[this.#press, this.#lastClick, this.#dragged] = [undefined, undefined, false];
		if (!hit || hit.on === 'overlay') return;
		if (last && gesture.at - last.at <= doubleClickMs && isNear(last, gesture)) {
			// Selecting a market may have closed the list that the first click was on.
			if (last.hit.on === hit.on) zoomPanel(hit.on, last.before, control);
			return;
		}

		const before = control.ui.getSnapshot();
		const press = {...gesture, hit, before};
		if (hit.on !== 'chart') {
			click(hit, control);
			this.#lastClick = press;
			return;
		}

		this.#press = {...press, newer: hit.inside && newerInView(control)};
		// The open menu of indicators takes the clicks in the chart.
		if (before.focus !== 'chart' || before.chart.menu === undefined) control.ui.update(focusedOn('chart'));
	}

	#drag(gesture: Gesture, control: Control): void {
		const press = this.#press;
		if (press?.newer === undefined) return;
		const slots = Math.trunc((gesture.column - press.column) / control.ui.getSnapshot().chart.zoom.columns);
		if (slots !== 0) this.#dragged = true;
		if (this.#dragged) panTo(press.newer + slots, control);
	}

	/** In the chart a press without a drag is a click. */
	#end(control: Control): void {
		const press = this.#press;
		this.#press = undefined;
		if (!press || this.#dragged) return;
		this.#lastClick = press;
		click(press.hit, control);
	}
}

const isNear = (a: Cell, b: Cell): boolean => Math.abs(a.column - b.column) <= 1 && Math.abs(a.row - b.row) <= 1;

/** Selects what is under the pointer, and gives its panel the focus. */
function click({on, inside, size}: Hit, control: Control): void {
	const {ui} = control;
	const page = bodySize(size);
	const isFocused = ui.getSnapshot().focus === on;
	switch (on) {
		case 'markets':
			if (inside) selectInRow(inside.row, page, isFocused, control);
			// Where the list covers other panels, selecting has closed it.
			if (!isFocused) ui.update(focusedOn('markets'));
			return;
		case 'chart':
			if (inside) crossAt(inside, control);
			return;
		case 'book':
			if (!isFocused) ui.update(focusedOn('book'));
			if (inside) goToLadderRow(inside.row, {...control, page});
			return;
		case 'tape':
		case 'ticker':
			if (!isFocused) ui.update(focusedOn(on));
			return;
		case 'overlay':
	}
}

/** Zooms a panel, and takes back what the first of the two clicks selected in it. `before`: that click. */
function zoomPanel(panel: PanelName, {chart, book}: UiState, control: Control): void {
	const {ui} = control;
	const {cross, crossPrice, rightEdge, centre} = chart;
	if (panel === 'chart') ui.update(changed('chart', {cross, crossPrice, rightEdge, centre}));
	if (panel === 'book') ui.update(changed('book', {anchor: book.anchor}));
	if (ui.getSnapshot().focus === panel) runByName('zoom', control);
}

/** Scrolls or zooms what is under the pointer. `by` 1: down, or zooms out. */
function turnWheel(by: 1 | -1, {on, size}: Hit, control: Control): void {
	if (on !== 'overlay') return wheels[on](by, {...control, page: bodySize(size)});
	const {overlay = 'help'} = control.ui.getSnapshot();
	if (overlay === 'compare') return runByName(by > 0 ? 'compare-zoom-out' : 'compare-zoom-in', control);
	move(hasCursor(overlay) ? by : by * wheelRows, control);
}

const wheels: Readonly<Record<PanelName, (by: 1 | -1, control: Control) => void>> = {
	markets(by, control) {
		// Only a focused list has a cursor to scroll with.
		if (control.ui.getSnapshot().focus !== 'markets') control.ui.update(focusedOn('markets'));
		scrollPanel('markets', by, control);
	},
	chart(by, control) {
		if (control.ui.getSnapshot().chart.menu !== undefined) scrollPanel('chart', by, control);
		else scaleChart(by > 0 ? -1 : 1, control);
	},
	book(by, control) {
		if (control.ui.getSnapshot().book.view === 'ladder') scrollBook(by * wheelRows, control);
		else scaleBook(by, control);
	},
	tape: (by, control) => scrollPanel('tape', by * wheelRows, control),
	ticker() {},
};

/** A cell of the screen, from 0. */
type Cell = {readonly column: number; readonly row: number};

/** What is at a cell. `inside`: the cell of the body inside the border, from 0; absent on the border. */
export type Hit = {readonly on: PanelName | 'overlay'; readonly size: Size; readonly inside?: Cell | undefined};

/** What a cell of the screen belongs to; undefined: the status line, or nothing. */
function hitTest({column, row}: Cell, size: Size, state: UiState): Hit | undefined {
	const shown = shownPlaces(size, state).find(
		({x, y, width, height}) => column >= x && column < x + width && row >= y && row < y + height,
	);
	if (!shown) return undefined;
	const {on, x, y, width, height} = shown;
	const inside = {column: column - x - 1, row: row - y - 1};
	const isInside = inside.column >= 0 && inside.column < width - 2 && inside.row >= 0 && inside.row < height - 2;
	return {on, size: {columns: width, rows: height}, ...(isInside && {inside})};
}
