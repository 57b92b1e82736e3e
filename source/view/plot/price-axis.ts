import {padFraction, textWidth} from '../../format/cells.ts';
import {formatFixed, formatPrice} from '../../format/number.ts';
import {highestSoFar} from '../../market/candles.ts';
import type {Candle} from '../../market/types.ts';
import type {Price, PriceScale} from './price-scale.ts';

export type PriceLabels = ReturnType<typeof createPriceLabels>;

/** Small prices with wider labels are written short, as in 0.0₉123. */
const widestFull = 12;

/** Writes the prices on a chart's axis, all in one form. */
export function createPriceLabels(input: {candles: readonly Candle[]; decimals: number; ascii: boolean}) {
	const {candles, decimals, ascii} = input;
	const high = highestSoFar(candles).at(candles.length - 1) ?? 0;
	const last = candles.at(-1)?.close ?? high;
	const widest = nines(high, decimals);
	const short = widest < 1 && textWidth(formatFixed(widest, decimals)) > widestFull;
	const aligned = (text: string): string => (decimals > 0 ? padFraction(text, decimals + 1) : text);
	/** With the price's own decimals. */
	const price = (value: Price): string =>
		short ? formatPrice(value, {decimals, width: widestFull, ascii}) : aligned(formatPrice(value, {decimals, ascii}));
	/** Cells of the widest label. It changes only when a price gains or loses a digit. */
	const width = Math.max(textWidth(price(widest)), textWidth(price(last)));
	/** With the decimals of a round step, and the decimal point aligned with that of `price`. */
	const tick = (value: Price, tickDecimals: number): string =>
		short ? price(value) : aligned(formatFixed(value, tickDecimals));
	return {width, price, tick};
}

const safeDigits = 15;

/** The widest price of the same magnitude: every digit from the first one of `price` on is a nine. */
function nines(price: number, decimals: number): number {
	const digits = price > 0 ? Math.floor(Math.log10(price)) + 1 + decimals : 1;
	return Number(`${'9'.repeat(Math.max(Math.min(digits, safeDigits), 1))}e${-decimals}`);
}

export type RoundTicks = {
	/** Highest first, exact multiples of the step. */
	readonly values: readonly Price[];
	/** The fewest decimals that the step needs. */
	readonly decimals: number;
};

/**
 * The multiples between `min` and `max` of the smallest step of 1, 2 or 5 × 10ⁿ that divides the range into at most
 * `intervals` parts. The step is never finer than the price's own `decimals`.
 */
export function roundTicks(min: Price, max: Price, intervals: number, decimals: number): RoundTicks {
	if (intervals < 1 || !(max > min)) return {values: [], decimals: 0};
	const step = roundStep((max - min) / intervals, decimals);
	const {values} = multiples(step, Math.floor(min / step.size) - 1, Math.ceil(max / step.size) + 1);
	return {values: values.filter(value => value >= min && value <= max), decimals: Math.max(-step.exponent, 0)};
}

/**
 * The multiples of the step of `roundTicks`, from the last at or below `min` to the first at or above `max`. Empty where the
 * range is.
 */
export function enclosingTicks(min: Price, max: Price, intervals: number, decimals: number): RoundTicks {
	if (intervals < 1 || !(max > min)) return {values: [], decimals: 0};
	const step = roundStep((max - min) / intervals, decimals);
	const {values, decimals: digits} = multiples(step, Math.floor(min / step.size) - 1, Math.ceil(max / step.size) + 1);
	// Quotients are rounded, so the ends are found by the ticks themselves.
	const encloses = (index: number) => (values[index + 1] ?? -Infinity) < max && (values[index - 1] ?? Infinity) > min;
	return {values: values.filter((_, index) => encloses(index)), decimals: digits};
}

type RoundStep = {readonly mantissa: number; readonly exponent: number; readonly size: number};

function roundStep(least: number, decimals: number): RoundStep {
	const leastStep = Math.max(least, 10 ** -decimals);
	const exponent = Math.floor(Math.log10(leastStep));
	// A tiny tolerance, as 10 ** -8 and its logarithm are both rounded.
	const mantissa = [1, 2, 5].find(candidate => candidate * 10 ** exponent >= leastStep * (1 - 1e-12));
	if (mantissa === undefined) return {mantissa: 1, exponent: exponent + 1, size: 10 ** (exponent + 1)};
	return {mantissa, exponent, size: mantissa * 10 ** exponent};
}

/** The multiples of a step from `first` to `last`, highest first. */
function multiples({mantissa, exponent}: RoundStep, first: number, last: number): RoundTicks {
	// Parsed from decimal text, so that 3 × 0.1 is 0.3.
	const values = Array.from(
		{length: last - first + 1},
		(_, index): Price => Number(`${(last - index) * mantissa}e${exponent}`),
	);
	return {values, decimals: Math.max(-exponent, 0)};
}

/**
 * Round prices for a logarithmic scale, highest first and at least `apart` rows apart: first powers of ten, then twice and
 * five times these and, if the scale covers less than a power of ten, round prices of ever finer steps.
 */
export function logTicks(scale: PriceScale, apart: number, decimals: number): RoundTicks {
	const {top, bottom} = scale;
	const chosen: Array<{value: Price; decimals: number}> = [];
	const offer = (value: Price, needed: number): void => {
		if (value < bottom || value > top || needed > decimals) return;
		const row = scale.rowsTo(value);
		if (chosen.some(other => Math.abs(scale.rowsTo(other.value) - row) < apart)) return;
		chosen.push({value, decimals: needed});
	};

	const first = Math.floor(Math.log10(bottom));
	const last = Math.ceil(Math.log10(top));
	for (const mantissa of [1, 2, 5]) {
		for (let exponent = first; exponent <= last; exponent++) {
			offer(Number(`${mantissa}e${exponent}`), Math.max(-exponent, 0));
		}
	}

	// Over a wider range equal steps would crowd at the top.
	for (const intervals of top < bottom * 10 ? [4, 8, 16, 32] : []) {
		const ticks = roundTicks(bottom, top, intervals, decimals);
		for (const value of ticks.values) offer(value, ticks.decimals);
	}

	return {
		values: chosen.map(({value}) => value).sort((a, b) => b - a),
		decimals: Math.max(0, ...chosen.map(tick => tick.decimals)),
	};
}
