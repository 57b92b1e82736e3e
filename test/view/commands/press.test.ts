import {describe, expect, test} from 'vitest';
import {commands} from '../../../source/view/commands/table.ts';
import {withoutEditing} from '../../../source/view/ui-state.ts';
import {type OpenMonitor, openMonitor} from '../monitor.tsx';
import {chartCases, offset} from './chart-key-cases.ts';
import type {Case, Seen} from './key-case.ts';
import {pickerCases} from './picker-key-cases.ts';

const standard = {columns: 120, rows: 40};
const small = {columns: 80, rows: 24};

async function open(size = standard): Promise<OpenMonitor> {
	const monitor = await openMonitor({size});
	await monitor.clock.advance(300);
	return monitor;
}

const focus = ({ui}: Seen) => ui.focus;
const cursor = ({ui}: Seen) => ui.picker.cursor;
const symbol = ({state}: Seen) => state.symbol;
const anchor = ({ui}: Seen) => ui.book.anchor;
/** How many trades lie above the tape's top. */
const tapeTop = ({ui, state}: Seen) => {
	const {anchor: from} = ui.tape;
	if (!from || state.tape.status !== 'ready') return undefined;
	return state.tape.data.trades.findIndex(({id}) => id === from.top.id);
};
const fill = ({ui}: Seen) => [ui.focus, ui.book.fill.text, ui.book.fill.editing];
const overlay = ({ui}: Seen) => ui.overlay;
const quits = ({monitor}: Seen) => [...monitor.quits];

