import {clamp} from './numbers.ts';

/** Digits after the decimal point that a market's prices and quantities have needed so far. */
export type Decimals = {readonly price: number; readonly quantity: number};

export const noDecimals: Decimals = {price: 0, quantity: 0};

/** No market has more: up to 10²² powers of ten are exact. */
const mostDecimals = 22;
const smallestWidening = 1e-22;

// 10 ** n is not always exact; these are, up to 10²².
const powersOfTen = Array.from({length: 23}, (_, exponent) => Number(`1e${exponent}`));

/** 10 to the power of `exponent`, a whole number that is not negative. */
export const powerOfTen = (exponent: number): number => powersOfTen[exponent] ?? 10 ** exponent;

// Up to this size value × 10ⁿ rounds to the right integer: the product is off by less than a half.
const largestScaled = 2 ** 51;

/** Hardly any market has more decimals. */
const fewDecimals = 10;

/** Digits after the point in the shortest decimal text that reads back as `value`: 0 for integers, 10 for 1e-10. */
export function decimalsOf(value: number): number {
	if (!Number.isFinite(value)) return 0;
	const text = String(value);
	const exponentAt = text.indexOf('e');
	const mantissa = exponentAt < 0 ? text : text.slice(0, exponentAt);
	const exponent = exponentAt < 0 ? 0 : Number(text.slice(exponentAt + 1));
	const pointAt = mantissa.indexOf('.');
	const digits = pointAt < 0 ? 0 : mantissa.length - pointAt - 1;
	return Math.max(0, digits - exponent);
}

/** `decimals`, grown to fit `values`, at most to `mostDecimals`; never shrinks, and is the same object when nothing grew. */
export function widen(
	decimals: Decimals,
	values: {
		readonly prices?: readonly (number | undefined)[] | undefined;
		readonly quantities?: readonly (number | undefined)[] | undefined;
	},
): Decimals {
	const price = widest(values.prices, decimals.price);
	const quantity = widest(values.quantities, decimals.quantity);
	return price === decimals.price && quantity === decimals.quantity ? decimals : {price, quantity};
}

/** Decimals that are enough for both arguments; `decimals` itself if it is. */
export function wider(decimals: Decimals, {price, quantity}: Decimals): Decimals {
	if (price <= decimals.price && quantity <= decimals.quantity) return decimals;
	return {price: Math.max(price, decimals.price), quantity: Math.max(quantity, decimals.quantity)};
}

/**
 * A sum that adds decimals exactly, in any order: 0.1 + 0.2 is 0.3, and − 0.3 makes it 0. One number alone keeps all its
 * digits; of several, what is beyond about 15 digits counts as a rounding error, and larger sums are added plainly. A sum beyond the
 * largest number is the largest.
 */
export class DecimalSum {
	#count = 0;
	#decimals = 0;
	#units = 0;
	/** The sum of the units without their signs: up to `largestScaled` nothing is rounded. */
	#size = 0;
	#plain = 0;

	add(value: number): this {
		this.#count++;
		this.#plain += value;
		if (this.#size > largestScaled) return this;
		const decimals = enoughFor(value, this.#decimals);
		const power = powersOfTen[decimals];
		if (power === undefined) {
			this.#size = Number.POSITIVE_INFINITY;
			return this;
		}

		this.#widen(decimals);
		const units = Math.round(value * power);
		this.#units += units;
		this.#size += Math.abs(units);
		return this;
	}

	get total(): number {
		if (this.#count === 1 || this.#size > largestScaled) return clamp(this.#plain, -Number.MAX_VALUE, Number.MAX_VALUE);
		return this.#units / (powersOfTen[this.#decimals] ?? 1);
	}

	#widen(decimals: number): void {
		if (decimals === this.#decimals) return;
		const factor = powerOfTen(decimals - this.#decimals);
		this.#decimals = decimals;
		this.#units *= factor;
		this.#size *= factor;
	}
}

/** Adds to one of several sums. */
export function addTo<Key>(sums: Map<Key, DecimalSum>, key: Key, value: number): void {
	const sum = sums.get(key) ?? new DecimalSum();
	sums.set(key, sum.add(value));
}

export function sumDecimals(values: Iterable<number>): number {
	const sum = new DecimalSum();
	for (const value of values) sum.add(value);
	return sum.total;
}

/** `a` − `b` without rounding errors; 0 only where they are equal. */
export function difference(a: number, b: number): number {
	// The sum takes what is beyond 15 digits for rounding errors.
	return sumDecimals([a, -b]) || a - b;
}

/** The fewest decimals that fit all of `values`, at most `mostDecimals`. */
export const decimalsOfAll = (values: readonly number[]): number => widest(values, 0);

/** Rounds a product or quotient of decimals to remove its rounding error; beyond about 15 digits it is unchanged. */
export function roundDecimals(value: number, decimals: number): number {
	const power = powersOfTen[decimals];
	const scaled = power === undefined ? Number.POSITIVE_INFINITY : Math.round(value * power);
	return power === undefined || Math.abs(scaled) > largestScaled ? value : scaled / power;
}

function widest(values: readonly (number | undefined)[] = [], least: number): number {
	let decimals = least;
	// An iterator would make an object for each of thousands.
	for (let index = 0; index < values.length; index++) {
		const value = values[index];
		// One number of 101 decimals must not widen what all others are shown with.
		const isTiny = value === undefined || (value !== 0 && Math.abs(value) < smallestWidening);
		if (!isTiny) decimals = enoughFor(value, decimals);
	}

	return Math.min(decimals, mostDecimals);
}

/** Digits that a double holds of any decimal; more are rounding errors of the exchange's own sums. */
const digitsHeld = 15;

/** `least`, or more where `value` needs them. Counting up is ten times as fast as formatting where few are missing. */
function enoughFor(value: number, least: number): number {
	for (let decimals = least; decimals <= least + fewDecimals; decimals++) if (fits(value, decimals)) return decimals;
	return Math.max(least, decimalsOf(Number(value.toPrecision(digitsHeld))));
}

/** Whether `decimals` digits are certainly enough, without the cost of formatting. */
function fits(value: number, decimals: number): boolean {
	const power = powersOfTen[decimals];
	if (power === undefined) return false;
	const scaled = Math.round(value * power);
	return Math.abs(scaled) <= largestScaled && scaled / power === value;
}

/** Maximum digits of the shortest text of a double. */
const mostDigits = 17;

/** Whether the double nearest to the decimal number `token` is another number, though not infinite. */
export function losesDigits(token: string): boolean {
	const nearest = Number(token);
	if (!Number.isFinite(nearest)) return false;
	const digits = significantDigits(token);
	// They decide: the two numbers never differ by a power of ten alone.
	return digits.length > mostDigits || digits !== significantDigits(String(nearest));
}

/** `125` for `-0.01250e9`. */
function significantDigits(token: string): string {
	const exponentAt = token.search(/e/i);
	let last = exponentAt < 0 ? token.length : exponentAt;
	let first = 0;
	while (first < last && '+-0.'.includes(token.charAt(first))) first++;
	while (last > first && '0.'.includes(token.charAt(last - 1))) last--;
	return token.slice(first, last).replace('.', '');
}
