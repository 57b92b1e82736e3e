/** What fills the upper and the lower half of a cell: body, wick or nothing. */
export type Half = 'b' | 'w' | ' ';
export type Halves = Exclude<`${Half}${Half}`, '  '>;

/** One cell of a candle: one character, or three where the body is wide. */
export type CandleCells = Readonly<Record<Halves, string>>;

/** A body without height: with a wick above, below, at both sides or none. */
type DojiCells = {readonly cross: string; readonly up: string; readonly down: string; readonly dash: string};

/**
 * Rising candles are thin or hollow, falling ones filled: they differ without colour. A candle that still forms is
 * drawn in broken strokes.
 */
export type CandleStyle = {
	readonly rising: CandleCells;
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
};

const thin = {'w ': '╵', ' w': '╷', ww: '│', 'b ': '╹', ' b': '╻', bb: '┃', wb: '╽', bw: '╿'} as const;
const filled = {...thin, 'b ': '▀', ' b': '▄', bb: '█'} as const;
const wideWick = {'w ': ' ╵ ', ' w': ' ╷ ', ww: ' │ '} as const;
const wideFilled = {...wideWick, 'b ': '▀▀▀', ' b': '▄▄▄', bb: '███', wb: '▄╽▄', bw: '▀╿▀'} as const;

const unicodeGlyphs: Glyphs = {
	narrow: {
		rising: thin,
		falling: filled,
		fallingShort: {...filled, wb: '▄', bw: '▀'},
		roof: '┃',
		floor: '┃',
		formingRising: '╏',
		formingFalling: '▓',
		doji: {cross: '┿', up: '┷', down: '┯', dash: '━'},
	},
	wide: {
		rising: {...wideWick, 'b ': '┗━┛', ' b': '┏━┓', bb: '┃ ┃', wb: '┏┷┓', bw: '┗┯┛'},
		falling: wideFilled,
		fallingShort: wideFilled,
		roof: '┃▔┃',
		floor: '┃▁┃',
		formingRising: '╏ ╏',
		formingFalling: '▓▓▓',
		doji: {cross: '━┿━', up: '━┷━', down: '━┯━', dash: '━━━'},
	},
	bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
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
};

const asciiThin = {'w ': "'", ' w': ',', ww: '|', 'b ': 'O', ' b': 'O', bb: 'O', wb: 'O', bw: 'O'} as const;
const asciiFilled = {...asciiThin, 'b ': '#', ' b': '#', bb: '#', wb: '#', bw: '#'} as const;
const asciiWideWick = {'w ': " ' ", ' w': ' , ', ww: ' | '} as const;
const asciiWideFilled = {...asciiWideWick, 'b ': '###', ' b': '###', bb: '###', wb: '###', bw: '###'} as const;

const asciiGlyphs: Glyphs = {
	narrow: {
		rising: asciiThin,
		falling: asciiFilled,
		fallingShort: asciiFilled,
		roof: 'O',
		floor: 'O',
		formingRising: 'o',
		formingFalling: '%',
		doji: {cross: '+', up: '+', down: '+', dash: '-'},
	},
	wide: {
		rising: {...asciiWideWick, 'b ': '[_]', ' b': '[_]', bb: '[ ]', wb: '[ ]', bw: '[ ]'},
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
};

export const glyphsFor = (ascii: boolean): Glyphs => (ascii ? asciiGlyphs : unicodeGlyphs);
