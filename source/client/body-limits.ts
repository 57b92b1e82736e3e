import {clamp} from '../market/numbers.ts';
import {endOfString} from './body.ts';
import type {Operation} from './errors.ts';

/** Bounds of an answer. */
export type BodyLimit = {
	/** Of its body, as sent and decompressed. */
	readonly bytes: number;
	/** JSON values in it. */
	readonly values: number;
};

const mebibyte = 1024 * 1024;
/** Of one market's book, trades or candles: a book of 5,000 levels a side, the longest that is kept, has 30,000 values. */
const usual: BodyLimit = {bytes: 2 * mebibyte, values: 40_960};
/** A ticker has 15 values in about 400 bytes, the longest entry that is specified. */
const perMarket: BodyLimit = {bytes: 1024, values: 20};
/** Before a list is known, or if it is shorter. */
const fewMarkets = 2048;
const mostMarkets = 5000;
/** Gives a limit of bytes that the user sets its limit of values. */
const bytesPerValue = 32;
/** Specified answers have four levels. */
export const deepest = 64;

/** How large the answers of one interface may be. */
export type BodyLimits = {
	of(operation: Operation): BodyLimit;
	/** To be called with each list of all markets: a longer one than before lets the next be as long. */
	learn(operation: Operation, list: unknown): void;
};

const listsAllMarkets = (operation: Operation): boolean =>
	operation === 'markets' || operation === 'ticker' || operation === 'summary';

/** `bytes`: the same limit for every operation. Default: by operation. */
export function createBodyLimits(bytes?: number): BodyLimits {
	const fixed = bytes === undefined ? undefined : {bytes, values: Math.ceil(bytes / bytesPerValue)};
	let markets = fewMarkets;
	const forMarkets = (): BodyLimit => ({bytes: markets * perMarket.bytes, values: markets * perMarket.values});
	return {
		of: operation => fixed ?? (listsAllMarkets(operation) ? forMarkets() : usual),
		learn(operation, list) {
			if (listsAllMarkets(operation) && Array.isArray(list)) markets = clamp(list.length, markets, mostMarkets);
		},
	};
}

/** What a text has too many of to be parsed; undefined: nothing. */
export function excessOf(text: string, mostValues: number): 'values' | 'levels' | undefined {
	// Both count what strings contain as well, so only a text above a limit is looked at character by character.
	if (countAtMost(text, mostValues) <= mostValues && depthAtMost(text) <= deepest) return undefined;
	const {values, depth} = costOf(text, mostValues);
	if (values > mostValues) return 'values';
	return depth > deepest ? 'levels' : undefined;
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
	for (let at = 0; at < text.length && values <= mostValues && most <= deepest; at++) {
		const code = text.charCodeAt(at);
		if (code === quote) at = endOfString(text, at) - 1;
		else if (code === comma) values++;
		else if (code === openingBracket || code === openingBrace) {
			values++;
			depth++;
			if (depth > most) most = depth;
		} else if (code === closingBracket || code === closingBrace) depth--;
	}

	return {values, depth: most};
}

const codes = (characters: string): readonly number[] => Array.from(characters, character => character.charCodeAt(0));
const [quote, comma, openingBracket, openingBrace, closingBracket, closingBrace] = codes('",[{]}');
