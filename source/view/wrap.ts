import {textWidth} from '../format/cells.ts';

/** `text` in rows of at most `columns` cells, broken between words; only a word wider than a row is broken itself. */
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
	for (const {segment} of new Intl.Segmenter().segment(word)) {
		const grown = (parts.at(-1) ?? '') + segment;
		if (textWidth(grown) <= columns) parts[parts.length - 1] = grown;
		else parts.push(segment);
	}

	return parts;
}
