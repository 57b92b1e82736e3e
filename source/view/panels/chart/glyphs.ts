import {alertMark, marksFor} from '../../marks.ts';
import {fromAbove, fromBelow, type Ink, wholeBlock} from '../../plot/canvas.ts';

/** A body too low for its shape: with wicks on both sides, above, below or none. */
export type Dashes = {readonly cross: string; readonly up: string; readonly down: string; readonly dash: string};

/** Whole cells of a body: between its ends, its upper end, its lower end, and both ends in one. */
export type BodyCells = {readonly whole: Ink; readonly roof: Ink; readonly floor: Ink; readonly box: Ink};

type BodyStyle = {
	readonly cells: BodyCells;
	/** Cells of a body that is still forming. */
	readonly forming: BodyCells;
	readonly dashes: Dashes;
};

/** Rising candles are hollow and falling ones filled, so that they differ without colour. A forming candle has broken strokes. */
export type CandleStyle = {
	readonly hollow: BodyStyle;
	readonly filled: BodyStyle;
	/** Dashes of a candle that closed where it opened. */
	readonly flat: Dashes;
	readonly wick: {readonly whole: string; readonly upper: string; readonly lower: string};
	/** Cells filled by one to seven eighths, from below and from above; absent: bodies end at whole cells. */
	readonly ends?: {readonly fromBelow: readonly Ink[]; readonly fromAbove: readonly Ink[]} | undefined;
};

export type Glyphs = {
	/** Styles of candles one column wide, and three. */
	readonly narrow: CandleStyle;
	readonly wide: CandleStyle;
	readonly lineEnd: string;
	readonly axis: string;
	readonly tick: string;
	readonly lastPrice: {readonly here: string; readonly above: string; readonly below: string; readonly trail: string};
	readonly rule: string;
	readonly ruleEnd: string;
	readonly grid: string;
	readonly gap: string;
	readonly forming: string;
	readonly newer: string;
	readonly bar: BarCells;
	/** The mark and the line of an alert's level. */
	readonly alert: {readonly mark: string; readonly line: string};
	/** The mark and the line of a level that the user drew. */
	readonly level: {readonly mark: string; readonly line: string};
	/** The lines of the best bid and ask. */
	readonly touch: string;
	/** Its lines, where they cross, and the mark of its price on the axis. */
	readonly crosshair: Readonly<Record<'upright' | 'level' | 'cross' | 'mark', string>>;
	/** Where the crosshair measures from, and its line to the crosshair. */
	readonly measure: {readonly mark: string; readonly line: string};
	/** A line along the lower edge of a cell. */
	readonly zero: string;
	/** The bars of the volume by price: at the point of control, in the value area, and outside. */
	readonly profile: {readonly control: string; readonly area: string; readonly outside: string};
};

/** The middle column of an OHLC bar: its vertical line, alone, with the opening price to the left, or the closing price to the right. */
type BarCells = {
	readonly whole: string;
	readonly upper: string;
	readonly lower: string;
	readonly open: string;
	readonly close: string;
	readonly both: string;
	/** Lengthens the marks where a bar has three columns. */
	readonly arm: string;
	readonly forming: string;
};

const inverse = (text: string): Ink => ({text, inverse: true});
const threefold = ({text, ...ink}: Ink): Ink => ({...ink, text: text.repeat(3)});
const everywhere = (ink: Ink): BodyCells => ({whole: ink, roof: ink, floor: ink, box: ink});
/** A dash with wicks on both sides, above, below and none. */
const dashes = (cross: string, up: string, down: string, dash: string): Dashes => ({cross, up, down, dash});
const sameDashes = (text: string): Dashes => dashes(text, text, text, text);

const wideHollow: BodyCells = {
	whole: {text: '▌ ▐'},
	roof: {text: '▛▀▜'},
	floor: {text: '▙▄▟'},
	box: inverse('╺━╸'),
};

const [unicodeMarks, asciiMarks] = [marksFor(false), marksFor(true)];

