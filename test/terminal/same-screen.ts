import {expect} from 'vitest';
import type {Cell, Screen} from '../helpers/screen.ts';

/** What a terminal in raw mode gets: its line discipline puts a carriage return before each line feed. */
export const throughLineDiscipline = (text: string): string => text.replaceAll('\n', '\r\n');

/** Holds two screens against each other, cell by cell, and their cursors where they can be seen. */
export function expectSameScreen(actual: Screen, expected: Screen): void {
	expect(picture(actual)).toEqual(picture(expected));
}

function picture(screen: Screen) {
	const {visible, row, column} = screen.cursor();
	return {
		rows: Array.from({length: screen.rows}, (_, at) => rowText(screen, at)),
		cursor: visible ? {row, column} : 'hidden',
	};
}

/** The text of a row, with each change of style in braces. */
function rowText(screen: Screen, row: number): string {
	let text = '';
	let style = '';
	for (let column = 0; column < screen.columns; column++) {
		const cell = screen.cell(row, column);
		const next = styleText(cell);
		if (next !== style) text += `{${next}}`;
		style = next;
		// An erased cell looks like one with a blank in it.
		text += cell.width === 0 ? '' : cell.text || ' ';
	}

	return text;
}

function styleText({text: _, width: __, foreground, background, ...attributes}: Cell): string {
	const on = Object.entries(attributes).flatMap(([name, isOn]) => (isOn ? [name] : []));
	return [foreground === 'default' ? '' : `in ${foreground}`, background === 'default' ? '' : `on ${background}`, ...on]
		.filter(Boolean)
		.join(' ');
}
