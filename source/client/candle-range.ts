import {countOffPeriod} from '../market/candles.ts';
import {candlesOfTrades, withMissing} from '../market/trade-candles.ts';
import {type Candle, largestPage, type Period, type Trade} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {ExchangeError} from './errors.ts';
import type {Answer, CandlesOptions} from './exchange.ts';

/** Candle starts, epoch ms, inclusive. */
type StartRange = {readonly from: number; readonly to: number};

type CandlePage = Answer<readonly Candle[]>;

export type PageOptions = Pick<CandlesOptions, 'from' | 'to' | 'limit'>;

type RangeOptions = {
	/** Default: as early as `limit` needs; without a limit, one answer is read. */
	readonly from?: number | undefined;
	/** Default: `now`, and what the exchange has beyond it. */
	readonly to?: number | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly period: Period;
	/** Maximum number of candles; the newest are kept. Default: no limit. */
	readonly limit?: number | undefined;
	/**
	 * Reads the newest trades, which tell whether there must be newer candles, and of which candles are built where the exchange
	 * sends none. Absent: an answer is not checked for its newest candles.
	 */
	readonly readTrades?: (() => Promise<Answer<readonly Trade[]>>) | undefined;
	/** Called before each page, 1 to `of`. */
	readonly onPage?: ((page: number, of: number) => void) | undefined;
};

export type CandleRange = {
	/** The newest page's, with the candles of all pages, oldest first, each start once. */
	readonly answer: CandlePage;
	/** Why candles may be missing, as a clause; absent: all that the exchange has are there. */
	readonly incomplete?: string | undefined;
	/** The failure that `incomplete` is about, if it is one. */
	readonly failure?: ExchangeError | undefined;
	/** The exchange sent more candles than `limit`, which was sent to it. */
	readonly limitIgnored: boolean;
};

/** How many candles can start in the range. */
export const candleCount = ({from, to}: StartRange, period: Period): number =>
	Math.max(Math.floor((to - from) / (period * minuteMs)) + 1, 0);

/** One candle more may fit, and one may be added at either end. */
const pageCandles = largestPage - 3;

/**
 * Reads the candles of a range in pages, newest page first. Which candles the exchange leaves out of an answer, where its
 * maximum is lower or an end of the range is exclusive, is not specified: an end that an answer lacks is requested again,
 * one candle wider, until nothing comes. Without a start, each page is what the exchange sends for an end and a limit,
 * until it sends none. A page that is unreadable is left out, and after another failure the pages before it are kept;
 * rejects only if there are none.
 */
