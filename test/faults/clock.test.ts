/** What the user sees of an exchange whose clock is two hours off. */
import {beforeAll, describe, expect, test} from 'vitest';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {MarketState} from '../../source/store/state.ts';
import {type Line, lineText} from '../../source/view/line.ts';
import {createChartPanel} from '../../source/view/panels/chart/model.ts';
import {statusLines} from '../../source/view/panels/status/rows.ts';
import {tapePanel} from '../../source/view/panels/tape/model.ts';
import {initialUi} from '../../source/view/ui-state.ts';
import {intervals} from './checks.ts';
import {createWorld, market} from './world.ts';

type Shown = {readonly state: MarketState; readonly now: number};

/** What the store knows after 5 s of this fault. */
async function watched(fault: 'clock-ahead' | 'clock-behind'): Promise<Shown> {
	const world = await createWorld();
	const {clock, demo} = world;
	demo.faults.add({on: '*', fault});
	const exchange = await world.open('both');
	const store = createMarketStore({exchange, clock, random: () => 0, symbol: market, intervals});
	store.start();
	await world.pass(5250);
	const state = store.getSnapshot();
	store.stop();
	await exchange.close();
	await world.close();
	return {state, now: clock.now()};
}

const texts = (lines: readonly Line[]) => lines.map(line => lineText(line).trimEnd());

function status({state, now}: Shown, columns: number, rows: 1 | 2): readonly string[] {
	return texts(statusLines({state, exchangeName: 'sample', demo: false, now, columns, rows, ascii: false}));
}

function tape({state, now}: Shown): readonly string[] {
	const view = {
		minimum: {size: 0, unit: 'base' as const},
		merged: false,
		focused: false,
		ascii: false,
		size: {columns: 44, rows: 8},
	};
	return texts(tapePanel({...view, tape: state.trades, decimals: state.decimals}, now));
}

function chart({state, now}: Shown): readonly string[] {
	const {candles, history, decimals} = state;
	const size = {columns: 70, rows: 20};
	const input = {
		candles,
		history,
		period: 60,
		decimals,
		chart: initialUi('standard').chart,
		touch: {},
	};
	return texts(createChartPanel()({...input, focused: false, size, now, ascii: false}).lines);
}

describe.each([
	['clock-ahead', '2 h ahead', '12'],
	['clock-behind', '2 h behind', '08'],
] as const)('%s', (fault, apart, hour) => {
	let shown: Shown;
	beforeAll(async () => {
		shown = await watched(fault);
	});

	test('is shown in the status line, with room for it or without', () => {
		expect(status(shown, 120, 2)[0]).toMatch(
			new RegExp(`^ live · exchange clock ${apart} · \\d\\.\\d of \\d+\\.\\d req/s · sample`),
		);
		expect(status(shown, 60, 1)).toEqual([
			expect.stringMatching(new RegExp(`^ live · clock ${apart} +UTC 10:30:0\\d$`)),
		]);
		expect(status(shown, 30, 1)).toEqual([expect.stringMatching(/^ live +UTC 10:30:0\d$/)]);
	});

	test('is not shown again in the panels; ages stay right, and trades keep their exchange times', () => {
		const [top = '', sums, ...rows] = tape(shown);
		expect(top).toMatch(/^╭─ Tape ─+ v2 · 0\.\d s ─╮$/);
		expect(sums).toMatch(/^│/);
		expect(rows.filter(row => new RegExp(`^│ ${hour}:(29|30):\\d\\d [▲▼]`).test(row)).length).toBe(5);
	});

	test('leaves the last candle forming until its hour is over by the exchange’s clock', () => {
		const {candles} = shown.state;
		if (candles.status !== 'ready') throw new Error('no candles');
		const newest = candles.data.candles.at(-1)?.time;
		const hourMs = 3_600_000;
		expect(newest).toBe(Date.UTC(2026, 10, 20, Number(hour)));
		const isForming = (now: number) => chart({...shown, now}).some(row => row.includes('▴'));
		expect(isForming(shown.now)).toBe(true);
		// Half an hour is left of it, by either clock.
		expect([isForming(shown.now + hourMs * 0.49), isForming(shown.now + hourMs * 0.51)]).toEqual([true, false]);
	});
});
