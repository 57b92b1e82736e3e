import {describe, expect, test} from 'vitest';
import {commands} from '../../../source/view/commands/table.ts';
import {candidates, commandIn} from '../../../source/view/commands/typed-command.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {zoneOf} from '../../helpers/zones.ts';
import {openMonitor} from '../monitor.tsx';
import {type Headless, openHeadless} from './headless.ts';

const state = marketState({
	symbol: 'BTCUSDT',
	markets: received(
		['BTC/USDT', 'ETH/USDT', 'ETH/BTC'].map(pair => {
			const [base, quote] = pair.split('/');
			return {symbol: pair.replace('/', ''), base, quote, state: 'active'};
		}),
		0,
	),
});
const vocabulary = {
	...state,
	lists: new Map([
		['calm', new Set<string>()],
		['wild', new Set<string>()],
	]),
};

const look = ({outcome}: Headless) => ({...outcome().ui, state: outcome().state, alerts: outcome().alerts});

const cases: ReadonlyArray<readonly [line: string, see: (outcome: ReturnType<typeof look>) => unknown, to: unknown]> = [
	['market eth_usdt', ({state}) => state.symbol, 'ETHUSDT'],
	['MARKET  eth/btc ', ({state}) => state.symbol, 'ETHBTC'],
	['next-market', ({state}) => state.symbol, 'ETHUSDT'],
	['pau', ({state}) => state.paused, true],
	['h', ({overlay}) => overlay, 'help'],
	['period 4h', ({state}) => state.period, 240],
	['period 45', ({state}) => state.period, 45],
	['sort change', ({picker}) => picker.sort, 'change'],
	['sort', ({picker}) => picker.sort, 'name'],
	['columns volume, last', ({picker}) => picker.columns, ['volume', 'last']],
	['columns last 1h 4h 7d rvol', ({picker}) => picker.columns, ['last', '1h', '4h', '7d', 'rvol']],
	['sort 1h', ({picker}) => picker.sort, '1h'],
	['sort RVOL', ({picker}) => picker.sort, 'rvol'],
	['quote-asset btc', ({picker}) => picker.quote, 'BTC'],
	['filter sol', ({focus, picker}) => [focus, picker.filter, picker.editing], ['markets', 'sol', false]],
	['compare btc/usdt ethbtc btcusdt', ({compared}) => compared, ['BTCUSDT', 'ETHBTC']],
	['list-add calm eth/btc', ({picker}) => [...picker.lists.keys()], ['calm']],
	['fill 2 btc', ({focus, book}) => [focus, book.fill], ['book', {text: '2 btc', editing: false}]],
	['fill', ({book}) => book.fill, {text: '', editing: true}],
	['chart-type heikin-ashi', ({chart}) => chart.type, 'heikin-ashi'],
	['indicators macd', ({chart}) => [...chart.indicators], ['macd']],
	['sma 20 50 200', ({chart}) => [[...chart.indicators], chart.lengths.sma], [['sma'], [20, 50, 200]]],
	['ema 12, 26', ({chart}) => [[...chart.indicators], chart.lengths.ema], [['ema'], [12, 26]]],
	['bollinger 30 2.5', ({chart}) => [[...chart.indicators], chart.lengths.bollinger], [['bollinger'], [30, 2.5]]],
	['rsi 21', ({chart}) => [[...chart.indicators], chart.lengths.rsi], [['rsi'], [21]]],
	['macd 5 35 5', ({chart}) => [[...chart.indicators], chart.lengths.macd], [['macd'], [5, 35, 5]]],
	['atr 7', ({chart}) => [[...chart.indicators], chart.lengths.atr], [['atr'], [7]]],
	[
		'volume-average 50',
		({chart}) => [[...chart.indicators], chart.lengths['volume-average']],
		[['volume-average'], [50]],
	],
	['profile', ({chart}) => [...chart.indicators], ['profile']],
	['vwap', ({chart}) => [...chart.indicators], ['vwap']],
	['profile ON', ({chart}) => [...chart.indicators], ['profile']],
	['rsi on', ({chart}) => [[...chart.indicators], chart.lengths.rsi], [['rsi'], [14]]],
	['book-view heatmap', ({book}) => book.view, 'heatmap'],
	['grouping 0.5', ({book}) => book.grouping, {mantissa: 5, exponent: -1}],
	['min 0.5', ({tape}) => tape.minimum, {size: 0.5, unit: 'base'}],
	['min-size 10k usdt', ({tape}) => tape.minimum, {size: 10_000, unit: 'quote'}],
	['layout book', ({focus, layouts}) => [focus, layouts.standard?.preset], ['book', 'book']],
	['hide tape', ({layouts}) => [...(layouts.standard?.hidden ?? [])], ['tape']],
	['interface legacy', ({state}) => state.choice, 'legacy'],
	['interface', ({state}) => state.choice, 'v2'],
	['alert last crosses 70000', ({alerts}) => alerts.entries.map(({id}) => id), ['BTCUSDT last crosses 70000']],
	['help sma', ({overlay, helpFind}) => [overlay, helpFind], ['help', {text: 'sma', editing: false}]],
	['alerts', ({overlay}) => overlay, 'alerts'],
	['settings', ({overlay}) => overlay, 'settings'],
	['set', ({overlay}) => overlay, 'settings'],
	['set period=4h', ({state}) => state.period, 240],
	['set timezone europe/berlin', ({zone}) => zone, zoneOf('Europe/Berlin')],
];
/** Commands whose arguments other tests prove. */
const provenElsewhere = [
	'theme',
	'vwap',
	'avwap',
	'footprint',
	'profile',
	'level',
	'holding',
	'list',
	'list-remove',
	'list-drop',
	'goto',
	'speed',
	'record',
	'show',
];

