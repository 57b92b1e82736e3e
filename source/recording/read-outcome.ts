import {ExchangeError} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import type {Words} from '../client/messages.ts';
import type {Candle, DepthBook, ExchangeInfo, Market, Period, ReadFailure, Ticker, Trade} from '../market/types.ts';
import {arrivedAt} from '../store/resource.ts';

/** What a read asked for. */
export type Question =
	| {readonly operation: 'info' | 'markets' | 'ticker'}
	| {readonly operation: 'depth' | 'trades'; readonly symbol: string}
	| {readonly operation: 'candles'; readonly symbol: string; readonly period: Period};

/** A read that was answered. `sentAt`: epoch ms. */
export type AnsweredRead = {readonly sentAt: number} & (
	| {readonly operation: 'info'; readonly answer: Answer<ExchangeInfo>}
	| {readonly operation: 'markets'; readonly answer: Answer<readonly Market[]>}
	| {readonly operation: 'ticker'; readonly answer: Answer<readonly Ticker[]>}
	| {readonly operation: 'depth'; readonly symbol: string; readonly answer: Answer<DepthBook>}
	| {readonly operation: 'trades'; readonly symbol: string; readonly answer: Answer<readonly Trade[]>}
	| {
			readonly operation: 'candles';
			readonly symbol: string;
			readonly period: Period;
			readonly answer: Answer<readonly Candle[]>;
	  }
);

/** A read that failed at `failedAt`. Times are epoch ms. */
export type FailedRead = Question & {
	readonly sentAt: number;
	readonly failedAt: number;
	readonly failure: RecordedFailure;
};

/** How a read of the exchange ended. */
export type ReadOutcome = AnsweredRead | FailedRead;

/** Epoch ms. */
export const endOf = (outcome: ReadOutcome): number =>
	'failure' in outcome ? outcome.failedAt : arrivedAt(outcome.answer);

/** A `ReadFailure` as plain data. */
export type RecordedFailure = Omit<ReadFailure, 'other'> & {
	/** What the user can do; absent where that was not known. */
	readonly words?: Words | undefined;
	readonly other?: RecordedFailure | undefined;
};

export function recordedFailure(failure: ReadFailure | RecordedFailure): RecordedFailure {
	const {kind, operation, interface: from, brief, message, status, retryAfterMs, other} = failure;
	const words = failure instanceof ExchangeError || 'words' in failure ? {words: failure.words} : {};
	const known = {...(status !== undefined && {status}), ...(retryAfterMs !== undefined && {retryAfterMs})};
	const second = other && {other: recordedFailure(other)};
	return {kind, operation, interface: from, brief, message, ...words, ...known, ...second};
}

/** The outcome with all failures as plain data: of an error, another thread gets no more than its message. */
export function plainOutcome(outcome: ReadOutcome): ReadOutcome {
	if ('failure' in outcome) return {...outcome, failure: recordedFailure(outcome.failure)};
	const {preferredFailure} = outcome.answer;
	const preferred = preferredFailure && {preferredFailure: recordedFailure(preferredFailure)};
	if (outcome.operation === 'depth' && outcome.answer.data.bidsFailure) {
		const data = {...outcome.answer.data, bidsFailure: recordedFailure(outcome.answer.data.bidsFailure)};
		return {...outcome, answer: {...outcome.answer, ...preferred, data}};
	}

	return preferred ? ({...outcome, answer: {...outcome.answer, ...preferred}} as AnsweredRead) : outcome;
}
