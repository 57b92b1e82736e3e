import {clamp} from '../market/numbers.ts';
import type {Operation} from './errors.ts';

const mebibyte = 1024 * 1024;
/** Of one market's book, trades or candles: several times the longest that are specified. */
const usualBytes = 2 * mebibyte;
/** Several times what a list of all markets has for each. */
const bytesPerMarket = 2048;
const unknownMarkets = 1024;
const [leastMarkets, mostMarkets] = [256, 8192];
/** A JSON value of a list of all markets takes about this, with its name; other lists have fewer values than their limit. */
const bytesPerValue = 32;
/** Specified answers have four levels. */
const deepest = 64;

/** How large the answers of one interface may be. */
export type BodyLimits = {
	/** In bytes, as sent and decompressed. */
	of(operation: Operation): number;
	/** To be called with each list of all markets, as the next one will be about as long. */
	learn(operation: Operation, list: unknown): void;
};

const listsAllMarkets = (operation: Operation): boolean =>
	operation === 'markets' || operation === 'ticker' || operation === 'summary';

/** `fixed`: the same limit for every operation, in bytes. Default: by operation. */
export function createBodyLimits(fixed?: number): BodyLimits {
	let markets = unknownMarkets;
	return {
		of: operation => fixed ?? (listsAllMarkets(operation) ? markets * bytesPerMarket : usualBytes),
		learn(operation, list) {
			if (listsAllMarkets(operation) && Array.isArray(list)) markets = clamp(list.length, leastMarkets, mostMarkets);
		},
	};
}

/** What makes a text too costly to parse where `mostBytes` are allowed, to follow "the answer"; undefined: nothing. */
export function costFault(text: string, mostBytes: number): string | undefined {
	const mostValues = Math.floor(mostBytes / bytesPerValue);
	// Both count what strings contain as well, so only a text above a limit is looked at character by character.
	if (countAtMost(text, mostValues) <= mostValues && depthAtMost(text) <= deepest) return undefined;
	const {values, depth} = costOf(text, mostValues);
	if (values > mostValues) return `has more than ${mostValues} values`;
	return depth > deepest ? `is nested deeper than ${deepest} levels` : undefined;
}

/** The number of values, or more; counts no further than just above `most`. */
function countAtMost(text: string, most: number): number {
	let count = 1;
	if (text.length < 2 * most) return count;
	for (const mark of [',', '[', '{']) {
		for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count++;
	}

	return count;
}

/** The depth of nesting, or more. Finding the next of each bracket is many times faster than looking at every character. */
function depthAtMost(text: string): number {
	const brackets = ['[', '{', ']', '}'].map((mark, index) => ({mark, step: index < 2 ? 1 : -1, at: -1}));
	const advance = (bracket: (typeof brackets)[number]): void => {
		const at = text.indexOf(bracket.mark, bracket.at + 1);
		bracket.at = at < 0 ? Infinity : at;
	};
	for (const bracket of brackets) advance(bracket);
	let [depth, most] = [0, 0];
	for (;;) {
		const next = brackets.reduce((first, bracket) => (bracket.at < first.at ? bracket : first));
		if (next.at === Infinity || most > deepest) return most;
		depth += next.step;
		most = Math.max(most, depth);
		advance(next);
	}
}

/** Counts values and levels outside strings, no further than just above a limit. */
function costOf(text: string, mostValues: number): {readonly values: number; readonly depth: number} {
	let [values, depth, most] = [1, 0, 0];
	let isInString = false;
	for (let at = 0; at < text.length && values <= mostValues && most <= deepest; at++) {
		const code = text.charCodeAt(at);
		if (code === quote) isInString = !isInString;
		else if (isInString) at += code === backslash ? 1 : 0;
		else if (code === comma) values++;
		else if (code === openingBracket || code === openingBrace) [values, depth] = [values + 1, depth + 1];
		else if (code === closingBracket || code === closingBrace) depth--;
		most = Math.max(most, depth);
	}

	return {values, depth: most};
}

const codes = (characters: string): readonly number[] => Array.from(characters, character => character.charCodeAt(0));
const [quote, backslash, comma, openingBracket, openingBrace, closingBracket, closingBrace] = codes('"\\,[{]}');
