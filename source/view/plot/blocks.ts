import type {Canvas, Ink} from './canvas.ts';

const eighths = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/** Cells filled by one to seven eighths, from the lower end up. */
export const fromBelow: readonly Ink[] = eighths.map(text => ({text}));

/** Cells filled by one to seven eighths, from the upper end down. Most have no glyph: they are the inverse of those from below. */
export const fromAbove: readonly Ink[] = eighths
	.toReversed()
	.map((text): Ink => ({text, inverse: true}))
	.with(0, {text: '▔'})
	.with(3, {text: '▀'});

export const wholeBlock: Ink = {text: '█'};

const standing = {unicode: [...fromBelow, wholeBlock], ascii: [{text: '.'}, {text: ':'}, {text: '#'}]};
const hanging = {unicode: [...fromAbove, wholeBlock], ascii: [{text: "'"}, {text: '"'}, {text: '#'}]};

const levelsOf = (levels: typeof standing, ascii: boolean): readonly Ink[] => (ascii ? levels.ascii : levels.unicode);

/** The characters of a bar's end, from the least to a whole cell. */
export const barLevels = (ascii: boolean): readonly string[] => levelsOf(standing, ascii).map(({text}) => text);

export type Bar = {
	readonly left: number;
	readonly columns: number;
	/** The row below its foot; of a bar that hangs its first row. */
	readonly base: number;
	/** In rows, with fractions; below 0: it hangs. At least a sliver is drawn. */
	readonly height: number;
};

/** Draws the bar to an eighth of a row (in ASCII to a third). */
export function drawBar(canvas: Canvas, bar: Bar, tone: 'upBar' | 'downBar', ascii: boolean): void {
	const {left, columns, base, height} = bar;
	const levels = levelsOf(height < 0 ? hanging : standing, ascii);
	const filled = Math.max(Math.round(Math.abs(height) * levels.length), 1);
	for (let cell = 0; cell * levels.length < filled; cell++) {
		const ink = levels[Math.min(filled - cell * levels.length, levels.length) - 1];
		const row = height < 0 ? base + cell : base - 1 - cell;
		if (ink) canvas.write(row, left, ink.text.repeat(columns), tone, ink.inverse);
	}
}
