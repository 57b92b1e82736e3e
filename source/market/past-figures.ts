import {candleStart, isOtherPeriod} from './candles.ts';
import {firstWhere} from './numbers.ts';
import {changeSince} from './performance.ts';
import {aheadMs, type TradePage} from './trade-clock.ts';
import type {Candle} from './types.ts';
import {dayMs, hourMs, minuteMs} from './units.ts';

/** The periods, in minutes, of the candles that are read of many markets. */
export const pastPeriods = [1, 60] as const;
export type PastPeriod = (typeof pastPeriods)[number];

/** The candles of one answer, in little memory: hundreds each of hundreds of markets. */
export type PastCandles = {
	readonly period: PastPeriod;
	/** Starts, epoch ms by the exchange's clock, oldest first. */
	readonly times: Float64Array;
	readonly closes: Float64Array;
	/** Empty for minutes. */
	readonly volumes: Float64Array;
	/** No entry of the answer was unreadable: nothing was traded where a candle is missing. */
	readonly isWhole: boolean;
	/** When the exchange answered. */
	readonly page: TradePage;
};

/** The candles of one market. */
export type MarketPast = {readonly [Period in PastPeriod]?: PastCandles | undefined};

/** The candles of all markets, and what they show together. */
export type Past = {
	/** By symbol. */
	readonly markets: ReadonlyMap<string, MarketPast>;
	/** How far the clock of the candles is ahead of ours at least, as their starts show. */
	readonly leastAheadMs: number;
	/** Periods of which the exchange is known to send the newest candles: a market with old ones has not been traded since. */
	readonly sendsNewest: ReadonlySet<PastPeriod>;
	/** No interface that is read has candles. Absent: one has. */
	readonly isUnavailable?: true | undefined;
};

export const noPast: Past = {markets: new Map(), leastAheadMs: -Infinity, sendsNewest: new Set()};

/** The figures of a market that its candles tell. */
export const pastNames = ['1h', '4h', '7d', 'rvol'] as const;
export type PastName = (typeof pastNames)[number];

/** The candles that a figure is computed from. */
export const periodOfPast = (name: PastName): PastPeriod => (name === '1h' || name === '4h' ? 1 : 60);

export type PastFigures = {
	/** Changes in percent; of `rvol` see `relativeVolume`. Absent: unknown. */
	readonly [Name in PastName]?: number | undefined;
} & {
	/** When the hour of `rvol` ended, epoch ms by our clock. */
	readonly rvolEndedAt?: number | undefined;
};

/** How long after its end a candle may still be missing or change. */
const lateMs = 2 * minuteMs;
/** How many hours before it the volume of an hour is compared with: a day, as the hours of a day differ. */
const averagedHours = 24;
/** An hour that ended longer ago says nothing of now. */
const oldestHourMs = 4 * hourMs;

/** Undefined: the candles (oldest first) are of another period, or do not begin at whole minutes or hours. */
export function compacted(
	candles: readonly Candle[],
	period: PastPeriod,
	{dropped, sentAt, receivedAt, serverTime}: TradePage & {readonly dropped: number},
): PastCandles | undefined {
	if (isOtherPeriod(candles, period) || candles.some(({time}) => time % (period * minuteMs) !== 0)) return undefined;
	const numbers = (of: (candle: Candle) => number) => Float64Array.from(candles, of);
	return {
		...{period, times: numbers(({time}) => time), closes: numbers(({close}) => close)},
		volumes: period === 60 ? numbers(({volume}) => volume) : new Float64Array(),
		// Not the whole answer, which has the candles.
		...{isWhole: dropped === 0, page: {sentAt, receivedAt, serverTime}},
	};
}

/** What the answers of all markets show of the exchange. */
export type PastEvidence = Pick<Past, 'leastAheadMs' | 'sendsNewest'>;

/**
 * How far the clock that dates candles is ahead of ours at an answer, in ms. Evidence that contradicts both our clock and the stamp is
 * ignored: one of them has been set since.
 */
export function candlesAheadMs({leastAheadMs}: Pick<PastEvidence, 'leastAheadMs'>, page: TradePage): number {
	const {receivedAt, serverTime = receivedAt} = page;
	const isOutdated = leastAheadMs > Math.max(serverTime - receivedAt, 0) + minuteMs;
	return aheadMs({least: isOutdated ? -Infinity : leastAheadMs, most: Infinity}, page);
}

/**
 * The latest end of a candle that an answer must have had, or would have had `laterMs` later. Epoch ms by the exchange's clock.
 */
export function endedTo(
	{period, page}: PastCandles,
	evidence: Pick<PastEvidence, 'leastAheadMs'>,
	laterMs = 0,
): number {
	const answeredAt = page.receivedAt + candlesAheadMs(evidence, page);
	return candleStart(answeredAt + laterMs - lateMs, period);
}

