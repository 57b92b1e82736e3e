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
/** Limit of one market's book, trades or candles: a book of 5,000 levels a side, the longest that is kept, has 30,000 values. */
const usual: BodyLimit = {bytes: 2 * mebibyte, values: 40_960};
/** A ticker has 15 values in about 400 bytes, the longest entry that is specified. */
const perMarket: BodyLimit = {bytes: 1024, values: 20};
/** Markets to allow for before a list came, or if it is shorter. */
const fewMarkets = 2048;
const mostMarkets = 5000;
/** Gives a limit of bytes that the user sets its limit of values. */
const bytesPerValue = 32;
/** Specified answers have four levels. */
export const deepest = 64;

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

const listsAllMarkets = (operation: Operation): boolean =>
	operation === 'markets' || operation === 'ticker' || operation === 'summary';

/** How large the answers of one interface may be. `bytes`: the same limit for every operation. Default: by operation. */
export function createBodyLimits(bytes?: number) {
	const fixed = bytes === undefined ? undefined : {bytes, values: Math.ceil(bytes / bytesPerValue)};
	let markets = fewMarkets;
	const forMarkets = (): BodyLimit => ({bytes: markets * perMarket.bytes, values: markets * perMarket.values});
	return {
		of: (operation: Operation): BodyLimit => fixed ?? (listsAllMarkets(operation) ? forMarkets() : usual),
		/** To be called with each list of all markets: a longer one than before lets the next be as long. */
		learn(operation: Operation, list: unknown): void {
			if (listsAllMarkets(operation) && Array.isArray(list)) markets = clamp(list.length, markets, mostMarkets);
		},
	};
}

/** Whether a text has too many values or levels to be parsed; undefined: neither. */
export function excessOf(text: string, mostValues: number): 'values' | 'levels' | undefined {
	let [values, depth] = [1, 0];
	for (let at = 0; at < text.length && values <= mostValues; at++) {
		const code = text.charCodeAt(at);
		// Most of a long list are numbers.
		if (code > comma && code < openingBracket) continue;
		if (code === quote) at = endOfString(text, at) - 1;
		else if (code === comma) values++;
		else if (code === openingBracket || code === openingBrace) {
			values++;
			depth++;
			if (depth > deepest) return 'levels';
		} else if (code === closingBracket || code === closingBrace) depth--;
	}

	return values > mostValues ? 'values' : undefined;
}
