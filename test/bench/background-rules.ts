/** How long after a trade in a market in the background its rules alert, by their number and the request budget; on a fake clock. */
import {runInBackground} from '../alerts/background-delays.ts';
import type {BenchRow} from './row.ts';
import {quantile} from './support/quantile.ts';

const counts = [20, 50, 80, 100];
const defaultRate = 5;
const rates = [defaultRate, 60];
/** At the higher rate, for 50 markets. */
const mostMs = 3000;

export async function bench(): Promise<readonly BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const rate of rates) {
		for (const markets of counts) {
			const {delaysMs, screenMs, busiest, blind} = await runInBackground({markets, rate, seconds: 90, warmUp: 40});
			const seconds = (share: number) => `${(quantile(delaysMs, share) / 1000).toFixed(1)} s`;
			rows.push({
				name: `from a trade to the alert, ${markets} markets in the background, --rate ${rate}`,
				measured: `${seconds(0.5)}, p95 ${seconds(0.95)} (${delaysMs.length} alerts; ${busiest} requests in the busiest second; book on screen late by ${Math.round(quantile(screenMs, 0.95))} ms p95; ${blind.length} blind)`,
				...(rate > defaultRate &&
					markets === 50 && {target: `p95 at most ${mostMs / 1000} s`, met: quantile(delaysMs, 0.95) <= mostMs}),
			});
		}
	}

	return rows;
}

if (import.meta.main) {
	for (const {name, measured} of await bench()) console.log(`${name}: ${measured}`);
}
