import type {Key} from 'ink';
import type {Overlay, PanelName} from './layout.ts';

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
	| {readonly type: 'reverse' | 'quote' | 'active-only' | 'list' | 'compare' | 'command'}
	| {readonly type: 'chart-type' | 'chart-log' | 'crosshair' | 'indicators' | 'type-period'}
	| {readonly type: 'pause' | 'refresh' | 'interface' | 'centre' | 'total' | 'fill' | 'merge-fills' | 'book-view'}
	| {readonly type: 'focus-by' | 'market-by' | 'move' | 'page' | 'period-by' | 'pan' | 'scale'; readonly by: 1 | -1}
	| {readonly type: 'edge'; readonly to: 'first' | 'last'}
	| {readonly type: 'panel'; readonly panel: PanelName};

export type Binding = {
	/** What the config file and the command line call it. */
	readonly name: string;
	/** By the names that `keyNames` gives. */
	readonly keys: readonly string[];
	readonly action: Action;
	/** As the help overlay and the README say it; empty: the binding before says it for both. */
	readonly help: string;
	/** The panel that it is about, though its keys act anywhere. Absent: that of `panels`, or all. */
	readonly of?: PanelName | undefined;
	/** Acts only while one of these panels has the focus. */
	readonly panels?: readonly PanelName[] | undefined;
	/**
	 * For the status line, while the panel that it is about has the focus; absent: help only. Where room is short the
	 * highest ranks go first; the focused panel's own count for more. `words` says what the keys do in a panel, and makes
	 * them its own.
	 */
	readonly hint?:
		| {
				readonly keys: string;
				readonly word: string;
				readonly rank: number;
				readonly words?: Partial<Record<PanelName, string>> | undefined;
		  }
		| undefined;
	/** Shown as these keys, where one line of the help stands for several bindings. */
	readonly shown?: string | undefined;
};

/** The panel whose binding this is; undefined: everyone's. */
export const ownerOf = ({of, panels}: Binding): PanelName | undefined => of ?? panels?.[0];

