import {candleStart, mergeCandles, startAfter} from '../market/candles.ts';
import {isFormer} from '../market/continued-tape.ts';
import {candlesOfTrades, withMissing} from '../market/trade-candles.ts';
import {type Candle, mostRangeCandles, type Period, type Trade} from '../market/types.ts';
import type {LoggedAnswer, Moment} from './outcome-log.ts';
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
	const {first, last} = reader.tradeExtent(symbol) ?? {first: Infinity, last: -Infinity};
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
			const isCounted = ({time}: Trade) =>
				time <= gaps.otherUntil && !filled.some(({from, to}) => from < time && time < to);
			for (const trade of page.trades) {
				if (trade.time >= range.from && trade.time <= range.to && !isCounted(trade)) yield trade;
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
			return disjoint([...outside.filter(({from, to}) => from < to), ...inside.filter(({from, to}) => from <= to)]);
		},
	};
}

/** Sorts stretches by time, and joins overlapping ones. */
function disjoint(stretches: readonly Stretch[]): readonly Stretch[] {
	const all: Stretch[] = [];
	for (const stretch of stretches.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
		const last = all.at(-1);
		if (last && (stretch.from < last.to || stretch.to <= last.to))
			all[all.length - 1] = {from: last.from, to: Math.max(last.to, stretch.to)};
		else all.push(stretch);
	}

	return all;
}

/**
 * The candles of a market up to a moment, oldest first, of its session and those before. What the exchange had not finished when
 * it was read last is built from the recorded trades where they have all of it.
 */
export function recordedCandles(
	reader: RecordingReader,
	moment: Moment,
	{symbol, period}: {readonly symbol: string; readonly period: Period},
): readonly Candle[] {
	const end = reader.idAt(moment.session.id, moment.time);
	const sent = reader
		.sessions()
		.filter(({id}) => id <= moment.session.id)
		.flatMap(({id, lastId}) => {
			const question = {ask: 'candles', market: symbol, period, limit: mostRangeCandles} as const;
			const read = reader.lastAnswer(id, question, Math.min(end, lastId));
			return read ? [{candles: reader.data(question, read.id), at: madeAt(read)}] : [];
		});
	return sent.reduceRight<readonly Candle[]>((newer, {candles, at}) => {
		const to = Math.min((newer[0]?.time ?? Infinity) - 1, moment.time);
		const isLast = newer.length === 0 || (candles.at(-1)?.time ?? Infinity) < to;
		const whole = isLast ? withTraded(reader, {symbol, period, candles, at, to}) : candles;
		return mergeCandles(whole, newer);
	}, []);
}

const madeAt = ({answer: {serverTime, receivedAt}}: LoggedAnswer): number => serverTime ?? receivedAt;

type Sent = {
	readonly symbol: string;
	readonly period: Period;
	/** As the exchange sent them last. */
	readonly candles: readonly Candle[];
	/** When that was, epoch ms. */
	readonly at: number;
	/** Up to when candles are wanted, epoch ms. */
	readonly to: number;
};

/** The exchange's candles, with those since the one before the last built from trades. */
function withTraded(reader: RecordingReader, {symbol, period, candles, at, to}: Sent): readonly Candle[] {
	const times = reader.tradeExtent(symbol);
	const last = candles.at(-1);
	const isFinished = last === undefined || startAfter(last.time, period) <= at;
	if (!times) return candles.map(candle => (candle === last && !isFinished ? {...candle, partial: true} : candle));
	const from = candles.at(-2)?.time ?? last?.time ?? candleStart(times.first, period);
	const range = {from, to: Math.min(to, times.last)};
	const {trades, missing} = readTradeRange(reader, symbol, range);
	const all = candlesOfTrades(trades, period, last?.time);
	const lacks = lackedBy(missing(), period, {recordedTo: range.to, to});
	const built = withMissing(all, lacks);
	const sent = candles.flatMap(candle => {
		if (candle.time < range.from) return candle;
		const same = built.find(({time}) => time === candle.time);
		if (same && !same.partial) return [];
		if (candle !== last || isFinished) return candle;
		return same ? joined(candle, same, times.last >= at) : withMissing([candle], lacks);
	});
	return mergeCandles(built, sent);
}

/** Whether recorded trades may lack some of a candle: in a gap, or between the last that are known and its end. */
const lackedBy =
	(missing: readonly Stretch[], period: Period, {recordedTo, to}: {readonly recordedTo: number; readonly to: number}) =>
	(candle: Candle): boolean => {
		const end = startAfter(candle.time, period);
		return (end <= to && end > recordedTo) || isWithin(candle, period, missing);
	};

/** Whether a stretch lies in the candle, or across one of its ends. */
export const isWithin = ({time}: Candle, period: Period, stretches: readonly Stretch[]): boolean =>
	stretches.some(({from, to}) => from < startAfter(time, period) && to >= time);

/** A candle that the exchange had not finished, and what is known of its trades: the volume is the least that it can be. */
const joined = (sent: Candle, built: Candle, isNewer: boolean): Candle => ({
	...{time: sent.time, open: sent.open, close: isNewer ? built.close : sent.close},
	...{high: Math.max(sent.high, built.high), low: Math.min(sent.low, built.low)},
	...{volume: Math.max(sent.volume, built.volume), partial: true},
});
