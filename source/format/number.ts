import {decimalsOf} from '../market/precision.ts';

export type NumberOptions = {
	/** Plain ASCII: `-` for the minus sign and for unknown. Default false. */
	readonly ascii?: boolean | undefined;
};

export type PriceOptions = NumberOptions & {
	/** Digits after the point that the column shows. */
	readonly decimals: number;
	/** Cells that there are; absent: as many as needed. */
	readonly width?: number | undefined;
};

export type PercentOptions = NumberOptions & {
	/** Whether ` %` follows. Default true. */
	readonly unit?: boolean | undefined;
};

/** U+2212, as wide as a plus sign. */
export const minusSign = '−';

/** Digits that toFixed gives; it throws for more, and a hostile price may need 324. */
const mostFixed = 100;
const subscripts = '₀₁₂₃₄₅₆₇₈₉';
const units = [
	{size: 1e12, name: 'T'},
	{size: 1e9, name: 'B'},
	{size: 1e6, name: 'M'},
	{size: 1e3, name: 'k'},
];

/**
 * `61,824.01`: `decimals` digits after the point, grouped thousands, never an exponent. Rounds where the value has more
 * digits, adds only zeros where it has fewer. The sign is the value's own, also where all digits shown are zero.
 * Unknown, and what is no finite number: `–`.
 */
export function formatFixed(value: number | undefined, decimals: number, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signOf(value, options) + group(fixedText(Math.abs(value), decimals));
}

/** Every digit of the shortest text that reads back as the same number, grouped, never an exponent. Unknown: `–`. */
export function formatExact(value: number | undefined, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signOf(value, options) + group(plainText(Math.abs(value)));
}

/**
 * A price for a column `width` cells wide, with no digit rounded away. The first of these that fits, else the shortest:
 * `decimals` digits after the point (more where the value has more) and grouped; the same with the zeros after the point
 * counted (`0.0₄1371`, ASCII `0.0(4)1371`) or not grouped; without closing zeros, written in the same ways.
 * Unknown: `–`, ASCII `-`.
 */
export function formatPrice(value: number | undefined, options: PriceOptions): string {
	if (!isKnown(value)) return unknownText(options);
	const sign = signOf(value, options);
	const size = Math.abs(value);
	const {width = Infinity, ascii = false} = options;
	const fixed = fixedText(size, Math.max(options.decimals, decimalsOf(size)));
	if (sign.length + group(fixed).length <= width) return sign + group(fixed);

	const plain = plainText(size);
	const forms = [countZeros(fixed, ascii), group(plain), countZeros(plain, ascii), plain].map(form => sign + form);
	return forms.find(form => form.length <= width) ?? forms.reduce((a, b) => (b.length < a.length ? b : a));
}

/** As `formatFixed`, with `+` before rises; zero has no sign. */
export function formatSigned(value: number | undefined, decimals: number, options?: NumberOptions): string {
	const text = formatFixed(value, decimals, options);
	return value !== undefined && value > 0 && isKnown(value) ? `+${text}` : text;
}

/** A change in percent, signed: `−0.02 %`, from 1,000 on without decimals (`+19,675 %`), from 1,000,000 on `+1.20 M %`. Unknown: `–`. */
export function formatPercent(value: number | undefined, options?: PercentOptions): string {
	if (!isKnown(value)) return unknownText(options);
	const sign = value > 0 ? '+' : signOf(value, options);
	const unit = (options?.unit ?? true) ? ' %' : '';
	return sign + percentText(Math.abs(value)) + unit;
}

/** A volume for people: up to five digits (`48,201`, `12.346`), from 100,000 on three and a unit (`312 k`, `2.97 B`). Unknown: `–`. */
export function formatAmount(value: number | undefined, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signOf(value, options) + amountText(Math.abs(value), options);
}

function amountText(size: number, options: NumberOptions | undefined): string {
	const rounded = Number(size.toPrecision(5));
	if (rounded < 100_000) {
		const plain = plainText(rounded);
		const counted = countZeros(plain, options?.ascii ?? false);
		return counted.length < plain.length ? counted : group(plain);
	}

	return unitText(size);
}

function unitText(size: number): string {
	const rounded = Number(size.toPrecision(3));
	const unit = units.find(candidate => rounded >= candidate.size) ?? {size: 1, name: ''};
	const count = rounded / unit.size;
	const decimals = count >= 100 ? 0 : count >= 10 ? 1 : 2;
	return `${group(fixedText(count, decimals))} ${unit.name}`;
}

function percentText(size: number): string {
	if (size < 999.995) return fixedText(size, 2);
	return size < 999_999.5 ? group(fixedText(size, 0)) : unitText(size);
}

function isKnown(value: number | undefined): value is number {
	return value !== undefined && Number.isFinite(value);
}

function unknownText(options: NumberOptions | undefined): string {
	return options?.ascii ? '-' : '–';
}

function signOf(value: number, options: NumberOptions | undefined): string {
	if (value >= 0) return '';
	return options?.ascii ? '-' : minusSign;
}

/** Not grouped; `size` is not negative. */
function fixedText(size: number, decimals: number): string {
	// toFixed would show digits of the binary fraction where the decimal text has none left.
	const missing = decimals - decimalsOf(size);
	if (missing < 0) return size.toFixed(Math.min(decimals, mostFixed)) + '0'.repeat(Math.max(0, decimals - mostFixed));
	const plain = plainText(size);
	if (missing === 0) return plain;
	return `${plain}${plain.includes('.') ? '' : '.'}${'0'.repeat(missing)}`;
}

/** The shortest text of `size` without an exponent; not grouped. */
function plainText(size: number): string {
	const text = String(size);
	const exponentAt = text.indexOf('e');
	if (exponentAt < 0) return text;
	const [whole = '', fraction = ''] = text.slice(0, exponentAt).split('.');
	const exponent = Number(text.slice(exponentAt + 1));
	const digits = whole + fraction;
	if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
	return digits.padEnd(exponent + 1, '0');
}

function group(text: string): string {
	const pointAt = text.indexOf('.');
	const whole = pointAt < 0 ? text : text.slice(0, pointAt);
	if (whole.length <= 3) return text;
	return whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + text.slice(whole.length);
}

/** `0.00001371` as `0.0₄1371`; other texts as they are. */
function countZeros(text: string, ascii: boolean): string {
	const [, zeros, digits] = /^0\.(0+)(\d*[1-9]\d*)$/.exec(text) ?? [];
	if (zeros === undefined || digits === undefined) return text;
	const count = String(zeros.length);
	return `0.0${ascii ? `(${count})` : [...count].map(digit => subscripts[Number(digit)]).join('')}${digits}`;
}
