import {expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import type {Tape} from '../../../../source/market/tape.ts';
import {monthMinutes} from '../../../../source/market/units.ts';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText} from '../../../../source/view/line.ts';
import type {ChartState} from '../../../../source/view/panels/chart/chart-state.ts';
import {createChartPanel} from '../../../../source/view/panels/chart/model.ts';
import {initialUi} from '../../../../source/view/ui-state.ts';
import {failure, received} from '../../../helpers/market-state.ts';

const now = Date.UTC(2024, 7, 9, 14, 30);
const hourMs = 3_600_000;
const start = Date.UTC(2024, 7, 9, 12);
const candles = [0, 1, 2].map(hour => ({time: start + hour * hourMs, open: 1, high: 3, low: 1, close: 2, volume: 5}));

/** Title, prices and bottom border of a chart that is built from trades. */
function rowsOf(
	partial: CandleSeries['partial'],
	{ascii = false, columns = 60, ...change}: Partial<ChartState> & {ascii?: boolean; columns?: number} = {},
): readonly string[] {
	const data: CandleSeries = {period: 60, candles, builtFrom: 'trades', partial};
	const {lines} = createChartPanel()({
		candles: {status: 'ready', interface: 'legacy', receivedAt: now, dropped: 0, data},
		history: {status: 'more'},
		period: 60,
		decimals: {price: 0, quantity: 0},
		chart: {...initialUi('standard').chart, ...change},
		keyHint: keyHintOf(commands, ascii),
		...{touch: {}, focused: false, size: {columns, rows: 20}, now, ascii},
	});
	return [lines[0], lines[1], lines.at(-1)].map(line => lineText(line ?? []));
}

test('a chart whose last candle is moved by trades names their interface, and has the older age', () => {
	const statusOf = (tape: ReturnType<typeof received<Tape>> | undefined) =>
		/v2\S* · [\d.]+ s/.exec(
			lineText(
				createChartPanel()({
					...{candles: received<CandleSeries>({period: 60, candles, builtFrom: 'exchange'}, now - 4000), tape},
					...{history: {status: 'more'}, period: 60, decimals: {price: 0, quantity: 0}},
					...{chart: initialUi('standard').chart, touch: {}, focused: false},
					...{size: {columns: 60, rows: 20}, now, ascii: false},
				}).lines[0] ?? [],
			),
		)?.[0];
	const trades = (age: number) =>
		({...received({trades: [], gaps: new Set<string>()}, now - age), interface: 'legacy'}) as const;
	expect([undefined, trades(1000), trades(6000), {...trades(9000), failure: failure(now)}].map(statusOf)).toEqual([
		...['v2 · 4.0 s', 'v2+legacy · 4.0 s', 'v2+legacy · 6.0 s', 'v2 · 4.0 s'],
	]);
});

test('a chart counts the candles that may lack trades, and marks their volume as a minimum', () => {
	expect(rowsOf(undefined)).toMatchInlineSnapshot(`
		[
		  "╭─ 2 1h · built from trades · candles ──── legacy · 0.0 s ─╮",
		  "│ +100.00 %  V 5         O 1  H 3  L 1  C 2                │",
		  "╰──────────────────────────────────────────────────────────╯",
		]
	`);
	expect(rowsOf(new Set([start, start + 2 * hourMs]))).toMatchInlineSnapshot(`
		[
		  "╭─ 2 1h · built from trades · candles ──── legacy · 0.0 s ─╮",
		  "│ +100.00 %  V≥5         O 1  H 3  L 1  C 2                │",
		  "╰─ 2 candles may be missing trades ────────────────────────╯",
		]
	`);
	expect(rowsOf(new Set([start]), {ascii: true})).toMatchInlineSnapshot(`
		[
		  "+- 2 1h - built from trades - candles ---- legacy - 0.0 s -+",
		  "| +100.00 %  V 5         O 1  H 3  L 1  C 2                |",
		  "+- 1 candle may be missing trades -------------------------+",
		]
	`);
});

test.each([
	[110, 'a dot separates decimals (2.5), a comma thousands (1,000); a period is 45 (minutes), 4h, 2w, 1M'],
	[80, 'a dot separates decimals (2.5), a comma thousands (1,000)'],
	[44, 'a dot separates decimals'],
	[28, 'type 45, 4h, 2w or 1M'],
	[24, 'type e.g. 4h'],
	[14, 'e.g. 4h'],
])('a refused period has a reason in a chart of %d columns', (columns, reason) => {
	const fault = 'a dot separates decimals (2.5), a comma thousands (1,000)';
	const [, , footer = ''] = rowsOf(undefined, {columns, typing: {text: '2,5h', fault}});
	expect(footer.replaceAll(/[╰╯─]/g, '').trim()).toBe(reason);
});

test('where room is short, every reason for a missing value is shortened before the note about partial candles goes', () => {
	const indicators = new Set(['sma', 'vwap', 'bollinger'] as const);
	const footerAt = (columns: number) =>
		rowsOf(new Set([start]), {columns, indicators})[2]
			?.replaceAll(/[╰╯─]/g, '')
			.trim();
	expect([140, 70, 52].map(footerAt)).toEqual([
		'VWAP: trades of the day may be missing · SMA 50 needs 50 candles, Bollinger 20 2 needs 20 candles · 1 candle may be missing trades',
		'VWAP: partial · SMA, Bollinger: few candles · 1 candle partial',
		'VWAP: partial · SMA, Bollinger: few candles',
	]);
});

test('indicators without room are named, or counted where their names have none', () => {
	const lengths = {...initialUi('standard').chart.lengths, rsi: [2], macd: [2, 3, 2], atr: [2]};
	const indicators = new Set(['rsi', 'macd', 'atr', 'profile'] as const);
	const footerAt = (columns: number) => rowsOf(undefined, {columns, indicators, lengths})[2]?.replaceAll(/[╰╯─]/g, '');
	expect([46, 34].map(columns => footerAt(columns)?.trim())).toEqual([
		...['no room for ATR 2', 'no room for 2 indicators'],
	]);
});

test('a chart without a whole candle of its period says what it has too little of', () => {
	const textAt = (columns: number) => {
		const {lines} = createChartPanel()({
			candles: {
				...{status: 'ready', interface: 'v2', receivedAt: now, dropped: 0},
				data: {period: monthMinutes, candles: [], builtFrom: 1},
			},
			history: {status: 'more'},
			period: monthMinutes,
			decimals: {price: 0, quantity: 0},
			chart: initialUi('standard').chart,
			...{touch: {}, focused: false, size: {columns, rows: 20}, now, ascii: false},
		});
		return lines
			.map(lineText)
			.find(text => /candle/.test(text) && !/candles ─/.test(text))
			?.match(/[a-zM0-9: ]*candle[a-zM0-9: ]*/)?.[0]
			.trim();
	};
	expect([80, 44, 30].map(textAt)).toEqual([
		...['no whole 1M candle: too few 1m candles', 'no whole 1M candle yet', 'no candles yet'],
	]);
});
