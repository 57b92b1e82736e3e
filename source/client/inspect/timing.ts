import {isPlausible} from '../../market/clock.ts';
import {percentile} from '../../market/numbers.ts';
import {emptyTape, mergeTape} from '../../market/tape.ts';
import {aheadMs, type Bounds, type TradeClock, type TradePage, withPage} from '../../market/trade-clock.ts';
import type {Interface, Ticker, Trade} from '../../market/types.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import type {Operation} from '../errors.ts';
import type {InterfaceClock, Obstacle, TickerDelay} from './inspection.ts';
import type {Probe} from './operations.ts';

/** An answer with a plausible time. Times are epoch ms. */
type Stamp = {
	readonly startedAt: number;
	readonly receivedAt: number;
	readonly serverTime: number;
	/** Kept by a cache: written before the request. */
	readonly isOld: boolean;
};

/** A cache that gives only what it has kept is not expected to keep it for longer. */
const longestKeptMs = minuteMs;

/**
 * Estimates the skew of the exchange's clock. The server writes its time between our request and its answer, so each answer
 * gives a lower and an upper bound, and all together the tightest ones; one from a cache gives only the lower bound. If all
 * are from caches, the youngest counts as if it were fresh. Undefined if no answer has a plausible time.
 */
export function clockSkew(probes: readonly Probe[]): Pick<InterfaceClock, 'skewMs' | 'uncertaintyMs'> | undefined {
	const stamps = stampsOf(probes);
	const youngest = youngestOf(stamps);
	if (!youngest) return undefined;
	const {least, most} = areOld(stamps) ? boundsOf([youngest], 0) : boundsOf(stamps, Infinity);
	return {skewMs: (least + most) / 2, uncertaintyMs: (most - least) / 2};
}

const stampsOf = (probes: readonly Probe[]): readonly Stamp[] =>
	probes.flatMap(({startedAt, durationMs, answer: {serverTime, cache} = {}}) =>
		serverTime !== undefined && isPlausible(serverTime)
			? [{startedAt, receivedAt: startedAt + durationMs, serverTime, isOld: cache?.isHit === true}]
			: [],
	);

const areOld = (stamps: readonly Stamp[]): boolean => stamps.every(({isOld}) => isOld);

const youngestOf = (stamps: readonly Stamp[]): Stamp | undefined =>
	stamps.toSorted((one, other) => other.serverTime - other.receivedAt - (one.serverTime - one.receivedAt))[0];

/** `keptMs`: for how long a cache can have kept what it gave. */
function boundsOf(stamps: readonly Stamp[], keptMs: number): Bounds {
	// Whole seconds, as in most ISO 8601 times, are rounded down.
	const cutMs = stamps.every(({serverTime}) => serverTime % secondMs === 0) ? secondMs : 1;
	const all = stamps.map(({startedAt, receivedAt, serverTime, isOld}) => ({
		// Our own times are rounded down to the millisecond, too.
		least: serverTime - receivedAt - 1,
		most: serverTime + cutMs - startedAt + (isOld ? keptMs : 0),
	}));
	const least = Math.max(...all.map(bounds => bounds.least));
	const most = Math.min(...all.map(bounds => bounds.most));
	// Else a clock was set or drifts: use only the tightest pair of bounds.
	if (least <= most) return {least, most};
	return all.reduce((one, other) => (other.most - other.least < one.most - one.least ? other : one));
}

/** Undefined if no answer has a plausible time. */
function clockBounds(probes: readonly Probe[]): Bounds | undefined {
	const stamps = stampsOf(probes);
	return stamps.length > 0 ? boundsOf(stamps, areOld(stamps) ? longestKeptMs : Infinity) : undefined;
}

/** Whether two clocks may be one. */
const isSameClock = (one: Bounds, other: Bounds): boolean =>
	Math.max(one.least, other.least) <= Math.min(one.most, other.most) + secondMs;

/** The clock that dates the trades of an operation, by all pages of it; undefined: none was answered. */
export function tradeClockOf(probes: readonly Probe<readonly Trade[]>[]): TradeClock | undefined {
	let clock: TradeClock | undefined;
	let tape = emptyTape;
	for (const probe of probes) {
		if (!probe.answer) continue;
		const before = tape;
		tape = mergeTape(before, probe.answer.data);
		clock = withPage(clock, pageOf(probe), tape.trades, before.trades);
	}

	return clock;
}

function pageOf({startedAt, durationMs, answer}: Probe): TradePage {
	const {serverTime, cache} = answer ?? {};
	return {
		...(!cache?.isHit && {sentAt: startedAt}),
		...{receivedAt: startedAt + durationMs, serverTime},
	};
}

/** How far that clock is ahead of ours, ms, as far as it is known, as of a probe. */
export const aheadOf = (probe: Probe, {ahead}: TradeClock): number => aheadMs(ahead, pageOf(probe));

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
	const probesOf = (operations: readonly Operation[]) => probes.filter(({operation}) => operations.includes(operation));
	const bounded = [...new Set(probes.map(({operation}) => operation))].flatMap(operation => {
		const bounds = clockBounds(probesOf([operation]));
		return bounds ? [{operation, bounds}] : [];
	});
	const groups: {readonly bounds: Bounds; readonly operations: Operation[]}[] = [];
	// What is least certain may have the clock of any other.
	for (const {operation, bounds} of bounded.toSorted((one, other) => widthOf(one.bounds) - widthOf(other.bounds))) {
		const group = groups.find(each => isSameClock(each.bounds, bounds));
		if (group) group.operations.push(operation);
		else groups.push({bounds, operations: [operation]});
	}

	return groups
		.toSorted((one, other) => other.operations.length - one.operations.length)
		.flatMap(({operations}, index) => {
			const skew = clockSkew(probesOf(operations));
			const only = index > 0 ? operations : undefined;
			return skew ? [{interface: source, ...skew, operations: only, frozenAt: undefined}] : [];
		});
}

const widthOf = ({least, most}: Bounds): number => most - least;

/** A ticker, and the trades probed after it. */
export type TickerAndTrades = {readonly ticker: Probe<readonly Ticker[]>; readonly trades: Probe<readonly Trade[]>};

/** The delay of the ticker of `symbol` behind trades that `clock` dates, or why no answer could be compared. */
export function tickerDelay(
	pairs: readonly TickerAndTrades[],
	symbol: string,
	clock = tradeClockOf(pairs.map(({trades}) => trades)),
): TickerDelay | Obstacle {
	const answered = pairs.filter(({ticker, trades}) => ticker.answer && trades.answer);
	if (answered.length === 0 || !clock) return 'failed';
	if (stampsOf(answered.map(({trades}) => trades)).length === 0) return 'no-time';
	const found = answered.map(pair => delayOf(pair, symbol, clock));
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

function delayOf({ticker, trades}: TickerAndTrades, symbol: string, clock: TradeClock): number | Obstacle {
	// The answer was made after its request.
	const at = ticker.startedAt + aheadOf(ticker, clock);
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
