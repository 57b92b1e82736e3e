import {type LadderInput, ladderBody} from '../../source/view/depth-ladder/rows.ts';
import {bitcoin, makeBook} from '../view/depth-ladder/books.ts';
import type {BenchRow} from './row.ts';

const frames = 300;
const targetMs = 3;
const levels = 5000;

/** What a frame of the ladder costs with the deepest book: 5,000 levels a side at 60×40. */
export async function bench(): Promise<readonly BenchRow[]> {
	const input: Omit<LadderInput, 'grouping'> = {
		book: makeBook({...bitcoin, levels}),
		decimals: {price: bitcoin.priceDecimals, quantity: bitcoin.quantityDecimals},
		size: {columns: 60, rows: 40},
		ascii: false,
	};
	return [row('finest', {...input, grouping: 0}), row('grouped by 0.5', {...input, grouping: 5})];
}

function row(name: string, input: LadderInput): BenchRow {
	const times = Array.from({length: frames}, () => {
		const start = performance.now();
		ladderBody(input);
		return performance.now() - start;
	}).sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(frames * share)] ?? Infinity;
	return {
		name: `ladder: a frame of 5,000 levels a side, ${name}, 60×40`,
		measured: `${at(0.5).toFixed(2)} ms median, ${at(0.95).toFixed(2)} ms p95`,
		target: `median < ${targetMs} ms`,
		met: at(0.5) < targetMs,
	};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
