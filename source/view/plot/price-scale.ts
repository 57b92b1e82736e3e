/** A number that says what it counts: one kind is not taken for another, plain numbers pass. */
type Flavor<Name extends string> = number & {readonly flavor?: Name};
export type Price = Flavor<'price'>;
/** Half cells from the top of the price pane, 0 first; two make a row. */
export type HalfRow = Flavor<'half row'>;

/** Which price stands where in a pane. */
export type PriceScale = {
	/** The price of the first and of the last half row. */
	readonly top: Price;
	readonly bottom: Price;
	readonly halfRows: number;
	/** The half row nearest to the price; prices outside the scale go to its ends. */
	halfRowOf(price: Price): HalfRow;
	/** The price that the half row stands for: `halfRowOf(priceAt(h)) === h`. */
	priceAt(halfRow: HalfRow): Price;
	/** Rows from the top of the pane down to the price, with fractions; beyond the pane for prices beyond the scale. */
	rowsTo(price: Price): number;
};

/** Below this share of the price a range is noise of the doubles it is written in. */
const leastRelativeRange = 1e-9;

export type ScaleInput = {
	readonly low: Price;
	readonly high: Price;
	readonly rows: number;
	/** Of the price. */
	readonly decimals: number;
	/** Equal distances for equal ratios instead of equal differences, where all prices are above 0. Default false. */
	readonly log?: boolean | undefined;
};

/**
 * From `low` to `high` over `rows` cells. A flat range gets a few steps of the price's last decimal on both sides, so
 * that a price that does not move stands in the middle.
 */
export function createPriceScale(input: ScaleInput): PriceScale {
	const {top, bottom} = widened(input);
	const {of, back} = measureFor(input.log === true && bottom > 0);
	const halfRows = Math.max(input.rows * 2, 1);
	const last = halfRows - 1;
	const perHalfRow = (of(top) - of(bottom)) / Math.max(last, 1);
	const halfRowsTo = (price: Price): number => (of(top) - of(price)) / perHalfRow;
	return {
		top,
		bottom,
		halfRows,
		halfRowOf: price => Math.min(Math.max(Math.round(halfRowsTo(price)), 0), last),
		priceAt: halfRow => back(of(top) - halfRow * perHalfRow),
		rowsTo: price => (halfRowsTo(price) + 0.5) / 2,
	};
}

type Measure = {readonly of: (price: Price) => number; readonly back: (measured: number) => Price};

/** What is as long as it looks on the screen: the price itself, or its logarithm. */
export const measureFor = (log: boolean): Measure =>
	log ? {of: Math.log, back: Math.exp} : {of: price => price, back: measured => measured};

const flatSteps = 5;

function widened({low, high, decimals}: {low: Price; high: Price; decimals: number}): {top: Price; bottom: Price} {
	if (high - low > Math.abs(high) * leastRelativeRange) return {top: high, bottom: low};
	const margin = Math.max(flatSteps * 10 ** -decimals, Math.abs(high) * leastRelativeRange);
	// No price is below nothing: near zero the margin is half of the price.
	const bounded = high > 0 ? Math.min(margin, high / 2) : margin;
	return {top: high + bounded, bottom: high - bounded};
}

export const rowOf = (halfRow: HalfRow): number => Math.floor(halfRow / 2);

export type RoundTicks = {
	/** Highest first, exact multiples of the step. */
	readonly values: readonly Price[];
	/** Decimals that the step needs, and no more. */
	readonly decimals: number;
};

/**
 * The multiples within `min` and `max` of the smallest step of 1, 2 or 5 × 10ⁿ that cuts the range in at most
 * `intervals` parts. The step is never finer than `decimals`, those of the price itself: no trade could take place there.
 */
export function roundTicks(min: Price, max: Price, intervals: number, decimals: number): RoundTicks {
	if (intervals < 1 || !(max > min)) return {values: [], decimals: 0};
	const step = roundStep((max - min) / intervals, decimals);
	const {values} = multiples(step, Math.floor(min / step.size) - 1, Math.ceil(max / step.size) + 1);
	return {values: values.filter(value => value >= min && value <= max), decimals: Math.max(-step.exponent, 0)};
}

/** The same and one more at either end, so that they hold the range between them. Nothing where it is empty. */
export function enclosingTicks(min: Price, max: Price, intervals: number, decimals: number): RoundTicks {
	if (intervals < 1 || !(max > min)) return {values: [], decimals: 0};
	const step = roundStep((max - min) / intervals, decimals);
	return multiples(step, Math.floor(min / step.size), Math.ceil(max / step.size));
}

type RoundStep = {readonly mantissa: number; readonly exponent: number; readonly size: number};

function roundStep(least: number, decimals: number): RoundStep {
	const leastStep = Math.max(least, 10 ** -decimals);
	const exponent = Math.floor(Math.log10(leastStep));
	// A hair of tolerance: 10 ** -8 and its logarithm are both rounded.
	const mantissa = [1, 2, 5].find(candidate => candidate * 10 ** exponent >= leastStep * (1 - 1e-12));
	if (mantissa === undefined) return {mantissa: 1, exponent: exponent + 1, size: 10 ** (exponent + 1)};
	return {mantissa, exponent, size: mantissa * 10 ** exponent};
}

/** Highest first. */
function multiples({mantissa, exponent}: RoundStep, first: number, last: number): RoundTicks {
	// Parsed from decimal text, so that 3 × 0.1 is 0.3.
	const values = Array.from(
		{length: last - first + 1},
		(_, index): Price => Number(`${(last - index) * mantissa}e${exponent}`),
	);
	return {values, decimals: Math.max(-exponent, 0)};
}

/**
 * Round prices for a logarithmic scale, highest first: powers of ten before twice and five times those, and on a scale of
 * less than a power of ten round prices of ever finer steps; each where none stands within `apart` rows of it.
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
