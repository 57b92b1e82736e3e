import {padEnd, type Size, segmenter, textWidth} from '../format/cells.ts';
import type {Line, Tone} from './line.ts';

/** Wraps `text` into rows of at most `columns` cells, between words. Only a word wider than a row is broken. */
export function wrapped(text: string, columns: number): readonly string[] {
	const rows = [''];
	let used = 0;
	for (const word of text.split(' ').flatMap(item => pieces(item, columns))) {
		const [last, width] = [rows.at(-1) ?? '', textWidth(word)];
		const joined = last === '' ? width : used + 1 + width;
		if (joined <= columns) rows[rows.length - 1] = last === '' ? word : `${last} ${word}`;
		else rows.push(word);
		used = joined <= columns ? joined : width;
	}

	return rows;
}

function pieces(word: string, columns: number): readonly string[] {
	if (textWidth(word) <= columns) return [word];
	const parts = [''];
	let used = 0;
	for (const {segment} of segmenter.segment(word)) {
		const width = textWidth(segment);
		const fits = used + width <= columns;
		if (fits) parts[parts.length - 1] += segment;
		else parts.push(segment);
		used = fits ? used + width : width;
	}

	return parts;
}

/** The parts, each in a row of its own unless the row before has room for it; longer ones are wrapped. */
export function packed(parts: readonly string[], separator: string, columns: number): readonly string[] {
	const rows: string[] = [];
	for (const part of parts) {
		const joined = [...rows.slice(-1), part].join(separator);
		if (textWidth(joined) <= columns) rows.splice(-1, 1, joined);
		else rows.push(...wrapped(part, columns));
	}

	return rows;
}

/** A note in rows of a blank and text. An empty text has none. */
export const notedIn = (text: string, tone: Tone, columns: number): readonly Line[] =>
	text === '' ? [] : wrapped(text, Math.max(columns - 2, 1)).map(part => [{text: ` ${part}`, tone}]);

export type Labelled = {
	readonly label: string;
	readonly labelTone: Tone;
	readonly text: string;
	readonly tone?: Tone | undefined;
};

/** A label and its text, which continues below in the same columns if it does not fit beside the label. A label without room for a blank after it stands above. */
export function labelledRows(
	{label, labelTone, text, tone}: Labelled,
	labelColumns: number,
	size: Pick<Size, 'columns'>,
): readonly Line[] {
	const room = Math.max(size.columns - labelColumns - 1, 1);
	const isAbove = textWidth(label) >= labelColumns;
	const above = isAbove ? wrapped(label, Math.max(size.columns - 1, 1)) : [];
	return [
		...above.map((part): Line => [{text: ` ${part}`, tone: labelTone}]),
		...wrapped(text, room).map(
			(part, row): Line => [
				{text: ` ${padEnd(row === 0 && !isAbove ? label : '', labelColumns)}`, tone: labelTone},
				{text: part, tone},
			],
		),
	];
}
