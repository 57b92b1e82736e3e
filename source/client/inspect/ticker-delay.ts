import type {Ticker, Trade} from '../../market/types.ts';
import type {Look} from './look.ts';

/** How late a ticker's last price is against the trades; all times by the exchange's own clock. */
export type TickerDelay = {
	/** Answers that could be compared. */
	readonly looks: number;
	/** Of these, how many showed another price than the last trade before them. */
	readonly behind: number;
	/** Ms since which the shown price had been replaced, in the worst answer: it was at least so late. */
	readonly atLeastMs: number;
};

/** A ticker, and trades that were asked for after it. */
export type TickerAndTrades = {readonly ticker: Look<readonly Ticker[]>; readonly trades: Look<readonly Trade[]>};

/** Undefined where no answer could be compared. */
export function tickerDelay(pairs: readonly TickerAndTrades[], symbol: string): TickerDelay | undefined {
	const delays = pairs.flatMap(pair => delayOf(pair, symbol) ?? []);
	if (delays.length === 0) return undefined;
	return {
		looks: delays.length,
		behind: delays.filter(delay => delay > 0).length,
		atLeastMs: Math.max(...delays),
	};
}

function delayOf({ticker, trades}: TickerAndTrades, symbol: string): number | undefined {
	const at = ticker.answer?.serverTime;
	const last = ticker.answer?.data.find(entry => entry.symbol === symbol)?.last;
	if (at === undefined || last === undefined) return undefined;
	const before = trades.answer?.data.filter(trade => trade.time <= at) ?? [];
	const newest = before[0];
	if (!newest) return undefined;
	// Several trades of one moment have no order that could be relied on.
	if (before.some(trade => trade.time === newest.time && trade.price === last)) return 0;
	const shown = before.findIndex(trade => trade.price === last);
	const replacedBy = shown < 0 ? before.at(-1) : before[shown - 1];
	return replacedBy && at - replacedBy.time;
}
