import {padEnd, textWidth} from '../format/cells.ts';
import {clamp} from '../market/numbers.ts';
import type {Line, Tone} from './line.ts';

/** Glyphs that several panels draw. */
const unicodeMarks = {
	up: '▲',
	down: '▼',
	neutral: '·',
	/** Marks the end of a scale or a list beyond which something lies. */
	above: '▴',
	below: '▾',
	times: '×',
	separator: '·',
	rule: '─',
	/** Stands for a number that does not fit. */
	ellipsis: '…',
	/** Stands for an unknown number. */
	none: '–',
	about: '≈',
	/** Before a sum that may be incomplete. */
	atLeast: '≥',
	plus: '+',
	delta: 'Δ',
	/** Marks a level that the user drew. */
	level: '◆',
	/** Marks one that shares its row with the level of an alert. */
	alertAndLevel: '◈',
	/** Marks a trade that is large, or very large, compared with others. */
	large: '○',
	huge: '●',
	/** One cell filled from the left, by eighths: index 0 is one eighth. */
	bar: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
	/** Cells of the two parts of a balance bar. */
	full: '█',
	shade: '▒',
	/** Stands for each cell of a number that is still loading. */
	skeleton: '·',
};

export type Marks = Readonly<typeof unicodeMarks>;

const asciiMarks: Marks = {
	up: '^',
	down: 'v',
	neutral: '.',
	above: '^',
	below: 'v',
	times: 'x',
	separator: '-',
	rule: '-',
	ellipsis: '~',
	none: '-',
	about: '~',
	atLeast: '>=',
	plus: '+',
	delta: 'delta',
	level: '*',
	alertAndLevel: '&',
	large: 'o',
	huge: 'O',
	bar: ['#'],
	full: '#',
	shade: '=',
	skeleton: '.',
};

/** The tone of levels that the user drew: neither a side's nor an alert's. */
export const levelTone: Tone = 'series1';

/** Marks the level of an alert. */
export const alertMark = '!';

export const marksFor = (ascii: boolean): Marks => (ascii ? asciiMarks : unicodeMarks);

/** A bar of `share` (0 to 1) of `columns` cells, to the nearest eighth of a cell (whole cells in ASCII). */
export function sizeBar(share: number, columns: number, {bar}: Marks): string {
	const parts = Math.round(clamp(share, 0, 1) * columns * bar.length);
	const full = bar.at(-1) ?? '';
	return full.repeat(Math.floor(parts / bar.length)) + (bar[(parts % bar.length) - 1] ?? '');
}

/** The texts with a separator between them, without those that are empty or absent. */
export const dotted = (texts: ReadonlyArray<string | undefined>, ascii: boolean): string =>
	texts.filter(Boolean).join(` ${marksFor(ascii).separator} `);

/** The first of `texts` that fits into `columns`, else an empty text. */
export const firstFitting = (texts: readonly string[], columns: number): string =>
	texts.find(text => textWidth(text) <= columns) ?? '';

export type Note = readonly [full: string, brief: string];

/** Notes in order of importance, joined, from long to short: in full, abbreviated, then without the last ones. */
export function joinedNotes(notes: readonly Note[], separator: string): readonly string[] {
	const brief = notes.map(([, text]) => text);
	const longer = notes.map((_, shortened) => [
		...brief.slice(0, shortened),
		...notes.slice(shortened).map(([text]) => text),
	]);
	const shorter = notes.map((_, left) => brief.slice(0, brief.length - left));
	return [...longer, ...shorter].map(texts => texts.join(separator));
}

/** `── text ─────`, `columns` wide, with the first of `texts` (longest first) that fits; too little room drops the dashes. */
export function rule(texts: readonly string[], columns: number, marks: Marks, tone: Tone, ruleTone: Tone = tone): Line {
	const text = firstFitting(texts, columns - 6);
	if (!text) {
		const bare = firstFitting(texts, columns);
		return [bare ? {text: padEnd(bare, columns), tone} : {text: marks.rule.repeat(columns), tone: ruleTone}];
	}

	return [
		{text: `${marks.rule.repeat(2)} `, tone: ruleTone},
		{text, tone},
		{text: ` ${marks.rule.repeat(columns - 4 - textWidth(text))}`, tone: ruleTone},
	];
}

/** How a whole is shared between two sides. */
export type Balance = {
	/** Share of the left side, 0 to 1. */
	readonly share: number;
	/** Texts beside the bar, from long to short. */
	readonly labels: ReadonlyArray<readonly [left: string, right: string]>;
	/** The bar is left out if it would have fewer cells. */
	readonly leastBar: number;
};

/** `bids 12.3 █████▒▒▒▒ 9.87 asks`, at most `columns` wide, with the longest labels that leave room for a bar; else empty. */
export function balanceRow({share, labels, leastBar}: Balance, columns: number, {full, shade}: Marks): Line {
	for (const [left, right] of labels) {
		const bar = columns - textWidth(left) - textWidth(right) - (right ? 4 : 3);
		if (bar < leastBar) continue;
		const filled = Math.round(share * bar);
		return [
			{text: ` ${left} `, tone: 'up'},
			{text: full.repeat(filled), tone: 'upBar'},
			{text: shade.repeat(bar - filled), tone: 'downBar'},
			{text: right && ` ${right}`, tone: 'down'},
		];
	}

	return [];
}
