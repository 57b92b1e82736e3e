import {isPlausible} from './clock.ts';
import type {Trade} from './types.ts';
import {secondMs} from './units.ts';

/** The bounds of a difference, in ms. */
export type Bounds = {readonly least: number; readonly most: number};

/** What one page of trades that had new ones shows. */
type Sighting = {
	/** How far the clock that dates trades is ahead of ours. */
	readonly ahead: Bounds;
	/** How far the clock that stamps answers is ahead of the one that dates trades. */
	readonly stamps: Bounds;
};

/**
 * The clock of an exchange that dates its trades, as pages of trades show it. The stamps of answers may come from another clock:
 * they are never compared with the times of trades to tell what had happened.
 *
 * A trade that is there when a page comes proves that its time had come. A trade that was not in the page before proves that its
 * time had not come when that one was requested. So each page with new trades bounds the time of this clock by ours, and the
 * difference between it and the stamps.
 */
export type TradeClock = Sighting & {
	/** Of the last pages with new trades, newest first. */
	readonly sightings: readonly Sighting[];
	readonly last: TradePage;
	/** Whether no stamp, and no time of a trade, has shown more than whole seconds so far: they are cut off. */
	readonly areStampsWhole: boolean;
	readonly areTradesWhole: boolean;
};

/** When a page of trades was read. Epoch ms. */
export type TradePage = {
	/** When it was requested, by our clock; absent: unknown, as of a page from a cache. */
	readonly sentAt?: number | undefined;
	/** When the exchange answered, by our clock. */
	readonly receivedAt: number;
	/** Its stamp. */
	readonly serverTime?: number | undefined;
};

const anything: Bounds = {least: -Infinity, most: Infinity};
/** Pages with new trades that are remembered: older ones tell of clocks that may have drifted since. */
const mostSightings = 30;

/**
 * The clock after one more page. `trades`: all that are known now, newest first; `previous`: those known before it, which belong
 * to `clock`. Where `trades` does not continue them, as the exchange has set its clock, what was known is forgotten.
 */
export function withPage(
	clock: TradeClock | undefined,
	{sentAt, receivedAt, serverTime}: TradePage,
	trades: readonly Trade[],
	previous: readonly Trade[],
): TradeClock {
	const isStamped = serverTime !== undefined && isPlausible(serverTime);
	const page: TradePage = {sentAt, receivedAt, ...(isStamped && {serverTime})};
	const [newest] = trades;
	const added = previous[0] ? trades.indexOf(previous[0]) : -1;
	const before = added < 0 || isSet(clock?.last, page) ? undefined : clock;
	const isWhole = (time: number | undefined) => time === undefined || time % secondMs === 0;
	const areStampsWhole = (before?.areStampsWhole ?? true) && isWhole(page.serverTime);
	const areTradesWhole = (before?.areTradesWhole ?? true) && trades.every(({time}) => isWhole(time));
	const steps = {stampMs: areStampsWhole ? secondMs - 1 : 0, tradeMs: areTradesWhole ? secondMs - 1 : 0};
	const first = before && trades[added - 1];
	const sighting = newest && sightingOf(page, before?.last, {newest, first}, steps);
	// Without a new trade, only our clock can have been set back.
	const isNew = sighting && (first || !before || sighting.ahead.least > before.ahead.least);
	const sightings = [...(isNew ? [sighting] : []), ...(before?.sightings ?? [])].slice(0, mostSightings);
	return {
		ahead: joint(sightings.map(({ahead}) => ahead)),
		stamps: joint(sightings.map(({stamps}) => stamps)),
		...{sightings, last: page, areStampsWhole, areTradesWhole},
	};
}

/** An answer can take seconds. */
const leastSetMs = 10 * secondMs;

/** Whether our clock or that of the stamps was set between two pages. */
function isSet(before: TradePage | undefined, {receivedAt, serverTime}: TradePage): boolean {
	if (before?.serverTime === undefined || serverTime === undefined) return false;
	return Math.abs(serverTime - receivedAt - (before.serverTime - before.receivedAt)) >= leastSetMs;
}

/** `first`: the oldest trade that the last page did not have; absent: it is the first page. */
function sightingOf(
	{receivedAt, serverTime}: TradePage,
	last: TradePage | undefined,
	{newest, first}: {readonly newest: Trade; readonly first: Trade | undefined},
	{stampMs, tradeMs}: {readonly stampMs: number; readonly tradeMs: number},
): Sighting {
	const latest = first && first.time + tradeMs;
	return {
		ahead: {
			least: newest.time - receivedAt,
			// Our own times are rounded down.
			most: latest === undefined || last?.sentAt === undefined ? Infinity : latest - last.sentAt + 1,
		},
		stamps: {
			least: latest === undefined || last?.serverTime === undefined ? -Infinity : last.serverTime - latest,
			most: serverTime === undefined ? Infinity : serverTime + stampMs - newest.time,
		},
	};
}

/**
 * What all sightings, newest first, agree in, back to the first that contradicts: a clock was set then. A single one below all
 * before it does not count yet, as a trade may have come late.
 */
function joint([newest, ...before]: readonly Bounds[]): Bounds {
	if (!newest) return anything;
	const [second] = before;
	if (second && newest.most < second.least) return joint(before);
	let {least, most} = newest;
	for (const bounds of before) {
		if (bounds.least > most || bounds.most < least) break;
		least = Math.max(least, bounds.least);
		most = Math.min(most, bounds.most);
	}

	return {least, most};
}

/**
 * How far the clock that dates trades is ahead of ours, in ms: as far as our clock or the stamp of `page` says, which is the
 * earlier, if that is possible; else the least that is.
 */
export function aheadMs({least, most}: Bounds, page: TradePage): number {
	const stampedMs = stampAheadMs(page);
	const clocks = [Math.min(stampedMs, 0), Math.max(stampedMs, 0)];
	return clocks.find(ms => ms >= least && ms <= most) ?? (Number.isFinite(least) ? least : (clocks[0] ?? 0));
}

/** How far the stamp is ahead of our clock at least, in ms (below 0: behind); 0 where they can agree. It was made after the request. */
function stampAheadMs({sentAt, receivedAt, serverTime = receivedAt}: TradePage): number {
	const cutMs = serverTime % secondMs === 0 ? secondMs - 1 : 0;
	const least = serverTime - receivedAt;
	const most = serverTime + cutMs - Math.min(sentAt ?? receivedAt, receivedAt);
	return isPlausible(serverTime) && (least > 0 || most < 0) ? least : 0;
}

/** A smaller difference may be the time that an answer takes. */
const leastDifferenceMs = 2 * secondMs;

/**
 * How far the stamps of answers are ahead of the times of trades, in ms (below 0: behind), to a tenth of a second, where that is
 * 2 s or more for certain; else undefined.
 */
export function stampsAheadMs({least, most}: Bounds): number | undefined {
	if (least < leastDifferenceMs && most > -leastDifferenceMs) return undefined;
	const ms =
		Number.isFinite(least) && Number.isFinite(most) ? (least + most) / 2 : Number.isFinite(least) ? least : most;
	return Math.round(ms / 100) * 100;
}
