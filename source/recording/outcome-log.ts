import {ExchangeError, errorKinds, operations} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import type {Words} from '../client/messages.ts';
import {type Answers, type Ask, marketOf, type Question, type QuestionOf} from '../client/question.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Tape} from '../market/tape.ts';
import type {Candle, Period, ReadFailure} from '../market/types.ts';
import {leastGapMs, missedIntervals} from './schema.ts';
import type {AddedTrades} from './trade-codec.ts';

/** When a read of the exchange was sent, and when it ended. Epoch ms. */
type ReadTimes = {readonly sentAt: number; readonly endedAt: number};

/** A read that was answered. A market has one spelling in a log: the exchange's, once that is known. */
export type Answered<Kind extends Ask = Ask> = {
	[Each in Kind]: ReadTimes & {readonly question: QuestionOf<Each>; readonly answer: Answer<Answers[Each]>};
}[Kind];

export type Failed = ReadTimes & {readonly question: Question; readonly failure: RecordedFailure};

/** How a read of the exchange ended: all that a log is made of. */
export type Outcome = Answered | Failed;

/** The answer of an outcome, if it has one to a question of that kind. */
export function answerTo<Kind extends Ask>(ask: Kind, outcome: Outcome): Answer<Answers[Kind]> | undefined {
	if ('failure' in outcome || outcome.question.ask !== ask) return undefined;
	return outcome.answer as unknown as Answer<Answers[Kind]>;
}

export const periodOf = (question: Question): Period | undefined =>
	'period' in question ? question.period : undefined;

/** Equal for questions that differ in the spelling of a market, or in how much of an answer they want. */
export const channelOf = (question: Question): string =>
	JSON.stringify([question.ask, symbolKey(marketOf(question) ?? ''), periodOf(question)]);

/** A `ReadFailure` as plain data. */
export type RecordedFailure = Omit<ReadFailure, 'other'> & {
	/** What the user can do; absent where that was not known. */
	readonly words?: Words | undefined;
	readonly other?: RecordedFailure | undefined;
};

/** Another thread gets no more of an error than its message. */
export function recordedFailure(failure: ReadFailure | RecordedFailure): RecordedFailure {
	const {kind, operation, interface: from, brief, message, status, retryAfterMs, other} = failure;
	const words = failure instanceof ExchangeError || 'words' in failure ? {words: failure.words} : {};
	const http = {...(status !== undefined && {status}), ...(retryAfterMs !== undefined && {retryAfterMs})};
	const second = other && {other: recordedFailure(other)};
	return {kind, operation, interface: from, brief, message, ...words, ...http, ...second};
}

/** A failure of the exchange that was recorded: it reads as the one that was seen. */
export class RecordedError extends ExchangeError {
	override readonly name = 'RecordedError';
	override readonly kind: ExchangeError['kind'];
	override readonly status: number | undefined;
	override readonly retryAfterMs: number | undefined;

	constructor(failure: RecordedFailure) {
		const {kind, operation, interface: from, brief, message, words, status, retryAfterMs, other} = failure;
		const ownOperation = operations.find(each => each === operation) ?? 'info';
		const onlyBrief = {brief, text: brief, own: brief, advice: ''};
		super(message, words ?? onlyBrief, {operation: ownOperation, interface: from, url: ''});
		// It already names the operation and the address.
		this.message = message;
		this.kind = errorKinds.find(each => each === kind) ?? 'network';
		this.status = status;
		this.retryAfterMs = retryAfterMs;
		this.other = other && new RecordedError(other);
	}
}

/** The outcome with all failures as plain data. */
export function plainOutcome(outcome: Outcome): Outcome {
	if ('failure' in outcome) return {...outcome, failure: recordedFailure(outcome.failure)};
	const {preferredFailure} = outcome.answer;
	const {data, bidsFailure} = {data: outcome.answer.data, ...answerTo('depth', outcome)?.data};
	if (!preferredFailure && !bidsFailure) return outcome;
	const answer = {
		...outcome.answer,
		...(preferredFailure && {preferredFailure: recordedFailure(preferredFailure)}),
		...(bidsFailure && {data: {...data, bidsFailure: recordedFailure(bidsFailure)}}),
	};
	return {...outcome, answer} as Answered;
}

