import {describe, expect, test} from 'vitest';
import {HttpStatusError} from '../../source/client/errors.ts';
import {walk} from '../helpers/candles.ts';
import {timeout} from '../store/samples.ts';
import {openMonitor} from './monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

const standard = {columns: 120, rows: 40};
const minute = 60_000;
const hour = 60 * minute;
const newest = Math.floor(sampleTime / hour) * hour;

/** The sample exchange with a long history, given page by page, of candles of so many `minutes` whatever is asked for. */
async function openWith(
	count: number,
	answer?: (to: number | undefined, period: number) => unknown,
	minutes: 60 | 1 = 60,
) {
	const begun = Math.floor(sampleTime / (minutes * minute)) * minutes * minute;
	const shape = {count, price: 61_800, decimals: 2, volatility: 0.003, period: minutes};
	const {candles} = walk({...shape, newest: begun});
	const monitor = await openMonitor({
		size: standard,
		script: {
			...sampleScript,
			candles({options: {to, limit = 500, period = 60}}) {
				const other = answer?.(to, period);
				if (other instanceof HttpStatusError) return other;
				if (other === 'open') return undefined;
				if (other === 'fail') return timeout('candles');
				return candles.filter(({time}) => time <= (to ?? Infinity)).slice(-limit);
			},
		},
	});
	await monitor.clock.advance(300);
	await monitor.press('2');
	const chart = () => monitor.rows().slice(2, -2);
	const shows = (text: string) => chart().join('\n').includes(text);
	return {...monitor, chart, shows, candles};
}

describe('older candles', () => {
	test('are loaded before the view reaches the first one, which the chart says', async () => {
		const {exchange, press, shows, clock} = await openWith(5000, to => (to === undefined ? undefined : 'open'));
		expect(exchange.calls.candles).toHaveLength(1);
		await press('g');
		expect(exchange.last('candles').options).toMatchObject({limit: 1000, to: newest - 499 * hour - 1});
		expect(shows('loading older candles')).toBe(true);
		await clock.advance(3000);
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(1);
	});

	test('do not move the view when they arrive', async () => {
		const monitor = await openWith(5000, to => (to === undefined ? undefined : 'open'));
		await monitor.press('g');
		// Without the last row, which says that older ones are loading.
		const body = () =>
			monitor
				.chart()
				.slice(0, -1)
				.map(row => row.slice(32, 84));
		const before = body();
		const {candles} = walk({count: 1500, price: 61_800, decimals: 2, volatility: 0.003, newest});
		monitor.exchange.last('candles').answer(candles.slice(0, 1000));
		await monitor.clock.advance(250);
		expect(monitor.shows('loading older candles')).toBe(false);
		expect(body().slice(1)).toEqual(before.slice(1));
	});

	test('end where the exchange has none, which the chart says at its first candle', async () => {
		const {press, shows, clock} = await openWith(600);
		await press('g');
		await clock.advance(1000);
		await press('g');
		await clock.advance(1000);
		expect(shows('no older candles on the exchange')).toBe(true);
		await press('G');
		expect(shows('no older candles on the exchange')).toBe(false);
	});

	test('are retried after a failure, which the chart says', async () => {
		const {press, shows, clock, exchange} = await openWith(5000, to => (to === undefined ? undefined : 'fail'));
		await press('g');
		await clock.advance(500);
		expect(shows('older candles: timed out')).toBe(true);
		await clock.advance(6000);
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(2);
	});

	test('that a mean lacks after a failure are reported even far from the first candle', async () => {
		const {type, shows, clock} = await openWith(3000, to => (to === undefined ? undefined : 'fail'), 1);
		await type(':period 1m\r');
		await clock.advance(300);
		expect(shows('older candles')).toBe(false);
		await type(':indicators vwap\r');
		await clock.advance(500);
		expect(shows('older candles: timed out')).toBe(true);
	});

	test('are loaded page by page until merged candles fill the chart and one more screen', async () => {
		const {press, clock, store, shows} = await openWith(30_000);
		await press('-', '-', '-', '-', '-', '-');
		await clock.advance(5000);
		expect(shows('50 a column')).toBe(true);
		const {candles} = store.getSnapshot();
		expect(candles.status === 'ready' && candles.data.candles.length).toBe(4500);
	});

	test('are loaded back to the start of the day whose mean is shown, which has no value before', async () => {
		const answer = (to: number | undefined) => (to === undefined ? undefined : 'open');
		const {type, chart, clock, exchange, store, candles} = await openWith(3000, answer, 1);
		await type(':period 1m\r');
		await clock.advance(300);
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toEqual([]);
		const legend = () => chart().find(row => row.includes('VWAP day'));
		await type(':indicators vwap\r');
		expect(legend()).toMatch(/VWAP day +– /);
		expect(chart().at(-1)).toContain(' loading older · VWAP: start of day not loaded ');
		const older = exchange.last('candles');
		expect(older.options).toMatchObject({limit: 1000, to: (candles.at(-500)?.time ?? 0) - 1});
		older.answer(candles.slice(-1500, -500));
		await clock.advance(1000);

		const known = store.getSnapshot().candles;
		const all = known.status === 'ready' ? known.data.candles : [];
		const today = all.filter(({time}) => time >= Date.UTC(2024, 7, 8));
		const volume = today.reduce((sum, candle) => sum + candle.volume, 0);
		const paid = today.reduce((sum, {high, low, close, volume: size}) => sum + ((high + low + close) / 3) * size, 0);
		expect(today.length).toBe(1435);
		expect(legend()).toContain(`VWAP day ${(paid / volume).toLocaleString('en', {maximumFractionDigits: 2})}`);
		// Yesterday is not in sight.
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(1);
	});
});

