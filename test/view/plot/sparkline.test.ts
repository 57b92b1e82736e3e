import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Tape} from '../../../source/market/tape.ts';
import {lineText} from '../../../source/view/line.ts';
import {sparkline} from '../../../source/view/plot/sparkline.ts';
import {priceTrend} from '../../../source/view/plot/tape-trend.ts';

const start = Date.UTC(2024, 7, 8);

type Payment = readonly [second: number, price: number];

/** Trades oldest first; `gaps` are seconds before which trades may be missing. */
function tapeOf(payments: readonly Payment[], gaps: readonly number[] = []): Tape {
	return {
		trades: payments
			.map(([second, price]) => ({id: String(second), time: start + second * 1000, price, quantity: 1}))
			.toReversed(),
		gaps: new Set(gaps.map(String)),
	};
}

describe('a price trend', () => {
	const moves: readonly Payment[] = [
		[0, 5],
		[0.5, 6],
		[3, 7],
		[4, 8],
	];
	const jump: readonly Payment[] = [
		[0, 6],
		[3, 7],
	];
	const slow: readonly Payment[] = [
		[0, 1],
		[9, 2],
		[19, 3],
	];

	test.each<readonly [name: string, tape: Tape, stepMs: number, prices: readonly (number | undefined)[]]>([
		['has the last price of each second, and keeps it without a trade', tapeOf(moves), 1000, [6, 6, 6, 7, 8]],
		['leaves a gap where trades may be missing', tapeOf(jump, [3]), 1000, [6, undefined, undefined, 7]],
		['takes longer columns for a longer time', tapeOf(slow), 2000, [1, 1, 1, 1, 2, 2, 2, 2, 2, 3]],
		['is empty without trades', tapeOf([]), 1000, []],
	])('%s', (_, tape, stepMs, prices) => {
		expect(priceTrend(tape, 10, false)).toMatchObject({stepMs, values: prices});
	});
});

describe('the sparkline', () => {
	const drawn = (prices: readonly (number | undefined)[], columns: number, rows: number, ascii = false) =>
		sparkline(prices, {columns, rows}, ascii).map(lineText);

	test.each<readonly [string, ...Parameters<typeof drawn>, string[]]>([
		['eighths of a cell', [1, 2, 3, 4, 5, 6, 7, 8], 8, 1, false, ['▁▂▃▄▅▆▇█']],
		['three heights in ASCII', [1, 2, 3], 3, 1, true, ['.:#']],
		['the newest at the right end', [1, 2], 5, 1, false, ['   ▁█']],
		['a gap', [1, undefined, 2], 3, 1, false, ['▁ █']],
		['a price that never moved', [5, 5], 2, 1, false, ['▄▄']],
		['several rows', [0, 12, 23], 3, 3, false, ['  █', ' ▅█', '▁██']],
		['nothing', [], 3, 1, false, ['   ']],
	])('draws %s', (_, prices, columns, rows, ascii, lines) => {
		expect(drawn(prices, columns, rows, ascii)).toEqual(lines);
	});

	test('shows by its tone whether the price rose', () => {
		const toneOf = (...prices: number[]) => sparkline(prices, {columns: 4, rows: 1}, false)[0]?.[0]?.tone;
		expect([toneOf(1, 9, 2), toneOf(2, 9, 1), toneOf(1, 9, 1), toneOf()]).toEqual(['up', 'down', 'muted', 'muted']);
	});

	test('a higher price is never drawn lower', () => {
		const anyPrices = fc.array(fc.double({min: 1e-9, max: 1e6, noNaN: true}), {minLength: 1, maxLength: 30});
		fc.assert(
			fc.property(anyPrices, fc.integer({min: 1, max: 4}), (prices, rows) => {
				const lines = drawn(prices, prices.length, rows);
				const heights = prices.map((_, column) =>
					lines.reduce((sum, line) => sum + ' ▁▂▃▄▅▆▇█'.indexOf(line[column] ?? ' '), 0),
				);
				for (const [index, height] of heights.entries()) {
					expect(height).toBeGreaterThan(0);
					const lower = prices.findIndex((price, at) => price > (prices[index] ?? 0) && (heights[at] ?? 0) < height);
					expect(lower).toBe(-1);
				}
			}),
		);
	});
});
