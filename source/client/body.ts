import {firstUnits, stripControl} from '../format/control.ts';
import {losesDigits} from '../market/precision.ts';

// Every number that loses digits has 16 of them, or is tiny. Written out, because counted repetition is many times slower.
const manyDigits = new RegExp('[\\d.]'.repeat(16));
const tinyExponent = /[eE]-\d\d\d/;
const maybeLong = new RegExp(`${manyDigits.source}|${tinyExponent.source}`, 'g');
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-])/y;
const longNumberKey = 'digits of a long number';
export const quotedLength = 200;

/**
 * JSON.parse, with an object that `longNumber` knows in place of each number whose digits a double cannot hold. Throws what
 * JSON.parse throws.
 */
export function parseJson(text: string): unknown {
	// One by one they take a third of the time.
	return JSON.parse(manyDigits.test(text) || tinyExponent.test(text) ? markLongNumbers(text) : text);
}

/**
 * The token of a number that parseJson could not hold in a double; undefined for other values. An exchange that sends such
 * an object itself has sent that number.
 */
export function longNumber(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null || !(longNumberKey in value)) return undefined;
	const token = value[longNumberKey];
	return typeof token === 'string' && tokenAt(token, 0) === token ? token : undefined;
}

/** One pass over `text`: leaves everything but long numbers as it is, and never looks at a part twice. */
function markLongNumbers(text: string): string {
	let marked = '';
	let copiedTo = 0;
	/** Everything before it is done; never inside a string. */
	let at = 0;
	let quoteAt = text.indexOf('"');
	maybeLong.lastIndex = 0;
	for (let found = maybeLong.exec(text); found; found = maybeLong.exec(text)) {
		while (quoteAt >= 0 && quoteAt < found.index) {
			at = endOfString(text, quoteAt);
			quoteAt = text.indexOf('"', at);
		}

		if (at <= found.index) {
			const start = startOfToken(text, found.index, at);
			const token = tokenAt(text, start);
			if (token !== undefined && losesDigits(token)) {
				marked += `${text.slice(copiedTo, start)}{"${longNumberKey}":"${token}"}`;
				copiedTo = start + token.length;
			}

			at = Math.max(start + (token?.length ?? 0), maybeLong.lastIndex);
		}

		maybeLong.lastIndex = at;
	}

	return marked + text.slice(copiedTo);
}

/** The index after the string that opens at `quoteAt`. */
function endOfString(text: string, quoteAt: number): number {
	for (let end = text.indexOf('"', quoteAt + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}

	return text.length;
}

function startOfToken(text: string, index: number, least: number): number {
	let start = index;
	while (start > least && /[-+.\deE]/.test(text[start - 1] ?? '')) start--;
	return start;
}

function tokenAt(text: string, index: number): string | undefined {
	numberToken.lastIndex = index;
	return numberToken.exec(text)?.[0];
}

/** One line of at most 200 characters without control characters. */
export const quoteLine = (text: string): string =>
	// Cut first, so that megabytes are not cleaned.
	firstUnits(stripControl(text.slice(0, 4000)).replace(/\s+/g, ' ').trim(), quotedLength);

/** The parts of an answer that an error quotes: the start of its body, and its envelope's message if it has one. */
export function quote(text: string): {body: string; message: string} {
	const body = quoteLine(text);
	return {body, message: messageOf(text) || body};
}

function messageOf(text: string): string {
	if (!text.trimStart().startsWith('{')) return '';
	try {
		const envelope = parseJson(text);
		const message = typeof envelope === 'object' && envelope !== null && 'message' in envelope ? envelope.message : '';
		return typeof message === 'string' ? quoteLine(message) : '';
	} catch {
		return '';
	}
}
