import {AbortedError, ExchangeError} from '../client/errors.ts';
import type {Middleware} from '../client/middleware.ts';
import type {Question as Asked} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import {arrivedAt} from '../store/resource.ts';
import {type AnsweredRead, type Question, type ReadOutcome, recordedFailure} from './read-outcome.ts';

/** Takes how the reads of an exchange end. Must not throw. */
export type OutcomeSink = {add(outcome: ReadOutcome): void};

/** Adds how each read ended, unless it was aborted, to `sink`. Trades by a market's id are not added. */
export const recordedIn =
	(sink: OutcomeSink, clock: Clock): Middleware =>
	next =>
	async (question, call) => {
		const asked = recordedQuestion(question);
		if (!asked) return next(question, call);
		let sentAt: number | undefined;
		const onSent = () => {
			sentAt ??= clock.now();
			call?.onSent?.();
		};
		try {
			const answer = await next(question, {...call, onSent});
			sink.add({...asked, sentAt: sentAt ?? arrivedAt(answer), answer} as AnsweredRead);
			return answer;
		} catch (error) {
			if (error instanceof ExchangeError && !(error instanceof AbortedError)) {
				const failedAt = clock.now();
				sink.add({...asked, sentAt: sentAt ?? failedAt, failedAt, failure: recordedFailure(error)});
			}

			throw error;
		}
	};

/** Undefined: it is not recorded. */
function recordedQuestion(question: Asked): Question | undefined {
	switch (question.ask) {
		case 'depth':
			return {operation: 'depth', symbol: question.market};
		case 'trades':
			return typeof question.market === 'string' ? {operation: 'trades', symbol: question.market} : undefined;
		case 'candles':
			return {operation: 'candles', symbol: question.market, period: question.period};
		default:
			return {operation: question.ask === 'tickers' ? 'ticker' : question.ask};
	}
}