describe('a line runs its command', () => {
	test.each(cases)(':%s', async (text, see, expected) => {
		const monitor = await openHeadless();
		expect(see(look(monitor))).not.toEqual(expected);
		await monitor.type(`:${text}\r`);
		expect(see(look(monitor))).toEqual(expected);
		expect(look(monitor).command).toBeUndefined();
	});

	test.each(['quit', 'qui', 'q', 'q!', 'qa', 'wq', 'x', 'exit'])(':%s', async text => {
		const monitor = await openHeadless();
		await monitor.type(`:${text}\r`);
		expect(monitor.outcome().quits).toEqual([0]);
	});

	test(':quote-asset all shows every market again', async () => {
		const monitor = await openHeadless();
		await monitor.type(':quote-asset btc\r:quote-asset ALL\r');
		expect(look(monitor).picker.quote).toBeUndefined();
	});

	test(':columns default shows what there is room for again', async () => {
		const monitor = await openHeadless();
		await monitor.type(':columns last volume\r:columns DEFAULT\r');
		expect(look(monitor).picker.columns).toBeUndefined();
	});

	test('every argument is tested', () => {
		const proven = new Set([...provenElsewhere, ...cases.flatMap(([text]) => /^(\S+) /.exec(text)?.[1] ?? [])]);
		expect(commands.filter(({name, argument}) => argument && !proven.has(name))).toEqual([]);
	});
});

test('a screen draws the line while it is typed and what is wrong with it', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	await monitor.type(':sort colour\r');
	// What does not fit is left out, not cut.
	expect(monitor.frame()).toMatch(/^ :sort colour▏ {2}cannot sort by colour$/m);
});

test('lists are filled, shown, emptied and deleted by name', async () => {
	const monitor = await openHeadless();
	const lists = () => [...look(monitor).picker.lists].map(([name, symbols]) => [name, [...symbols]]);
	await monitor.type(':list-add calm eth-usdt btc/usdt\r');
	await monitor.type(':list-add calm BTCUSDT\r:list-add wild\r');
	expect(lists()).toEqual([
		['calm', ['ETHUSDT', 'BTCUSDT']],
		['wild', ['BTCUSDT']],
	]);
	await monitor.type(':list calm\r');
	expect(look(monitor).picker.list).toBe('calm');
	await monitor.type(':list-remove calm btcusdt\r:list-drop wild\r');
	expect(lists()).toEqual([['calm', ['ETHUSDT']]]);
	await monitor.type(':list-drop calm\r');
	expect([lists(), look(monitor).picker.list]).toEqual([[], undefined]);
});

test('a list takes the market under the cursor', async () => {
	const monitor = await openHeadless();
	await monitor.type('jj:list-add calm\r');
	expect([...(look(monitor).picker.lists.get('calm') ?? [])]).toEqual(['SOLUSDT']);
});

test('an indicator is toggled by its name, and hidden by off, with the lengths that were set', async () => {
	const monitor = await openHeadless();
	const chosen = () => [[...look(monitor).chart.indicators], look(monitor).chart.lengths.sma];
	const seen: unknown[] = [];
	for (const line of ['sma 20 50', 'sma', 'sma', 'sma off', 'sma OFF', 'vwap off']) {
		await monitor.type(`:${line}\r`);
		seen.push(chosen());
	}

	const [on, off] = [
		[['sma'], [20, 50]],
		[[], [20, 50]],
	];
	expect(seen).toEqual([on, off, on, off, off, off]);
});

