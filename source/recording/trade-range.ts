import {isFormer} from '../market/continued-tape.ts';
import type {Trade} from '../market/types.ts';
import type {RecordingReader} from './recording-reader.ts';
import type {Stretch} from './replay-controls.ts';
import type {AddedTrades} from './trade-codec.ts';
import {createTradeGaps} from './trade-gaps.ts';

export type TradeRange = {
	/** Each trade once, nearly in order of time: a later answer may have filled a gap. To be read once. */
	readonly trades: Iterable<Trade>;
	/** Where trades may be missing, in order of time. Known when all trades are read. */
	missing(): readonly Stretch[];
};

/** The trades of a market with a time from `range.from` to `range.to`, of all sessions and both interfaces. */
export function readTradeRange(reader: RecordingReader, symbol: string, range: Stretch): TradeRange {
	const {first, last} = reader.tradesKnown(symbol) ?? {first: Infinity, last: -Infinity};
	const gaps = createTradeGaps();
	/** The time of the first trade since the exchange has set its clock. */
	let setAt: number | undefined;

	/** What happened before the exchange set its clock has other times: what of the time before the first trade since is not known. */
	function followClock({trades, startsOver, former, redatedMs}: AddedTrades): void {
		if (!startsOver && !former && redatedMs === undefined) return;
		const since = trades.filter(trade => !former || !isFormer(trade, former)).map(({time}) => time);
		setAt = Math.min(setAt ?? Infinity, ...since);
	}

	function* trades(): Generator<Trade> {
		for (const page of reader.tradesBetween(symbol, range.from, range.to)) {
			followClock(page);
			const {filled} = gaps.add(page);
			const isKnown = ({time}: Trade) =>
				time <= gaps.otherUntil && !filled.some(({from, to}) => from < time && time < to);
			for (const trade of page.trades) {
				if (trade.time >= range.from && trade.time <= range.to && !isKnown(trade)) yield trade;
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
			const inside = gaps.all().map(within);
			return joined([...outside.filter(({from, to}) => from < to), ...inside.filter(({from, to}) => from <= to)]);
		},
	};
}

/** In order of time, those that overlap as one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
	const all: Stretch[] = [];
	for (const stretch of stretches.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
		const last = all.at(-1);
		if (last && (stretch.from < last.to || stretch.to <= last.to))
			all[all.length - 1] = {from: last.from, to: Math.max(last.to, stretch.to)};
		else all.push(stretch);
	}

	return all;
}
