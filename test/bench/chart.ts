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
		tradeRow('a trade with averages of merged candles', {type: 'heikin-ashi', zoom: {columns: 1, merged: 10}}),
	];
}

function inputOf(count: number): ChartInput {
	const newest = Date.UTC(2026, 10, 20, 23);
	const series = walk({count, price: 60_000, decimals: 2, volatility: 0.006, newest});
	return {...initialChart, series, size: largeSize, ascii: false, now: newest, decimals: 2};
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
	const {candles} = input.series;
	const newest = candles.at(-1);
	const moved = (frame: number): readonly Candle[] =>
		newest ? candles.with(-1, {...newest, volume: newest.volume + frame}) : [];
	return row(`${name}, 20,000 candles`, 8, frame => {
		chartBody({...input, series: {...input.series, candles: moved(frame)}});
	});
}

/** Times of the calmest of some passes: what else runs on the machine is not the chart's. */
function row(name: string, targetMs: number, draw: (frame: number) => void): BenchRow {
	const measuredPasses = Array.from({length: passes}, (_, pass) => {
		const times = Array.from({length: frames}, (_, frame) => {
			const start = performance.now();
			draw(pass * frames + frame);
			return performance.now() - start;
		});
		return {median: quantile(times, 0.5), p95: quantile(times, 0.95)};
	});
	const [calmest = {median: Infinity, p95: Infinity}] = measuredPasses.sort((a, b) => a.p95 - b.p95);
	const measured = `${calmest.median.toFixed(2)} ms median, ${calmest.p95.toFixed(2)} ms p95`;
	return {name: `chart, 200×60: ${name}`, measured, target: `p95 < ${targetMs} ms`, met: calmest.p95 < targetMs};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
