import type {Key} from 'ink';
import type {PanelName} from './layout.ts';

export type Action =
	| {
			readonly type:
				| 'quit'
				| 'interrupt'
				| 'suspend'
				| 'back'
				| 'help'
				| 'info'
				| 'diagnosis'
				| 'zoom'
				| 'select'
				| 'filter'
				| 'sort'
				| 'favourite';
	  }
	| {readonly type: 'reverse' | 'quote' | 'active-only'}
	| {readonly type: 'chart-type' | 'chart-log' | 'crosshair' | 'indicators' | 'type-period'}
	| {readonly type: 'pause' | 'refresh' | 'interface' | 'centre' | 'total' | 'fill' | 'merge-fills' | 'book-view'}
	| {readonly type: 'focus-by' | 'market-by' | 'move' | 'page' | 'period-by' | 'pan' | 'scale'; readonly by: 1 | -1}
	| {readonly type: 'edge'; readonly to: 'first' | 'last'}
	| {readonly type: 'panel'; readonly panel: PanelName};

export type Binding = {
	readonly keys: readonly string[];
	readonly action: Action;
	/** As the help overlay and the README say it. */
	readonly help: string;
	/** For the status line; absent: help only. Where room is short the highest ranks go first. */
	readonly hint?: {readonly keys: string; readonly word: string; readonly rank: number} | undefined;
	/** Shown as these keys, where one line of the help stands for several bindings. */
	readonly shown?: string | undefined;
	/** Acts only while one of these panels has the focus. */
	readonly panels?: readonly PanelName[] | undefined;
};

