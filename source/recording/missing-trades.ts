import type {Continued, KnownTrades} from '../market/continued-tape.ts';
import {tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import type {MissingTrades} from './trade-codec.ts';
import {endOfSecond, type TradeGapReason} from './trade-gaps.ts';

/** A page that goes on from what is known of a market and interface. */
export type ContinuedPage = {
	readonly last: KnownTrades;
	readonly next: Continued;
	/** Epoch ms. */
	readonly receivedAt: number;
	readonly besideDropped?: readonly string[] | undefined;
	/** Keys of the trades before which others may be missing since this page. */
	readonly marks: ReadonlySet<string>;
	/** From when on trades may be missing as the exchange has set its clock before. Default: that is not known. */
	readonly setFrom?: number | undefined;
};

/** Where trades may be missing since a page, as notes have it. */
export function missingTrades({
	last,
	next,
	receivedAt,
	besideDropped = [],
	marks,
	setFrom,
}: ContinuedPage): readonly MissingTrades[] {
	if (marks.size === 0) return [];
	const {trades} = next.data;
	const dropped = new Set(besideDropped);
	const oldest = next.counted.at(-1);
	const reach = next.reach ?? last.reach;
	return trades.flatMap((trade, index): readonly MissingTrades[] => {
		const [key, below] = [tradeKey(trade), trades[index + 1]];
		if (!marks.has(key)) return [];
		if (!below) {
			const set = clockSet(last, next, receivedAt, trade) ?? [
				{from: Math.min(setFrom ?? trade.time, trade.time), to: trade.time},
			];
			return set.map(({from, to}, place) => [place === 0 ? key : null, from, to, clockReason(next)]);
		}

		// Trades that the exchange has dated back are hidden by a page that does not reach that far.
		if (reach !== undefined && oldest && key === tradeKey(oldest))
			return [[key, Math.min(below.time, reach), trade.time, 'exchange set its clock']];
		return [[key, below.time, trade.time, dropped.has(key) ? 'misdated trades' : 'more trades than a page']];
	});
}

const clockReason = ({startsOver}: Continued): TradeGapReason =>
	startsOver ? 'exchange set its clock or ids' : 'exchange set its clock';

/**
 * The exchange has set its clock between what is known and `first`. Trades in between may be dated by the clock before, after the
 * newest trade known, or by the new one. Undefined if it has not.
 */
function clockSet({data, newAt}: KnownTrades, next: Continued, receivedAt: number, first: Trade) {
	if (!next.startsOver && !next.isSet) return undefined;
	const newest = data.trades[0]?.time ?? Math.max(...next.leftOut.map(({time}) => time), first.time);
	const sinceMs = receivedAt - (newAt ?? receivedAt) + secondMs;
	const [before, after] = [
		{from: newest, to: newest + sinceMs},
		{from: first.time - sinceMs, to: first.time},
	];
	if (first.time < newest) return [after, before];
	return [{from: Math.min(before.from, after.from), to: Math.max(before.to, after.to)}];
}

/** Where another interface answers than the one whose newest trade has the time `newest`: its ids do not tell which trades are known. */
export const otherInterface = (newest: number, [first]: readonly Trade[]): readonly MissingTrades[] =>
	first ? [[null, newest, Math.max(endOfSecond(newest), first.time), 'other interface']] : [];

/** Gaps of an interface, less what the other one had before it, up to the time `until`. */
export const afterOther = (gaps: readonly MissingTrades[], until: number): readonly MissingTrades[] =>
	gaps.flatMap(([key, from, to, reason]) => (to <= until ? [] : [[key, Math.max(from, until), to, reason]]));
