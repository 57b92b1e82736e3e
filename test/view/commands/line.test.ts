import {describe, expect, test} from 'vitest';
import {candidates, commandIn} from '../../../source/view/commands/line.ts';
import {commands} from '../../../source/view/commands/table.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {type OpenMonitor, openMonitor} from '../monitor.tsx';

const standard = {columns: 120, rows: 40};
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
const known = {
	...state,
	lists: new Map([
		['calm', new Set<string>()],
		['wild', new Set<string>()],
	]),
};

async function open(size = standard): Promise<OpenMonitor> {
	const monitor = await openMonitor({size});
	await monitor.clock.advance(300);
	return monitor;
}

const look = ({store, ui}: OpenMonitor) => ({...ui.getSnapshot(), state: store.getSnapshot()});

describe('a command does what it says', () => {
	test.each<readonly [string, (seen: ReturnType<typeof look>) => unknown, unknown]>([
		['market eth_usdt', ({state}) => state.symbol, 'ETHUSDT'],
		['MARKET  eth/btc ', ({state}) => state.symbol, 'ETHBTC'],
		['next-market', ({state}) => state.symbol, 'ETHUSDT'],
		['period 4h', ({state}) => state.period, 240],
		['period 45', ({state}) => state.period, 45],
		['longer-period', ({state}) => state.period, 120],
		['sort change', ({picker}) => picker.sort, 'change'],
		['sort', ({picker}) => picker.sort, 'name'],
		['reverse-sort', ({picker}) => picker.reversed, true],
		['quote-asset btc', ({picker}) => picker.quote, 'BTC'],
		['filter sol', ({focus, picker}) => [focus, picker.filter, picker.editing], ['markets', 'sol', false]],
		['fill 2 btc', ({focus, book}) => [focus, book.fill], ['book', {text: '2 btc', editing: false}]],
		['fill', ({book}) => book.fill, {text: '', editing: true}],
		['chart-type heikin-ashi', ({chart}) => chart.type, 'heikin-ashi'],
		['indicators macd', ({chart}) => [...chart.indicators], ['macd']],
		['logarithmic', ({chart}) => chart.log, true],
		['book-view heatmap', ({book}) => book.view, 'heatmap'],
		['grouping 0.5', ({book}) => book.grouping, {mantissa: 5, exponent: -1}],
		['min-size 0.5', ({tape}) => tape.minimum, 0.5],
		['merge-fills', ({tape}) => tape.merged, true],
		['interface legacy', ({state}) => state.choice, 'v1'],
		['interface', ({state}) => state.choice, 'v2'],
		[
			'compare btc/usdt ethbtc btcusdt',
			({overlay, compared}) => [overlay, compared],
			['compare', ['BTCUSDT', 'ETHBTC']],
		],
		['go-to-tape', ({focus}) => focus, 'tape'],
		['zoom', ({zoomed}) => zoomed, true],
		['pause', ({state}) => state.paused, true],
		['pau', ({state}) => state.paused, true],
		['help', ({overlay}) => overlay, 'help'],
	])(':%s', async (text, see, expected) => {
		const monitor = await open();
		expect(see(look(monitor))).not.toEqual(expected);
		await monitor.type(`:${text}\r`);
		expect(see(look(monitor))).toEqual(expected);
		expect(look(monitor).command).toBeUndefined();
	});

	test.each(['quit', 'q'])(':%s', async text => {
		const monitor = await open();
		await monitor.type(`:${text}\r`);
		expect(monitor.quits).toEqual([0]);
	});

	test(':quote-asset all takes the choice back', async () => {
		const monitor = await open();
		await monitor.type(':quote-asset btc\r:quote-asset ALL\r');
		expect(look(monitor).picker.quote).toBeUndefined();
	});
});