/** The one list of keys: the monitor acts by it, the help overlay and the README print it. */
export const keymap: readonly Binding[] = [
	{
		keys: ['up', 'k'],
		action: {type: 'move', by: -1},
		help: 'move up and down in the focused panel',
		hint: {keys: '↑↓', word: 'move', rank: 10},
		shown: '↑ ↓ j k',
	},
	{keys: ['down', 'j'], action: {type: 'move', by: 1}, help: ''},
	{keys: ['pgup'], action: {type: 'page', by: -1}, help: 'a page up and down', shown: 'PgUp PgDn'},
	{keys: ['pgdn'], action: {type: 'page', by: 1}, help: ''},
	{keys: ['g', 'home'], action: {type: 'edge', to: 'first'}, help: 'first and last', shown: 'g G'},
	{keys: ['G', 'end'], action: {type: 'edge', to: 'last'}, help: ''},
	{
		keys: ['n'],
		action: {type: 'market-by', by: 1},
		help: 'next and previous market, from anywhere',
		hint: {keys: 'n/p', word: 'market', rank: 2},
		shown: 'n p',
	},
	{keys: ['p'], action: {type: 'market-by', by: -1}, help: ''},
	{
		keys: ['enter'],
		action: {type: 'select'},
		help: 'watch the market under the cursor',
		hint: {keys: 'Enter', word: 'select', rank: 13},
		panels: ['markets'],
	},
	{
		keys: ['/'],
		action: {type: 'filter'},
		help: 'filter the markets; Esc clears',
		hint: {keys: '/', word: 'filter', rank: 3},
	},
	{
		keys: ['s'],
		action: {type: 'sort'},
		help: 'sort the markets by volume, name, change, last price, spread',
		hint: {keys: 's', word: 'sort', rank: 7},
	},
	{keys: ['S'], action: {type: 'reverse'}, help: 'sort the other way round'},
	{keys: ['u'], action: {type: 'quote'}, help: 'markets of all quote assets, or of one'},
	{keys: ['A'], action: {type: 'active-only'}, help: 'only active markets, or all'},
	{
		keys: ['f'],
		action: {type: 'favourite'},
		help: 'make the market a favourite, or not; favourites come first',
		hint: {keys: 'f', word: 'favourite', rank: 8},
	},
	{
		keys: ['['],
		action: {type: 'period-by', by: -1},
		help: 'shorter and longer candle period',
		hint: {keys: '[ ]', word: 'period', rank: 6},
		shown: '[ ]',
	},
	{keys: [']'], action: {type: 'period-by', by: 1}, help: ''},
	{
		keys: ['left'],
		action: {type: 'pan', by: 1},
		help: 'pan the chart; left is older',
		hint: {keys: '←→', word: 'pan', rank: 12},
		shown: '← →',
	},
	{keys: ['right'], action: {type: 'pan', by: -1}, help: ''},
	{
		keys: ['+', '='],
		action: {type: 'scale', by: 1},
		help: 'zoom the chart; in the book coarser or finer prices, in the tape hide smaller trades or fewer',
		hint: {keys: '+ -', word: 'scale', rank: 11},
		shown: '+ -',
	},
	{keys: ['-', '_'], action: {type: 'scale', by: -1}, help: ''},
	{keys: ['c'], action: {type: 'chart-type'}, help: 'chart type: candles, OHLC bars, Heikin-Ashi, line'},
	{keys: ['o'], action: {type: 'indicators'}, help: 'indicators: SMA, EMA, VWAP, Bollinger, RSI, MACD'},
	{
		keys: ['x'],
		action: {type: 'crosshair'},
		help: 'crosshair: the arrows move it, Esc leaves',
		panels: ['chart'],
	},
	{keys: ['l'], action: {type: 'chart-log'}, help: 'logarithmic prices', panels: ['chart']},
	{
		keys: ['t'],
		action: {type: 'type-period'},
		help: 'type a period: 45 or 45m, 4h, 3d, 2w, then Enter',
		panels: ['chart'],
	},
	{
		keys: ['m'],
		action: {type: 'centre'},
		help: 'put the spread back in the middle of the book',
		panels: ['book'],
	},
	{
		keys: ['m'],
		action: {type: 'merge-fills'},
		help: 'fills of one instant, price and side as one trade, or not',
		panels: ['tape'],
	},
	{keys: ['t'], action: {type: 'total'}, help: 'sums of the book in base or quote asset', panels: ['book']},
	{keys: ['b'], action: {type: 'book-view'}, help: 'book as ladder, depth curve, heatmap of the session'},
	{keys: ['a'], action: {type: 'fill'}, help: 'cost to fill an amount: 2, 2 btc, 5000 usdt; Esc clears'},
	{
		keys: ['tab'],
		action: {type: 'focus-by', by: 1},
		help: 'next and previous panel',
		hint: {keys: 'Tab', word: 'panel', rank: 4},
		shown: 'Tab Shift-Tab',
	},
	{keys: ['shift+tab'], action: {type: 'focus-by', by: -1}, help: ''},
	{
		keys: ['1'],
		action: {type: 'panel', panel: 'markets'},
		help: 'go to markets, chart, book, tape, ticker',
		shown: '1 – 5',
	},
	{keys: ['2'], action: {type: 'panel', panel: 'chart'}, help: ''},
	{keys: ['3'], action: {type: 'panel', panel: 'book'}, help: ''},
	{keys: ['4'], action: {type: 'panel', panel: 'tape'}, help: ''},
	{keys: ['5'], action: {type: 'panel', panel: 'ticker'}, help: ''},
	{
		keys: ['z'],
		action: {type: 'zoom'},
		help: 'zoom the focused panel to the whole screen, and back',
		hint: {keys: 'z', word: 'zoom', rank: 5},
	},
	{keys: ['space'], action: {type: 'pause'}, help: 'pause and go on', hint: {keys: 'Space', word: 'pause', rank: 9}},
	{keys: ['r'], action: {type: 'refresh'}, help: 'refresh everything on the screen now'},
	{keys: ['v'], action: {type: 'interface'}, help: 'interface: auto, v2, legacy'},
	{keys: ['i'], action: {type: 'info'}, help: 'about the exchange'},
	{keys: ['d'], action: {type: 'diagnosis'}, help: 'diagnosis: latency, errors, request budget'},
	{keys: ['?'], action: {type: 'help'}, help: 'this help', hint: {keys: '?', word: 'help', rank: 0}},
	{keys: ['esc'], action: {type: 'back'}, help: 'close what is open, or go back'},
	{keys: ['ctrl+z'], action: {type: 'suspend'}, help: 'suspend; fg comes back', shown: 'Ctrl-Z'},
	{keys: ['ctrl+c'], action: {type: 'interrupt'}, help: 'quit, always', shown: 'Ctrl-C'},
	{keys: ['q'], action: {type: 'quit'}, help: 'quit', hint: {keys: 'q', word: 'quit', rank: 1}},
];

const named: ReadonlyArray<readonly [keyof Key, string]> = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pgup'],
	['pageDown', 'pgdn'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'esc'],
	['backspace', 'backspace'],
	['delete', 'backspace'],
];

/**
 * The keys in one piece of terminal input, by the names that the keymap uses. Several plain characters can come
 * in one piece on a slow link; each is a key of its own.
 */
export function keyNames(input: string, key: Key): readonly string[] {
	if (key.tab) return [key.shift ? 'shift+tab' : 'tab'];
	const name = named.find(([flag]) => key[flag])?.[1];
	if (name) return [name];
	if (key.ctrl) return [`ctrl+${input}`];
	if (key.meta) return [];
	return Array.from(input, character => {
		if (character === ' ') return 'space';
		if (character === '\r' || character === '\n') return 'enter';
		if (character === '\u0003') return 'ctrl+c';
		return character;
	});
}

export const actionFor = (name: string, focus: PanelName): Action | undefined =>
	keymap.find(binding => binding.keys.includes(name) && (binding.panels?.includes(focus) ?? true))?.action;
