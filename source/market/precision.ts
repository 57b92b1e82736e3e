/** Digits after the decimal point that a market's prices and quantities need: the most seen so far. */
export type Decimals = {readonly price: number; readonly quantity: number};

export const noDecimals: Decimals = {price: 0, quantity: 0};

// 10 ** n is not exact everywhere; these are, up to 10²².
const powersOfTen = Array.from({length: 23}, (_, exponent) => Number(`1e${exponent}`));

// Up to here value × 10ⁿ rounds to the right integer: the product is off by less than a half.
const largestScaled = 2 ** 51;

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

/** `decimals`, grown to what `seen` needs; never shrinks, and is the same object when nothing grew. */
export function widen(
	decimals: Decimals,
	seen: {
		readonly prices?: Iterable<number | undefined> | undefined;
		readonly quantities?: Iterable<number | undefined> | undefined;
	},
): Decimals {
	const price = widest(seen.prices, decimals.price);
	const quantity = widest(seen.quantities, decimals.quantity);
	return price === decimals.price && quantity === decimals.quantity ? decimals : {price, quantity};
}

/** The sum as decimals add up, whatever the order: 0.1 and 0.2 make 0.3. Plain addition beyond about 15 digits. */
export function sumDecimals(values: readonly number[]): number {
	const power = powersOfTen[widest(values, 0)];
	if (power !== undefined) {
		let scaled = 0;
		let size = 0;
		for (const value of values) {
			const units = Math.round(value * power);
			scaled += units;
			size += Math.abs(units);
		}

		if (size <= largestScaled) return scaled / power;
	}

	return values.reduce((sum, value) => sum + value, 0);
}

function widest(values: Iterable<number | undefined> = [], least: number): number {
	let decimals = least;
	for (const value of values) {
		if (value !== undefined && !fits(value, decimals)) decimals = Math.max(decimals, decimalsOf(value));
	}

	return decimals;
}

/** Whether `decimals` digits are certainly enough, without the cost of making a text. */
function fits(value: number, decimals: number): boolean {
	const power = powersOfTen[decimals];
	if (power === undefined) return false;
	const scaled = Math.round(value * power);
	return Math.abs(scaled) <= largestScaled && scaled / power === value;
}
