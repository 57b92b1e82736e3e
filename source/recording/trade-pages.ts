import type {Answer} from '../client/exchange.ts';
import {
	type Continued,
	continueTape,
	cutTape,
	type Former,
	isFormer,
	redatedTape,
	type TapeState,
} from '../market/continued-tape.ts';
import {brokenOff, compareTrades, emptyTape, type Tape, tradeKey} from '../market/tape.ts';
import type {Interface, Trade} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {type AddedTrades, keptTrades, type MissingTrades, type TapeNotes} from './trade-codec.ts';
import {endOfSecond, type TradeGapReason} from './trade-gaps.ts';

/** Finds the new trades in pages of a market, so that each trade of an interface is kept once. */
export type TradePages = ReturnType<typeof createTradePages>;

/** What earlier pages have brought. */
type EarlierTrades = {
	tape(from: Interface): TapeState;
	/** The interface of the newest trades; undefined: there are none. */
	newest(): Interface | undefined;
};

type InterfaceTape = TapeState & {
	/** From when on trades may be missing since the exchange has set its clock. */
	readonly setFrom?: number | undefined;
};

/** The interface that answered last, and the time of the newest trade of the other one before. */
type Source = {readonly from: Interface; readonly since: number};

export function createTradePages(earlier: EarlierTrades) {
	/** Each interface has ids of its own. */
	const tapes = new Map<Interface, InterfaceTape>();
	let lastSource: Source | undefined;
	/** The counted gaps that a later page may close. */
	const open = new Set<string>();
	let count = 0;

	const tapeOf = (from: Interface): InterfaceTape => tapes.get(from) ?? earlier.tape(from);

	function sourceBefore(): Source | undefined {
		const from = lastSource ? undefined : earlier.newest();
		return from ? {from, since: -Infinity} : lastSource;
	}

	return {
		/** What of a page was not known before; undefined: nothing. The pages come in the order in which they were received. */
		add(page: Answer<readonly Trade[]>): AddedTrades | undefined {
			const {data: trades, besideDropped, receivedAt, interface: from} = page;
			const last = tapeOf(from);
			// As the tape on the screen, it starts over if the exchange sets its clock or begins its ids again.
			const next = continueTape(last, {trades, besideDropped, receivedAt}, keptTrades);
			const {data: after, former, newAt, reach} = next;
			const before = next.startsOver ? emptyTape : last.data;
			// Most pages have few trades that a tape of thousands does not have.
			const unknown = new Set(trades.map(tradeKey));
			for (const trade of before.trades) unknown.delete(tradeKey(trade));
			const added = after.trades.filter(trade => unknown.has(tradeKey(trade)));
			const fresh = [...added, ...next.leftOut].sort(compareTrades).reverse();
			const gone = before.gaps.difference(after.gaps);
			// The last trade that is kept has no mark any more, as the tape ends there.
			const closed = gone.size === 0 ? gone : gone.intersection(new Set(after.trades.slice(0, -1).map(tradeKey)));
			const marks = after.gaps.difference(before.gaps);
			const source = sourceBefore();
			const isOther = source !== undefined && source.from !== from && fresh.length > 0;
			const since = isOther ? (tapeOf(source.from).data.trades[0]?.time ?? -Infinity) : (source?.since ?? -Infinity);
			const found = missingTrades({last, next, receivedAt, besideDropped, marks, setFrom: last.setFrom});
			const switched = isOther ? otherInterface(since, fresh) : [];
			// What was declared, and is closed in part only, is not known from the other interface.
			const own = closed.size > 0 ? found : afterOther(found, switched[0]?.[2] ?? endOfSecond(since));
			const missing = [...switched, ...own].map(gap => (from === 'legacy' ? toEndOfSecond(gap) : gap));
			// What is missing since an earlier session is not counted.
			if (lastSource || last.data.trades.length === 0) recount(from, missing, gone, closed);
			if (fresh.length > 0) lastSource = {from, since};
			const setFrom = next.startsOver || next.isSet ? found[0]?.[1] : last.setFrom;
			tapes.set(from, {data: after, former, newAt, reach, setFrom});
			const {redatedMs, isSet, startsOver} = next;
			const reportsMissing = marks.size > 0 || isOther;
			if (redatedMs === 0 && !isSet && !reportsMissing && fresh.length + closed.size === 0) return undefined;
			const marked = fresh.map(tradeKey).filter(key => after.gaps.has(key));
			return {
				...{trades: fresh, gaps: [...marked, ...marks.difference(unknown)], closed: [...closed], startsOver},
				...(redatedMs !== 0 && {redatedMs}),
				...(isSet && former && {former}),
				...(reportsMissing && {missing}),
			};
		},
		/** How many stretches between trades of these pages are not proven whole. */
		gaps: (): number => count,
	};

	/** `gone`: keys after which the tape has no gap any more, for those of `closed` as none is missing. */
	function recount(
		of: Interface,
		missing: readonly MissingTrades[],
		gone: ReadonlySet<string>,
		closed: ReadonlySet<string>,
	): void {
		for (const key of gone) if (open.delete(`${of} ${key}`) && closed.has(key)) count--;
		count += missing.length;
		for (const [key] of missing) if (key !== null) open.add(`${of} ${key}`);
	}
}

