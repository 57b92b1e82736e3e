import {expect} from 'vitest';
import type {Picture} from '../../source/terminal/surface.ts';
import {type Cell, createScreen, type Screen} from '../helpers/screen.ts';

/** Expects a terminal to show a picture, cell by cell, as one that is cleared and drawn from left to right. */
export async function expectPicture(actual: Screen, {columns, rows}: Picture): Promise<void> {
	const expected = createScreen(columns, rows.length);
	// No line goes on in the next one, as the program sets its terminal.
	let drawn = '\u001B[?7l';
	for (const [row, cells] of rows.entries()) {
		for (const [column, {text, style}] of cells.entries()) {
			const parameters = ['', style.attributes, style.foreground, style.background].filter(
				(part, index) => index === 0 || part !== '',
			);
			if (text !== '') drawn += `\u001B[${row + 1};${column + 1}H\u001B[${parameters.join(';')}m${text}`;
		}
	}

	await expected.write(drawn);
	expect(rowTexts(actual)).toEqual(rowTexts(expected));
}

const rowTexts = (screen: Screen) => Array.from({length: screen.rows}, (_, row) => rowText(screen, row));

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