export async function readCandleRange(
	readPage: (options: PageOptions) => Promise<CandlePage>,
	{from, to, now, period, limit = Infinity, readTrades, onPage}: RangeOptions,
): Promise<CandleRange> {
	const periodMs = period * minuteMs;
	const start = from ?? 0;
	const end = Math.max(to ?? now, start);
	const isSingle = from === undefined && limit === Infinity;
	let pages =
		from === undefined
			? Math.ceil((isSingle ? 1 : limit) / largestPage)
			: Math.ceil(candleCount({from, to: end}, period) / pageCandles);
	// Far more than an exchange needs that sends 100 candles an answer.
	const {received, request, stop} = createRequest(readPage, 10 + 40 * pages);
	const {byTime} = received;

	async function readAll(range: StartRange): Promise<void> {
		const missing = [range];
		for (let part = missing.pop(); part && !received.isStopped; part = missing.pop()) {
			const isOpen = to === undefined && part.to === end;
			const widerMs = part === range ? 0 : periodMs;
			const options = {from: part.from - widerMs, to: isOpen ? undefined : part.to + widerMs, limit: largestPage};
			const {candles, isElsewhere} = await request(options, isOpen ? {...part, to: Infinity} : part);
			const [first, last] = [candles[0], candles.at(-1)];
			// Its only candles may start at an end that is exclusive, and an answer that ignores one end may miss the other.
			if (!first && part === range) missing.push({...part});
			else if (isElsewhere) stop(ignoredRange);
			if (!first || !last) continue;
			if (first.time - periodMs >= part.from) missing.push({from: part.from, to: first.time - 1});
			if (last.time + periodMs <= part.to) missing.push({from: last.time + 1, to: part.to});
		}
	}

	/** Reads what the exchange sends for the limit; settles with the end of the page before. */
	async function readNewest(): Promise<number> {
		const options = {to, limit: isSingle ? undefined : Math.min(limit, largestPage)};
		const {candles} = await request(options, {from: start, to: to ?? Infinity});
		const [first] = candles;
		if (candles.length < limit && received.newest?.outside?.after) stop(ignoredRange);
		pages = Math.ceil(limit / Math.max(candles.length, 1));
		const last = candles.at(-1)?.time ?? -Infinity;
		if (readTrades && !received.incomplete && isOld(last)) return readAgain(last, newestTime());
		if (!first || isSingle || candles.length + received.dropped >= limit) received.isStopped = true;
		return (first?.time ?? start) - 1;
	}

	/** Asks for the newest candles by their time, where the answer for a limit ends at `last`; settles with the end of the page before. */
	async function readAgain(last: number, until: number): Promise<number> {
		const sent = [...byTime.keys()];
		const earliest = Math.max(start, until - pageCandles * periodMs);
		await readAll({from: Math.max(earliest, last + 1), to: until});
		const found = [...byTime.keys()].filter(time => time > last);
		// What was sent for the limit is far older than the newest, with others between.
		if (found.length > 0 && last < earliest) for (const time of sent) byTime.delete(time);
		if (isSingle || byTime.size >= limit || (found.length === 0 && sent.length >= limit)) received.isStopped = true;
		const oldest = Math.min(...byTime.keys());
		return Number.isFinite(oldest) ? oldest - 1 : earliest - 1;
	}

	/** Whether a closed candle may be missing after the one that starts at `last`. */
	const isOld = (last: number): boolean => last + 2 * periodMs <= newestTime();

	/** By the exchange's clock, epoch ms; no later than the end of the range. */
	const newestTime = (): number => Math.min(to ?? Infinity, received.newest?.serverTime ?? now);

	/** Why candles may be missing after the one that starts at `last`, -Infinity: none was sent. Only trades tell. */
	function lackingAfter(last: number, trades: readonly Trade[] | undefined): string | undefined {
		const isSent = Number.isFinite(last);
		// The exchange may leave the forming candle out.
		const forming = last + Math.floor((newestTime() - last) / periodMs) * periodMs;
		const earliest = isSent ? last + periodMs : start;
		if (trades?.some(({time}) => time >= earliest && (isSent ? time < forming : time <= (to ?? Infinity))))
			return isSent ? 'the exchange has trades after its newest candle' : builtReason;
		// Nobody traded since then, or it was asked for by its time.
		const isProven = isSent ? trades?.some(({time}) => time < earliest) : trades !== undefined;
		if (isProven || (to !== undefined && to < (received.newest?.serverTime ?? now))) return undefined;
		return isSent ? 'the newest closed candle is missing' : 'the exchange sends no candles, and no trades can be read';
	}

	/** The newest trades, where they are needed; undefined: they are not, or the read failed. */
	async function readTradesAfter(last: number): Promise<Answer<readonly Trade[]> | undefined> {
		if (!readTrades || !isOld(last)) return undefined;
		return readTrades().catch((error: unknown) => {
			if (!(error instanceof ExchangeError) || error.kind === 'aborted') throw error;
			return undefined;
		});
	}

	/** Reads the page that ends at `latest`; settles with the end of the one before. */
	async function readPageTo(latest: number): Promise<number> {
		const earliest = Math.max(start, latest - pageCandles * periodMs);
		await readAll({from: earliest, to: latest});
		return earliest - 1;
	}

	/** Reads the newest candles up to `latest`, however old; settles with the end of the page before. */
	async function readBack(latest: number): Promise<number> {
		const options = {to: latest, limit: Math.min(limit - byTime.size, largestPage)};
		const {candles, isElsewhere} = await request(options, {from: start, to: latest});
		const [first, last] = [candles[0], candles.at(-1)];
		if (first && last) {
			if (last.time + periodMs <= latest) await readAll({from: last.time + 1, to: latest});
			return first.time - 1;
		}

		if (isElsewhere) stop(ignoredRange);
		// The exchange may answer nothing because the start is missing.
		const {size} = byTime;
		const next = await readPageTo(latest);
		if (byTime.size === size) received.isStopped = true;
		return next;
	}

	const readFirst = from === undefined ? readNewest : readPageTo;
	const readNext = from === undefined ? readBack : readPageTo;
	let latest = end;
	for (let page = 1; !received.isStopped && latest >= start && byTime.size < limit; page++) {
		onPage?.(page, Math.max(page, pages));
		latest = await (page === 1 ? readFirst : readNext)(latest);
	}

	const {newest, dropped, rounded, misdated, failure} = received;
	if (!newest) throw failure ?? new RangeError(`the range from ${start} to ${end} is empty`);
	const data = [...byTime.values()].sort((a, b) => a.time - b.time).slice(-limit);
	const {outside: _ofPage, ...page} = newest;
	const offPeriod = countOffPeriod(data, period);
	const isRange = to !== undefined || !isSingle;
	const last = data.at(-1)?.time ?? -Infinity;
	const trades = await readTradesAfter(last);
	const lacking = readTrades && isOld(last) ? lackingAfter(last, trades?.data) : undefined;
	const built =
		trades && lacking === builtReason ? builtFrom(trades, {from: start, to: to ?? Infinity}, period) : undefined;
	// Without a range, what was asked for by time was only for the newest candles.
	const reason = isRange ? (received.incomplete ?? lacking) : lacking;
	const lacksSome =
		dropped > 0 && isRange && !hasEveryStart(data, {from: start, to: Math.min(end, now)}, period, limit);
	return {
		answer: {
			...{...page, data, dropped, rounded, misdated: misdated || undefined, offPeriod: offPeriod || undefined},
			...(built && {...built, data: built.data.slice(-limit)}),
			// Later pages of a range have what the first one was too long for.
			cut: from === undefined ? newest.cut : undefined,
		},
		incomplete: reason ?? (lacksSome ? 'the exchange sent invalid entries' : undefined),
		failure: reason === received.incomplete ? failure : undefined,
		limitIgnored: from === undefined && newest.data.length > limit,
	};
}