const toEndOfSecond = ([key, from, to, reason]: MissingTrades): MissingTrades => [key, from, endOfSecond(to), reason];

/** A page that goes on from what is known of a market and interface. */
type ContinuedPage = {
	readonly last: TapeState;
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
function missingTrades({
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
function clockSet({data, newAt}: TapeState, next: Continued, receivedAt: number, first: Trade) {
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
const otherInterface = (newest: number, [first]: readonly Trade[]): readonly MissingTrades[] =>
	first ? [[null, newest, Math.max(endOfSecond(newest), first.time), 'other interface']] : [];

/** Gaps of an interface, less what the other one had before it, up to the time `until`. */
const afterOther = (gaps: readonly MissingTrades[], until: number): readonly MissingTrades[] =>
	gaps.flatMap(([key, from, to, reason]) => (to <= until ? [] : [[key, Math.max(from, until), to, reason]]));

/** The tape as the exchange dates it since an answer, without that answer's trades. */
export function setClock(tape: Tape, {redatedMs = 0, former}: Omit<TapeNotes, 'gaps'>): Tape {
	return cutTape(redatedMs === 0 ? tape : redatedTape(tape, redatedMs), former);
}

/** The trades of answers that come newest first; of more answers than hold `enough` trades, only the newest. */
export function tapeOfPages(pages: Iterable<AddedTrades>, enough: number): TapeState {
	const trades: Trade[] = [];
	const gaps = new Set<string>();
	const closed = new Set<string>();
	/** How much later the pages to come are dated now. */
	let redatedMs = 0;
	let former: Former | undefined;
	for (const page of pages) {
		const dated = redatedMs === 0 ? page.trades : page.trades.map(trade => ({...trade, time: trade.time + redatedMs}));
		if (page.former) former ??= {...page.former, time: page.former.time + redatedMs};
		const current = dated.filter(trade => !former || !isFormer(trade, former));
		trades.push(...current);
		// What a newer page has closed is closed.
		for (const key of page.gaps) if (!closed.has(key)) gaps.add(key);
		for (const key of page.closed) closed.add(key);
		redatedMs += page.redatedMs ?? 0;
		const isEnd = page.startsOver || (dated.length > 0 && current.length === 0);
		if (isEnd || trades.length >= enough) break;
	}

	trades.sort(compareTrades);
	if (!former) return {data: {trades, gaps}};
	const data = {trades, gaps: gaps.intersection(new Set(trades.map(tradeKey)))};
	return {data: trades.length < enough ? brokenOff(data) : data, former};
}
