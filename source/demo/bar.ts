import {clamp} from '../market/numbers.ts';
import type {Random} from './random.ts';

/** Open, high, low and close in ticks and volume in lots: all whole numbers, so that sums are exact. */
export type Bar = {
	readonly open: number;
	readonly high: number;
	readonly low: number;
	readonly close: number;
	readonly volume: number;
};

/** Bars added up in time order. */
export class BarSum {
	#bar: {open: number; high: number; low: number; close: number; volume: number} | undefined;
	/** Ticks × lots: the amount paid, exact if `add` gets it, else volume times the middle of each bar. */
	turnover = 0;

	add(bar: Bar, turnover = (bar.volume * (bar.open + bar.high + bar.low + bar.close)) / 4): void {
		this.turnover += turnover;
		const sum = this.#bar;
		if (!sum) {
			this.#bar = {open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume};
			return;
		}
		if (bar.high > sum.high) sum.high = bar.high;
		if (bar.low < sum.low) sum.low = bar.low;
		sum.close = bar.close;
		sum.volume += bar.volume;
	}

	/** The sum as one bar. Throws if nothing was added. */
	get bar(): Bar {
		if (!this.#bar) throw new RangeError('the sum of no bars');
		return this.#bar;
	}
}

/** The range of a random walk is about 1.6 times its deviation. */
const rangePerDeviation = 1.6;

/**
 * Splits a bar into `count` consecutive bars that add up to it exactly: each opens where the previous one closed, volumes
 * sum to the whole, one touches the high and one the low. A part without volume does not move.
 * @param tradeVolume mean volume of a trade in lots: with few trades, some parts stay empty
 */
export function splitBar(whole: Bar, count: number, tradeVolume: number, random: Random): readonly Bar[] {
	const volumes = splitVolume(whole.volume, count, tradeVolume, random);
	const deviation = (whole.high - whole.low) / rangePerDeviation;
	const parts: {open: number; high: number; low: number; close: number; volume: number}[] = [];
	let price = whole.open;
	let left = whole.volume;
	let highest: (typeof parts)[number] | undefined;
	let lowest: (typeof parts)[number] | undefined;
	for (const volume of volumes) {
		const open = price;
		if (volume === 0) {
			parts.push({open, high: open, low: open, close: open, volume});
			continue;
		}
		// A Brownian bridge to the close, with volume as its clock: busy parts move more, and the last one ends exactly there.
		const share = volume / left;
		const ownDeviation = deviation * Math.sqrt(volume / whole.volume);
		const step = (whole.close - open) * share + ownDeviation * Math.sqrt(1 - share) * random.gaussian();
		const close = clamp(Math.round(open + step), whole.low, whole.high);
		const overshoot = Math.round(0.5 * ownDeviation * Math.abs(random.gaussian()));
		const undershoot = Math.round(0.5 * ownDeviation * Math.abs(random.gaussian()));
		const part = {
			open,
			high: Math.min(whole.high, Math.max(open, close) + overshoot),
			low: Math.max(whole.low, Math.min(open, close) - undershoot),
			close,
			volume,
		};
		parts.push(part);
		if (!highest || part.high > highest.high) highest = part;
		if (!lowest || part.low < lowest.low) lowest = part;
		price = close;
		left -= volume;
	}
	if (highest) highest.high = whole.high;
	if (lowest) lowest.low = whole.low;
	return parts;
}

/** Splits a volume into whole lots by random weights. Rounding the running sum, not each part, keeps the total exact. */
function splitVolume(volume: number, count: number, tradeVolume: number, random: Random): readonly number[] {
	const emptyShare = Math.exp(-volume / (tradeVolume * count));
	const weights: number[] = [];
	let total = 0;
	for (let part = 0; part < count; part++) {
		const weight = random.uniform() < emptyShare ? 0 : 0.3 + random.exponential();
		weights.push(weight);
		total += weight;
	}
	if (total === 0) {
		weights[Math.floor(random.uniform() * count)] = 1;
		total = 1;
	}
	let reached = 0;
	let given = 0;
	return weights.map(weight => {
		reached += weight;
		const until = Math.round((volume * reached) / total);
		const part = until - given;
		given = until;
		return part;
	});
}
