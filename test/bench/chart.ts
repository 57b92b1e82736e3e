import type {IndicatorName} from '../../source/market/indicators.ts';
import type {Candle} from '../../source/market/types.ts';
import {
	type ChartType,
	chartTypes,
	indicatorNames,
	initialChart,
	zoomLevels,
} from '../../source/view/panels/chart/chart-state.ts';
import type {ChartInput} from '../../source/view/panels/chart/chart-view.ts';
import {chartBody} from '../../source/view/panels/chart/rows.ts';
import {createRangeFitter} from '../../source/view/plot/price-scale.ts';
import {walk} from '../helpers/candles.ts';
import type {BenchRow} from './row.ts';
import {quantile} from './support/quantile.ts';

const passes = 4;
const frames = 100;
const parses = 10;
const largeSize = {columns: 200, rows: 60};
const hourMs = 3_600_000;

/** What a frame of the largest chart costs: just loaded, and with as many candles as are ever kept. */
export async function bench(): Promise<readonly BenchRow[]> {
	return [
		...chartTypes.map(type => typeRow(type)),
		moveRow('panning', new Set()),
		moveRow('panning with every indicator', new Set(indicatorNames)),
		zoomRow(),
		tradeRow('a trade', {}),
		tradeRow('a trade with every indicator', {indicators: new Set(indicatorNames)}),
		tradeRow('a trade with a measurement over all and 50 levels', measuring()),
		tradeRow('a trade with averages of merged candles', {type: 'heikin-ashi', zoom: {columns: 1, merged: 10}}),
		everythingRow('everything on', {}),
		everythingRow('everything on, line', {type: 'line'}),
		everythingRow('everything on, merged Heikin-Ashi', {type: 'heikin-ashi', zoom: {columns: 1, merged: 2}}),
	];
}

function inputOf(count: number): ChartInput {
	const newest = Date.UTC(2026, 10, 20, 23);
	const series = walk({count, price: 60_000, decimals: 2, volatility: 0.006, newest});
	return {...initialChart, series, size: largeSize, ascii: false, now: newest, decimals: 2};
}

/** From the oldest candle to a crosshair on the newest, with levels around the newest price. */
function measuring(): Partial<ChartInput> {
	const {series} = inputOf(20_000);
	const [oldest, newest] = [series.candles[0], series.candles.at(-1)];
	if (!oldest || !newest) return {};
	const drawnLevels = Array.from({length: 50}, (_, index) => ({
		price: newest.close * (0.9 + index * 0.004),
		note: `level ${index}`,
	}));
	return {cross: newest.time, mark: {time: oldest.time, price: oldest.close}, drawnLevels};
}

function typeRow(type: ChartType): BenchRow {
	const input = {...inputOf(500), type};
	return row(`a frame of ${type}, 500 candles`, 8, () => chartBody(input));
}

/** Each frame stands at another place of the history. */
function moveRow(name: string, indicators: ReadonlySet<IndicatorName>): BenchRow {
	const input = {...inputOf(20_000), indicators};
	const fitRange = createRangeFitter();
	return row(`${name}, 20,000 candles`, 8, frame => {
		chartBody({...input, rightEdge: input.now - frame * 45 * hourMs}, fitRange);
	});
}

function zoomRow(): BenchRow {
	const input = inputOf(20_000);
	return row('zooming, 20,000 candles', 8, frame => {
		const zoom = zoomLevels[frame % zoomLevels.length] ?? initialChart.zoom;
		chartBody({...input, zoom});
	});
}

/** Each frame follows a trade that moved the newest candle. */
function tradeRow(name: string, changes: Partial<ChartInput>): BenchRow {
	const input = {...inputOf(20_000), ...changes};
	return row(`${name}, 20,000 candles`, 8, frame => {
		chartBody({...input, series: traded(input, frame)});
	});
}

/** The series after a trade that moved the newest candle. */
function traded({series}: ChartInput, frame: number): ChartInput['series'] {
	const newest = series.candles.at(-1);
	const moved: readonly Candle[] = newest ? series.candles.with(-1, {...newest, volume: newest.volume + frame}) : [];
	return {...series, candles: moved};
}

const everythingMs = 3;

/**
 * Each frame follows a trade, with all that a chart can show: every indicator, several averages, a measured crosshair, levels
 * and best prices. The median of the calmest pass is compared with the target. It is also given as a multiple of the time
 * that parsing the candles takes in that pass.
 */
function everythingRow(name: string, changes: Partial<ChartInput>): BenchRow {
	const plain = inputOf(20_000);
	const last = plain.series.candles.at(-1)?.close ?? 0;
	const input: ChartInput = {
		...plain,
		indicators: new Set(indicatorNames),
		lengths: {...plain.lengths, sma: [20, 50, 100, 200], ema: [9, 12, 26]},
		cross: plain.now - 20 * hourMs,
		crossPrice: last,
		mark: {time: plain.now - 90 * hourMs, price: last * 1.01},
		levels: [last * 0.99, last * 1.01],
		touch: {bid: last - 1, ask: last + 1},
		lastTrade: last,
		...changes,
	};
	const fitRange = createRangeFitter();
	const text = JSON.stringify(plain.series.candles);
	const measured = Array.from({length: passes}, (_, pass) => {
		const drawn = Array.from({length: frames}, (_, frame) => {
			const series = traded(input, pass * frames + frame);
			return timeOf(() => chartBody({...input, series}, fitRange));
		});
		const parsed = Array.from({length: parses}, () => timeOf(() => JSON.parse(text)));
		return {median: quantile(drawn, 0.5), ratio: quantile(drawn, 0.5) / quantile(parsed, 0.5)};
	});
	const {median, ratio} = measured.reduce((calmest, each) => (each.median < calmest.median ? each : calmest));
	return {
		name: `chart, 200×60: ${name}, 20,000 candles`,
		measured: `${median.toFixed(2)} ms median (${ratio.toFixed(2)} × JSON.parse of its candles)`,
		target: `≤ ${everythingMs} ms`,
		met: median <= everythingMs,
	};
}

function timeOf(task: () => unknown): number {
	const start = performance.now();
	task();
	return performance.now() - start;
}

/** Times of the calmest of some passes: what else runs on the machine is not the chart's. */
function row(name: string, targetMs: number, draw: (frame: number) => void): BenchRow {
	const measuredPasses = Array.from({length: passes}, (_, pass) => {
		const times = Array.from({length: frames}, (_, frame) => timeOf(() => draw(pass * frames + frame)));
		return {median: quantile(times, 0.5), p95: quantile(times, 0.95)};
	});
	const [calmest = {median: Infinity, p95: Infinity}] = measuredPasses.sort((a, b) => a.p95 - b.p95);
	const measured = `${calmest.median.toFixed(2)} ms median, ${calmest.p95.toFixed(2)} ms p95`;
	return {name: `chart, 200×60: ${name}`, measured, target: `p95 < ${targetMs} ms`, met: calmest.p95 < targetMs};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
