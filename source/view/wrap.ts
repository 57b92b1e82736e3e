import {padEnd, type Size, segmenter, textWidth} from '../format/cells.ts';
import type {Line, Tone} from './line.ts';

/** Wraps `text` into rows of at most `columns` cells, between words. Only a word wider than a row is broken. */
export function wrapped(text: string, columns: number): readonly string[] {
	const rows = [''];
	for (const word of text.split(' ').flatMap(item => pieces(item, columns))) {
		const last = rows.at(-1) ?? '';
		const joined = last === '' ? word : `${last} ${word}`;
		if (textWidth(joined) <= columns) rows[rows.length - 1] = joined;
		else rows.push(word);
	}

	return rows;
}

function pieces(word: string, columns: number): readonly string[] {
	if (textWidth(word) <= columns) return [word];
	const parts = [''];
	for (const {segment} of segmenter.segment(word)) {
		const grown = (parts.at(-1) ?? '') + segment;
		if (textWidth(grown) <= columns) parts[parts.length - 1] = grown;
		else parts.push(segment);
	}

	return parts;
}

export type Labelled = {
	readonly label: string;
	readonly labelTone: Tone;
	readonly text: string;
	readonly tone?: Tone | undefined;
};

/** A label and its text, which continues below in the same columns if it does not fit beside the label. */
export function labelledRows(
	{label, labelTone, text, tone}: Labelled,
	labelColumns: number,
	size: Pick<Size, 'columns'>,
): readonly Line[] {
	const room = Math.max(size.columns - labelColumns - 1, 1);
	return wrapped(text, room).map((part, row) => [
		{text: ` ${padEnd(row === 0 ? label : '', labelColumns)}`, tone: labelTone},
		{text: part, tone},
	]);
}
