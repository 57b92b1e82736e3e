import {expect, onTestFinished, test} from 'vitest';
import {createMarketStore} from '../../../source/store/market-store.ts';
import type {Size} from '../../../source/view/line.ts';
import {createTheme} from '../../../source/view/theme.ts';
import {createTick} from '../../../source/view/tick.ts';
import type {Screen} from '../../../source/view/use-market.ts';
import {Watch} from '../../../source/view/watch/watch.tsx';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {openTerminal} from '../monitor.tsx';
import {sampleScript, sampleTime} from '../sample-exchange.ts';

async function openWatch(size: Size, symbols: readonly string[], keyboard = true) {
	const clock = createFakeClock(sampleTime);
	const exchange = createFakeExchange(clock, {...sampleScript});
	const tick = createTick(clock);
	const theme = createTheme({palette: 'classic', color: 1});
	const screens = symbols.map((symbol): Screen => {
		const store = createMarketStore({exchange, clock, random: () => 0, symbol});
		return {store, tick, theme, ascii: false};
	});
	const quits: number[] = [];
	const suspensions: true[] = [];
	const terminal = await openTerminal(
		clock,
		size,
		<Watch
			screens={screens}
			loan={{}}
			exchangeName="sample"
			demo={true}
			keyboard={keyboard}
			quit={status => quits.push(status)}
			suspend={() => suspensions.push(true)}
		/>,
	);
	for (const {store} of screens) store.start();
	onTestFinished(() => {
		for (const {store} of screens) store.stop();
		tick.stop();
		terminal.unmount();
	});
	await clock.advance(4400);
	return {...terminal, clock, exchange, quits, suspensions, frame: terminal.frame, rows: terminal.rows};
}

test.each([
	['watch-80x24-one', {columns: 80, rows: 24}, ['BTCUSDT']],
	['watch-120x40-three', {columns: 120, rows: 40}, ['BTCUSDT', 'SHIBUSDT', 'DUSTBTC']],
	['watch-80x24-six', {columns: 80, rows: 24}, ['BTCUSDT', 'ETHUSDT', 'SHIBUSDT', 'DUSTBTC', 'XRPUSDT', 'BNBUSDT']],
	['watch-30x10', {columns: 30, rows: 10}, ['BTCUSDT']],
])('%s', async (name, size, symbols) => {
	const watch = await openWatch(size, symbols);
	await expect(`${watch.frame()}\n`).toMatchFileSnapshot(`../../frames/monitor/${name}.txt`);
});

test('a market whose tile does not fit is not asked for, and is once there is room', async () => {
	const symbols = ['BTCUSDT', 'ETHUSDT', 'SHIBUSDT'];
	const watch = await openWatch({columns: 60, rows: 20}, symbols);
	const asked = () => [...new Set(watch.exchange.calls.depth.map(({symbol}) => symbol))].sort();
	expect(asked()).toEqual(['BTCUSDT', 'ETHUSDT']);
	expect(watch.rows().at(-1)).toContain('1 more do not fit');

	await watch.resize({columns: 60, rows: 40});
	await watch.clock.advance(1000);

	expect(asked()).toEqual(['BTCUSDT', 'ETHUSDT', 'SHIBUSDT']);
	expect(watch.rows().at(-1)).not.toContain('fit');
});

test('hears the keys that leave, and no others', async () => {
	const watch = await openWatch({columns: 80, rows: 24}, ['BTCUSDT']);
	await watch.press('n', 'z', 'q', 'ctrl+c', 'ctrl+z');
	expect(watch.quits).toEqual([0, 130]);
	expect(watch.suspensions.length).toBe(1);
	expect(watch.frame()).toContain('BTC/USDT');
});

test('hears nothing without a keyboard', async () => {
	const watch = await openWatch({columns: 80, rows: 24}, ['BTCUSDT'], false);
	await watch.press('q');
	expect(watch.quits).toEqual([]);
});
