import {fromAbove, fromBelow, type Ink, wholeBlock} from '../../plot/blocks.ts';

/** A body too low for its shape: with a wick above, below, at both sides or none. */
export type Bars = {readonly cross: string; readonly up: string; readonly down: string; readonly dash: string};

/** Whole cells of a body: between its ends, its upper end, its lower end, and both ends in one. */
export type BodyCells = {readonly whole: Ink; readonly roof: Ink; readonly floor: Ink; readonly box: Ink};

type BodyStyle = {
	readonly cells: BodyCells;
	/** Of a body that still forms. */
	readonly forming: BodyCells;
	readonly bars: Bars;
};

/** Rising candles are hollow, falling ones filled: they differ without colour. One that still forms has broken strokes. */
export type CandleStyle = {
	readonly hollow: BodyStyle;
	readonly filled: BodyStyle;
	/** Nothing but an opening price that is the closing price. */
	readonly flat: Bars;
	readonly wick: {readonly whole: string; readonly upper: string; readonly lower: string};
	/** Cells filled by one to seven eighths, from below and from above; absent: bodies end with whole cells. */
	readonly ends?: {readonly fromBelow: readonly Ink[]; readonly fromAbove: readonly Ink[]} | undefined;
};

const inverse = (text: string): Ink => ({text, inverse: true});
const threefold = ({text, ...ink}: Ink): Ink => ({...ink, text: text.repeat(3)});

const everywhere = (ink: Ink): BodyCells => ({whole: ink, roof: ink, floor: ink, box: ink});
const wideHollow: BodyCells = {
	whole: {text: '▌ ▐'},
	roof: {text: '▛▀▜'},
	floor: {text: '▙▄▟'},
	box: inverse('╺━╸'),
};
const wick = {whole: '│', upper: '╵', lower: '╷'};
const wideWick = {whole: ' │ ', upper: ' ╵ ', lower: ' ╷ '};

export const unicodeCandles: {readonly narrow: CandleStyle; readonly wide: CandleStyle} = {
	narrow: {
		// A slit leaves two walls as far apart as a filled body is wide.
		hollow: {
			cells: everywhere(inverse('┃')),
			forming: everywhere(inverse('╏')),
			bars: {cross: '╪', up: '╧', down: '╤', dash: '═'},
		},
		filled: {
			cells: everywhere(wholeBlock),
			forming: everywhere({text: '▓'}),
			bars: {cross: '┿', up: '┷', down: '┯', dash: '━'},
		},
		flat: {cross: '┼', up: '┴', down: '┬', dash: '─'},
		wick,
		ends: {fromBelow, fromAbove},
	},
	wide: {
		hollow: {
			cells: wideHollow,
			forming: {...wideHollow, whole: {text: '▘ ▝'}},
			bars: {cross: '═╪═', up: '═╧═', down: '═╤═', dash: '═══'},
		},
		filled: {
			cells: everywhere({text: '███'}),
			forming: everywhere({text: '▓▓▓'}),
			bars: {cross: '━┿━', up: '━┷━', down: '━┯━', dash: '━━━'},
		},
		flat: {cross: '─┼─', up: '─┴─', down: '─┬─', dash: '───'},
		wick: wideWick,
		ends: {fromBelow: fromBelow.map(threefold), fromAbove: fromAbove.map(threefold)},
	},
};

const same = (text: string): Bars => ({cross: text, up: text, down: text, dash: text});
const asciiBody = (cell: string, forming: string) => ({
	cells: everywhere({text: cell}),
	forming: everywhere({text: forming}),
	bars: same(cell),
});
const asciiHollow = (walls: string): BodyCells => ({
	...everywhere({text: walls}),
	floor: {text: '[_]'},
	box: {text: '[_]'},
});

export const asciiCandles: {readonly narrow: CandleStyle; readonly wide: CandleStyle} = {
	narrow: {
		hollow: asciiBody('O', 'o'),
		filled: asciiBody('#', '%'),
		flat: {cross: '+', up: '+', down: '+', dash: '-'},
		wick: {whole: '|', upper: "'", lower: ','},
	},
	wide: {
		hollow: {cells: asciiHollow('[ ]'), forming: asciiHollow(': :'), bars: same('[_]')},
		filled: asciiBody('###', '%%%'),
		flat: {cross: '-+-', up: '-+-', down: '-+-', dash: '---'},
		wick: {whole: ' | ', upper: " ' ", lower: ' , '},
	},
};
