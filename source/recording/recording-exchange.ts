import {AbortedError, ExchangeError} from '../client/errors.ts';
import type {Middleware} from '../client/middleware.ts';
import type {Clock} from '../market/clock.ts';
import {setLast} from '../market/memo.ts';
import {arrivedAt} from '../store/resource.ts';
import {type Answered, channelOf, type Outcome, recordedFailure} from './outcome-log.ts';

/** Takes how the reads of an exchange end. Must not throw. */
export type OutcomeSink = {add(outcome: Outcome): void};

/** Adds how each read ended, unless it was aborted, to `sink`. Trades by a market's id are not added. */
export const recordedIn =
	(sink: OutcomeSink, clock: Clock): Middleware =>
	next =>
	async (question, call) => {
		if (question.ask === 'trades' && typeof question.market !== 'string') return next(question, call);
		let sentAt: number | undefined;
		const onSent = () => {
			sentAt ??= clock.now();
			call?.onSent?.();
		};
		try {
			const answer = await next(question, {...call, onSent});
			const endedAt = arrivedAt(answer);
			sink.add({question, sentAt: sentAt ?? endedAt, endedAt, answer} as unknown as Answered);
			return answer;
		} catch (error) {
			if (error instanceof ExchangeError && !(error instanceof AbortedError)) {
				const endedAt = clock.now();
				sink.add({question, sentAt: sentAt ?? endedAt, endedAt, failure: recordedFailure(error)});
			}

			throw error;
		}
	};

/** Series of candles, which are kept per market and period. */
const mostLatest = 50;

/** The last answers to questions that are not asked again soon: a recording that begins later would lack them. */
export function createLatestReads(): OutcomeSink & {
	/** In the order in which they were known. */
	all(): readonly Outcome[];
} {
	const outcomes = new Map<string, Outcome>();
	return {
		add(outcome) {
			const {question} = outcome;
			// Books and trades are read each second.
			if ('failure' in outcome || question.ask === 'depth' || question.ask === 'trades') return;
			setLast(outcomes, channelOf(question), outcome, mostLatest);
		},
		all: () => [...outcomes.values()],
	};
}
