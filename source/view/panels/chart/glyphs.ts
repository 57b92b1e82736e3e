import {fromAbove, fromBelow, type Ink, wholeBlock} from '../../plot/blocks.ts';
import {asciiCandles, type CandleStyle, unicodeCandles} from './candle-glyphs.ts';

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
	readonly bar: BarCells;
	/** The lines of the best bid and ask. */
	readonly touch: string;
	readonly crosshair: {readonly upright: string; readonly level: string};
	/** Curves of indicators: by dots that fit eight to a cell, or by a letter of their own. */
	readonly curves: 'dots' | 'letters';
	/** Fill of a cell from its top down, from a little to whole. */
	readonly hangingBars: readonly Ink[];
	/** Along the lower edge of a cell. */
	readonly zero: string;
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

const unicodeGlyphs: Glyphs = {
	...unicodeCandles,
	bars: [' ', ...[...fromBelow, wholeBlock].map(({text}) => text)],
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
	hangingBars: [...fromAbove, wholeBlock],
	zero: '▁',
};

const asciiGlyphs: Glyphs = {
	...asciiCandles,
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
	hangingBars: [{text: "'"}, {text: '"'}, {text: '#'}],
	zero: '_',
};

export const glyphsFor = (ascii: boolean): Glyphs => (ascii ? asciiGlyphs : unicodeGlyphs);
