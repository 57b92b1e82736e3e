import {describe, expect, test} from 'vitest';
import type {Tape} from '../../../../source/market/tape.ts';
import type {Side, Trade} from '../../../../source/market/types.ts';
import {lineText} from '../../../../source/view/line.ts';
import {deltaRows, deltaTrend} from '../../../../source/view/panels/tape/delta-rows.ts';

const start = Date.UTC(2024, 7, 8, 23, 50);
const trade = (second: number, quantity: number, side?: Side): Trade => ({
	...{id: String(second), time: start + second * 1000, price: 100},
	...{quantity, side},
});
const tapeOf = (trades: readonly Trade[], ...gaps: readonly string[]): Tape => ({
	trades: trades.toReversed(),
	gaps: new Set(gaps),
});
const trades = [trade(0, 2, 'buy'), trade(1, 0.5, 'sell'), trade(2, 9), trade(5, 3, 'sell')];

describe('the trend of the cumulative delta', () => {
	test('is interrupted at a gap, which is marked', () => {
		expect(deltaTrend(tapeOf(trades, '5'), 6)).toEqual({
			stepMs: 1000,
			values: [2, 1.5, 1.5, undefined, undefined, -1.5],
			gaps: new Set([5]),
		});
	});

	test('has no gap before the oldest trade, below which nothing is known to be missing', () => {
		expect(deltaTrend(tapeOf(trades, '0'), 6)).toEqual(deltaTrend(tapeOf(trades), 6));
	});
});

describe('the rows of the cumulative delta', () => {
	const rows = (tape: Tape, ascii: boolean) =>
		deltaRows({tape, decimals: {price: 0, quantity: 1}, assets: {base: 'BTC'}, ascii}, {columns: 70, rows: 4}).map(
			line => lineText(line).trimEnd(),
		);

	test('say what is missing', () => {
		expect(rows(tapeOf(trades, '5'), false)).toEqual([
			' Δ ≈−1.5 BTC since 23:50:00 · ≥9 BTC without side not counted',
			`⠉⠉⠉⠉⠉⠉⠉⠉⠉⠙⠦⠤⠤⠤⠤⠤⠤⠤⠤⠤⠄${' '.repeat(28)}┊${' '.repeat(16)}+2.0`,
			`${'┈'.repeat(49)}┊${'┈'.repeat(15)}`,
			`${' '.repeat(49)}┊⡀${' '.repeat(15)}−1.5`,
		]);
	});

	test('have a form in ASCII', () => {
		expect(rows(tapeOf(trades, '5'), true)).toEqual([
			' delta ~-1.5 BTC since 23:50:00 - >=9 BTC without side not counted',
			`${'*'.repeat(21)}${' '.repeat(28)}:${' '.repeat(16)}+2.0`,
			`${'-'.repeat(49)}:${'-'.repeat(15)}`,
			`${' '.repeat(49)}:*${' '.repeat(15)}-1.5`,
		]);
	});
});
