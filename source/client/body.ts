import {firstUnits, stripControl} from '../format/control.ts';
import {losesDigits} from '../market/precision.ts';

/** Every number that loses digits has so many characters without its sign and exponent, or is tiny. */
const fewestCharacters = 16;
const tinyExponent = /[eE]-\d\d\d/;
/** What may be such a number, to its end. */
const maybeLong = new RegExp(
	`(?<![\\d.eE+-])-?(?:${'[\\d.]'.repeat(fewestCharacters)}|[\\d.]{1,15}${tinyExponent.source})[\\d.eE+-]*`,
	'g',
);
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Short, as it is written once for each. */
const longNumberKey = 'long number';
export const quotedLength = 200;

/**
 * JSON.parse, with an object that `longNumber` knows in place of each number whose digits a double cannot hold. Throws what
 * JSON.parse throws.
 */
export function parseJson(text: string): unknown {
	return JSON.parse(mayHoldLongNumbers(text) ? markLongNumbers(text) : text);
}

/** Looks at few of the characters: from the end of where a long number may be, backwards to what cannot be in one. */
function mayHoldLongNumbers(text: string): boolean {
	for (let start = 0; start + fewestCharacters <= text.length; ) {
		let at = start + fewestCharacters - 1;
		while (at >= start && isInNumber(text.charCodeAt(at))) at--;
		if (at < start) return true;
		start = at + 1;
	}

	return hasTinyExponent(text);
}

/** Digits and the point; the slash between them costs nothing but time. */
const isInNumber = (code: number): boolean => code > 45 && code < 58;

function hasTinyExponent(text: string): boolean {
	for (let at = text.indexOf('-', 1); at >= 0; at = text.indexOf('-', at + 1)) {
		if (isInNumber(text.charCodeAt(at + 3)) && tinyExponent.test(text.slice(at - 1, at + 4))) return true;
	}

	return false;
}

/**
 * The token of a number that parseJson could not hold in a double; undefined for other values. An exchange that sends such
 * an object itself has sent that number.
 */
export function longNumber(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null || !(longNumberKey in value)) return undefined;
	const token = value[longNumberKey];
	return typeof token === 'string' && number.test(token) ? token : undefined;
}

/** The tokens of long numbers anywhere in `value`, each once, `most` at the most. */
export function longNumbersIn(value: unknown, most: number): readonly string[] {
	const tokens = new Set<string>();
	const rest: unknown[] = [value];
	while (rest.length > 0 && tokens.size < most) {
		const next = rest.pop();
		const token = longNumber(next);
		if (token !== undefined) tokens.add(token);
		else if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) rest.push(part);
	}

	return [...tokens];
}

/** One pass over `text`: leaves everything but long numbers as it is, and never looks at a part twice. */
function markLongNumbers(text: string): string {
	let marked = '';
	let copiedTo = 0;
	let quoteAt = text.indexOf('"');
	/** The end of the last string that was passed. */
	let stringEnd = 0;
	maybeLong.lastIndex = 0;
	for (let found = maybeLong.exec(text); found; found = maybeLong.exec(text)) {
		const [token] = found;
		while (quoteAt >= 0 && quoteAt < found.index) {
			stringEnd = endOfString(text, quoteAt);
			quoteAt = text.indexOf('"', stringEnd);
		}

		if (found.index < stringEnd) {
			maybeLong.lastIndex = stringEnd;
		} else if (number.test(token) && losesDigits(token)) {
			marked += `${text.slice(copiedTo, found.index)}{"${longNumberKey}":"${token}"}`;
			copiedTo = maybeLong.lastIndex;
		}
	}

	return marked + text.slice(copiedTo);
}

/** The index after the string that opens at `quoteAt`. */
export function endOfString(text: string, quoteAt: number): number {
	for (let end = text.indexOf('"', quoteAt + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}

	return text.length;
}

/** One line of at most 200 characters without control characters. */
export function quoteLine(text: string): string {
	// Cut first, so that megabytes are not cleaned.
	const quoted = firstUnits(stripControl(text.slice(0, 4000)).replace(/\s+/g, ' ').trim(), quotedLength);
	// A copy: V8 keeps all of a text as long as a part of it, and failures are kept for each market.
	return Buffer.from(quoted, 'utf16le').toString('utf16le');
}

/** The parts of an answer that an error quotes: the start of its body, and its envelope's message if it has one. */
export function quote(text: string, envelope: unknown): {body: string; message: string} {
	const body = quoteLine(text);
	const message = typeof envelope === 'object' && envelope !== null && 'message' in envelope ? envelope.message : '';
	return {body, message: (typeof message === 'string' && quoteLine(message)) || body};
}
