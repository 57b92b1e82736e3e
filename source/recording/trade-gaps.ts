import {isFormer} from '../market/continued-tape.ts';
import {tradeKey} from '../market/tape.ts';
import type {Interface} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import type {Stretch} from './replay-controls.ts';
import type {MissingTrades, NewTrades} from './trade-codec.ts';

/** Why trades may be missing between two that are recorded. */
export type TradeGapReason =
	| 'more trades than a page'
	| 'exchange set its clock'
	| 'exchange set its clock or ids'
	| 'misdated trades'
	| 'other interface';

/** Epoch ms: the times of the trades on both sides of it. */
type TradeGap = Stretch & {readonly reason: string};

/** Stretches between the recorded trades of a market, of both interfaces, that are not proven whole. */
export type TradeGaps = ReturnType<typeof createTradeGaps>;

/** The legacy interface has times in whole seconds: which of its trades of that second are others is not known. */
export const endOfSecond = (time: number): number => Math.floor(time / secondMs) * secondMs + secondMs - 1;

export function createTradeGaps() {
	const open = new Map<string, TradeGap>();
	let count = 0;
	let source: Interface | undefined;
	let newest = -Infinity;
	let otherUntil = -Infinity;

	const put = ([key, from, to, reason]: MissingTrades, source = '') =>
		open.set(key === null ? `${count++}` : `${source} ${key}`, {from, to, reason});

	/** Of an answer whose first trade has the time `first`: the gap after those of the other interface, if that answered before. */
	function follow(from: Interface, first: number): readonly MissingTrades[] {
		const isOther = source !== undefined && source !== from;
		source = from;
		if (!isOther) return [];
		otherUntil = endOfSecond(newest);
		return [[null, newest, Math.max(otherUntil, first), 'other interface']];
	}

	return {
		/** Trades up to this time are the other interface's, which has other ids for them. Epoch ms. */
		get otherUntil() {
			return otherUntil;
		},
		/** Follows the next answer with new trades. Returns the gaps that are new, and those that it has closed. */
		add(page: NewTrades): {readonly missing: readonly MissingTrades[]; readonly filled: readonly Stretch[]} {
			const {trades, closed, former, interface: from} = page;
			const [first] = trades;
			const switched = first ? follow(from, first.time) : [];
			const filled: Stretch[] = [];
			for (const key of open.size === 0 ? [] : closed) {
				const gap = open.get(`${from} ${key}`);
				if (gap && open.delete(`${from} ${key}`)) filled.push(gap);
			}

			const missing = page.missing ?? [...switched, ...derived(page, newest, switched[0]?.[2], filled)];
			for (const gap of missing) put(gap, from);
			if (page.startsOver || former || page.redatedMs !== undefined) newest = -Infinity;
			for (const trade of trades) {
				if (!former || !isFormer(trade, former)) newest = Math.max(newest, trade.time);
			}

			return {missing, filled};
		},
		/** As `add`, of an answer that has nothing but new trades. `first`, `last`: their times, epoch ms. */
		addPlain(from: Interface, first: number, last: number): void {
			for (const gap of follow(from, first)) put(gap);
			newest = Math.max(newest, last);
		},
		/** Forgets those that end up to `time` (epoch ms). */
		forget(time: number): void {
			for (const [key, {to}] of open) if (to <= time) open.delete(key);
		},
		/** Those that no later answer has closed. `from` is -Infinity where the trade before is not known. */
		all: (): readonly TradeGap[] => [...open.values()],
	};
}

/**
 * The gaps of an answer whose recorder of an earlier version did not note them. `newest`: the time of the newest trade before
 * it; what is up to `coveredUntil` counts already; `filled`: what it closes.
 */
function derived(
	{trades, gaps, former, startsOver}: NewTrades,
	newest: number,
	coveredUntil = -Infinity,
	filled: readonly Stretch[],
): readonly MissingTrades[] {
	if (startsOver || former) {
		const since = trades.find(trade => !former || !isFormer(trade, former));
		return since ? [[null, Math.min(newest, since.time), since.time, 'exchange set its clock']] : [];
	}

	const marks = new Set(gaps);
	return trades.flatMap((trade): MissingTrades[] => {
		if (!marks.has(tradeKey(trade)) || (trade.time <= coveredUntil && filled.length === 0)) return [];
		const before = filled.find(({from, to}) => from <= trade.time && trade.time <= to)?.from ?? newest;
		// What is before it may be known from the other interface.
		return before <= trade.time ? [[tradeKey(trade), before, trade.time, 'more trades than a page']] : [];
	});
}