// The order by volume: BTC, ETH, SOL, SHIB, XRP, … NEW last; 35 rows fit into the panel.
const cases: readonly Case[] = [
	{key: 'down', what: 'moves the cursor to the next market', see: cursor, from: undefined, to: 'ETHUSDT'},
	{key: 'j', what: 'the same', see: cursor, from: undefined, to: 'ETHUSDT'},
	{key: 'up', after: ['j', 'j'], what: 'moves it back', see: cursor, from: 'SOLUSDT', to: 'ETHUSDT'},
	{key: 'k', after: ['j', 'j'], what: 'the same', see: cursor, from: 'SOLUSDT', to: 'ETHUSDT'},
	{
		key: 'j',
		after: ['3'],
		what: 'scrolls the book down',
		see: anchor,
		from: undefined,
		to: {side: 'bid', price: 61_824},
	},
	{
		key: 'k',
		after: ['3'],
		what: 'scrolls the book up',
		see: anchor,
		from: undefined,
		to: {side: 'ask', price: 61_824.01},
	},
	{key: 'j', after: ['4'], what: 'scrolls the tape', see: tapeTop, from: undefined, to: 1},
	{
		key: 'k',
		after: ['4'],
		what: 'does not scroll above the newest trade',
		see: tapeTop,
		from: undefined,
		to: undefined,
	},
	{key: 'pgdn', after: ['4'], what: 'scrolls the tape by a page', see: tapeTop, from: undefined, to: 12},
	{
		key: 'pgup',
		after: ['4', 'pgdn', 'pgdn'],
		what: 'scrolls it back',
		see: tapeTop,
		from: 24,
		to: 12,
	},
	{key: 'G', what: 'goes to the last market', see: cursor, from: undefined, to: 'NEWUSDT'},
	{key: 'end', what: 'the same', see: cursor, from: undefined, to: 'NEWUSDT'},
	{key: 'g', after: ['G'], what: 'goes to the first market', see: cursor, from: 'NEWUSDT', to: 'BTCUSDT'},
	{key: 'home', after: ['G'], what: 'the same', see: cursor, from: 'NEWUSDT', to: 'BTCUSDT'},
	{
		key: 'G',
		after: ['4'],
		what: 'ends with the oldest trade at the bottom',
		see: tapeTop,
		from: undefined,
		to: 110,
	},
	{key: 'n', what: 'watches the next market', see: symbol, from: 'BTCUSDT', to: 'ETHUSDT'},
	{key: 'n', after: ['4'], what: 'from any panel', see: symbol, from: 'BTCUSDT', to: 'ETHUSDT'},
	{key: 'p', after: ['n', 'n'], what: 'watches the one before', see: symbol, from: 'SOLUSDT', to: 'ETHUSDT'},
	{
		key: 'enter',
		after: ['j', 'j'],
		what: 'watches the market under the cursor',
		see: symbol,
		from: 'BTCUSDT',
		to: 'SOLUSDT',
	},
	{
		key: '/',
		after: ['3'],
		what: 'goes to the filter',
		see: ({ui}) => [ui.focus, ui.picker.editing],
		from: ['book', false],
		to: ['markets', true],
	},

	{
		key: 'f',
		what: 'makes the market a favourite',
		see: ({ui}) => [...ui.picker.favourites],
		from: [],
		to: ['BTCUSDT'],
	},
	{key: 'f', after: ['f'], what: 'or not', see: ({ui}) => [...ui.picker.favourites], from: ['BTCUSDT'], to: []},
	{
		key: 'f',
		after: ['j'],
		what: 'that of the cursor',
		see: ({ui}) => [...ui.picker.favourites],
		from: [],
		to: ['ETHUSDT'],
	},
	{
		key: '+',
		after: ['3'],
		what: 'groups the book coarser',
		see: ({ui}) => [ui.book.grouping, ui.chart.zoom.columns],
		from: [undefined, 1],
		to: [{mantissa: 2, exponent: -2}, 1],
	},
	{
		key: '-',
		after: ['3', '+', '+'],
		what: 'groups it finer',
		see: ({ui}) => ui.book.grouping,
		from: {mantissa: 5, exponent: -2},
		to: {mantissa: 2, exponent: -2},
	},
	{
		key: '-',
		after: ['3'],
		what: 'stays at the finest',
		see: ({ui}) => ui.book.grouping,
		from: undefined,
		to: undefined,
	},
	{
		key: 'm',
		after: ['3', 'j'],
		what: 'centres the book',
		see: anchor,
		from: {side: 'bid', price: 61_824},
		to: undefined,
	},
	{key: 'b', what: 'draws the book as a curve', see: ({ui}) => ui.book.view, from: 'ladder', to: 'curve'},
	{key: 'b', after: ['b'], what: 'then as a heatmap', see: ({ui}) => ui.book.view, from: 'curve', to: 'heatmap'},
	{
		key: 'b',
		after: ['b', 'b'],
		what: 'then as a ladder again',
		see: ({ui}) => ui.book.view,
		from: 'heatmap',
		to: 'ladder',
	},
	{key: '+', after: ['3', 'b'], what: 'shows more of the curve', see: ({ui}) => ui.book.zoom, from: 0, to: 1},
	{key: '-', after: ['3', 'b', 'b'], what: 'makes the heatmap finer', see: ({ui}) => ui.book.zoom, from: 0, to: -1},
	{key: 'm', after: ['4'], what: 'merges fills', see: ({ui}) => ui.tape.merged, from: false, to: true},
	{key: 'm', after: ['4', 'm'], what: 'or not', see: ({ui}) => ui.tape.merged, from: true, to: false},
	{key: '+', after: ['4'], what: 'hides small trades', see: ({ui}) => ui.tape.minimum, from: 0, to: 0.05},
	{key: '-', after: ['4', '+', '+'], what: 'hides fewer', see: ({ui}) => ui.tape.minimum, from: 0.1, to: 0.05},
	{
		key: 't',
		after: ['3'],
		what: 'sums the book in quote asset',
		see: ({ui}) => ui.book.total,
		from: 'total',
		to: 'value',
	},
	{key: 't', after: ['3', 't'], what: 'and in base asset', see: ({ui}) => ui.book.total, from: 'value', to: 'total'},
	{key: 'a', what: 'asks for an amount to fill', see: fill, from: ['markets', '', false], to: ['book', '', true]},
	{key: 'tab', what: 'goes to the next panel', see: focus, from: 'markets', to: 'chart'},
	{key: 'shift+tab', what: 'goes round to the last', see: focus, from: 'markets', to: 'ticker'},
	{key: '1', after: ['3'], what: 'goes to the markets', see: focus, from: 'book', to: 'markets'},
	{key: '2', what: 'goes to the chart', see: focus, from: 'markets', to: 'chart'},
	{key: '3', what: 'goes to the book', see: focus, from: 'markets', to: 'book'},
	{key: '4', what: 'goes to the tape', see: focus, from: 'markets', to: 'tape'},
	{key: '5', what: 'goes to the ticker', see: focus, from: 'markets', to: 'ticker'},
	{key: 'z', what: 'zooms the focused panel', see: ({ui}) => ui.zoomed, from: false, to: true},
	{key: 'z', after: ['z'], what: 'and back', see: ({ui}) => ui.zoomed, from: true, to: false},
	{key: 'space', what: 'pauses', see: ({state}) => state.paused, from: false, to: true},
	{key: 'space', after: ['space'], what: 'goes on', see: ({state}) => state.paused, from: true, to: false},
	{
		key: 'r',
		what: 'asks for everything anew',
		see: ({monitor}) => monitor.exchange.calls.candles.length,
		from: 1,
		to: 2,
	},
	{key: 'v', what: 'takes v2 only', see: ({state}) => state.choice, from: 'auto', to: 'v2'},
	{key: 'v', after: ['v'], what: 'then legacy', see: ({state}) => state.choice, from: 'v2', to: 'v1'},
	{key: 'i', what: 'opens the exchange info', see: overlay, from: undefined, to: 'info'},
	{key: 'd', what: 'opens the diagnosis', see: overlay, from: undefined, to: 'diagnosis'},
	{key: '?', what: 'opens the help', see: overlay, from: undefined, to: 'help'},
	{key: '?', after: ['?'], what: 'closes it', see: overlay, from: 'help', to: undefined},
	{key: 'esc', after: ['?'], what: 'closes it too', see: overlay, from: 'help', to: undefined},
	{key: ':', what: 'opens the command line', see: ({ui}) => ui.command, from: undefined, to: {text: ''}},
	{key: 'ctrl+z', what: 'suspends', see: ({monitor}) => monitor.suspensions.length, from: 0, to: 1},
	{key: 'ctrl+c', what: 'quits as on SIGINT', see: quits, from: [], to: [130]},
	{key: 'q', what: 'quits', see: quits, from: [], to: [0]},
	...chartCases,
	...pickerCases,
];

