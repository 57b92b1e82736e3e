import {bodySize} from '../frame.ts';
import {type Cell, type Hit, hitTest} from '../hit-test.ts';
import type {Layout, PanelName} from '../layout.ts';
import {focusedOn} from '../ui-state.ts';
import {goToLadderRow, scaleBook} from './book-commands.ts';
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

/** What a press began: a drag of the chart, or a click. */
type Press = Gesture & {
	readonly hit: Hit;
	/** Candles right of the view when the button was pressed in the chart; absent elsewhere. */
	readonly newer?: number | undefined;
};

/** Acts on the mouse as keys do. It remembers where a button was pressed, for drags and double clicks. */
export class Pointer {
	#press: Press | undefined;
	#dragged = false;
	#lastClick: Press | undefined;

	/** Handles one report; `layout` is what is on the screen. */
	handle(gesture: Gesture, layout: Layout, control: Control): void {
		const {ui, size} = control;
		const state = ui.getSnapshot();
		// What is typed on the command line comes first.
		if (gesture.shift || state.command) return;
		const hit = hitTest(gesture, layout, size, state.overlay);
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
		if (last && last.hit.on === hit.on && gesture.at - last.at <= doubleClickMs && isNear(last, gesture)) {
			// The first click gave it the focus.
			if (control.ui.getSnapshot().focus === hit.on) runByName('zoom', control);
			return;
		}

		this.#press = {...gesture, hit, newer: hit.on === 'chart' && hit.inside ? newerInView(control) : undefined};
		const {focus, chart} = control.ui.getSnapshot();
		// The indicator menu closes with the panel's loss of the focus only.
		if (focus === hit.on && (hit.on !== 'chart' || chart.menu !== undefined)) return;
		if (hit.on !== 'markets') control.ui.update(focusedOn(hit.on));
	}

	#drag(gesture: Gesture, control: Control): void {
		const press = this.#press;
		if (press?.newer === undefined) return;
		const slots = Math.trunc((gesture.column - press.column) / control.ui.getSnapshot().chart.zoom.columns);
		if (slots !== 0) this.#dragged = true;
		if (this.#dragged) panTo(press.newer + slots, control);
	}

	/** A press without a drag is a click. */
	#end(control: Control): void {
		const press = this.#press;
		this.#press = undefined;
		if (!press || this.#dragged) return;
		this.#lastClick = press;
		click(press.hit, control);
	}
}

const isNear = (a: Cell, b: Cell): boolean => Math.abs(a.column - b.column) <= 1 && Math.abs(a.row - b.row) <= 1;

/** Selects what is under the pointer. */
function click({on, inside, size}: Hit, control: Control): void {
	const page = bodySize(size);
	switch (on) {
		case 'markets': {
			const isFocused = control.ui.getSnapshot().focus === 'markets';
			if (inside) selectInRow(inside.row, page, isFocused, control);
			// Where the list covers other panels, selecting has closed it.
			if (!isFocused) control.ui.update(focusedOn('markets'));
			return;
		}

		case 'chart':
			if (inside) crossAt(inside, control);
			return;
		case 'book':
			if (inside) goToLadderRow(inside.row, {...control, page});
			return;
		case 'tape':
		case 'ticker':
		case 'overlay':
	}
}

/** Scrolls or zooms what is under the pointer. `by` 1: down, or zooms out. */
function turnWheel(by: 1 | -1, {on, size}: Hit, control: Control): void {
	const there = {...control, page: bodySize(size)};
	if (on === 'overlay') move(isList(control) ? by : by * wheelRows, control);
	else wheels[on](by, there);
}

/** Whether the open overlay moves a cursor. */
function isList({ui}: Control): boolean {
	const {overlay} = ui.getSnapshot();
	return overlay === 'alerts' || overlay === 'levels' || overlay === 'settings';
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
	book: (by, control) => scaleBook(by, control),
	tape: (by, control) => scrollPanel('tape', by * wheelRows, control),
	ticker() {},
};
