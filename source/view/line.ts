import {type Size, segmenter, textWidth} from '../format/cells.ts';
import type {Zone} from '../format/zone.ts';

/** The tones of curves that lie over each other. */
export const seriesTones = ['series1', 'series2', 'series3', 'series4', 'series5', 'series6'] as const;
type SeriesTone = (typeof seriesTones)[number];
/** The tones of bars, which curves may cross. */
export const barTones = ['upBar', 'downBar'] as const;
export type BarTone = (typeof barTones)[number];
/** What a piece of text means; the theme decides how it looks. */
export type Tone =
	| 'plain' // neutral body text
	| 'muted' // labels, units, ages, grid
	| 'strong' // the one number to read first
	| 'up' // rise, buy, bid
	| 'down' // fall, sell, ask
	| 'rose' // digits of a number that has just risen
	| 'fell'
	| 'upBar' // the bar of a bid's size
	| 'downBar'
	| 'title' // a panel's name
	| 'focus' // border and title of the focused panel
	| 'border'
	| 'accent' // key hints, favourite stars, the last price
	| SeriesTone
	| 'good' // live, true: the same green in every palette
	| 'warn' // stale, gap, crossed, partial
	| 'error';

/** Steps of a heat ramp. */
export const heatLevels = 32;

/** How much of something there is behind a text, from 0 to `heatLevels` − 1, and on which side. */
export type Heat = {readonly side: 'up' | 'down'; readonly level: number};

/** A run of text in one style. `inverse` is the cursor row or a one-second flash. */
export type Span = {
	readonly text: string;
	readonly tone?: Tone | undefined;
	readonly inverse?: boolean | undefined;
	/** Colours the cells behind the text, which is then drawn in the colour that stands out. Only for themes that have heat. */
	readonly heat?: Heat | undefined;
};

/** One row of the screen, left to right. */
export type Line = readonly Span[];

/** How texts are written. */
export type Writing = {
	readonly ascii: boolean;
	/** Of the times. Default UTC. */
	readonly zone?: Zone | undefined;
};

/** How rows are drawn: they fill `size` exactly. */
export type Drawing = Writing & {readonly size: Size};

/** Of a rise or a fall; `muted` where nothing changed, or that is not known. */
export const changeTone = (change: number | undefined): Tone =>
	change === undefined || change === 0 ? 'muted' : change > 0 ? 'up' : 'down';

/** Muted text that names the value beside it. */
export const label = (text: string): Span => ({text, tone: 'muted'});

export const lineText = (line: Line): string => line.map(span => span.text).join('');

export const lineWidth = (line: Line): number => line.reduce((sum, span) => sum + textWidth(span.text), 0);

/** Pads or cuts a line to exactly `columns` cells, without empty spans. Returns `line` itself if nothing changes. */
export function fitLine(line: Line, columns: number): Line {
	if (lineWidth(line) === columns && line.every(({text}) => text !== '')) return line;
	const fitted: Span[] = [];
	let left = columns;
	for (const span of line) {
		const width = textWidth(span.text);
		if (width <= left) {
			if (width > 0) fitted.push(span);
			left -= width;
			continue;
		}

		let text = '';
		for (const {segment} of segmenter.segment(span.text)) {
			const segmentWidth = textWidth(segment);
			if (segmentWidth > left) break;
			text += segment;
			left -= segmentWidth;
		}

		if (text) fitted.push({...span, text});
		break;
	}

	if (left > 0) fitted.push({text: ' '.repeat(left)});
	return fitted;
}

/** Pads with blank lines or cuts to exactly `size`. */
export function fitLines(lines: readonly Line[], size: Size): readonly Line[] {
	return Array.from({length: size.rows}, (_, row) => fitLine(lines[row] ?? [], size.columns));
}

/** Lines beside each other, each column padded to its width, `gap` cells apart. As many as the highest column has. */
export function sideBySide(
	columns: ReadonlyArray<{readonly width: number; readonly lines: readonly Line[]}>,
	gap: number,
): readonly Line[] {
	const height = Math.max(...columns.map(({lines}) => lines.length));
	const between = gap > 0 ? [blanks(gap)] : [];
	return Array.from({length: height}, (_, row) =>
		columns.flatMap(({width, lines}, index) => [...(index > 0 ? between : []), ...fitLine(lines[row] ?? [], width)]),
	);
}

/** A piece of a line that is shown whole or not at all. */
export type Part = {
	readonly spans: Line;
	/** Where room is short, parts with the highest rank are dropped first; those of rank 0 stay. */
	readonly rank: number;
	/** Blanks before it, unless it is the first. */
	readonly gap?: number;
	/** Aligned to the right end of the line. */
	readonly right?: true;
};

const blanks = (count: number): Span => ({text: ' '.repeat(count)});

type MeasuredPart = Part & {readonly width: number};

/** Without the parts that have no text. */
const measured = (parts: readonly Part[]): readonly MeasuredPart[] =>
	parts.map(part => ({...part, width: lineWidth(part.spans)})).filter(({width}) => width > 0);

const widthOf = (parts: readonly MeasuredPart[]): number =>
	parts.reduce((sum, {gap = 0, width}, index) => sum + (index > 0 ? gap : 0) + width, 0);

/** The width of parts with the gaps between them. Parts without text do not count. */
export const partsWidth = (parts: readonly Part[]): number => widthOf(measured(parts));

/**
 * The parts in order, `columns` wide, without those of the highest ranks that do not fit. If not even rank 0 fits, `ellipsis`
 * replaces it, so that no number is cut.
 */
export function fitParts(parts: readonly Part[], columns: number, ellipsis: string): Line {
	let kept = measured(parts);
	while (kept.some(part => part.rank > 0) && widthOf(kept) > columns) {
		const highest = Math.max(...kept.map(part => part.rank));
		kept = kept.filter(part => part.rank < highest);
	}

	const spare = columns - widthOf(kept);
	if (kept.length > 0 && spare < 0) return fitLine([{text: ellipsis}], columns);
	const line: Span[] = [];
	for (const [index, part] of kept.entries()) {
		const gap = (index > 0 ? (part.gap ?? 0) : 0) + (part.right ? spare : 0);
		if (gap > 0) line.push(blanks(gap));
		line.push(...part.spans);
	}

	return fitLine(line, columns);
}