const seen = (monitor: OpenMonitor): Seen => ({
	ui: monitor.ui.getSnapshot(),
	state: monitor.store.getSnapshot(),
	monitor,
});

describe('keys', () => {
	test.each(cases.map(each => [[...(each.after ?? []), each.key].join(' '), each.what, each] as const))(
		'%s: %s',
		async (_keys, _what, {key, after = [], see, from, to}) => {
			const monitor = await open();
			await monitor.press(...after);
			expect(see(seen(monitor))).toEqual(from);
			await monitor.press(key);
			expect(see(seen(monitor))).toEqual(to);
		},
	);

	test('none is left untested', () => {
		const tested = new Set(cases.map(({key}) => key));
		expect(commands.flatMap(({keys}) => keys).filter(key => !tested.has(key))).toEqual([]);
	});
});

test('several keys in one piece of input each see what the one before did', async () => {
	const monitor = await open();
	await monitor.type('jjjff3+');
	const {ui} = seen(monitor);
	expect([ui.picker.cursor, [...ui.picker.favourites], ui.focus, ui.book.grouping]).toEqual([
		'SHIBUSDT',
		[],
		'book',
		{mantissa: 2, exponent: -2},
	]);
	await monitor.type('nnp');
	expect(seen(monitor).state.symbol).toBe('ETHUSDT');
});

test('while the filter is edited letters are text, also those that are keys elsewhere', async () => {
	const monitor = await open();
	await monitor.press('/');
	await monitor.type('np/q-7Z');
	expect(seen(monitor).ui.picker).toMatchObject({filter: 'np/q-7Z', editing: true});
	expect(monitor.quits).toEqual([]);
	expect(seen(monitor).state.symbol).toBe('BTCUSDT');
});

test('Backspace takes back one whole character of the filter', async () => {
	const monitor = await open();
	await monitor.press('/');
	await monitor.type('a😀');
	await monitor.press('backspace');
	expect(seen(monitor).ui.picker.filter).toBe('a');
	await monitor.press('backspace', 'backspace');
	expect(seen(monitor).ui.picker).toMatchObject({filter: '', editing: true});
});

test('keys are text for the amount to fill until Enter, and Esc clears it', async () => {
	const monitor = await open();
	await monitor.type('a2 btcx');
	await monitor.press('backspace');
	expect(seen(monitor).ui.book.fill).toEqual({text: '2 btc', editing: true});
	await monitor.press('enter');
	expect(seen(monitor).ui.book.fill).toEqual({text: '2 btc', editing: false});
	expect(monitor.frame()).toMatch(/fill 2 btc/);
	expect(monitor.frame()).toMatch(/┃ buy {2}61,824\.34 {3}0\.05 bp {2}124 k {2}┃/);
	await monitor.press('esc');
	expect(seen(monitor).ui.book.fill).toEqual({text: '', editing: false});
});

