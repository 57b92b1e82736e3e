import {clamp} from '../../market/numbers.ts';

/** A number with a unit in its type, so that two units cannot be mixed up. Plain numbers are accepted. */
type Flavor<Name extends string> = number & {readonly flavor?: Name};
export type Price = Flavor<'price'>;
/** Rows from the top of a pane, with fractions. */
type Rows = Flavor<'rows'>;

/** Maps prices to rows of a pane and back. */
export type PriceScale = {
	readonly top: Price;
	readonly bottom: Price;
	/** Rows of the pane, at least 1. */
	readonly rows: number;
	/** Rows from the top of the pane to the price; outside the pane for prices outside the scale. */
	rowsTo(price: Price): Rows;
	/** The price at this many rows below the top of the pane: `priceAt(rowsTo(price))` is `price`. */
	priceAt(rows: Rows): Price;
	/**
	 * The row that contains the price, 0 at the top. With `parts`, the index of the part, with that many parts per row.
	 * Prices outside the scale are moved to its ends.
	 */
	rowOf(price: Price, parts?: number): number;
	/** Whether the price is inside the scale. */
	contains(price: Price): boolean;
};

export type PriceRange = {readonly low: Price; readonly high: Price};

export type ScaleInput = PriceRange & {
	readonly rows: number;
	/** Decimals of the price. */
	readonly decimals: number;
	/** Logarithmic: equal distances are equal ratios. Only if all prices are above 0. Default false. */
	readonly log?: boolean | undefined;
	/** Rows from the pane's edges to the highest and the lowest price. Default 0.25: each in the middle of a half row. */
	readonly inset?: number | undefined;
};

/** Rows from the pane's edges to the highest and the lowest price. */
export const standardInset = 0.25;

/**
 * Creates a scale from `low` to `high`. A flat range is widened by a few steps of the price's last decimal on both sides, so
 * that a price that does not move is in the middle.
 */
export function createPriceScale(input: ScaleInput): PriceScale {
	const {log = false, inset = standardInset} = input;
	const {top, bottom} = widened({...input, ...bounded(input)});
	const {of, back} = measureFor(log && bottom > 0);
	const rows = Math.max(input.rows, 1);
	const perRow = (of(top) - of(bottom)) / (rows - 2 * inset);
	// No number lies between the smallest ones.
	const rowsTo = (price: Price): Rows => (perRow > 0 ? inset + (of(top) - of(price)) / perRow : rows / 2);
	return {
		top,
		bottom,
		rows,
		rowsTo,
		priceAt: distance => back(of(top) - (distance - inset) * perRow),
		contains: price => price <= top && price >= bottom,
		rowOf: (price, parts = 1) => clamp(Math.floor(rowsTo(price) * parts), 0, rows * parts - 1),
	};
}

/** Beyond it, the sums and quotients of a scale are larger than any number: such prices lie outside. */
const mostScaled = Number.MAX_VALUE / 1024;

/** An empty range stays. */
function bounded({low, high}: PriceRange): PriceRange {
	if (low > high) return {low, high};
	return {low: clamp(low, -mostScaled, mostScaled), high: clamp(high, -mostScaled, mostScaled)};
}

type Measure = {readonly of: (price: Price) => number; readonly back: (measured: number) => Price};

/** Converts prices to a measure that is linear on the screen: the price itself, or its logarithm. */
const measureFor = (log: boolean): Measure =>
	log ? {of: Math.log, back: Math.exp} : {of: price => price, back: measured => measured};

/** A range smaller than this share of the price is floating-point noise. */
const leastRelativeRange = 1e-9;
const flatSteps = 5;

function widened({low, high, decimals}: ScaleInput): {top: Price; bottom: Price} {
	if (high - low > Math.abs(high) * leastRelativeRange) return {top: high, bottom: low};
	const margin = Math.max(flatSteps * 10 ** -decimals, Math.abs(high) * leastRelativeRange);
	// No price is below zero: near zero the margin is half of the price.
	const bounded = high > 0 ? Math.min(margin, high / 2) : margin;
	return {top: high + bounded, bottom: high - bounded};
}

/** Returns the range to draw so that `needed` fits, with a margin. `what` names what is drawn: a new name starts a new range. */
export type RangeFitter = (needed: PriceRange, what: {readonly name: string; readonly log: boolean}) => PriceRange;

/** Margin above and below, as a share of the needed range. */
const air = 0.02;
/** If less of a range is used, it is replaced. */
const leastUse = 0.6;

/**
 * Creates a fitter that keeps its last range while the prices fit into it and fill most of it, so that the scale and its
 * round prices do not move with every price.
 */
export function createRangeFitter(): RangeFitter {
	let last: {range: PriceRange; name: string} | undefined;
	return (wanted, {name, log}) => {
		const needed = bounded(wanted);
		const {of, back} = measureFor(log && needed.low > 0);
		const span = ({low, high}: PriceRange): number => of(high) - of(low);
		if (last?.name === name) {
			const {range} = last;
			const fits = range.low <= needed.low && needed.high <= range.high;
			if (fits && span(needed) >= span(range) * leastUse) return range;
		}

		const margin = span(needed) * air;
		const low = back(of(needed.low) - margin);
		// No price is below zero.
		const range = {low: needed.low > 0 ? Math.max(low, needed.low / 2) : low, high: back(of(needed.high) + margin)};
		last = {range, name};
		return margin > 0 ? range : needed;
	};
}

/**
 * The roundest price of a row, rounded to the market's `decimals`: 61,500 rather than 61,503.27. Undefined: none of the market's
 * prices above 0 is in that row and inside the scale.
 */
export function priceInRow(scale: PriceScale, row: number, decimals: number): Price | undefined {
	const high = Math.min(scale.priceAt(row), scale.top);
	const low = Math.max(scale.priceAt(row + 1), scale.bottom, 0);
	const middle = (low + high) / 2;
	const isInRow = (price: Price): boolean => price > 0 && scale.contains(price) && scale.rowOf(price) === row;
	for (let exponent = Math.ceil(Math.log10(high)); exponent >= -decimals; exponent--) {
		for (const mantissa of [5, 2, 1]) {
			const count = middle / (mantissa * 10 ** exponent);
			// Parsed from decimal text, so that 3 × 0.1 is 0.3.
			const price = [Math.round(count), Math.floor(count), Math.ceil(count)]
				.map(times => Number(`${times * mantissa}e${exponent}`))
				.find(isInRow);
			if (price !== undefined) return price;
		}
	}

	return undefined;
}

/**
 * The price of the next row below `from` (`by` −1: above) that has one. At the end of the scale it stays; from outside the
 * scale it comes back to the nearest row.
 */
export function steppedPrice(scale: PriceScale, from: Price, by: 1 | -1, decimals: number): Price {
	const isOutside = !scale.contains(from);
	const start = scale.rowOf(from);
	const entersBy = from > scale.top ? 1 : -1;
	if (isOutside && by !== entersBy) return from;
	for (let row = isOutside ? start : start + by; row >= 0 && row < scale.rows; row += by) {
		const price = priceInRow(scale, row, decimals);
		if (price !== undefined) return price;
	}

	return from;
}
