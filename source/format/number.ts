import {decimalsOf} from '../market/precision.ts';

export type NumberOptions = {
	/** Plain ASCII: `-` for the minus sign and for unknown. Default false. */
	readonly ascii?: boolean | undefined;
};

export type PriceOptions = NumberOptions & {
	/** Digits after the point that the column shows. */
	readonly decimals: number;
	/** Cells available; absent: as many as needed. */
	readonly width?: number | undefined;
};

export type AmountOptions = NumberOptions & {
	/** Keeps trailing zeros, so that a changing number keeps its width. Default false. */
	readonly padded?: boolean | undefined;
};

export type PercentOptions = NumberOptions & {
	/** Whether ` %` follows. Default true. */
	readonly unit?: boolean | undefined;
};

/** U+2212, as wide as a plus sign. */
export const minusSign = '−';

/** `toFixed` throws for more digits, and a hostile price may need 324. */
const mostFixed = 100;
const subscripts = '₀₁₂₃₄₅₆₇₈₉';
const units = [
	{size: 1e18, name: 'E'},
	{size: 1e15, name: 'P'},
	{size: 1e12, name: 'T'},
	{size: 1e9, name: 'B'},
	{size: 1e6, name: 'M'},
	{size: 1e3, name: 'k'},
];

/** `decimals` digits after the point, at most 100, rounded, not grouped, with an ASCII minus sign. Not finite: `–`. */
export const fixedDigits = (value: number, decimals: number): string =>
	isKnown(value) ? value.toFixed(Math.min(decimals, mostFixed)) : unknownText();

/** `value` rounded to `decimals` digits after the point. */
export const toDecimals = (value: number, decimals: number): number => Number(fixedDigits(value, decimals));

/**
 * `61,824.01`: `decimals` digits after the point, grouped thousands, never an exponent. Rounds where the value has more
 * digits, adds only zeros where it has fewer. Only zero reads as zero: others read `<0.01`, below zero `>−0.01`. Unknown or
 * not finite: `–`.
 */
export function formatFixed(value: number | undefined, decimals: number, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signed(value, fixedText(Math.abs(value), decimals), options);
}

/**
 * `decimals` digits after the point, more where the value has more, grouped: no digit is rounded away. Zeros at the end are
 * left out where they would look like precision that was not sent. Unknown: `–`.
 */
export function formatAtLeast(value: number | undefined, decimals: number, options?: NumberOptions): string {
	return dropZeros(formatFixed(value, isKnown(value) ? Math.max(decimals, decimalsOf(value)) : decimals, options));
}

/** `formatFixed`, without the zeros at the end where they would look like precision that was not sent. */
export function formatUpTo(value: number | undefined, decimals: number, options?: NumberOptions): string {
	return dropZeros(formatFixed(value, decimals, options));
}

/** Every digit of the shortest text that reads back as the same number, grouped, never an exponent. Unknown: `–`. */
export function formatExact(value: number | undefined, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signOf(value, options) + group(plainText(Math.abs(value)));
}