test('lists are filled, shown, emptied and forgotten by name', async () => {
	const monitor = await open();
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

test('a market is put on a list from under the cursor', async () => {
	const monitor = await open();
	await monitor.type('jj:list-add calm\r');
	expect([...(look(monitor).picker.lists.get('calm') ?? [])]).toEqual(['SOLUSDT']);
});

describe('what cannot be done is said, and can be mended', () => {
	test.each([
		['market btcusd', 'there is no market btcusd; nearest are BTCUSDT, '],
		['market', 'market takes a market such as btcusdt'],
		['period soon', 'period takes a period such as 45 (minutes), 4h, 3d, 2w'],
		['sort colour', 'sort takes volume, name, change, last or spread'],
		['quote-asset XYZ', 'there is no quote asset XYZ; there are USDT, BTC'],
		['grouping 3', 'grouping takes 0.01, 0.02, 0.05, 0.1, '],
		['min-size much', 'min-size takes a size in base asset such as 0.5, or 0 for all'],
		['fill 2 doge', 'fill takes an amount such as 2, 2 btc, 5000 usdt'],
		['fill nothing', 'fill takes an amount such as 2, 2 btc, 5000 usdt'],
		['fill 0', 'fill takes an amount such as 2, 2 btc, 5000 usdt'],
		['list calm', 'there is no list calm; :list-add calm makes one'],
		['compare btcusdt BTC_USDT', 'compare takes 2 to 6 markets'],
		['compare btcusdt nosuch', 'there is no market nosuch; nearest are '],
		['list-add calm nosuch', 'there is no market nosuch; nearest are'],
		['list-add', 'list-add takes a list, then markets'],
		['list-add all', 'give the list a name'],
		['zoom in', 'zoom takes nothing'],
		['pa', 'pa can be page-down, page-up, pause'],
		['frobnicate', 'there is no command frobnicate; Tab lists them'],
		['mraket btcusdt', 'there is no command mraket; did you mean market?'],
	])(':%s', async (text, fault) => {
		const monitor = await open();
		await monitor.type(`:${text}\r`);
		const {command} = look(monitor);
		expect(command?.text).toBe(text);
		expect(command?.fault?.slice(0, fault.length)).toBe(fault);
		expect(monitor.rows().at(-2)).toContain(command?.fault);
		await monitor.press('backspace');
		expect(look(monitor).command).toEqual({text: text.slice(0, -1)});
	});
});

test('an amount of another market is refused with the assets of this one, and the last one stays', async () => {
	const monitor = await open();
	await monitor.type(':market ethbtc\r:fill 2 eth\r:fill 2 usdt\r');
	const {command, book} = look(monitor);
	expect(command?.fault).toBe('fill takes an amount such as 2, 2 eth, 5000 btc');
	expect(book.fill).toEqual({text: '2 eth', editing: false});
});

describe('while it is open', () => {
	test('keys are text, also those that are keys elsewhere', async () => {
		const monitor = await open();
		await monitor.type(':q n1?');
		expect(look(monitor).command).toEqual({text: 'q n1?'});
		expect(monitor.quits).toEqual([]);
	});

	test('Esc, and Backspace of nothing, close it and nothing else', async () => {
		const monitor = await open();
		await monitor.press('z', ':', 's', 'esc');
		expect([look(monitor).command, look(monitor).zoomed]).toEqual([undefined, true]);
		await monitor.press(':', 's', 'backspace', 'backspace');
		expect([look(monitor).command, look(monitor).zoomed]).toEqual([undefined, true]);
	});

	test('Ctrl-C quits', async () => {
		const monitor = await open();
		await monitor.press(':', 'ctrl+c');
		expect(monitor.quits).toEqual([130]);
	});

	test('Enter on nothing closes it', async () => {
		const monitor = await open();
		await monitor.type(':\r');
		expect(look(monitor).command).toBeUndefined();
	});

	test('Tab goes through what the text can become, and Shift-Tab back', async () => {
		const monitor = await open();
		const texts: (string | undefined)[] = [];
		await monitor.type(':so');
		for (const key of ['tab', ' ', 'tab', 'tab', 'shift+tab', 'shift+tab']) {
			await monitor.press(key);
			texts.push(look(monitor).command?.text);
		}

		expect(texts).toEqual(['sort ', 'sort  ', 'sort volume', 'sort name', 'sort volume', 'sort spread']);
		await monitor.press('enter');
		expect(look(monitor).picker.sort).toBe('spread');
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
		['removes two words', ['ctrl+w', 'ctrl+w'], '', ''],
		['removes all before the cursor', ['left', 'ctrl+u'], 'e', 'e'],
		['removes all after it', ['home', 'right', 'ctrl+k'], 's', ''],
	])('%s', async (_, keys, text, after) => {
		const monitor = await open();
		await monitor.type(':sort name');
		await monitor.press(...keys);
		expect(look(monitor).command).toEqual(after === '' ? {text} : {text, after});
	});

	test('Up and Down go through the lines that were entered and begin as what is typed', async () => {
		const monitor = await open();
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
		const monitor = await open();
		await monitor.type(':market shib');
		await monitor.press('tab', 'enter');
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
	['compare ethbtc eth/u', 'compare ethbtc ETHUSDT'],
	['list-add w', 'list-add wild '],
	['list-remove', 'list-remove '],
	['list w', 'list wild'],
	['list a', 'list all'],
	['list-drop c', 'list-drop calm'],
	['filter eth', 'filter ETHBTC'],
	['fill 2 ', 'fill 2 btc'],
	['fill 5,000 u', 'fill 5,000 usdt'],
	['list-add calm eth/u', 'list-add calm ETHUSDT'],
])('%j can become %j first', (text, first) => {
	expect(candidates(text, known)[0]).toBe(first);
});

test('nothing is offered where nothing fits', () => {
	expect(candidates('market zzz', known)).toEqual([]);
	expect(candidates('zoom i', known)).toEqual([]);
	expect(candidates('nosuch ', known)).toEqual([]);
});

test('every first candidate of a name is the command itself', () => {
	for (const {name, fixed} of commands) if (!fixed) expect(commandIn(name)?.name).toBe(name);
});
