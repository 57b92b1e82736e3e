import {fromAbove, fromBelow, type Ink, wholeBlock} from './blocks.ts';

/** A body too low for its shape: with a wick above, below, at both sides or none. */
export type Bars = {readonly cross: string; readonly up: string; readonly down: string; readonly dash: string};

export type BodyStyle = {
	/** A whole cell between the ends, and one of a body that still forms. */
	readonly whole: Ink;
	readonly forming: Ink;
	/** Whole cells that are the upper end, the lower end, or both. */
	readonly roof: Ink;
	readonly floor: Ink;
	readonly box: Ink;
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

const wick = {whole: '│', upper: '╵', lower: '╷'};
const wideWick = {whole: ' │ ', upper: ' ╵ ', lower: ' ╷ '};

export const unicodeCandles: {readonly narrow: CandleStyle; readonly wide: CandleStyle} = {
	narrow: {
		// A slit leaves two walls as far apart as a filled body is wide.
		hollow: {
			...{whole: inverse('┃'), roof: inverse('┃'), floor: inverse('┃'), box: inverse('┃')},
			forming: inverse('╏'),
			bars: {cross: '╪', up: '╧', down: '╤', dash: '═'},
		},
		filled: {
			...{whole: wholeBlock, roof: wholeBlock, floor: wholeBlock, box: wholeBlock},
			forming: {text: '▓'},
			bars: {cross: '┿', up: '┷', down: '┯', dash: '━'},
		},
		flat: {cross: '┼', up: '┴', down: '┬', dash: '─'},
		wick,
		ends: {fromBelow, fromAbove},
	},
	wide: {
		hollow: {
			whole: {text: '▌ ▐'},
			forming: {text: '╏ ╏'},
			roof: {text: '▛▀▜'},
			floor: {text: '▙▄▟'},
			box: inverse('╺━╸'),
			bars: {cross: '═╪═', up: '═╧═', down: '═╤═', dash: '═══'},
		},
		filled: {
			...{whole: {text: '███'}, roof: {text: '███'}, floor: {text: '███'}, box: {text: '███'}},
			forming: {text: '▓▓▓'},
			bars: {cross: '━┿━', up: '━┷━', down: '━┯━', dash: '━━━'},
		},
		flat: {cross: '─┼─', up: '─┴─', down: '─┬─', dash: '───'},
		wick: wideWick,
		ends: {fromBelow: fromBelow.map(threefold), fromAbove: fromAbove.map(threefold)},
	},
};

const same = (text: string): Bars => ({cross: text, up: text, down: text, dash: text});
const asciiFlat = {cross: '+', up: '+', down: '+', dash: '-'};

export const asciiCandles: {readonly narrow: CandleStyle; readonly wide: CandleStyle} = {
	narrow: {
		hollow: {
			...{whole: {text: 'O'}, roof: {text: 'O'}, floor: {text: 'O'}, box: {text: 'O'}},
			forming: {text: 'o'},
			bars: same('O'),
		},
		filled: {
			...{whole: {text: '#'}, roof: {text: '#'}, floor: {text: '#'}, box: {text: '#'}},
			forming: {text: '%'},
			bars: same('#'),
		},
		flat: asciiFlat,
		wick: {whole: '|', upper: "'", lower: ','},
	},
	wide: {
		hollow: {
			...{whole: {text: '[ ]'}, roof: {text: '[ ]'}, floor: {text: '[_]'}, box: {text: '[_]'}},
			forming: {text: ': :'},
			bars: same('[_]'),
		},
		filled: {
			...{whole: {text: '###'}, roof: {text: '###'}, floor: {text: '###'}, box: {text: '###'}},
			forming: {text: '%%%'},
			bars: same('###'),
		},
		flat: {cross: '-+-', up: '-+-', down: '-+-', dash: '---'},
		wick: {whole: ' | ', upper: " ' ", lower: ' , '},
	},
};
