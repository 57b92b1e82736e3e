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

/** Of a candle that closed where it opened, or hardly above. */
const thin = dashes('┼', '┴', '┬', '─');
const thinWide = dashes('─┼─', '─┴─', '─┬─', '───');

const narrow: CandleStyle = {
	// The two walls are as far apart as a filled body is wide.
	hollow: {
		cells: everywhere(inverse('┃')),
		forming: everywhere(inverse('╏')),
		dashes: thin,
	},
	filled: {cells: everywhere(wholeBlock), forming: everywhere({text: '▓'}), dashes: dashes('┿', '┷', '┯', '━')},
	flat: thin,
	wick: {whole: '│', upper: '╵', lower: '╷'},
	ends: {fromBelow, fromAbove},
};

const wide: CandleStyle = {
	hollow: {
		cells: wideHollow,
		forming: {...wideHollow, whole: {text: '▘ ▝'}},
		dashes: thinWide,
	},
	filled: {
		cells: everywhere(threefold(wholeBlock)),
		forming: everywhere({text: '▓▓▓'}),
		dashes: dashes('━┿━', '━┷━', '━┯━', '━━━'),
	},
	flat: thinWide,
	wick: {whole: ' │ ', upper: ' ╵ ', lower: ' ╷ '},
	ends: {fromBelow: fromBelow.map(threefold), fromAbove: fromAbove.map(threefold)},
};

const unicodeGlyphs = {
	/** Styles of candles one column wide, and three. */
	narrow,
	wide,
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
	/** The middle column of an OHLC bar: its line, alone or with a price at the left or the right, and what lengthens these marks in three columns. */
	bar: {whole: '│', upper: '╵', lower: '╷', open: '┤', close: '├', both: '┼', arm: '─', forming: '┆'},
	/** The marks and the lines of levels, of alerts and drawn by the user. */
	alert: {mark: alertMark, line: '╍'},
	level: {mark: unicodeMarks.level, line: '─'},
	/** Which way a line that the user drew goes, and where one that is being drawn begins. */
	line: {rising: '╱', falling: '╲', start: '○'},
	/** The lines of the best bid and ask. */
	touch: '╌',
	crosshair: {upright: '╎', level: '╌', cross: '┼', mark: '▸'},
	/** Where the crosshair measures from, and its line to the crosshair. */
	measure: {mark: '╳', line: '·'},
	/** A line along the lower edge of a cell. */
	zero: '▁',
	/** The bars of the volume by price: at the point of control, in the value area, and outside. */
	profile: {control: '█', area: '▒', outside: '░'},
};

export type Glyphs = Readonly<typeof unicodeGlyphs>;

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
	line: {rising: '/', falling: '\\', start: 'o'},
	touch: '-',
	crosshair: {upright: '!', level: '-', cross: '+', mark: '>'},
	measure: {mark: 'X', line: '.'},
	zero: '_',
	profile: {control: '#', area: '=', outside: '-'},
};

export const glyphsFor = (ascii: boolean): Glyphs => (ascii ? asciiGlyphs : unicodeGlyphs);