describe('a typed period', () => {
	const refused = new HttpStatusError({
		operation: 'candles',
		interface: 'v2',
		url: '',
		status: 400,
		body: '',
		message: '',
	});

	test('is in the title while typed, and applied with Enter', async () => {
		const {press, type, shows, store} = await openWith(600);
		await press('t');
		await type('4x');
		await press('enter');
		expect(shows('━ x is not a unit: use m, h, d or w ━')).toBe(true);
		await press('backspace', '5');
		expect(shows('2 period 45_ (m h d w) Enter ━')).toBe(true);
		await press('backspace', 'h', 'enter');
		expect(store.getSnapshot().period).toBe(240);
		expect(shows('period')).toBe(false);
	});

	test('stays for correction when it is invalid', async () => {
		const {press, shows, store} = await openWith(600);
		await press('t', '0', 'enter');
		expect(shows('period 0_')).toBe(true);
		await press('esc');
		expect([shows('period'), store.getSnapshot().period]).toEqual([false, 60]);
	});

	test('that the exchange refuses is built from a shorter one, and says from which', async () => {
		const {press, clock, shows} = await openWith(600, (_, period) => (period === 180 ? refused : undefined));
		await press('t', '3', 'h', 'enter');
		await clock.advance(300);
		expect(shows('2 3h · built from 1h')).toBe(true);
	});
});

test('an indicator without a value says in the border why', async () => {
	const {type, shows, clock} = await openWith(30);
	await type(':indicators sma\r:indicators ema\r');
	await clock.advance(500);
	expect(shows('SMA 50 needs 50 candles')).toBe(true);
	expect(shows('EMA 20 needs')).toBe(false);
});

test('the menu chooses indicators, which stay for other markets and periods', async () => {
	const {press, clock, shows} = await openWith(600);
	await press('o', 'space', 'down', 'down', 'down', 'down', 'space');
	expect(shows('▶ ● RSI 14')).toBe(true);
	await press('esc');
	expect([shows('Indicators'), shows('SMA 50'), shows('─ RSI 14')]).toEqual([false, true, true]);
	await press('n', ']');
	await clock.advance(300);
	expect([shows('SMA 50'), shows('─ RSI 14')]).toEqual([true, true]);
});

test('the menu closes for the filter, another panel or another market', async () => {
	const {press, shows} = await openWith(600);
	for (const key of ['/', '3', 'n']) {
		await press('o');
		expect(shows('Indicators')).toBe(true);
		await press(key);
		expect(shows('Indicators')).toBe(false);
		await press('esc', '2');
	}
});

test('a chart too low for the chosen panes says which it leaves out', async () => {
	const {press, shows, resize} = await openWith(600);
	await press('o', 'down', 'down', 'down', 'down', 'space', 'down', 'space', 'esc');
	await resize({columns: 80, rows: 24});
	await press('2');
	expect(shows('no room for MACD 12 26 9')).toBe(true);
});

test('the newest candle moves with every trade', async () => {
	const {exchange, clock, shows} = await openWith(600);
	const {trades} = sampleScript;
	exchange.script.trades = call => {
		const before = trades?.(call);
		const latest = {id: '999999999', time: clock.now(), price: 63_999.99, quantity: 1, side: 'buy'} as const;
		return Array.isArray(before) ? [latest, ...before] : undefined;
	};
	await clock.advance(2000);
	expect(shows('63,999.99')).toBe(true);
});
