import {type ChartInput, chartBody} from '../../source/view/candle-chart/chart.ts';
import {walk} from '../helpers/candles.ts';
import type {BenchRow} from './row.ts';

const frames = 500;
const targetMs = 2;

/** What a frame of the largest chart costs: 500 candles at 200×60. */
export async function bench(): Promise<readonly BenchRow[]> {
	const newest = Date.UTC(2026, 10, 20, 23);
	const input: Omit<ChartInput, 'type'> = {
		series: walk({count: 500, price: 60_000, decimals: 2, volatility: 0.006, newest}),
		size: {columns: 200, rows: 60},
		ascii: false,
		now: newest,
		decimals: 2,
		zoom: 1,
		offset: 0,
	};
	return [row('candles', {...input, type: 'candles'}), row('line', {...input, type: 'line'})];
}

function row(name: string, input: ChartInput): BenchRow {
	const times = Array.from({length: frames}, () => {
		const start = performance.now();
		chartBody(input);
		return performance.now() - start;
	}).sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(frames * share)] ?? Infinity;
	return {
		name: `chart: a frame of ${name}, 500 in the series, 200×60`,
		measured: `${at(0.5).toFixed(2)} ms median, ${at(0.95).toFixed(2)} ms p95`,
		target: `median < ${targetMs} ms`,
		met: at(0.5) < targetMs,
	};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