describe('a line with a fault stays open', () => {
	test.each([
		[
			'sma 0',
			'0 is not a whole number from 2 to 1,000; sma takes 1 to 4 lengths from 2 to 1,000, such as 20 50 200, on or off',
		],
		['sma 5 10 20 50 100', 'expected at most 4 lengths, got 5; '],
		['ema 20 20', 'a length is given twice; '],
		['rsi x', 'x is not a number; rsi takes a length from 2 to 1,000, such as 21, on or off'],
		['rsi 14 21', 'expected one length, got 2; '],
		['macd 26 12 9', 'the first length must be below the second; '],
		['bollinger 20 0', '0 is not from 0.1 to 10; '],
		['vwap 20', 'vwap takes on or off'],
		['market btcusd', 'no market btcusd; did you mean BTCUSDT, '],
		['market', 'market takes a market such as btcusdt'],
		['period soon', 'soon is not a period; period takes a period such as 45 (minutes), 4h, 2w, 1M'],
		['period 1.5h', 'write 90m for 1.5h; period takes '],
		[
			'sort colour',
			'cannot sort by colour; choose from volume, name, change, last, spread, range, high, low, bid, ask, age, trend, holding, value, profit, 1h, 4h, 7d, rvol or manual',
		],
		['columns last pricee', 'no column pricee; choose from last, change, 1h, 4h, '],
		['columns last volum', 'no column volum; did you mean volume?'],
		['columns last default', 'default stands alone'],
		['quote-asset XYZ', 'no quote asset XYZ; choose from USDT, BTC'],
		['grouping 3', 'grouping takes 0.01, 0.02, 0.05, 0.1, '],
		['min-size -1', 'a minimum is 0 or more; min takes 0.5, 0.5 btc, 10k usdt, off'],
		['fill 2 doge', 'doge is neither BTC nor USDT; fill takes 2, 2 btc, 5000 usdt'],
		['fill 0', 'an amount is above 0; fill takes 2, 2 btc, 5000 usdt'],
		['list calm', 'no list calm; create it with list-add calm'],
		['compare btcusdt BTC_USDT', 'compare takes 2 to 6 markets'],
		['compare btcusdt nosuch', 'no market nosuch'],
		['list-add calm nosuch', 'no market nosuch'],
		['list-add', 'list-add takes a list, then markets'],
		['list-add all', 'list-add needs the name of a list, other than all'],
		['zoom in', 'zoom takes no argument'],
		['list', 'no lists yet; list-add makes one'],
		['filter zzz', 'no match for zzz'],
		['e', 'e is too short; did you mean ema?'],
		['p', 'p is ambiguous: page-down, page-up, pause, period, previous-market, previous-panel, profile'],
		['frobnicate', 'unknown command frobnicate; Tab on an empty line lists all'],
		['least-size 2', 'unknown command least-size; it is now called min'],
		['mraket btcusdt', 'unknown command mraket; did you mean market?'],
	])(':%s', async (text, fault) => {
		const monitor = await openHeadless();
		await monitor.type(`:${text}\r`);
		await monitor.wait(300);
		const {command} = look(monitor);
		expect(command?.text).toBe(text);
		expect(command?.fault?.slice(0, fault.length)).toBe(fault);
		await monitor.press('backspace');
		expect(look(monitor).command).toEqual({text: text.slice(0, -1)});
	});
});

test('an amount in an asset of another market keeps the last one', async () => {
	const monitor = await openHeadless();
	await monitor.type(':market ethbtc\r:fill 2 eth\r:fill 2 usdt\r');
	const {command, book} = look(monitor);
	expect(command?.fault).toBe('usdt is neither ETH nor BTC; fill takes 2, 2 eth, 5000 btc');
	expect(book.fill).toEqual({text: '2 eth', editing: false});
});

