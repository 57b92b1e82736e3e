import {fitLine, type Line, lineWidth, type Span} from '../../line.ts';

/** A piece of a line that is shown whole or not at all. */
export type Part = {
	readonly spans: Line;
	/** The parts of the highest rank are the first to go when room is short; those of rank 0 stay. */
	readonly rank: number;
	/** Blanks before it, unless it is the first. */
	readonly gap?: number;
	/** Stands at the right end of the line. */
	readonly right?: true;
};

const blanks = (count: number): Span => ({text: ' '.repeat(count)});

/** With the gaps between them; those without text count as nothing. */
export const partsWidth = (parts: readonly Part[]): number =>
	parts
		.filter(({spans}) => lineWidth(spans) > 0)
		.reduce((sum, part, index) => sum + (index > 0 ? (part.gap ?? 0) : 0) + lineWidth(part.spans), 0);

/**
 * The parts in their order, `columns` wide, with the highest ranks left out until the others fit. Where not even rank 0
 * fits `ellipsis` stands for it, so that no number is cut.
 */
export function fitParts(parts: readonly Part[], columns: number, ellipsis: string): Line {
	let kept = parts.filter(part => lineWidth(part.spans) > 0);
	while (kept.some(part => part.rank > 0) && partsWidth(kept) > columns) {
		const highest = Math.max(...kept.map(part => part.rank));
		kept = kept.filter(part => part.rank < highest);
	}

	if (kept.length > 0 && partsWidth(kept) > columns) return fitLine([{text: ellipsis}], columns);
	const spare = columns - partsWidth(kept);
	const line: Span[] = [];
	for (const [index, part] of kept.entries()) {
		const gap = (index > 0 ? (part.gap ?? 0) : 0) + (part.right ? spare : 0);
		if (gap > 0) line.push(blanks(gap));
		line.push(...part.spans);
	}

	return fitLine(line, columns);
}