/** `1,000 candles`, `1 candle`. */
export const formatCount = (count: number, noun: string): string =>
	`${formatExact(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A number as programs and people type it: every digit, not grouped, never an exponent, with an ASCII minus sign. Not finite: `–`. */
export const formatPlain = (value: number): string =>
	isKnown(value) ? `${value < 0 ? '-' : ''}${plainText(Math.abs(value))}` : unknownText();

/**
 * A price for a column `width` cells wide, with no digit rounded away. The first of these that fits, else the shortest:
 * as `formatAtLeast` writes it; the same with the zeros after the point counted (`0.0₄1371`, ASCII `0.0(4)1371`); without
 * trailing zeros, grouped, then counted, then plain. Unknown: `–`, ASCII `-`.
 */
export function formatPrice(value: number | undefined, options: PriceOptions): string {
	if (!isKnown(value)) return unknownText(options);
	const sign = signOf(value, options);
	const size = Math.abs(value);
	const {width = Infinity, ascii = false} = options;
	const fixed = dropZeros(fixedText(size, Math.max(options.decimals, decimalsOf(size))));
	if (sign.length + group(fixed).length <= width) return sign + group(fixed);

	const plain = plainText(size);
	const forms = [countZeros(fixed, ascii), group(plain), countZeros(plain, ascii), plain].map(form => sign + form);
	return forms.find(form => form.length <= width) ?? forms.reduce((a, b) => (b.length < a.length ? b : a));
}

/** `+1.20`: as `formatUpTo`, with a plus sign above zero and none at zero. Unknown: `–`. */
export function formatSigned(value: number | undefined, decimals: number, options?: NumberOptions): string {
	const text = formatUpTo(value, decimals, options);
	return value !== undefined && value > 0 && /^\d/.test(text) ? `+${text}` : text;
}

/**
 * A change in percent, signed: `−0.02 %`, from 1,000 on without decimals (`+19,675 %`), from 1,000,000 on `+1.20 M %`. Only
 * zero reads as zero, as in `formatFixed`. Unknown: `–`.
 */
export function formatPercent(value: number | undefined, options?: PercentOptions): string {
	if (!isKnown(value)) return unknownText(options);
	const unit = (options?.unit ?? true) ? ' %' : '';
	const size = Math.abs(value);
	if (size < 999.995) return formatSigned(value, 2, options) + unit;
	const text = size < 999_999.5 ? group(fixedText(size, 0)) : unitText(size);
	return (value > 0 ? '+' : signOf(value, options)) + text + unit;
}

/** Hundredths of a percent: `1.25 bp`. Only zero reads as zero, as in `formatFixed`. Unknown: `–`. */
export function formatBasisPoints(value: number | undefined, options?: PercentOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return formatFixed(value, 2, options) + ((options?.unit ?? true) ? ' bp' : '');
}

/** A volume for people: up to five digits (`48,201`, `12.346`), from 100,000 on three and a unit (`312 k`, `2.97 B`). Unknown: `–`. */
export function formatAmount(value: number | undefined, options?: AmountOptions): string {
	if (!isKnown(value)) return unknownText(options);
	return signOf(value, options) + amountText(Math.abs(value), options);
}

/** The most digits that an amount shows. */
const amountDigits = 5;
const firstWithUnit = 100_000;

export type AmountColumnOptions = {
	/** The most decimals where the column has no unit. Default 10. */
	readonly mostDecimals?: number | undefined;
};

/**
 * A formatter for one column of amounts from 0 to `largest`: all get the unit (from 100,000 on) and the decimals of
 * `largest`, so that their points align. An amount that would read as zero: `<0.1 k`.
 */
export function amountColumn(largest: number, options?: AmountColumnOptions): (amount: number) => string {
	const rounded = Number(largest.toPrecision(amountDigits));
	if (rounded < firstWithUnit) {
		const decimals = Math.min(amountDecimals(rounded), options?.mostDecimals ?? 10);
		return amount => formatFixed(amount, decimals);
	}

	// At least three digits before the point, as small sums stand in the same column.
	const {size, name} = unitOf(rounded / 100);
	const decimals = rounded / size >= 1000 ? 0 : 1;
	return amount => `${formatFixed(amount / size, decimals)} ${name}`;
}

/** Decimals that make `amountDigits` digits of a number below 100,000. */
const amountDecimals = (rounded: number): number =>
	Math.max(amountDigits - 1 - Number(rounded.toExponential().split('e')[1]), 0);

/**
 * An amount for a column of amounts of every size, where digits matter less than cells: three digits and a unit, or blanks
 * in place of the unit (`1.91 B`, `3.78 k`, `983  `); below 0.01 two digits (`0.0012`, `0.0₆12`). Mostly six cells wide.
 * Unknown: `–`.
 */
export function formatCompact(value: number | undefined, options?: NumberOptions): string {
	if (!isKnown(value)) return unknownText(options);
	const size = Math.abs(value);
	const rounded = Number(size.toPrecision(3));
	if (rounded >= 1000) return signOf(value, options) + unitText(size);
	const text = rounded < 0.01 ? smallText(size, options) : fixedText(rounded, compactDecimals(rounded));
	return signOf(value, options) + (text.length <= 4 ? `${text}  ` : text.padEnd(6));
}

/** Decimals that make three digits of a number from 0.01 to 1000. */
const compactDecimals = (size: number): number => 2 - Math.floor(Math.log10(size));

function smallText(size: number, options: NumberOptions | undefined): string {
	const plain = plainText(Number(size.toPrecision(2)));
	const counted = countZeros(plain, options?.ascii ?? false);
	return counted.length < plain.length ? counted : plain;
}

function amountText(size: number, options: AmountOptions | undefined): string {
	const rounded = Number(size.toPrecision(amountDigits));
	if (rounded < firstWithUnit) {
		if (options?.padded && rounded >= 1) return group(fixedText(rounded, amountDecimals(rounded)));
		const plain = plainText(rounded);
		const counted = countZeros(plain, options?.ascii ?? false);
		return counted.length < plain.length ? counted : group(plain);
	}

	return unitText(size);
}

function unitText(size: number): string {
	// Rounding up the largest numbers would give Infinity.
	const rounded = Math.min(Number(size.toPrecision(3)), Number.MAX_VALUE);
	const unit = unitOf(rounded);
	const count = rounded / unit.size;
	const decimals = count >= 100 ? 0 : count >= 10 ? 1 : 2;
	return `${group(fixedText(count, decimals))} ${unit.name}`;
}

const unitOf = (size: number): (typeof units)[number] =>
	units.find(candidate => size >= candidate.size) ?? {size: 1, name: ''};

function isKnown(value: number | undefined): value is number {
	return value !== undefined && Number.isFinite(value);
}

function unknownText(options?: NumberOptions): string {
	return options?.ascii ? '-' : '–';
}

function signOf(value: number, options: NumberOptions | undefined): string {
	if (value >= 0) return '';
	return options?.ascii ? '-' : minusSign;
}

/** `value` as the `text` of its size, grouped; where that reads zero and the value is not, one unit of the last digit bounds it. */
function signed(value: number, text: string, options: NumberOptions | undefined): string {
	const sign = signOf(value, options);
	if (value === 0 || Math.abs(value) >= 1 || Number(text) > 0) return sign + group(text);
	return `${value > 0 ? '<' : '>'}${sign}${text.slice(0, -1)}1`;
}

/** Fixed decimals, not grouped; `size` is not negative. */
function fixedText(size: number, decimals: number): string {
	// toFixed would show digits of the binary fraction where the decimal text has none left.
	const missing = decimals - decimalsOf(size);
	if (missing < 0) return fixedDigits(size, decimals) + '0'.repeat(Math.max(0, decimals - mostFixed));
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

/** More digits than a market's numbers usually have. */
const falseDigits = 13;

/** Drops the zeros at the end of a fraction where they would make the number seem to have 13 digits or more. */
function dropZeros(text: string): string {
	if (!text.includes('.') || !text.endsWith('0')) return text;
	const digits = text.replaceAll(/\D/g, '').replace(/^0+(?=[1-9])/, '');
	return digits.length < falseDigits ? text : text.replace(/\.?0+$/, '');
}

function group(text: string): string {
	const pointAt = text.indexOf('.');
	const whole = pointAt < 0 ? text : text.slice(0, pointAt);
	if (whole.length <= 3) return text;
	let end = whole.length % 3 || 3;
	let grouped = whole.slice(0, end);
	for (; end < whole.length; end += 3) grouped += `,${whole.slice(end, end + 3)}`;
	return grouped + text.slice(whole.length);
}

/** `0.00001371` as `0.0₄1371`; other texts as they are. */
function countZeros(text: string, ascii: boolean): string {
	const [, zeros, digits] = /^0\.(0+)(\d*[1-9]\d*)$/.exec(text) ?? [];
	if (zeros === undefined || digits === undefined) return text;
	const count = String(zeros.length);
	return `0.0${ascii ? `(${count})` : [...count].map(digit => subscripts[Number(digit)]).join('')}${digits}`;
}
