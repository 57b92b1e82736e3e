import type {Candle} from './types.ts';

/** How markets performed against each other, since a time that all of them have candles from. */
export type Performances = {
	/** Start of the first and of the last step, epoch ms. */
	readonly from: number;
	readonly to: number;
	/** By symbol: change in percent since the first step, one number per step. Markets without candles are left out. */
	readonly changes: ReadonlyMap<string, readonly number[]>;
};

/**
 * Turns `candles` (by symbol, oldest first) into changes since the first of the last `most` steps of `stepMs` that all
 * markets have. A market that did not trade keeps its last price. Undefined if no market has candles.
 */
export function performances(
	candles: ReadonlyMap<string, readonly Candle[]>,
	stepMs: number,
	most: number,
): Performances | undefined {
	const traded = [...candles].filter(([, list]) => list.length > 0);
	if (traded.length === 0) return undefined;
	const begin = Math.max(...traded.map(([, list]) => list[0]?.time ?? 0));
	const to = Math.max(begin, ...traded.map(([, list]) => list.at(-1)?.time ?? 0));
	const steps = Math.min(Math.floor((to - begin) / stepMs) + 1, most);
	const from = to - (steps - 1) * stepMs;
	return {from, to, changes: new Map(traded.map(([symbol, list]) => [symbol, changesOf(list, from, stepMs, steps)]))};
}

function changesOf(candles: readonly Candle[], from: number, stepMs: number, steps: number): readonly number[] {
	let next = 0;
	let close = 0;
	const closes = Array.from({length: steps}, (_, step) => {
		for (let candle = candles[next]; candle && candle.time <= from + step * stepMs; candle = candles[++next]) {
			close = candle.close;
		}

		return close;
	});
	const base = closes[0] ?? 0;
	return closes.map(each => (each / base - 1) * 100);
}
