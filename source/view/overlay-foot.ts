import {firstFitting, marksFor} from './marks.ts';

export type OverlayRows = {
	/** Rows that there are. */
	readonly total: number;
	/** Rows that there is room for. */
	readonly shown: number;
	/** First row shown, counted from 0. */
	readonly scroll: number;
	/** Cells that there are for the text. */
	readonly columns: number;
	readonly ascii: boolean;
};

/** For the border below an overlay: which of its rows are in sight, where that is not all, and the keys that it heeds. */
export function overlayFoot({total, shown, scroll, columns, ascii}: OverlayRows): string {
	const closes = 'Esc closes';
	if (total <= shown) return firstFitting([closes], columns);
	const {separator} = marksFor(ascii);
	const rows = `${scroll + 1}${ascii ? '-' : '–'}${Math.min(scroll + shown, total)} of ${total}`;
	const scrolls = `${ascii ? 'j/k' : '↑↓'} scroll`;
	const texts = [[rows, scrolls, closes], [rows, scrolls], [rows]].map(parts => parts.join(` ${separator} `));
	return firstFitting(texts, columns);
}