describe('an open line', () => {
	test('takes every character as text', async () => {
		const monitor = await openHeadless();
		await monitor.type(':q n1?');
		expect(look(monitor).command).toEqual({text: 'q n1?'});
		expect(monitor.outcome().quits).toEqual([]);
	});

	test('closes on Esc and on Backspace in an empty line, and closes nothing else', async () => {
		const monitor = await openHeadless();
		await monitor.press('z : s esc');
		expect([look(monitor).command, look(monitor).zoomed]).toEqual([undefined, true]);
		await monitor.press(': s backspace backspace');
		expect([look(monitor).command, look(monitor).zoomed]).toEqual([undefined, true]);
	});

	test('closes on Enter when it is empty', async () => {
		const monitor = await openHeadless();
		await monitor.type(':\r');
		expect(look(monitor).command).toBeUndefined();
	});

	test('Tab goes through the candidates, Shift-Tab back', async () => {
		const monitor = await openHeadless();
		const texts: (string | undefined)[] = [];
		await monitor.type(':so');
		for (const key of ['tab', 'space', 'tab', 'tab', 'shift+tab', 'shift+tab', 'shift+tab']) {
			await monitor.press(key);
			texts.push(look(monitor).command?.text);
		}

		expect(texts).toEqual(['sort ', 'sort  ', 'sort volume', 'sort name', 'sort volume', 'sort manual', 'sort rvol']);
		await monitor.press('enter');
		expect(look(monitor).picker.sort).toBe('rvol');
	});

	test.each([
		['moves the cursor, which takes what is typed', ['left', 'left', 'X', 'home', 'Y', 'end', 'Z'], 'Ysort naXmeZ', ''],
		[
			'moves it by the keys of a shell',
			['ctrl+a', 'A', 'ctrl+f', 'B', 'ctrl+e', 'C', 'ctrl+b', 'D'],
			'AsBort nameDC',
			'C',
		],
		['removes before, and under the cursor', ['left', 'backspace', 'ctrl+d', 'right'], 'sort na', ''],
		['removes a word', ['ctrl+w'], 'sort ', ''],
		['removes all before the cursor', ['left', 'ctrl+u'], 'e', 'e'],
		['removes all after it', ['home', 'right', 'ctrl+k'], 's', ''],
	])('%s', async (_, keys, text, after) => {
		const monitor = await openHeadless();
		await monitor.type(':sort name');
		await monitor.press(keys.join(' '));
		expect(look(monitor).command).toEqual(after === '' ? {text} : {text, after});
	});

	test('Up and Down go through the entered lines that begin as the typed text', async () => {
		const monitor = await openHeadless();
		await monitor.type(':sort name\r:period 4h\r:nosuch\r');
		await monitor.press('esc');
		await monitor.type(':sort name\r:');
		const texts: (string | undefined)[] = [];
		for (const key of ['up', 'up', 'up', 'up', 'down', 'down', 'down', 'p', 'up', 'up', 'down', 'down']) {
			await monitor.press(key);
			texts.push(look(monitor).command?.text);
		}

		const back = ['sort name', 'nosuch', 'period 4h', 'period 4h', 'nosuch', 'sort name', ''];
		expect(texts).toEqual([...back, 'p', 'period 4h', 'period 4h', 'p', 'p']);
	});

	test('Tab completes a market from any part of its name', async () => {
		const monitor = await openHeadless();
		await monitor.type(':market shib');
		await monitor.press('tab enter');
		expect(look(monitor).state.symbol).toBe('SHIBUSDT');
	});
});

test.each([
	['', 'active-only'],
	['mar', 'market '],
	['view', 'book-view '],
	['market eth', 'market ETHBTC'],
	['market eth/u', 'market ETHUSDT'],
	['quote-asset b', 'quote-asset BTC'],
	['period 1', 'period 1m'],
	['sor n', 'sort name'],
	['columns last l', 'columns last low'],
	['columns de', 'columns default'],
	['compare ethbtc eth/u', 'compare ethbtc ETHUSDT'],
	['list-add w', 'list-add wild '],
	['list-remove', 'list-remove '],
	['list a', 'list all'],
	['filter eth', 'filter ETHBTC'],
	['fill 2 ', 'fill 2 btc'],
	['fill 5,000 u', 'fill 5,000 usdt'],
	['list-add calm eth/u', 'list-add calm ETHUSDT'],
	['min ', 'min 0.5 btc'],
	['min 25k u', 'min 25k usdt'],
])('%j can become %j first', (text, first) => {
	expect(candidates(text, vocabulary)[0]).toBe(first);
});

test('no candidate is offered where none fits', () => {
	expect(candidates('market zzz', vocabulary)).toEqual([]);
	expect(candidates('zoom i', vocabulary)).toEqual([]);
	expect(candidates('nosuch ', vocabulary)).toEqual([]);
});

test('every full name is its own command, also where it begins another', () => {
	for (const {name, keysOnly} of commands) if (!keysOnly) expect(commandIn(name)?.name).toBe(name);
});

test('commands that a screen does not have are neither offered nor found', () => {
	const without = commands.filter(({name}) => name !== 'diagnosis');
	expect([candidates('diag', vocabulary), commandIn('diag')?.name]).toEqual([['diagnosis'], 'diagnosis']);
	expect([candidates('diag', vocabulary, without), commandIn('diagnosis', without)]).toEqual([[], undefined]);
});

test('goto says that the candles are still loading', async () => {
	const monitor = await openHeadless();
	await monitor.type(':period 4h\r:goto -2d\r');
	expect(monitor.outcome().ui.command?.fault).toBe('the candles are still loading');
});
