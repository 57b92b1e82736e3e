import type {Outcome} from './headless.ts';

/** A command, keys of which the last one runs it, and what that changes on the sample exchange. */
export type Case = readonly [
	command: string,
	keys: string,
	look: (outcome: Outcome) => unknown,
	from: unknown,
	to: unknown,
];

const cursor = ({ui}: Outcome) => ui.picker.cursor;
const anchor = ({ui}: Outcome) => ui.book.anchor;
export const symbol = ({state}: Outcome) => state.symbol;
const focus = ({ui}: Outcome) => ui.focus;
const overlay = ({ui}: Outcome) => ui.overlay;
/** What the user gave to panels of a standard screen; undefined: all is as delivered. */
const standard = ({ui}: Outcome) => {
	const {columns, rows} = ui.layouts.standard ?? {};
	return columns && rows && {columns, rows};
};
const find = ({ui}: Outcome) => ui.helpFind;
const scrolled = ({ui}: Outcome) => ui.overlayScroll;
const quits = ({quits: statuses}: Outcome) => statuses;
/** How many trades lie above the tape's top. */
export const tapeTop = ({ui, state}: Outcome) => {
	const {anchor: from} = ui.tape;
	if (!from || state.trades.status !== 'ready') return undefined;
	return state.trades.data.trades.findIndex(({id}) => id === from.top.id);
};

// The order by volume: BTC, ETH, SOL, SHIB, XRP, … NEW last.
/** Opens the list of settings. */
const settings = ': s e t t i n g s enter';

export const generalCases: readonly Case[] = [
	['down', 'down', cursor, undefined, 'ETHUSDT'],
	['down', 'j', cursor, undefined, 'ETHUSDT'],
	['up', 'j j up', cursor, 'SOLUSDT', 'ETHUSDT'],
	['up', 'j j k', cursor, 'SOLUSDT', 'ETHUSDT'],
	['down', '3 j', anchor, undefined, {side: 'bid', price: 61_824}],
	['up', '3 k', anchor, undefined, {side: 'ask', price: 61_824.01}],
	['down', '4 j', tapeTop, undefined, 1],
	['up', '4 j j k', tapeTop, 2, 1],
	['page-down', '4 pgdn', tapeTop, undefined, 12],
	['page-up', '4 pgdn pgdn pgup', tapeTop, 24, 12],
	['page-down', '4 ctrl+f', tapeTop, undefined, 12],
	['page-up', '4 ctrl+f ctrl+f ctrl+b', tapeTop, 24, 12],
	['half-page-down', '4 ctrl+d', tapeTop, undefined, 6],
	['half-page-up', '4 ctrl+d ctrl+d ctrl+u', tapeTop, 12, 6],
	['half-page-down', '? ctrl+d', scrolled, 0, 17],
	['half-page-down', '3 ctrl+d', anchor, undefined, {side: 'bid', price: 61_821.89}],
	['last', 'G', cursor, undefined, 'NEWUSDT'],
	['last', 'end', cursor, undefined, 'NEWUSDT'],
	['last', '4 G', tapeTop, undefined, 110],
	['first', 'G g', cursor, 'NEWUSDT', 'BTCUSDT'],
	['first', 'G home', cursor, 'NEWUSDT', 'BTCUSDT'],
	['next-market', 'n', symbol, 'BTCUSDT', 'ETHUSDT'],
	['next-market', '4 n', symbol, 'BTCUSDT', 'ETHUSDT'],
	['previous-market', 'n n p', symbol, 'SOLUSDT', 'ETHUSDT'],
	['filter', '3 /', ({ui}) => [ui.focus, ui.picker.editing], ['book', false], ['markets', true]],
	['next-panel', 'tab', focus, 'markets', 'chart'],
	['previous-panel', 'shift+tab', focus, 'markets', 'ticker'],
	['go-to-markets', '3 1', focus, 'book', 'markets'],
	['go-to-chart', '2', focus, 'markets', 'chart'],
	['go-to-book', '3', focus, 'markets', 'book'],
	['go-to-tape', '4', focus, 'markets', 'tape'],
	['go-to-ticker', '5', focus, 'markets', 'ticker'],
	['setting-change', `${settings} j enter`, ({ui}) => ui.palette, undefined, 'swapped'],
	['zoom', 'z', ({ui}) => ui.zoomed, false, true],
	['zoom', 'z z', ({ui}) => ui.zoomed, true, false],
	['wider', '3 w', standard, undefined, {columns: {book: 2}, rows: {}}],
	['narrower', '2 W', standard, undefined, {columns: {chart: -2}, rows: {}}],
	['narrower', '3 w W', standard, {columns: {book: 2}, rows: {}}, undefined],
	['higher', '4 h', standard, undefined, {columns: {}, rows: {tape: 1}}],
	['lower', '3 H', standard, undefined, {columns: {}, rows: {book: -1}}],
	['pause', 'space', ({state}) => state.paused, false, true],
	['pause', 'space space', ({state}) => state.paused, true, false],
	['refresh', 'r', ({calls}) => calls.candles, 1, 2],
	['record', 'R', ({ui}) => ui.notice, undefined, 'a replay is not recorded'],
	['interface', 'v', ({state}) => state.choice, 'auto', 'v2'],
	['interface', 'v v', ({state}) => state.choice, 'v2', 'legacy'],
	['info', 'i', overlay, undefined, 'info'],
	['diagnosis', 'd', overlay, undefined, 'diagnosis'],
	['help', '?', overlay, undefined, 'help'],
	['help', 'f1', overlay, undefined, 'help'],
	['help', '? ?', overlay, 'help', undefined],
	['back', '? esc', overlay, 'help', undefined],
	['back', ': s e t t i n g s enter ? esc', overlay, 'help', 'settings'],
	['help-find', '? /', find, {text: '', editing: false}, {text: '', editing: true}],
	['help-find', '? / x enter /', find, {text: 'x', editing: false}, {text: 'x', editing: true}],
	['back', '? / x enter esc', find, {text: 'x', editing: false}, {text: '', editing: false}],
	['help-next', '? / a enter n', scrolled, 0, 34],
	['help-previous', '? / a enter n N', scrolled, 34, 0],
	['next-market', '? n', symbol, 'BTCUSDT', 'ETHUSDT'],
	['command', ':', ({ui}) => ui.command, undefined, {text: ''}],
	['copy', 'j y', ({copies}) => copies, [], ['ETH/USDT']],
	['copy-panel', '3 Y', ({copies}) => copies, [], ['3 Book  v2 1s\nat 84,2\n36×22']],
	['redraw', 'ctrl+l', ({redraws}) => redraws, 0, 1],
	['suspend', 'ctrl+z', ({suspensions}) => suspensions, 0, 1],
	['interrupt', 'ctrl+c', quits, [], [130]],
	['interrupt', '/ ctrl+c', quits, [], [130]],
	['interrupt', '? ctrl+c', quits, [], [130]],
	['interrupt', ': ctrl+c', quits, [], [130]],
	['quit', 'q', quits, [], [0]],
];
