import type {Ticker, Trade} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import type {Probe} from './operations.ts';

/** How far the exchange's clock is ahead of ours: `skewMs`, give or take `uncertaintyMs`. */
export type ClockSkew = {readonly skewMs: number; readonly uncertaintyMs: number};

/**
 * Estimates the skew of the exchange's clock. The server writes its time between our request and its answer, so each answer
 * gives a lower and an upper bound, and all together the tightest ones. Undefined if no answer has a time.
 */
export function clockSkew(probes: readonly Probe[]): ClockSkew | undefined {
	const stamps = probes.flatMap(({startedAt, answer}) =>
		answer?.serverTime === undefined ? [] : [{startedAt, receivedAt: answer.receivedAt, serverTime: answer.serverTime}],
	);
	if (stamps.length === 0) return undefined;
	// Whole seconds, as in most ISO 8601 times, are rounded down.
	const cutMs = stamps.every(({serverTime}) => serverTime % secondMs === 0) ? secondMs : 1;
	const bounds = stamps.map(({startedAt, receivedAt, serverTime}) => ({
		// Our own times are rounded down to the millisecond, too.
		least: serverTime - receivedAt - 1,
		most: serverTime + cutMs - startedAt,
	}));
	const least = Math.max(...bounds.map(bound => bound.least));
	const most = Math.min(...bounds.map(bound => bound.most));
	if (least <= most) return middle(least, most);
	// A clock was set or drifts: use only the tightest pair of bounds.
	const [closest] = bounds.toSorted((a, b) => a.most - a.least - (b.most - b.least));
	return closest && middle(closest.least, closest.most);
}

const middle = (least: number, most: number): ClockSkew => ({
	skewMs: (least + most) / 2,
	uncertaintyMs: (most - least) / 2,
});

/** How far a ticker's last price lags behind the trades. All times are by the exchange's own clock. */
export type TickerDelay = {
	/** Number of answers that could be compared. */
	readonly samples: number;
	/** How many of them showed a price other than that of the last trade before. */
	readonly behind: number;
	/** In the worst answer, ms since its price was replaced by another trade. */
	readonly atLeastMs: number;
};

/** A ticker, and the trades probed after it. */
export type TickerAndTrades = {readonly ticker: Probe<readonly Ticker[]>; readonly trades: Probe<readonly Trade[]>};

/** The delay of the ticker of `symbol`; undefined if no answer could be compared. */
export function tickerDelay(pairs: readonly TickerAndTrades[], symbol: string): TickerDelay | undefined {
	const delays = pairs.flatMap(pair => delayOf(pair, symbol) ?? []);
	if (delays.length === 0) return undefined;
	return {
		samples: delays.length,
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
	// Trades in the same millisecond have no reliable order.
	if (before.some(trade => trade.time === newest.time && trade.price === last)) return 0;
	const shown = before.findIndex(trade => trade.price === last);
	const replacedBy = shown < 0 ? before.at(-1) : before[shown - 1];
	return replacedBy && at - replacedBy.time;
}
