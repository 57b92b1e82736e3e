import {percentile} from '../../market/numbers.ts';
import type {Interface, Ticker, Trade} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import type {Operation} from '../errors.ts';
import {isPlausible} from '../wire/dating.ts';
import type {Obstacle, Probe} from './operations.ts';

/** How far the exchange's clock is ahead of ours: `skewMs`, give or take `uncertaintyMs`. */
export type ClockSkew = {readonly skewMs: number; readonly uncertaintyMs: number};

/**
 * Estimates the skew of the exchange's clock. The server writes its time between our request and its answer, so each answer
 * gives a lower and an upper bound, and all together the tightest ones; one from a cache gives only the lower bound, unless all are.
 * Undefined if no answer has a plausible time.
 */
export function clockSkew(probes: readonly Probe[]): ClockSkew | undefined {
	const stamps = probes.flatMap(({startedAt, durationMs, answer: {serverTime, cache} = {}}) =>
		serverTime !== undefined && isPlausible(serverTime)
			? [{startedAt, receivedAt: startedAt + durationMs, serverTime, isOld: cache?.isHit === true}]
			: [],
	);
	if (stamps.length === 0) return undefined;
	// Whole seconds, as in most ISO 8601 times, are rounded down.
	const cutMs = stamps.every(({serverTime}) => serverTime % secondMs === 0) ? secondMs : 1;
	const isOldOnly = stamps.every(({isOld}) => isOld);
	const bounds = stamps.map(({startedAt, receivedAt, serverTime, isOld}) => ({
		// Our own times are rounded down to the millisecond, too.
		least: serverTime - receivedAt - 1,
		// What a cache kept was written before the request.
		most: isOld && !isOldOnly ? Infinity : serverTime + cutMs - startedAt,
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

/** Whether two clocks may be one. */
const isSameClock = (one: ClockSkew, other: ClockSkew): boolean =>
	Math.abs(one.skewMs - other.skewMs) <= one.uncertaintyMs + other.uncertaintyMs + secondMs;

/** Why times of the two operations cannot be compared; undefined if they can. */
export function clockObstacle(one: readonly Probe[], other: readonly Probe[]): Obstacle | undefined {
	const [first, second] = [clockSkew(one), clockSkew(other)];
	if (!first || !second) return 'no-time';
	return isSameClock(first, second) ? undefined : 'clocks-differ';
}

/** The clock of an interface. */
export type InterfaceClock = ClockSkew & {
	readonly interface: Interface;
	/** The only ones that have it; absent: all, or all others. */
	readonly operations?: readonly Operation[] | undefined;
	/** The time (epoch ms) that it always shows; absent: it runs. */
	readonly frozenAt?: number | undefined;
};

/** How long a clock must show one time to count as frozen: longer than the second that some cut off. */
const frozenMs = 2 * secondMs;

/** The clocks of one interface, by the probes of it: one, unless operations contradict each other. The most common first. */
export function interfaceClocks(source: Interface, probes: readonly Probe[]): readonly InterfaceClock[] {
	const answered = probes.filter(({answer}) => answer?.serverTime !== undefined);
	const times = new Set(answered.map(({answer}) => answer?.serverTime));
	const [frozenAt] = times;
	const elapsedMs = (answered.at(-1)?.startedAt ?? 0) - (answered[0]?.startedAt ?? 0);
	const skewOfAll = clockSkew(answered);
	if (skewOfAll && times.size === 1 && elapsedMs > frozenMs)
		return [{interface: source, ...skewOfAll, operations: undefined, frozenAt}];
	const groups: {readonly skew: ClockSkew; readonly operations: Operation[]}[] = [];
	const probesOf = (operations: readonly Operation[]) => probes.filter(({operation}) => operations.includes(operation));
	for (const operation of new Set(probes.map(probe => probe.operation))) {
		const skew = clockSkew(probesOf([operation]));
		if (!skew) continue;
		const group = groups.find(each => isSameClock(each.skew, skew));
		if (group) group.operations.push(operation);
		else groups.push({skew, operations: [operation]});
	}

	return groups
		.toSorted((one, other) => other.operations.length - one.operations.length)
		.map(({skew, operations}, index) => ({
			interface: source,
			...(clockSkew(probesOf(operations)) ?? skew),
			operations: index > 0 ? operations : undefined,
			frozenAt: undefined,
		}));
}

/** How far a ticker's last price lags behind the trades of its interface, by the exchange's own clock. */
export type TickerDelay = {
	/** Number of answers that could be compared. */
	readonly samples: number;
	/** How many of them showed a price other than that of the last trade before. */
	readonly behind: number;
	/** Ms since its price was replaced by another trade: in the worst answer, and in half of them. */
	readonly atLeastMs: number;
	readonly medianMs: number;
};

/** A ticker, and the trades probed after it. */
export type TickerAndTrades = {readonly ticker: Probe<readonly Ticker[]>; readonly trades: Probe<readonly Trade[]>};

/** The delay of the ticker of `symbol`, or why no answer could be compared. */
export function tickerDelay(pairs: readonly TickerAndTrades[], symbol: string): TickerDelay | Obstacle {
	const answered = pairs.filter(({ticker, trades}) => ticker.answer && trades.answer);
	if (answered.length === 0) return 'failed';
	const obstacle = clockObstacle(
		answered.map(({ticker}) => ticker),
		answered.map(({trades}) => trades),
	);
	if (obstacle) return obstacle;
	const found = answered.map(pair => delayOf(pair, symbol));
	const delays = found.filter(delay => typeof delay === 'number');
	const median = percentile(delays, 0.5);
	if (median === undefined) return found.find(delay => typeof delay === 'string') ?? 'failed';
	return {
		samples: delays.length,
		behind: delays.filter(delay => delay > 0).length,
		atLeastMs: Math.max(...delays),
		medianMs: median,
	};
}

function delayOf({ticker, trades}: TickerAndTrades, symbol: string): number | Obstacle {
	const at = ticker.answer?.serverTime ?? 0;
	// The last trade may be among them.
	if ((trades.answer?.dropped ?? 0) > 0) return 'unreadable';
	const last = ticker.answer?.data.find(entry => entry.symbol === symbol)?.last;
	if (last === undefined) return 'no-price';
	const before = trades.answer?.data.filter(trade => trade.time <= at) ?? [];
	const newest = before[0];
	if (!newest) return 'no-trades';
	// Trades in the same millisecond have no reliable order.
	if (before.some(trade => trade.time === newest.time && trade.price === last)) return 0;
	const shown = before.findIndex(trade => trade.price === last);
	const replacedBy = before[shown - 1];
	return replacedBy ? at - replacedBy.time : 'no-such-trade';
}
