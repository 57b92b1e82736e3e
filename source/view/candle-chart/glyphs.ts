/** What fills the upper and the lower half of a cell: body, wick or nothing. */
export type Half = 'b' | 'w' | ' ';
export type Halves = Exclude<`${Half}${Half}`, '  '>;

/** One cell of a candle: one character, or three where the body is wide. */
export type CandleCells = Readonly<Record<Halves, string>>;

/** A body without height: with a wick above, below, at both sides or none. */
type DojiCells = {readonly cross: string; readonly up: string; readonly down: string; readonly dash: string};

/** Rising candles are hollow, falling ones filled: they differ without colour. One that still forms has broken strokes. */
export type CandleStyle = {
	readonly rising: CandleCells;
	/** A rising body with no whole cell: walls of half a cell would be all roof and floor. */
	readonly risingShort: CandleCells;
	readonly falling: CandleCells;
	/** A falling body with no whole cell to fill: the fill matters more than half a cell of wick. */
	readonly fallingShort: CandleCells;
	/** The whole cell that closes a hollow body at its top and at its bottom. */
	readonly roof: string;
	readonly floor: string;
	/** Whole cells of a body that still forms. */
	readonly formingRising: string;
	readonly formingFalling: string;
	readonly doji: DojiCells;
};

export type Glyphs = {
	readonly narrow: CandleStyle;
	readonly wide: CandleStyle;
	/** A cell filled from below, by eighths; absent: bodies end at halves. */
	readonly eighths?: readonly string[] | undefined;
	/** Fill of a cell from nothing to whole; as many as there are levels. */
	readonly bars: readonly string[];
	/** As asciichart takes them. */
	readonly line: readonly string[];
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
	/** The lines of the best bid and ask. */
	readonly touch: string;
	readonly crosshair: {readonly upright: string; readonly level: string};
	/** Curves of indicators: by dots that fit eight to a cell, or by a letter of their own. */
	readonly curves: 'dots' | 'letters';
	/** Bars from a zero line upward and downward: by halves of a cell. */
	readonly histogram: {readonly whole: string; readonly upper: string; readonly lower: string};
};

/** One column of an OHLC bar: its upright, and that with the opening to the left and the closing price to the right. */
type BarCells = {
	readonly upright: Readonly<Record<'ww' | 'w ' | ' w', string>>;
	readonly open: string;
	readonly close: string;
	readonly both: string;
	/** What lengthens the marks where a bar has three columns. */
	readonly arm: string;
	readonly forming: string;
};

const eighths = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const thin = {'w ': '╵', ' w': '╷', ww: '│', 'b ': '╹', ' b': '╻', bb: '┃', wb: '╽', bw: '╿'} as const;
// Two walls read as a body beside the single line of a wick.
const hollow = {...thin, 'b ': '╨', ' b': '╥', bb: '║', wb: '╥', bw: '╨'} as const;
const filled = {...thin, 'b ': '▀', ' b': '▄', bb: '█'} as const;
const wideWick = {'w ': ' ╵ ', ' w': ' ╷ ', ww: ' │ '} as const;
const wideHollow = {...wideWick, 'b ': '┗━┛', ' b': '┏━┓', bb: '┃ ┃', wb: '┏┷┓', bw: '┗┯┛'} as const;
const wideFilled = {...wideWick, 'b ': '▀▀▀', ' b': '▄▄▄', bb: '███', wb: '▄╽▄', bw: '▀╿▀'} as const;

const unicodeGlyphs: Glyphs = {
	narrow: {
		rising: hollow,
		risingShort: thin,
		falling: filled,
		fallingShort: {...filled, wb: '▄', bw: '▀'},
		roof: '║',
		floor: '║',
		formingRising: '╏',
		formingFalling: '▓',
		doji: {cross: '┿', up: '┷', down: '┯', dash: '━'},
	},
	wide: {
		rising: wideHollow,
		risingShort: wideHollow,
		falling: wideFilled,
		fallingShort: wideFilled,
		roof: '┃▔┃',
		floor: '┃▁┃',
		formingRising: '╏ ╏',
		formingFalling: '▓▓▓',
		doji: {cross: '━┿━', up: '━┷━', down: '━┯━', dash: '━━━'},
	},
	eighths,
	bars: [' ', ...eighths],
	line: ['─', ' ', '─', '─', '─', '╰', '╭', '╮', '╯', '│'],
	lineEnd: '○',
	axis: '│',
	tick: '├',
	lastPrice: {here: '◂', above: '▴', below: '▾', trail: '┈'},
	rule: '─',
	ruleEnd: '┤',
	grid: '·',
	gap: '┊',
	forming: '▴',
	newer: '▸',
	bar: {
		upright: {ww: '│', 'w ': '╵', ' w': '╷'},
		open: '┤',
		close: '├',
		both: '┼',
		arm: '─',
		forming: '┆',
	},
	touch: '╌',
	crosshair: {upright: '╎', level: '╌'},
	curves: 'dots',
	histogram: {whole: '█', upper: '▀', lower: '▄'},
};

const asciiThin = {'w ': "'", ' w': ',', ww: '|', 'b ': 'O', ' b': 'O', bb: 'O', wb: 'O', bw: 'O'} as const;
const asciiFilled = {...asciiThin, 'b ': '#', ' b': '#', bb: '#', wb: '#', bw: '#'} as const;
const asciiWideWick = {'w ': " ' ", ' w': ' , ', ww: ' | '} as const;
const asciiWideHollow = {...asciiWideWick, 'b ': '[_]', ' b': '[_]', bb: '[ ]', wb: '[ ]', bw: '[ ]'} as const;
const asciiWideFilled = {...asciiWideWick, 'b ': '###', ' b': '###', bb: '###', wb: '###', bw: '###'} as const;

const asciiGlyphs: Glyphs = {
	narrow: {
		rising: asciiThin,
		risingShort: asciiThin,
		falling: asciiFilled,
		fallingShort: asciiFilled,
		roof: 'O',
		floor: 'O',
		formingRising: 'o',
		formingFalling: '%',
		doji: {cross: '+', up: '+', down: '+', dash: '-'},
	},
	wide: {
		rising: asciiWideHollow,
		risingShort: asciiWideHollow,
		falling: asciiWideFilled,
		fallingShort: asciiWideFilled,
		roof: '[ ]',
		floor: '[_]',
		formingRising: ': :',
		formingFalling: '%%%',
		doji: {cross: '-+-', up: '-+-', down: '-+-', dash: '---'},
	},
	bars: [' ', '.', ':', '#'],
	line: ['-', ' ', '-', '-', '-', '`', '.', '.', "'", '|'],
	lineEnd: 'o',
	axis: '|',
	tick: '+',
	lastPrice: {here: '<', above: '^', below: 'v', trail: '- '},
	rule: '-',
	ruleEnd: '+',
	grid: '.',
	gap: ':',
	forming: '^',
	newer: '>',
	bar: {upright: {ww: '|', 'w ': "'", ' w': ','}, open: '<', close: '>', both: '+', arm: '-', forming: ':'},
	touch: '-',
	crosshair: {upright: '!', level: '-'},
	curves: 'letters',
	histogram: {whole: '#', upper: '"', lower: ','},
};

export const glyphsFor = (ascii: boolean): Glyphs => (ascii ? asciiGlyphs : unicodeGlyphs);
