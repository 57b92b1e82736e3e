/** The text of some columns in one row. */
export type Ink = {
	readonly text: string;
	/** What the text leaves blank is filled, and what it draws is left blank. */
	readonly inverse?: true;
};

const eighths = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/** A cell of which one to seven eighths are filled, from its lower end up. */
export const fromBelow: readonly Ink[] = eighths.map(text => ({text}));

/** The same from its upper end down. Most of these blocks are in no font: they are what those from below leave. */
export const fromAbove: readonly Ink[] = eighths
	.toReversed()
	.map((text): Ink => ({text, inverse: true}))
	.with(0, {text: '▔'})
	.with(3, {text: '▀'});

export const wholeBlock: Ink = {text: '█'};
