import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import type {BenchRow} from './row.ts';

const kept = 50_000;
const fresh = 20;
const pageSize = 100;
const polls = 200;
const targetMs = 5;

const trade = (number: number): Trade => ({
	id: String(3_000_000_000 + number),
	time: Date.UTC(2024, 7, 8) + number * 50,
	price: 100 + (number % 7),
	quantity: 1 + (number % 11),
	side: number % 2 === 0 ? 'buy' : 'sell',
});

/** The newest `count` trades up to `newest`. */
const page = (newest: number, count: number) => Array.from({length: count}, (_, index) => trade(newest - index));

/** What a poll costs once the tape is full: a page of which some trades are new, merged into 50,000. */
export async function bench(): Promise<readonly BenchRow[]> {
	let tape = mergeTape(emptyTape, page(kept, kept), kept);
	const times: number[] = [];
	for (let poll = 1; poll <= polls; poll++) {
		const next = page(kept + poll * fresh, pageSize);
		const start = performance.now();
		tape = mergeTape(tape, next, kept);
		times.push(performance.now() - start);
	}

	times.sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(polls * share)] ?? Infinity;
	return [
		{
			name: `tape: a page of ${pageSize}, ${fresh} of them new, merged into 50,000 trades`,
			measured: `${at(0.5).toFixed(2)} ms median, ${at(0.95).toFixed(2)} ms p95`,
			target: `median < ${targetMs} ms`,
			met: at(0.5) < targetMs,
		},
	];
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
