import type {Ask} from '../client/question.ts';
import {countOffPeriod, mergeCandles} from '../market/candles.ts';
import {isFormer} from '../market/continued-tape.ts';
import {brokenOff, compareTrades, mostTapeTrades, type Tape} from '../market/tape.ts';
import type {Candle, Trade} from '../market/types.ts';
import type {Sources} from '../store/polling.ts';
import type {AnsweredChannelRead, Channel, PlaybackReader} from './playback-reader.ts';
import type {AddedTrades} from './trade-codec.ts';
import {setClock} from './trade-rows.ts';

/** Gives a recorded answer with its data to the source of a resource. */
type RecordedAnswers = Readonly<Record<Ask, (channel: Channel, read: AnsweredChannelRead) => void>>;

/** Trades that a tape begins with. */
const firstTrades = 4000;

/** `tapeMs`: how far a tape must reach back from the newest trade that it had before an answer. */
export function createRecordedAnswers(
	reader: PlaybackReader,
	sources: Sources,
	tapeMs: () => number = () => Infinity,
): RecordedAnswers {
	let tape: {readonly symbol: string; readonly interface: string; readonly data: Tape} | undefined;
	let series: {readonly key: string; readonly candles: readonly Candle[]} | undefined;
	return {
		info: (_, {id, answer}) => sources.info.onAnswer({...answer, data: reader.info(id)}),
		markets: (_, {id, answer}) => sources.markets.onAnswer({...answer, data: reader.markets(id)}),
		tickers: (_, {id, answer}) => sources.tickers.onAnswer({...answer, data: reader.tickers(id)}),
		depth({symbol = ''}, {id, answer}) {
			sources.depth.onAnswer({...answer, data: reader.book(symbol, id)});
		},
		trades({symbol = ''}, read) {
			const {id, answer} = read;
			const continues = tape?.symbol === symbol && tape.interface === answer.interface;
			const data =
				continues && tape
					? extended(tape.data, reader.trades(symbol, id), tapeMs())
					: reader.tape(symbol, id, firstTrades);
			tape = {symbol, interface: answer.interface, data};
			sources.trades.onAnswer({...sent(read), data, rate: 0, lost: false, sinceMs: 0, wantedMs: Infinity});
		},
		candles({symbol = '', period = 1}, read) {
			const {id} = read;
			const key = `${symbol} ${period}`;
			const candles =
				series?.key === key
					? mergeCandles(series.candles, reader.changedCandles(symbol, period, id))
					: reader.candles(symbol, period, id);
			series = {key, candles};
			const data = {period, candles, builtFrom: 'exchange'} as const;
			sources.candles.onAnswer({...sent(read), data, offPeriod: countOffPeriod(candles, period)});
		},
	};
}

/** The answer with the time of its request. */
const sent = ({answer, sentAt}: AnsweredChannelRead): AnsweredChannelRead['answer'] =>
	answer.cache?.isHit ? answer : {...answer, sentAt};

/** The same tape if there is nothing new. `ms`: how far it must reach back from its newest trade before. */
function extended(before: Tape, {trades, gaps, closed, startsOver, ...clock}: AddedTrades, ms: number): Tape {
	const {former} = clock;
	const added = (former ? trades.filter(trade => !isFormer(trade, former)) : trades).toReversed();
	if (startsOver) return {trades: added, gaps: new Set(gaps)};
	const tape = setClock(before, clock);
	if (trades.length + closed.length + gaps.length === 0) return tape;
	const [newest] = tape.trades;
	const oldestAdded = added.at(-1);
	const isInOrder = !newest || !oldestAdded || compareTrades(oldestAdded, newest) < 0;
	// Lists are joined as a whole: a day has tens of thousands of answers, and a tape thousands of trades.
	const joined = added.concat(tape.trades);
	if (!isInOrder) joined.sort(compareTrades);
	joined.length = keptOf(joined, (newest?.time ?? 0) - ms);
	const isSame = gaps.length + closed.length === 0;
	const after = isSame ? tape.gaps : new Set([...tape.gaps, ...gaps]).difference(new Set(closed));
	return former ? brokenOff({trades: joined, gaps: after}) : {trades: joined, gaps: after};
}

/** How many trades a tape keeps. `from`: of the time that it must reach back to. */
function keptOf(trades: readonly Trade[], from: number): number {
	let count = Math.min(trades.length, mostTapeTrades);
	while (count > firstTrades && (trades[count - 1]?.time ?? 0) < from) count--;
	return count;
}
