import {padFraction, textWidth} from '../../format/cells.ts';
import {formatFixed, formatPrice} from '../../format/number.ts';
import {highestSoFar} from '../../market/candles.ts';
import type {Candle} from '../../market/types.ts';
import {createPriceScale, type Price, type PriceScale, type ScaleInput, standardInset} from './price-scale.ts';

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
	return multiplesWithin(roundStep((max - min) / intervals, decimals), min, max);
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

export type TickedScale = PriceScale & {readonly ticks: RoundTicks};

/** A price at the very edge of a row could be drawn in either. */
const leastFromEdge = 0.05;
/** Least rows between two round prices on a logarithmic scale. */
const logApart = 2;

/**
 * Creates a scale that covers at least the range, with round prices that are equally many whole rows apart, at least `apart`. On a
 * logarithmic scale they are at least two rows apart.
 */
export function createTickedScale(input: ScaleInput, apart: number): TickedScale {
	const plain = createPriceScale(input);
	const {decimals, inset = standardInset} = input;
	if (input.log && plain.bottom > 0) return {...plain, ticks: logTicks(plain, logApart, decimals)};
	const usual = roundTicks(plain.bottom, plain.top, Math.floor(plain.rows / apart), decimals);
	// Two are at one distance, and where only two have room every row is needed.
	if (usual.values.length <= 2) return {...plain, ticks: usual};
	const rows = plain.rows - 2 * inset;
	const step = evenStep(plain.top - plain.bottom, rows - 2 * leastFromEdge, apart, decimals);
	const perRow = step.size / step.rows;
	/** In rows above a price of 0. */
	const centre = (plain.top + plain.bottom) / 2 / perRow + rows / 2;
	// No price is below zero.
	const top = plain.bottom < 0 ? centre : Math.max(centre, rows);
	const edge = (top + inset) % 1;
	// Between the smallest numbers there are none.
	if (!Number.isFinite(top)) return {...plain, ticks: {values: [], decimals: 0}};
	const high = (top + (edge < leastFromEdge ? leastFromEdge : edge > 1 - leastFromEdge ? -leastFromEdge : 0)) * perRow;
	const scale = createPriceScale({...input, low: high - rows * perRow, high});
	return {...scale, ticks: multiplesWithin(step, scale.bottom, scale.top)};
}

/** `rows`: how many it takes. */
type EvenStep = RoundStep & {readonly rows: number};

/** Fewer do not show how far a price is from another. */
const leastSteps = 2;

/**
 * A round step of at least `apart` whole rows, so that `rows` rows cover `span` with little left over. It is never finer than the
 * price's own `decimals`.
 */
export function evenStep(span: number, rows: number, apart: number, decimals: number): EvenStep {
	const perRow = span / rows;
	const evenFrom = (least: number): EvenStep => {
		const step = roundStep(least, decimals);
		return {...step, rows: Math.floor(step.size / perRow)};
	};
	const finest = evenFrom(perRow * apart);
	const next = evenFrom(finest.size * 1.5);
	const isBetter = next.size / next.rows < finest.size / finest.rows;
	return isBetter && next.rows * leastSteps <= rows ? next : finest;
}

/** `decimals`: the fewest that it needs. */
type RoundStep = {
	readonly mantissa: number;
	readonly exponent: number;
	readonly size: number;
	readonly decimals: number;
};

function roundStep(least: number, decimals: number): RoundStep {
	const leastStep = Math.max(least, 10 ** -decimals);
	const exponent = Math.floor(Math.log10(leastStep));
	// A tiny tolerance, as 10 ** -8 and its logarithm are both rounded.
	const mantissa = [1, 2, 5].find(candidate => candidate * 10 ** exponent >= leastStep * (1 - 1e-12));
	if (mantissa === undefined) return roundStepOf(1, exponent + 1);
	return roundStepOf(mantissa, exponent);
}

const roundStepOf = (mantissa: number, exponent: number): RoundStep => ({
	...{mantissa, exponent, size: mantissa * 10 ** exponent, decimals: Math.max(-exponent, 0)},
});

/** The multiples of a step between `min` and `max`. */
export function multiplesWithin(step: RoundStep, min: Price, max: Price): RoundTicks {
	const {values, decimals} = multiples(step, Math.floor(min / step.size) - 1, Math.ceil(max / step.size) + 1);
	return {values: values.filter(value => value >= min && value <= max), decimals};
}

/** The multiples of a step from `first` to `last`, highest first. */
function multiples({mantissa, exponent, decimals}: RoundStep, first: number, last: number): RoundTicks {
	// Parsed from decimal text, so that 3 × 0.1 is 0.3.
	const values = Array.from(
		{length: last - first + 1},
		(_, index): Price => Number(`${(last - index) * mantissa}e${exponent}`),
	);
	return {values, decimals};
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