/** In so many periods in a row a market is not traded by chance. */
const steadyPeriods = 24;

/**
 * Up to when all candles are there, as `endedTo`. Only up to the last one if the exchange may send old ones, or if it is of a market that
 * was traded steadily and then for a shorter time was not: newer ones may be late.
 */
function knownTo(candles: PastCandles, evidence: PastEvidence): number {
	const {period, times} = candles;
	const [periodMs, steadyMs] = [period * minuteMs, steadyPeriods * period * minuteMs];
	const to = endedTo(candles, evidence);
	const last = times.at(-1) ?? -Infinity;
	if (!evidence.sendsNewest.has(period)) return Math.min(to, last);
	const isSteady = times.at(-1 - steadyPeriods) === last - steadyMs;
	return isSteady && to - last < steadyMs ? Math.min(to, last + periodMs) : to;
}

/** Whether an answer shows that of more than `most` candles the exchange sends the newest: it has `most`, up to the last that had ended. */
export function isOfNewest(candles: PastCandles, most: number, evidence: Pick<PastEvidence, 'leastAheadMs'>): boolean {
	const last = candles.times.at(-1) ?? -Infinity;
	return candles.times.length >= most && last >= endedTo(candles, evidence) - candles.period * minuteMs;
}

/**
 * The price at `time` (epoch ms): the close of the last candle that had ended, as a market keeps its price while nothing is traded.
 * Undefined: the candles do not reach to before that moment, `to` (`knownTo`) not up to it, one may be missing, or one had begun but not
 * ended.
 */
function priceAt({period, times, closes, isWhole}: PastCandles, time: number, to: number): number | undefined {
	const periodMs = period * minuteMs;
	const next = firstWhere(0, times.length, index => (times[index] ?? Infinity) + periodMs > time);
	const start = times[next - 1];
	if (start === undefined || time > to || (times[next] ?? Infinity) < time) return undefined;
	return isWhole || start + periodMs === time ? closes[next - 1] : undefined;
}

/**
 * The volume of the last full hour at `time`, epoch ms, as a multiple of the mean of the 24 hours before it, and when that hour ended. An
 * hour without a candle is one without trades. Undefined: that was four hours ago, the candles do not reach back so far, one may be
 * missing, or nothing was traded in these 24 hours. Up to `to` candles are complete.
 */
function relativeVolume(
	{times, volumes, isWhole}: PastCandles,
	time: number,
	to: number,
): {readonly ratio: number; readonly endedAt: number} | undefined {
	const endedAt = candleStart(Math.min(time, to), 60);
	const from = endedAt - (averagedHours + 1) * hourMs;
	if ((times[0] ?? Infinity) > from || time - endedAt >= oldestHourMs) return undefined;
	let [index, last, sum] = [firstWhere(0, times.length, at => (times[at] ?? Infinity) >= from), 0, 0];
	const first = index;
	for (let start = times[index] ?? Infinity; start < endedAt; start = times[++index] ?? Infinity) {
		if (start === endedAt - hourMs) last = volumes[index] ?? 0;
		else sum += volumes[index] ?? 0;
	}

	const ratio = (last / sum) * averagedHours;
	const isComplete = isWhole || index - first === averagedHours + 1;
	return isComplete && Number.isFinite(ratio) ? {ratio, endedAt} : undefined;
}

/** A price, and when that was: by our clock and by the exchange's, epoch ms. */
export type PricedAt = {readonly price: number | undefined; readonly receivedAt: number; readonly time: number};

/** These figures of a market for its price at a moment. */
export function pastFigures(
	market: MarketPast,
	{price, receivedAt, time}: PricedAt,
	{names, ...evidence}: PastEvidence & {readonly names: readonly PastName[]},
): PastFigures {
	const {1: minutes, 60: hours} = market;
	const minutesTo = minutes ? knownTo(minutes, evidence) : -Infinity;
	const hoursTo = hours ? knownTo(hours, evidence) : -Infinity;
	const found: {-readonly [Name in keyof PastFigures]: PastFigures[Name]} = {};
	for (const name of names) {
		if (name === 'rvol') {
			const volume = hours && relativeVolume(hours, time, hoursTo);
			if (volume) [found.rvol, found.rvolEndedAt] = [volume.ratio, volume.endedAt - (time - receivedAt)];
			continue;
		}

		const at = candleStart(time - agoMs[name], name === '7d' ? 60 : 1);
		const ofMinutes = minutes && name !== '7d' ? priceAt(minutes, at, minutesTo) : undefined;
		found[name] = changeSince(ofMinutes ?? (hours && priceAt(hours, at, hoursTo)), price);
	}

	return found;
}

const agoMs = {'1h': hourMs, '4h': 4 * hourMs, '7d': 7 * dayMs} as const;