test('Ctrl-W takes back a word of what is typed, Ctrl-U all of it', async () => {
	const monitor = await open();
	await monitor.type('a2 btc');
	await monitor.press('ctrl+w');
	expect(seen(monitor).ui.book.fill.text).toBe('2 ');
	await monitor.press('ctrl+u', 'enter', '/', 'e', 't', 'ctrl+u', 's');
	expect([seen(monitor).ui.book.fill.text, seen(monitor).ui.picker.filter]).toEqual(['', 's']);
});

test('the filter with Enter watches the best match and leaves the filter', async () => {
	const monitor = await open();
	await monitor.press('/');
	await monitor.type('eth\r');
	const {ui, state} = seen(monitor);
	expect(state.symbol).toBe('ETHUSDT');
	expect(ui.picker).toMatchObject({filter: '', editing: false});
});

test('Enter on a filter that nothing matches changes nothing', async () => {
	const monitor = await open();
	await monitor.press('/');
	await monitor.type('zzz\r');
	expect(seen(monitor).state.symbol).toBe('BTCUSDT');
	expect(monitor.frame()).toContain('no match, Esc clears');
});

test('the arrows choose among the matches while the filter is edited', async () => {
	const monitor = await open();
	await monitor.press('/', 'e', 't', 'h', 'down', 'enter');
	expect(seen(monitor).state.symbol).toBe('ETHBTC');
});

test.each([['/'], ['?'], ['i'], ['d'], ['space']])('Ctrl-C quits after %s', async key => {
	const monitor = await open();
	await monitor.press(key, 'ctrl+c');
	expect(monitor.quits).toEqual([130]);
});

test('Esc closes what is innermost: overlay, filter, zoom, the picker that covers, then winds back', async () => {
	const monitor = await open(small);
	await monitor.press('left', '1', 'z', '/');
	await monitor.type('b');
	// Overlays open over the filter only when it is no longer edited.
	monitor.ui.update(withoutEditing);
	await monitor.press('?');
	const look = () => {
		const {overlay, picker, zoomed, focus: panel} = seen(monitor).ui;
		return [overlay, picker.filter, zoomed, panel, offset(seen(monitor))];
	};
	const steps = [look()];
	for (let step = 0; step < 5; step++) {
		await monitor.press('esc');
		steps.push(look());
	}

	expect(steps).toEqual([
		['help', 'b', true, 'markets', 5],
		[undefined, 'b', true, 'markets', 5],
		[undefined, '', true, 'markets', 5],
		[undefined, '', false, 'markets', 5],
		[undefined, '', false, 'chart', 5],
		[undefined, '', false, 'chart', 0],
	]);
});

test('in the small layout the picker gives way to the chart when a market was chosen', async () => {
	const monitor = await open(small);
	await monitor.press('1', 'j', 'enter');
	expect([seen(monitor).ui.focus, seen(monitor).state.symbol]).toEqual(['chart', 'ETHUSDT']);
});

test('another market begins at its own spread, newest trade, newest candle and finest price step', async () => {
	const monitor = await open();
	await monitor.press('3', '+', 'j', '4', 'j', 'left', 'n');
	const {book, tape} = seen(monitor).ui;
	expect([book, tape, offset(seen(monitor))]).toEqual([
		{
			view: 'ladder',
			zoom: 0,
			grouping: undefined,
			anchor: undefined,
			total: 'total',
			fill: {text: '', editing: false},
		},
		{minimum: 0, merged: false, anchor: undefined},
		0,
	]);
});

test('the last and the first market are the ends of n and p', async () => {
	const monitor = await open();
	await monitor.press('p');
	expect(seen(monitor).state.symbol).toBe('BTCUSDT');
	await monitor.press('G', 'enter', 'n');
	expect(seen(monitor).state.symbol).toBe('NEWUSDT');
});

test('n goes through all markets in the order of the picker, whatever it is filtered by', async () => {
	const monitor = await open();
	await monitor.press('/');
	await monitor.type('shib');
	monitor.ui.update(withoutEditing);
	await monitor.press('n');
	expect(seen(monitor).state.symbol).toBe('ETHUSDT');
});

test('a help that is longer than the screen scrolls to its last row and no further', async () => {
	const monitor = await open({columns: 40, rows: 12});
	await monitor.press('?', 'G', 'j', 'pgdn');
	expect(monitor.rows().at(-3)).toMatch(/^┃ +answer +┃$/);
	await monitor.press('k');
	expect(monitor.rows().at(-3)).not.toMatch(/^┃ +answer +┃$/);
});
