import {expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText} from '../../../../source/view/line.ts';
import {createChartPanel} from '../../../../source/view/panels/chart/model.ts';
import {initialUi} from '../../../../source/view/ui-state.ts';

const now = Date.UTC(2024, 7, 9, 14, 30);
const hourMs = 3_600_000;
const start = Date.UTC(2024, 7, 9, 12);
const candles = [0, 1, 2].map(hour => ({time: start + hour * hourMs, open: 1, high: 3, low: 1, close: 2, volume: 5}));

/** Title, prices and bottom border of a chart that is built from trades. */
function rowsOf(partial: CandleSeries['partial'], ascii = false): readonly string[] {
	const data: CandleSeries = {period: 60, candles, builtFrom: 'trades', partial};
	const {lines} = createChartPanel()({
		candles: {status: 'ready', interface: 'v1', receivedAt: now, dropped: 0, data},
		history: {status: 'more'},
		period: 60,
		decimals: {price: 0, quantity: 0},
		chart: initialUi('standard').chart,
		keyHint: keyHintOf(commands, ascii),
		...{touch: {}, focused: false, size: {columns: 60, rows: 20}, now, ascii},
	});
	return [lines[0], lines[1], lines.at(-1)].map(line => lineText(line ?? []));
}

test('a chart counts the candles that may lack trades, and marks their volume as a minimum', () => {
	expect(rowsOf(undefined)).toMatchInlineSnapshot(`
		[
		  "╭─ 2 1h · built from trades · candles ──── legacy · 0.0 s ─╮",
		  "│O 1  H 3  L 1  C 2   +100.00 %  V 5                       │",
		  "╰──────────────────────────────────────────────────────────╯",
		]
	`);
	expect(rowsOf(new Set([start, start + 2 * hourMs]))).toMatchInlineSnapshot(`
		[
		  "╭─ 2 1h · built from trades · candles ──── legacy · 0.0 s ─╮",
		  "│O 1  H 3  L 1  C 2   +100.00 %  V≥5                       │",
		  "╰─ 2 candles may be missing trades ────────────────────────╯",
		]
	`);
	expect(rowsOf(new Set([start]), true)).toMatchInlineSnapshot(`
		[
		  "+- 2 1h - built from trades - candles ---- legacy - 0.0 s -+",
		  "|O 1  H 3  L 1  C 2   +100.00 %  V 5                       |",
		  "+- 1 candle may be missing trades -------------------------+",
		]
	`);
});