const unicodeGlyphs: Glyphs = {
	narrow: {
		// The two walls are as far apart as a filled body is wide.
		hollow: {
			cells: everywhere(inverse('┃')),
			forming: everywhere(inverse('╏')),
			dashes: dashes('╪', '╧', '╤', '═'),
		},
		filled: {cells: everywhere(wholeBlock), forming: everywhere({text: '▓'}), dashes: dashes('┿', '┷', '┯', '━')},
		flat: dashes('┼', '┴', '┬', '─'),
		wick: {whole: '│', upper: '╵', lower: '╷'},
		ends: {fromBelow, fromAbove},
	},
	wide: {
		hollow: {
			cells: wideHollow,
			forming: {...wideHollow, whole: {text: '▘ ▝'}},
			dashes: dashes('═╪═', '═╧═', '═╤═', '═══'),
		},
		filled: {
			cells: everywhere(threefold(wholeBlock)),
			forming: everywhere({text: '▓▓▓'}),
			dashes: dashes('━┿━', '━┷━', '━┯━', '━━━'),
		},
		flat: dashes('─┼─', '─┴─', '─┬─', '───'),
		wick: {whole: ' │ ', upper: ' ╵ ', lower: ' ╷ '},
		ends: {fromBelow: fromBelow.map(threefold), fromAbove: fromAbove.map(threefold)},
	},
	lineEnd: '○',
	axis: '│',
	tick: '├',
	lastPrice: {here: '◂', above: unicodeMarks.above, below: unicodeMarks.below, trail: '┈'},
	rule: '─',
	ruleEnd: '┤',
	grid: '·',
	gap: '┊',
	forming: '▴',
	newer: '▸',
	bar: {whole: '│', upper: '╵', lower: '╷', open: '┤', close: '├', both: '┼', arm: '─', forming: '┆'},
	alert: {mark: alertMark, line: '╍'},
	level: {mark: unicodeMarks.level, line: '─'},
	touch: '╌',
	crosshair: {upright: '╎', level: '╌', cross: '┼', mark: '▸'},
	measure: {mark: '╳', line: '·'},
	zero: '▁',
	profile: {control: '█', area: '▒', outside: '░'},
};

const asciiBody = (cell: string, forming: string): BodyStyle => ({
	cells: everywhere({text: cell}),
	forming: everywhere({text: forming}),
	dashes: sameDashes(cell),
});
const asciiHollow = (walls: string): BodyCells => ({
	...everywhere({text: walls}),
	floor: {text: '[_]'},
	box: {text: '[_]'},
});

const asciiGlyphs: Glyphs = {
	narrow: {
		hollow: asciiBody('O', 'o'),
		filled: asciiBody('#', '%'),
		flat: dashes('+', '+', '+', '-'),
		wick: {whole: '|', upper: "'", lower: ','},
	},
	wide: {
		hollow: {cells: asciiHollow('[ ]'), forming: asciiHollow(': :'), dashes: sameDashes('[_]')},
		filled: asciiBody('###', '%%%'),
		flat: dashes('-+-', '-+-', '-+-', '---'),
		wick: {whole: ' | ', upper: " ' ", lower: ' , '},
	},
	lineEnd: 'o',
	axis: '|',
	tick: '+',
	lastPrice: {here: '<', above: asciiMarks.above, below: asciiMarks.below, trail: '- '},
	rule: '-',
	ruleEnd: '+',
	grid: '.',
	gap: ':',
	forming: '^',
	newer: '>',
	bar: {whole: '|', upper: "'", lower: ',', open: '<', close: '>', both: '+', arm: '-', forming: ':'},
	alert: {mark: alertMark, line: '='},
	level: {mark: asciiMarks.level, line: '_'},
	touch: '-',
	crosshair: {upright: '!', level: '-', cross: '+', mark: '>'},
	measure: {mark: 'X', line: '.'},
	zero: '_',
	profile: {control: '#', area: '=', outside: '-'},
};

export const glyphsFor = (ascii: boolean): Glyphs => (ascii ? asciiGlyphs : unicodeGlyphs);