/** An outcome in a log. `id`: of outcomes in the order in which they were known. */
type LoggedRead = ReadTimes & {readonly id: number};

/** Its data is read by itself, see `Log.data`. */
export type LoggedAnswer = LoggedRead & {readonly answer: Omit<Answer<unknown>, 'data'>};

export type LoggedFailure = LoggedRead & {readonly failure: RecordedFailure};

export type Logged = LoggedAnswer | LoggedFailure;

/** A stretch that was recorded. Epoch ms. */
export type Session = {readonly id: number; readonly from: number; readonly to: number};

/** A moment of the past: of sessions that overlap, as a clock was set back, it is in one. Epoch ms. */
export type Moment = {readonly session: Session; readonly time: number};

/**
 * What is read of the past, of a file or of memory. `id`: of an outcome; `to`: inclusive. Only those of the `session` count: of `last`,
 * from its first one on.
 */
export type Log = {
	/** Those with outcomes, in order. */
	sessions(): readonly Session[];
	/** Ms between two polls. */
	intervals(session: number): Readonly<Record<Ask, number>>;
	/** The newest outcome that was known at or before `time`; the one before the session's first if there is none. */
	idAt(session: number, time: number): number;
	next(session: number, question: Question, id: number): Logged | undefined;
	/** The newest outcomes up to `to`, oldest first, known at or after `from`, at most `count`. */
	last(
		session: number,
		question: Question,
		to: number,
		limits: {readonly from: number; readonly count: number},
	): readonly Logged[];
	/** When the first of the failures in a row failed that end with `id`. */
	failingSince(session: number, question: Question, id: number): number;
	/**
	 * What is known as of an answer: of trades the newest of its interface, by default 1,000; of candles the newest, oldest first, by default
	 * 20,000.
	 */
	data<Wanted extends Question>(question: Wanted, id: number): Answers[Wanted['ask']];
	tape(market: string, id: number, count: number): Tape;
	/** The new trades of one answer. */
	trades(market: string, id: number): AddedTrades;
	changedCandles(question: QuestionOf<'candles'>, id: number): readonly Candle[];
	hasCandles(session: number, question: QuestionOf<'candles'>): boolean;
	/** In order of time. */
	gaps(): readonly RecordedGap[];
};

/**
 * More than 10 s, and more than three poll intervals, without a book, or a page of trades, of a market; or a stretch between two
 * trades that is not proven whole.
 */
export type RecordedGap = {
	readonly symbol: string;
	readonly operation: 'depth' | 'trades';
	/** Epoch ms. */
	readonly from: number;
	readonly to: number;
	/** The kind of the first failure in it, or `not recorded`; of trades that may be missing, why. */
	readonly reason: string;
};

/** Sorts gaps by time. */
export const compareGaps = (one: RecordedGap, other: RecordedGap): number => one.from - other.from || one.to - other.to;

/** A clock that is set back by more begins another session. */
export const leastSetBackMs = 2000;
/** An outcome that is passed on so long after its end was held back, for example until the other interface answered. */
const leastKeptBackMs = 100;

/** When an outcome was known that was handed on at `now`. Epoch ms. */
export const logTime = ({endedAt}: Outcome, now: number): number => (now - endedAt >= leastKeptBackMs ? now : endedAt);

/** Says in a few words why there is no data. */
export const notRecordedBrief = 'not recorded';

/** While an exchange fails, requests are this rare. */
export const failingGapMs = 330_000;

/** How long after its end a read counts without another one. `intervalMs`: between two polls. */
export const validMs = (read: Logged, intervalMs: number): number =>
	'failure' in read ? failingGapMs : answerValidMs(intervalMs);

/** How long after its end an answer counts without another one. `intervalMs`: between two polls. */
export const answerValidMs = (intervalMs: number): number => Math.max(missedIntervals * intervalMs, leastGapMs);
