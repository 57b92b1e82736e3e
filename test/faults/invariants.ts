import {compareTrades, tradeKey} from '../../source/market/tape.ts';
import type {MarketState} from '../../source/store/state.ts';

const hostile = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What no exchange may make the store show, whatever it answers; empty when all is well. */
export function offences(state: MarketState): readonly string[] {
	const {depth, trades: tape, candles, tickers} = state;
	const found: string[] = [];
	const check = (ok: boolean, offence: string) => {
		if (!ok) found.push(offence);
	};

	for (const text of hostileTexts(state)) check(false, `shows ${JSON.stringify(text)}`);
	if (depth.status === 'ready') {
		for (const [side, sign] of [
			[depth.data.asks, 1],
			[depth.data.bids ?? [], -1],
		] as const) {
			check(side.flat().every(isPositive), 'a level that is not positive');
			check(
				inOrder(side, (a, b) => sign * (a[0] - b[0])),
				'levels out of order',
			);
		}
	}

	if (tape.status === 'ready') {
		const {trades} = tape.data;
		check(new Set(trades.map(tradeKey)).size === trades.length, 'a trade twice');
		check(inOrder(trades, compareTrades), 'trades out of order');
		check(
			trades.every(({price}) => isPositive(price)),
			'a trade without a price',
		);
	}

	if (candles.status === 'ready') {
		const {candles: series} = candles.data;
		check(
			series.every((candle, index) => candle.time > (series[index - 1]?.time ?? 0)),
			'candles out of order',
		);
		check(
			series.every(({open, low, close, high}) => isPositive(low) && low <= Math.min(open, close, high)),
			'a bad candle',
		);
	}

	if (tickers.status === 'ready') {
		const numbers = [...tickers.data.values()]
			.flatMap(ticker => Object.values(ticker))
			.filter(each => typeof each === 'number');
		check(numbers.every(Number.isFinite), 'a ticker with a number that is none');
	}

	return found;
}

const isPositive = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;

const inOrder = <T>(list: readonly T[], compare: (a: T, b: T) => number): boolean =>
	list.every((item, index) => index === 0 || compare(list[index - 1] ?? item, item) <= 0);

/** Parts of what is shown never change: what was clean is. */
const clean = new WeakSet<object>();
/** Names of fields, which are few. */
const cleanKeys = new Set<string>();

/**
 * The texts in a value, errors and their messages included, that act on a terminal or reorder what it shows. Causes are
 * for the log.
 */
export function hostileTexts(value: unknown): readonly string[] {
	const found: string[] = [];
	function searchText(text: string): void {
		if (hostile.test(text)) found.push(text);
	}

	function searchKey(key: string): void {
		if (cleanKeys.has(key)) return;
		const before = found.length;
		searchText(key);
		if (found.length === before) cleanKeys.add(key);
	}

	function search(part: unknown): void {
		if (typeof part === 'string') searchText(part);
		if (typeof part !== 'object' || part === null) return;
		// Thousands of levels are searched in less time than they are remembered.
		if (Array.isArray(part)) for (const item of part) search(item);
		else if (!clean.has(part)) searchFields(part);
	}

	function searchFields(part: object): void {
		const before = found.length;
		if (part instanceof Error) searchText(part.message);
		if (part instanceof Map || part instanceof Set) for (const item of part) search(item);
		for (const key of Object.keys(part)) {
			searchKey(key);
			if (key !== 'cause') search(Reflect.get(part, key));
		}

		if (found.length === before) clean.add(part);
	}

	search(value);
	return found;
}
