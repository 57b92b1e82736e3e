/** Alerts in the monitor: typed, listed, fired and acknowledged. */
import {describe, expect, test} from 'vitest';
import {printRule} from '../../source/alerts/rule.ts';
import type {Size} from '../../source/format/cells.ts';
import {openHeadless} from './commands/headless.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';

const sizes = [
	['120x40', {columns: 120, rows: 40}],
	['80x24', {columns: 80, rows: 24}],
	['40x12', {columns: 40, rows: 12}],
] as const;

async function loaded(size: Size): Promise<OpenMonitor> {
	const monitor = await openMonitor({size});
	await monitor.clock.advance(2000);
	return monitor;
}

const last = (monitor: {rows(): readonly string[]}, count: number) =>
	monitor
		.rows()
		.slice(-count)
		.map(row => row.trimEnd());

test.each([
	['last crosses 70000', 'BTCUSDT last crosses 70000', 'alert added'],
	['eth/usdt changePercent(5m) < -2 every 10m', 'ETHUSDT changePercent(5m) < -2 every 10m', 'alert added'],
	['* last > 5', '* last > 5', 'alert added: no favourites yet'],
	['changePercent > 5', 'BTCUSDT changePercent > 5', 'alert added: by the 24 h ticker, delayed'],
])(':alert %s', async (text, id, notice) => {
	const {type, outcome} = await openHeadless();
	await type(`:alert ${text}\r`);
	expect(outcome().alerts.entries.map(entry => [entry.id, entry.origin])).toEqual([[id, 'user']]);
	expect([outcome().ui.command, outcome().ui.notice]).toEqual([undefined, notice]);
});

test.each([
	['lst > 5', 'lst > 5', 'unknown quantity lst; did you mean last?'],
	['ETHUSDX last > 5', 'ETHUSDX last > 5', 'no market ETHUSDX; did you mean ETHUSDT'],
	['--list clam last > 5', 'clam last > 5', 'no list clam; did you mean calm?'],
	['change(0s) > 5', '0s) > 5', 'a time here is from 1s to 7d'],
])('a mistake is named with its place: %s', async (text, from, fault) => {
	const {type, wait, outcome} = await openHeadless();
	await type(`:list-add calm\r:alert ${text}\r`);
	await wait(300);
	expect(outcome().alerts.entries).toEqual([]);
	const {text: line, after = '', fault: said} = outcome().ui.command ?? {text: ''};
	expect([line, after, said?.slice(0, fault.length)]).toEqual([`alert ${text}`, from, fault]);
});

test('an alert on what the chosen interface never shows is refused with the reason', async () => {
	const {type, outcome} = await openHeadless();
	await type(':interface legacy\r:alert last > sma(50, 1h)\r');
	expect(outcome().ui.command).toEqual({
		text: 'alert last > sma(50, 1h)',
		after: 'sma(50, 1h)',
		fault: 'sma(50, 1h) is never available: the legacy interface has no candles; type interface auto',
	});
	expect(outcome().alerts.entries).toEqual([]);
});

test.each([
	['ETHUSDT tradeSize > 5', 'alert added: up to 44 s late'],
	['tradeSize > 5', 'alert added'],
])(
	'an alert says how late it can come where markets in the background wait for their turns: %s',
	async (text, notice) => {
		const {type, exchange, outcome} = await openHeadless();
		exchange.currentBudget = {used: 0, allowed: 0.05};
		await type(':alert DOGEUSDT tradeSize > 5\r');
		await type(`:alert ${text}\r`);
		expect(outcome().ui.notice).toBe(notice);
	},
);

test('no more alerts are stated than there may be, and those that there are can be changed', async () => {
	const {type, outcome} = await openHeadless(undefined, {}, undefined, undefined, 2);
	await type(':alert last > 999999\r:alert last > 999998\r:alert last > 999997\r');
	expect(outcome().ui.command?.fault).toBe('you have 2 alerts, the maximum');
	await type('\u001B!\r');
	await type('\u007F'.repeat(6));
	await type('777777\r');
	expect(outcome().alerts.entries.map(({id}) => id)).toEqual(['BTCUSDT last > 999999', 'BTCUSDT last > 777777']);
});

test('an alert that fired is armed anew when it is stated again', async () => {
	const monitor = await loaded({columns: 120, rows: 40});
	await monitor.type(':alert last > 1\r');
	await monitor.clock.advance(3000);
	await monitor.type(':alert last > 1\r');
	await monitor.clock.advance(3000);
	const {entries, unseen} = monitor.alerts.getSnapshot();
	expect([entries.length, unseen.length, monitor.ui.getSnapshot().notice]).toEqual([1, 2, 'alert armed again']);
});

test('Esc acknowledges the newest alert with all that its rule fired before', async () => {
	const monitor = await loaded({columns: 120, rows: 40});
	await monitor.type(':alert last > 2\r');
	for (let times = 0; times < 3; times++) {
		await monitor.type(':alert last > 1\r');
		await monitor.clock.advance(3000);
	}

	const waiting = () => monitor.alerts.getSnapshot().unseen.map(({rule}) => printRule(rule));
	const before = waiting();
	await monitor.type('\u001B');
	await monitor.clock.advance(1000);
	expect([before, waiting()]).toEqual([
		[...Array.from({length: 3}, () => 'BTCUSDT last > 1'), 'BTCUSDT last > 2'],
		['BTCUSDT last > 2'],
	]);
});

