import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Tape, tradeKey} from '../../../../source/market/tape.ts';
import {sideSums} from '../../../../source/market/tape-sums.ts';
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
	test('adds buys, takes off sells, leaves out trades without a side, and keeps its value in between', () => {
		expect(deltaTrend(tapeOf(trades), 6)).toEqual({
			stepMs: 1000,
			values: [2, 1.5, 1.5, 1.5, 1.5, -1.5],
			gaps: new Set(),
		});
	});

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

	test('of any tape ends at its delta: what was bought less what was sold', () => {
		const anyTrades = fc.array(
			fc.record({
				wait: fc.integer({min: 0, max: 5000}),
				units: fc.integer({min: 1, max: 1e6}),
				side: fc.constantFrom<Side | undefined>('buy', 'sell', undefined),
			}),
			{minLength: 1, maxLength: 60},
		);
		fc.assert(
			fc.property(anyTrades, fc.integer({min: 1, max: 100}), fc.boolean(), (entries, columns, hasGap) => {
				let time = start;
				const list = entries.map(({wait, units, side}, index): Trade => {
					time += wait;
					return {id: String(index), time, price: 1, quantity: units / 1000, side};
				});
				const tape = tapeOf(list, ...(hasGap ? list.slice(0, 1).map(tradeKey) : []));
				const {delta, bought, sold} = sideSums(tape);
				const {values} = deltaTrend(tape, columns);

				expect(values.length).toBeLessThanOrEqual(columns);
				expect(values.at(-1)).toBe(delta);
				expect(delta).toBeCloseTo(bought - sold, 6);
			}),
		);
	});
});

describe('the rows of the cumulative delta', () => {
	const rows = (tape: Tape, ascii: boolean) =>
		deltaRows({tape, sums: sideSums(tape), decimals: 1, assets: {base: 'BTC'}, ascii}, {columns: 70, rows: 4}).map(
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
