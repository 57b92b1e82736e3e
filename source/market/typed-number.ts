import {losesDigits} from './precision.ts';

/** What a text that was typed means, or what is wrong with it. */
export type Typed<Value> = {readonly value: Value} | {readonly fault: string};

const plainNumber = /^[+\-−]?(?:\d+\.?\d*|\.\d+)$/;
const withExponent = /^[+\-−]?[\d.,_]*\de[+-]?\d+$/i;
/** Separators stand between groups of three digits: `1,000`, not `2,5`, `12,34` or `0,500`, where the comma may mean a decimal point. */
const groupedNumber = /^[+\-−]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)(?:\.\d*)?$/;
const misplacedSeparator = /^[+\-−]?[\d.,_]*\d[\d.,_]*$/;

/** Reads a number as people type it: `2`, `.5`, `-3`, `1,000.5`. */
export function typedNumber(text: string): Typed<number> {
	const word = text.trim();
	if (plainNumber.test(word) || groupedNumber.test(word)) {
		const plain = word.replaceAll(/[,_]/g, '').replace('−', '-');
		if (losesDigits(plain)) return {fault: `${word} has more digits than a number holds`};
		const value = Number(plain);
		// Turns -0 into 0, which prints without a sign.
		return Number.isFinite(value) ? {value: value + 0} : {fault: `${word} is too large`};
	}

	if (withExponent.test(word)) return {fault: `${word} has an exponent: write the number in full`};
	if (/[,_]/.test(word) && misplacedSeparator.test(word)) {
		return {fault: 'a dot separates decimals (2.5), a comma thousands (1,000)'};
	}

	return {fault: word === '' ? 'a number is missing' : `${word} is not a number`};
}

/** The number that a text begins with, as text, and the rest: `1.5` and `h`, `5,000` and `usdt`. */
export function splitNumber(text: string): readonly [number: string, rest: string] {
	const [, number = '', rest = ''] = /^\s*([+\-−]?[\d.,_]*(?:(?<=\d)e[+-]?\d+)?)\s*(.*?)\s*$/is.exec(text) ?? [];
	return [number, rest];
}
