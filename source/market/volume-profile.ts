import {firstWhere} from './numbers.ts';
import type {Candle} from './types.ts';

/** The share of the volume that the value area has. */
export const valueShare = 0.7;

/** Volume by price. */
export type VolumeProfile = {
	/** Volume of each stretch of prices, in base asset. */
	readonly volumes: readonly number[];
	/** The stretch with the largest volume, the point of control; undefined: nothing was traded in any. */
	readonly control?: number | undefined;
	/** First and last stretch of the value area: those around the point of control that have 70 % of the volume. */
	readonly area?: {readonly first: number; readonly last: number} | undefined;
};

type Traded = Pick<Candle, 'high' | 'low' | 'volume'>;

/**
 * The volume that candles traded in each stretch between two neighbouring `edges`, prices that fall from first to last. It
 * is an estimate: candles don't say at which prices they traded, so that the volume of each is spread evenly from its high
 * to its low. What lies outside the edges does not count.
 */
export function volumeProfile(candles: Iterable<Traded>, edges: readonly number[]): VolumeProfile {
	const volumes = new Array<number>(Math.max(edges.length - 1, 0)).fill(0);
	for (const candle of candles) addVolume(volumes, candle, edges);
	const largest = volumes.reduce((most, volume) => Math.max(most, volume), 0);
	if (largest === 0) return {volumes};
	// Shares of what no number can say are unknown.
	if (!Number.isFinite(largest)) return {volumes: volumes.map(() => 0)};
	const control = volumes.indexOf(largest);
	return {volumes, control, area: valueArea(volumes, control)};
}

function addVolume(volumes: number[], {high, low, volume}: Traded, edges: readonly number[]): void {
	for (let index = firstBelow(edges, high); index < volumes.length; index++) {
		const top = edges[index] ?? high;
		const bottom = edges[index + 1] ?? low;
		if (top < low) return;
		// A candle of a single price has a stretch to itself: the upper one of two that meet there.
		const share = high > low ? Math.max(Math.min(high, top) - Math.max(low, bottom), 0) / (high - low) : 1;
		volumes[index] = (volumes[index] ?? 0) + volume * share;
		if (high === low) return;
	}
}

/** The first stretch that reaches below the price, or down to it. */
const firstBelow = (edges: readonly number[], price: number): number =>
	firstWhere(0, edges.length - 1, index => (edges[index + 1] ?? -Infinity) <= price);

/** Widens the area from the point of control on, each time by the neighbour with more volume, until it has its share. */
function valueArea(volumes: readonly number[], control: number): {first: number; last: number} {
	const wanted = volumes.reduce((sum, volume) => sum + volume, 0) * valueShare;
	let [first, last, held] = [control, control, volumes[control] ?? 0];
	while (held < wanted && (first > 0 || last < volumes.length - 1)) {
		const above = volumes[first - 1] ?? -1;
		const below = volumes[last + 1] ?? -1;
		if (above >= below) first--;
		else last++;
		held += Math.max(above, below);
	}

	return {first, last};
}