/** The one list of keys: the monitor acts by it, the help overlay and the README print it. */
export const keymap: readonly Binding[] = [
	{
		name: 'up',
		keys: ['up', 'k'],
		action: {type: 'move', by: -1},
		help: 'move up and down in the focused panel',
		hint: {keys: '↑↓', word: 'move', rank: 10},
		shown: '↑ ↓ j k',
	},
	{name: 'down', keys: ['down', 'j'], action: {type: 'move', by: 1}, help: ''},
	{name: 'page-up', keys: ['pgup'], action: {type: 'page', by: -1}, help: 'a page up and down', shown: 'PgUp PgDn'},
	{name: 'page-down', keys: ['pgdn'], action: {type: 'page', by: 1}, help: ''},
	{name: 'first', keys: ['g', 'home'], action: {type: 'edge', to: 'first'}, help: 'first and last', shown: 'g G'},
	{name: 'last', keys: ['G', 'end'], action: {type: 'edge', to: 'last'}, help: ''},
	{
		name: 'next-market',
		keys: ['n'],
		action: {type: 'market-by', by: 1},
		help: 'next and previous market, from anywhere',
		hint: {keys: 'n/p', word: 'market', rank: 2},
		shown: 'n p',
	},
	{name: 'previous-market', keys: ['p'], action: {type: 'market-by', by: -1}, help: ''},
	{
		name: 'filter',
		keys: ['/'],
		action: {type: 'filter'},
		help: 'filter the markets, from anywhere; Esc clears',
		hint: {keys: '/', word: 'filter', rank: 3, words: {markets: 'filter'}},
	},
	{
		name: 'next-panel',
		keys: ['tab'],
		action: {type: 'focus-by', by: 1},
		help: 'next and previous panel',
		hint: {keys: 'Tab', word: 'panel', rank: 4},
		shown: 'Tab Shift-Tab',
	},
	{name: 'previous-panel', keys: ['shift+tab'], action: {type: 'focus-by', by: -1}, help: ''},
	{
		name: 'go-to-markets',
		keys: ['1'],
		action: {type: 'panel', panel: 'markets'},
		help: 'go to markets, chart, book, tape, ticker',
		shown: '1 – 5',
	},
	{name: 'go-to-chart', keys: ['2'], action: {type: 'panel', panel: 'chart'}, help: ''},
	{name: 'go-to-book', keys: ['3'], action: {type: 'panel', panel: 'book'}, help: ''},
	{name: 'go-to-tape', keys: ['4'], action: {type: 'panel', panel: 'tape'}, help: ''},
	{name: 'go-to-ticker', keys: ['5'], action: {type: 'panel', panel: 'ticker'}, help: ''},
	{
		name: 'zoom',
		keys: ['z'],
		action: {type: 'zoom'},
		help: 'zoom the focused panel to the whole screen, and back',
		hint: {keys: 'z', word: 'zoom', rank: 5},
	},
	{
		name: 'scale-up',
		keys: ['+', '='],
		action: {type: 'scale', by: 1},
		help: 'zoom the chart; in the book coarser or finer prices, in the tape hide smaller trades or fewer',
		hint: {
			...{keys: '+ -', word: 'scale', rank: 11},
			words: {chart: 'zoom', book: 'grouping', tape: 'least size'},
		},
		shown: '+ -',
	},
	{name: 'scale-down', keys: ['-', '_'], action: {type: 'scale', by: -1}, help: ''},
	{
		name: 'pause',
		keys: ['space'],
		action: {type: 'pause'},
		help: 'pause and go on',
		hint: {keys: 'Space', word: 'pause', rank: 9},
	},
	{name: 'refresh', keys: ['r'], action: {type: 'refresh'}, help: 'refresh everything on the screen now'},
	{name: 'interface', keys: ['v'], action: {type: 'interface'}, help: 'interface: auto, v2, legacy'},
	{name: 'info', keys: ['i'], action: {type: 'info'}, help: 'about the exchange'},
	{name: 'diagnosis', keys: ['d'], action: {type: 'diagnosis'}, help: 'diagnosis: latency, errors, request budget'},
	{
		name: 'command',
		keys: [':'],
		action: {type: 'command'},
		help: 'command line for all that keys do, and :market, :period, :fill; Tab completes, ↑ goes back',
		hint: {keys: ':', word: 'command', rank: 24},
	},
	{name: 'help', keys: ['?'], action: {type: 'help'}, help: 'this help', hint: {keys: '?', word: 'help', rank: 0}},
	{name: 'back', keys: ['esc'], action: {type: 'back'}, help: 'close what is open, or go back'},
	{name: 'suspend', keys: ['ctrl+z'], action: {type: 'suspend'}, help: 'suspend; fg comes back', shown: 'Ctrl-Z'},
	{name: 'interrupt', keys: ['ctrl+c'], action: {type: 'interrupt'}, help: 'quit, always', shown: 'Ctrl-C'},
	{name: 'quit', keys: ['q'], action: {type: 'quit'}, help: 'quit', hint: {keys: 'q', word: 'quit', rank: 1}},
	{
		name: 'select',
		keys: ['enter'],
		action: {type: 'select'},
		help: 'watch the market under the cursor',
		panels: ['markets'],
		hint: {keys: 'Enter', word: 'select', rank: 13},
	},
	{
		name: 'sort',
		keys: ['s'],
		action: {type: 'sort'},
		help: 'sort the markets by volume, name, change, last price, spread',
		of: 'markets',
		hint: {keys: 's', word: 'sort', rank: 7},
	},
	{
		name: 'reverse-sort',
		keys: ['S'],
		action: {type: 'reverse'},
		help: 'sort the other way round',
		of: 'markets',
		hint: {keys: 'S', word: 'reverse', rank: 29},
	},
	{
		name: 'quote-asset',
		keys: ['u'],
		action: {type: 'quote'},
		help: 'markets of all quote assets, or of one',
		of: 'markets',
		hint: {keys: 'u', word: 'quote', rank: 25},
	},
	{
		name: 'active-only',
		keys: ['A'],
		action: {type: 'active-only'},
		help: 'only active markets, or all',
		of: 'markets',
		hint: {keys: 'A', word: 'active', rank: 28},
	},
	{
		name: 'compare',
		keys: ['C'],
		action: {type: 'compare'},
		help: 'compare the market with the favourites, else with the next ones; or :compare btcusdt ethusdt',
		of: 'markets',
		hint: {keys: 'C', word: 'compare', rank: 26},
	},
	{
		name: 'list',
		keys: ['L'],
		action: {type: 'list'},
		help: 'markets of a named list, of the next, of all; :list-add NAME fills one',
		of: 'markets',
		hint: {keys: 'L', word: 'lists', rank: 27},
	},
	{
		name: 'favourite',
		keys: ['f'],
		action: {type: 'favourite'},
		help: 'make the market a favourite, or not; favourites come first',
		of: 'markets',
		hint: {keys: 'f', word: 'favourite', rank: 8},
	},
	{
		name: 'shorter-period',
		keys: ['['],
		action: {type: 'period-by', by: -1},
		help: 'shorter and longer candle period',
		of: 'chart',
		hint: {keys: '[ ]', word: 'period', rank: 6},
		shown: '[ ]',
	},
	{name: 'longer-period', keys: [']'], action: {type: 'period-by', by: 1}, help: '', of: 'chart'},
	{
		name: 'type-period',
		keys: ['t'],
		action: {type: 'type-period'},
		help: 'type a period: 45 or 45m, 4h, 3d, 2w, then Enter',
		panels: ['chart'],
		hint: {keys: 't', word: 'type period', rank: 17},
	},
	{
		name: 'older',
		keys: ['left'],
		action: {type: 'pan', by: 1},
		help: 'pan the chart; left is older',
		of: 'chart',
		hint: {keys: '←→', word: 'pan', rank: 12},
		shown: '← →',
	},
	{name: 'newer', keys: ['right'], action: {type: 'pan', by: -1}, help: '', of: 'chart'},
	{
		name: 'chart-type',
		keys: ['c'],
		action: {type: 'chart-type'},
		help: 'chart type: candles, OHLC bars, Heikin-Ashi, line',
		of: 'chart',
		hint: {keys: 'c', word: 'type', rank: 14},
	},
	{
		name: 'indicators',
		keys: ['o'],
		action: {type: 'indicators'},
		help: 'indicators: SMA, EMA, VWAP, Bollinger, RSI, MACD',
		of: 'chart',
		hint: {keys: 'o', word: 'indicators', rank: 15},
	},
	{
		name: 'crosshair',
		keys: ['x'],
		action: {type: 'crosshair'},
		help: 'crosshair: the arrows move it, Esc leaves',
		panels: ['chart'],
		hint: {keys: 'x', word: 'crosshair', rank: 16},
	},
	{
		name: 'logarithmic',
		keys: ['l'],
		action: {type: 'chart-log'},
		help: 'logarithmic prices',
		panels: ['chart'],
		hint: {keys: 'l', word: 'log', rank: 18},
	},
	{
		name: 'centre',
		keys: ['m'],
		action: {type: 'centre'},
		help: 'put the spread back in the middle of the book',
		panels: ['book'],
		hint: {keys: 'm', word: 'centre', rank: 19},
	},
	{
		name: 'total',
		keys: ['t'],
		action: {type: 'total'},
		help: 'sums of the book in base or quote asset',
		panels: ['book'],
		hint: {keys: 't', word: 'total', rank: 20},
	},
	{
		name: 'book-view',
		keys: ['b'],
		action: {type: 'book-view'},
		help: 'book as ladder, depth curve, heatmap of the session',
		of: 'book',
		hint: {keys: 'b', word: 'view', rank: 21},
	},
	{
		name: 'fill',
		keys: ['a'],
		action: {type: 'fill'},
		help: 'cost to fill an amount: 2, 2 btc, 5000 usdt; Esc clears',
		of: 'book',
		hint: {keys: 'a', word: 'cost to fill', rank: 22},
	},
	{
		name: 'merge-fills',
		keys: ['m'],
		action: {type: 'merge-fills'},
		help: 'fills of one instant, price and side as one trade, or not',
		panels: ['tape'],
		hint: {keys: 'm', word: 'merge fills', rank: 23},
	},
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
	// A slow link can bring Esc and the next key in one piece, which reads as Alt and that key.
	const before = key.meta ? ['esc'] : [];
	return [...before, ...Array.from(input, typedName)];
}

const typedNames = new Map([
	[' ', 'space'],
	['\r', 'enter'],
	['\n', 'enter'],
	['\t', 'tab'],
	['\b', 'backspace'],
	['\u007F', 'backspace'],
	['\u001B', 'esc'],
]);

/** A terminal sends Ctrl and a letter as the letter's place in the alphabet. */
function typedName(character: string): string {
	const code = character.charCodeAt(0);
	const name = typedNames.get(character);
	return name ?? (code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 0x60)}` : character);
}

/** Those that act while the overlay covers the panels: what is a panel's own would change what nobody sees. */
export const bindingsOver = (overlay: Overlay, bindings: readonly Binding[]): readonly Binding[] =>
	bindings.filter(binding => {
		const {type} = binding.action;
		// Comparisons are opened and closed by the same key, and have the chart's period.
		if (type === 'compare' || (type === 'period-by' && overlay === 'compare')) return true;
		return ownerOf(binding) === undefined && type !== 'scale';
	});

/** What a key does while `focus` has the focus. */
export const actionFor = (name: string, focus: PanelName, bindings = keymap): Action | undefined =>
	bindings.find(binding => binding.keys.includes(name) && (binding.panels?.includes(focus) ?? true))?.action;
