import {isFormer} from '../market/continued-tape.ts';
import {tradeKey} from '../market/tape.ts';
import type {Interface, Trade} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import type {RecordingReader} from './recording-reader.ts';
import type {Stretch} from './replay-controls.ts';
import type {AddedTrades} from './trade-codec.ts';

export type TradeRange = {
	/** Each trade once, nearly in order of time: a later answer may have filled a gap. To be read once. */
	readonly trades: Iterable<Trade>;
	/** Where trades may be missing, in order of time. Known when all trades are read. */
	missing(): readonly Stretch[];
};

/** The trades of a market with a time from `range.from` to `range.to`, of all sessions and both interfaces. */
export function readTradeRange(reader: RecordingReader, symbol: string, range: Stretch): TradeRange {
	const {first, last} = reader.tradesKnown(symbol) ?? {first: Infinity, last: -Infinity};
	/** By the trade before which trades may be missing. */
	const gaps = new Map<string, Stretch>();
	let from: Interface | undefined;
	/** Trades up to this time are the other interface's, which has other ids for them. */
	let otherUntil = -Infinity;
	let newest = -Infinity;
	/** The time of the first trade since the exchange has set its clock. */
	let setAt: number | undefined;

	/** The legacy interface has times in whole seconds: which of its trades of that second are others is not known. */
	function switchTo({trades: [oldest]}: AddedTrades): void {
		if (!oldest) return;
		otherUntil = Math.floor(newest / secondMs) * secondMs + secondMs - 1;
		gaps.set(`before ${tradeKey(oldest)}`, {from: newest, to: Math.max(otherUntil, oldest.time)});
	}

	/** What happened before the exchange set its clock has other times: what of the time before the first trade since is not known. */
	function followClock({trades, startsOver, former, redatedMs}: AddedTrades): void {
		if (!startsOver && !former && redatedMs === undefined) return;
		newest = -Infinity;
		const since = trades.filter(trade => !former || !isFormer(trade, former)).map(({time}) => time);
		setAt = Math.min(setAt ?? Infinity, ...since);
	}

	function followGaps({trades, gaps: keys, closed}: AddedTrades): void {
		const filled = closed.flatMap(key => gaps.get(key) ?? []);
		for (const key of closed) gaps.delete(key);
		for (const trade of trades) {
			if (!keys.includes(tradeKey(trade))) continue;
			const before = filled.find(stretch => stretch.from <= trade.time && trade.time <= stretch.to)?.from ?? newest;
			// What is before it may be known from the other interface.
			if (before <= trade.time) gaps.set(tradeKey(trade), {from: before, to: trade.time});
		}
	}

	function* trades(): Generator<Trade> {
		for (const page of reader.tradesBetween(symbol, range.from, range.to)) {
			if (from !== undefined && from !== page.interface) switchTo(page);
			from = page.interface;
			followClock(page);
			followGaps(page);
			for (const trade of page.trades) {
				if (!page.former || !isFormer(trade, page.former)) newest = Math.max(newest, trade.time);
				if (trade.time > otherUntil && trade.time >= range.from && trade.time <= range.to) yield trade;
			}
		}
	}

	return {
		trades: trades(),
		missing() {
			const within = (stretch: Stretch): Stretch => ({
				from: Math.max(stretch.from, range.from),
				to: Math.min(stretch.to, range.to),
			});
			const outside = [
				{from: -Infinity, to: setAt ?? first},
				{from: last, to: Infinity},
			].map(within);
			const inside = [...gaps.values()].map(within);
			return [...outside.filter(({from, to}) => from < to), ...inside.filter(({from, to}) => from <= to)].sort(
				(a, b) => a.from - b.from,
			);
		},
	};
}
