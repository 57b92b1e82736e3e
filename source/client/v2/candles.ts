import {symbolKey} from '../../market/symbol.ts';
import type {Candle} from '../../market/types.ts';
import {AbortedError} from '../errors.ts';
import type {Answer, CandlesOptions} from '../exchange.ts';
import type {Read} from '../read.ts';
import {toLimit} from '../trades.ts';
import {v2Paths} from './paths.ts';
import {decodeCandles} from './schemas.ts';

type RangeUnit = 'ms' | 's';
type Candles = Answer<readonly Candle[]>;

/**
 * The K-line read. The specification leaves open what `startTime` and `endTime` count: milliseconds are sent first; when the
 * answer does not lie in the range, seconds, and what worked is remembered for as long as the exchange is connected.
 */
export function createReadCandles(read: Read): (symbol: string, options: CandlesOptions) => Promise<Candles> {
	let known: RangeUnit | undefined;

	const ask = (symbol: string, options: CandlesOptions, unit: RangeUnit): Promise<Candles> => {
		const query = {
			symbol: symbolKey(symbol),
			period: options.period,
			limit: toLimit(options.limit),
			startTime: toUnit(options.from, unit),
			endTime: toUnit(options.to, unit),
		};
		return read({operation: 'candles', path: v2Paths.candles, query}, options, decodeCandles);
	};

	return async (symbol, options) => {
		const first = await ask(symbol, options, known ?? 'ms');
		if (options.from === undefined && options.to === undefined) return first;
		if (known !== undefined) return within(first, options);
		if (shows(first, options)) {
			known = 'ms';
			return within(first, options);
		}

		const second = await ask(symbol, options, 's').catch((error: unknown) => {
			if (error instanceof AbortedError) throw error;
			return undefined;
		});
		if (second && shows(second, options)) {
			known = 's';
			return within(second, options);
		}

		// Candles outside the range in either unit: the exchange heeds no range, so asking twice again is of no use.
		if (first.data.length > 0 && second && second.data.length > 0) known = 'ms';
		return within(first, options);
	};
}

const toUnit = (time: number | undefined, unit: RangeUnit): number | undefined =>
	time === undefined ? undefined : Math.floor(unit === 's' ? time / 1000 : time);

/** Whether the answer has candles, all in the range. A candle that only reaches into it from either end is no contradiction. */
function shows({data}: Candles, {from = -Infinity, to = Infinity, period}: CandlesOptions): boolean {
	const slack = period * 60_000;
	return data.length > 0 && data.every(candle => candle.time > from - slack && candle.time < to + slack);
}

const within = (answer: Candles, {from = -Infinity, to = Infinity}: CandlesOptions): Candles => ({
	...answer,
	data: answer.data.filter(candle => candle.time >= from && candle.time <= to),
});
