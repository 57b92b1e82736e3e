import type {Answer} from '../client/exchange.ts';
import type {Ask} from '../client/question.ts';
import type {Tape} from '../market/tape.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Period, Ticker} from '../market/types.ts';
import type {RecordedFailure} from './read-outcome.ts';
import type {AddedTrades} from './trade-codec.ts';

/** What is read of one market, or of all. */
export type Channel = {
	readonly operation: 'info' | 'markets' | 'ticker' | 'depth' | 'trades' | 'candles';
	readonly symbol?: string | undefined;
	readonly period?: Period | undefined;
};

type EndedRead = {
	/** Of the answer, in the order in which they were received. */
	readonly id: number;
	/** Epoch ms. */
	readonly sentAt: number;
	readonly endedAt: number;
};

/** A recorded answer without its data. */
export type AnsweredChannelRead = EndedRead & {readonly answer: Omit<Answer<unknown>, 'data'>};

export type FailedChannelRead = EndedRead & {readonly failure: RecordedFailure};

/** How a recorded read ended. */
export type RecordedRead = AnsweredChannelRead | FailedChannelRead;

/** What playback asks a recording. `id`: of an answer; `to`: inclusive. Only a `session` counts: of `last`, from its first answer on. */
export type PlaybackReader = {
	/** The newest answer that was received at or before `time`; the one before the session's first if there is none. */
	idAt(session: number, time: number): number;
	next(session: number, channel: Channel, id: number): RecordedRead | undefined;
	/** The newest reads up to `to`, oldest first, received at or after `from`, at most `count`. */
	last(
		session: number,
		channel: Channel,
		to: number,
		limits: {readonly from: number; readonly count: number},
	): readonly RecordedRead[];
	/** When the first of the failures in a row failed that end with `id`. */
	failingSince(session: number, channel: Channel, id: number): number;
	info(id: number): ExchangeInfo;
	markets(id: number): readonly Market[];
	tickers(id: number): readonly Ticker[];
	/** Whether the ticker of a market changed with the answer. */
	hasTicker(symbol: string, id: number): boolean;
	book(symbol: string, id: number): DepthBook;
	/** The newest trades up to `id`, of the interface that answered last. */
	tape(symbol: string, id: number, count: number): Tape;
	/** The new trades of one answer. */
	trades(symbol: string, id: number): AddedTrades;
	/** Oldest first, the newest `most` (default 20,000). */
	candles(symbol: string, period: Period, id: number, most?: number): readonly Candle[];
	changedCandles(symbol: string, period: Period, id: number): readonly Candle[];
	/** Ms between two polls of the recorder. */
	intervals(session: number): Readonly<Record<Ask, number>>;
	hasCandles(session: number, symbol: string, period: Period): boolean;
};
