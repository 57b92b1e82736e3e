import {candleEnd, hasVolume} from './candles.ts';
import {type PriceStep, stepAt, stepSize, wholeSteps} from './depth.ts';
import {addTo, type DecimalSum, sumDecimals} from './precision.ts';
import type {TradedMinutes} from './traded-minutes.ts';
import type {Candle, Period} from './types.ts';

/** Traded in one price step, in base asset. */
export type StepVolume = {
	/** By takers who bought, and who sold. */
	readonly bought: number;
	readonly sold: number;
	/** With trades without a side. */
	readonly total: number;
};

/** What was traded in a candle at which prices. */
export type Footprint = {
	/** By the number of price steps from 0 to the lower end of the step. A step without trades has no entry. */
	readonly steps: ReadonlyMap<number, StepVolume>;
	/** Bought minus sold, in base asset; undefined: some trades have no side. */
	readonly delta: number | undefined;
	/** The step with the most volume, the point of control; of equal ones the highest; undefined: nothing was traded. */
	readonly control: number | undefined;
};

/**
 * `missing`: the trades seen do not reach back to its start without a gap. `differing`: they do, and are not the volume that the
 * exchange gives the candle.
 */
export type LackingFootprint = 'missing' | 'differing';

/** Of candles that are closed and whole: nothing changes them any more while the minutes are the same. */
const finished = new WeakMap<Candle, {minutes: TradedMinutes['minutes']; step: PriceStep; footprint: Footprint}>();

/**
 * The footprint of a candle, or why there is none: it is made of trades alone, and of all of them. The volume of a forming candle is
 * not compared, as candle and trades are read one after the other.
 */
export function footprintOf(
	traded: TradedMinutes,
	request: FootprintRequest,
	step: PriceStep,
): Footprint | LackingFootprint {
	const {candle, isForming} = request;
	if (traded.after >= candle.time) return 'missing';
	const last = isForming ? undefined : finished.get(candle);
	if (last?.minutes === traded.minutes && stepSize(last.step) === stepSize(step)) return last.footprint;
	const footprint = footprintOfTrades(traded, request, step);
	if (!isForming && typeof footprint === 'object') finished.set(candle, {minutes: traded.minutes, step, footprint});
	return footprint;
}

type FootprintRequest = {readonly candle: Candle; readonly period: Period; readonly isForming: boolean};

function footprintOfTrades(
	{minutes}: TradedMinutes,
	{candle, period, isForming}: FootprintRequest,
	step: PriceStep,
): Footprint | 'differing' {
	const end = candleEnd(candle, period);
	const sums = {
		buy: new Map<number, DecimalSum>(),
		sell: new Map<number, DecimalSum>(),
		unknown: new Map<number, DecimalSum>(),
	};
	for (const [start, minute] of minutes) {
		if (start < candle.time || start >= end) continue;
		for (const side of ['buy', 'sell', 'unknown'] as const) {
			for (const [price, {total}] of minute[side])
				addTo(sums[side], wholeSteps(price, 'bid', step) ?? Number.NaN, total);
		}
	}

	const {buy, sell, unknown} = sums;
	const steps = new Map<number, StepVolume>();
	let control: number | undefined;
	for (const at of [...buy.keys(), ...sell.keys(), ...unknown.keys()].sort((a, b) => b - a)) {
		const [bought, sold] = [buy.get(at)?.total ?? 0, sell.get(at)?.total ?? 0];
		const total = sumDecimals([bought, sold, unknown.get(at)?.total ?? 0]);
		steps.set(at, {bought, sold, total});
		if (control === undefined || total > (steps.get(control)?.total ?? 0)) control = at;
	}

	const volumes = [...steps.values()];
	if (!isForming && !hasVolume(candle, sumDecimals(volumes.map(({total}) => total)))) return 'differing';
	const delta = sumDecimals(volumes.flatMap(({bought, sold}) => [bought, -sold]));
	return {steps, delta: unknown.size === 0 ? delta : undefined, control};
}

/**
 * Whether buyers took at least `ratio` times what sellers took one step below, and sellers what buyers took one step above. Where the
 * other side took nothing there is no ratio.
 */
export function imbalanceAt(
	{steps}: Pick<Footprint, 'steps'>,
	at: number,
	ratio: number,
): {readonly bought: boolean; readonly sold: boolean} {
	const {bought = 0, sold = 0} = steps.get(at) ?? {};
	const soldBelow = steps.get(at - 1)?.sold ?? 0;
	const boughtAbove = steps.get(at + 1)?.bought ?? 0;
	return {
		bought: soldBelow > 0 && bought >= ratio * soldBelow,
		sold: boughtAbove > 0 && sold >= ratio * boughtAbove,
	};
}

/** The smallest step in which the prices from `low` to `high` take at most so many steps. `decimals`: of the market's prices. */
export function footprintStep(low: number, high: number, rows: number, decimals: number): PriceStep {
	for (let index = 0; ; index++) {
		const step = stepAt(decimals, index);
		const [first = 0, last = first] = [low, high].map(price => wholeSteps(price, 'bid', step));
		if (last - first < rows) return step;
	}
}