test('an edited alert takes the place of the former one', async () => {
	const {press, type, outcome} = await openHeadless();
	await type(':alert last > 999999\r:alert last < 1\r!');
	await press('e backspace 8 enter');
	expect(outcome().alerts.entries.map(({id}) => id)).toEqual(['BTCUSDT last > 999999', 'BTCUSDT last < 8']);
	await press('e esc : a l e r t space b i d > 1 enter');
	expect(outcome().alerts.entries.length).toBe(3);
});

test('an edited alert with a mistake still takes the place of the former one', async () => {
	const {press, type, outcome} = await openHeadless();
	await type(':alert last > 999999\r!');
	await press('e backspace x enter');
	const line = outcome().ui.command;
	await press('ctrl+k ctrl+u');
	await type('alert last > 8\r');
	expect([line?.replaces, outcome().alerts.entries.map(({id}) => id)]).toEqual([
		'BTCUSDT last > 999999',
		['BTCUSDT last > 8'],
	]);
});

test('an alert that was deleted while it was edited is added', async () => {
	const {press, type, alerts, outcome} = await openHeadless();
	await type(':alert last > 999999\r!');
	await press('e backspace 8');
	alerts.remove('BTCUSDT last > 999999');
	await press('enter');
	expect(outcome().alerts.entries.map(({id}) => id)).toEqual(['BTCUSDT last > 999998']);
	expect(outcome().ui.notice).toBe('alert added');
});

test.each([
	['2 x left left left', 'alert last crosses 62178.16'],
	['3 j j', 'alert last crosses 61823.75'],
])('after %s, both ! and Tab propose the price that is pointed at', async (keys, line) => {
	const {press, type, outcome} = await openHeadless();
	await press(`${keys} !`);
	const proposed = outcome().ui.command?.text;
	await press('esc');
	await type(':alert ');
	await press('tab');
	expect([proposed, outcome().ui.command?.text]).toEqual([line, line]);
});

test('Tab completes at the cursor and keeps what follows it', async () => {
	const {press, type, outcome} = await openHeadless();
	await type(':alert la > 5');
	await press('left left left left tab');
	expect(outcome().ui.command).toEqual({text: 'alert last > 5', after: '> 5', completing: undefined});
});

test('favourites that come and go are those of a rule for *', async () => {
	const {press, type, outcome} = await openHeadless();
	const markets = () => outcome().alerts.entries.map(entry => entry.markets.map(({symbol}) => symbol));
	await type(':alert * last > 999999\r');
	const seen = [markets()];
	for (const keys of ['f', 'j f', 'k f']) {
		await press(keys);
		await type(':alert * last > 999999\r');
		await press('esc ! o o !');
		seen.push(markets());
	}

	expect(seen).toEqual([[[]], [['BTCUSDT']], [['BTCUSDT', 'ETHUSDT']], [['ETHUSDT']]]);
});

describe('on the screen', () => {
	test.each(sizes)('%s: the line with a mistake', async (name, size) => {
		const monitor = await loaded(size);
		await monitor.type(':alert ETHUSDT.lst > 4000 every 10m\r');
		await expect(`${last(monitor, 2).join('\n')}\n`).toMatchFileSnapshot(`../frames/alerts/${name}-fault.txt`);
	});

	test.each(sizes)('%s: a rule fires, and is acknowledged after the list is closed', async (name, size) => {
		const monitor = await loaded(size);
		await monitor.type(':alert last > 1 note support\r');
		await monitor.type(':alert ETHUSDT last > 1\r');
		await monitor.clock.advance(3000);
		await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/alerts/${name}-fired.txt`);
		await monitor.press('!');
		await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/alerts/${name}-list.txt`);
		const steps: unknown[] = [];
		for (let step = 0; step < 3; step++) {
			await monitor.press('esc');
			steps.push([monitor.ui.getSnapshot().overlay, monitor.alerts.getSnapshot().unseen.length]);
		}

		expect(steps).toEqual([
			[undefined, 2],
			[undefined, 1],
			[undefined, 0],
		]);
		expect(monitor.frame()).not.toContain('! BTCUSDT');
	});
});

test('Esc closes prompts and menus first, then acknowledges, then goes back', async () => {
	const monitor = await loaded({columns: 120, rows: 40});
	await monitor.press('2', 'x');
	await monitor.type(':alert last > 1\r');
	await monitor.clock.advance(1000);
	await monitor.type(':zoom');
	await monitor.press('esc');
	expect([monitor.ui.getSnapshot().command, monitor.alerts.getSnapshot().unseen.length]).toEqual([undefined, 1]);
	await monitor.press('o');
	const steps: unknown[] = [];
	for (let step = 0; step < 4; step++) {
		const {chart} = monitor.ui.getSnapshot();
		steps.push([chart.menu !== undefined, monitor.alerts.getSnapshot().unseen.length, chart.cross !== undefined]);
		await monitor.press('esc');
	}

	expect(steps).toEqual([
		[true, 1, true],
		[false, 1, true],
		[false, 0, true],
		[false, 0, false],
	]);
});

test('rules of the config file and of flags are switched off but neither edited nor deleted', async () => {
	const monitor = await loaded({columns: 120, rows: 40});
	await monitor.type(':alert last > 999999\r');
	const [entry] = monitor.alerts.getSnapshot().entries;
	if (!entry) throw new Error('no entry');
	monitor.alerts.remove(entry.id);
	monitor.alerts.add(entry.rule, 'config');
	const notices: unknown[] = [];
	for (const key of ['!', 'e', 'x', 'x', 'o']) {
		await monitor.press(key);
		notices.push(monitor.ui.getSnapshot().notice);
	}

	const refused = 'from the config file; o switches it off';
	expect(notices).toEqual([undefined, refused, refused, refused, 'alert off']);
	expect(monitor.alerts.getSnapshot().entries.map(({isOff}) => isOff)).toEqual([true]);
});