const builtReason = 'built from trades, as the exchange sends no candles';

/**
 * The candles of a range, built from the newest trades. Trades may be missing from those up to the oldest one, and from all where
 * some could not be read.
 */
function builtFrom(trades: Answer<readonly Trade[]>, {from, to}: StartRange, period: Period): CandlePage {
	const oldest = trades.data.at(-1)?.time ?? Infinity;
	const candles = candlesOfTrades(trades.data, period).filter(({time}) => time >= from && time <= to);
	return {...trades, data: withMissing(candles, ({time}) => trades.dropped > 0 || time <= oldest)};
}

/** Whether no candle can be missing from a range: they follow directly on one another, up to either end or to `limit`. */
function hasEveryStart(candles: readonly Candle[], {from, to}: StartRange, period: Period, limit: number): boolean {
	const periodMs = period * minuteMs;
	const [first, last] = [candles[0], candles.at(-1)];
	if (!first || !last || last.time + periodMs <= to) return false;
	const isContinuous = last.time - first.time === (candles.length - 1) * periodMs;
	return isContinuous && (candles.length === limit || first.time - periodMs < from);
}

type PageCandles = {
	readonly candles: readonly Candle[];
	/** There are none, and the exchange sent candles of other times. */
	readonly isElsewhere: boolean;
};

const nothing: PageCandles = {candles: [], isElsewhere: false};

const ignoredRange = 'the exchange ignores the range';

/**
 * Creates the request of a page, which settles with the candles of the page that are in the range and keeps them. The
 * request after `most` is not made, and stops all.
 */
function createRequest(readPage: (options: PageOptions) => Promise<CandlePage>, most: number) {
	/** What the requests so far have brought. */
	const received = {
		...{byTime: new Map<number, Candle>(), newest: undefined as CandlePage | undefined},
		...{dropped: 0, rounded: 0, misdated: 0},
		...{incomplete: undefined as string | undefined, failure: undefined as ExchangeError | undefined},
		/** Nothing more is requested. */
		isStopped: false,
	};
	let requests = 0;

	function stop(reason: string): void {
		received.incomplete ??= reason;
		received.isStopped = true;
	}

	function keep(answer: CandlePage, {from, to}: StartRange): PageCandles {
		const candles = answer.data.filter(({time}) => time >= from && time <= to);
		for (const candle of candles) received.byTime.set(candle.time, candle);
		received.newest ??= answer;
		// Without candles, possibly the same entries as in the answer before.
		const isNew = candles.length > 0;
		received.dropped = isNew ? received.dropped + answer.dropped : Math.max(received.dropped, answer.dropped);
		received.rounded += isNew ? (answer.rounded ?? 0) : 0;
		received.misdated += isNew ? (answer.misdated ?? 0) : 0;
		return {candles, isElsewhere: candles.length === 0 && isElsewhere(answer, from)};
	}

	async function request(options: PageOptions, range: StartRange): Promise<PageCandles> {
		if (requests++ === most) {
			stop('the exchange sends too few candles at a time');
			return nothing;
		}

		try {
			return keep(await readPage(options), range);
		} catch (error) {
			if (!(error instanceof ExchangeError) || error.kind === 'aborted') throw error;
			received.failure ??= error;
			received.incomplete ??= error.brief;
			received.isStopped = error.kind !== 'schema';
			return nothing;
		}
	}

	return {received, request, stop};
}

/**
 * Whether an answer without candles of a range, which starts at `from`, is about other times: it lies on one side of the
 * range. An answer on both sides shows that the exchange has none between them.
 */
function isElsewhere({data, outside}: CandlePage, from: number): boolean {
	if (!outside) return false;
	const before = outside.before || data.some(({time}) => time < from);
	const after = outside.after || data.some(({time}) => time > from);
	return before !== after;
}
