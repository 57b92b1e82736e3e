import {backgroundIntervals} from '../../alerts/market-feed.ts';
import type {Exchange} from '../../client/exchange.ts';
import {type Middleware, readBy} from '../../client/middleware.ts';
import {keyOf} from '../../client/question.ts';
import {largestPage} from '../../market/types.ts';
import {type IntervalChoices, pollIntervals} from '../../store/polling.ts';
import {createSharedExchange} from '../../store/shared-exchange.ts';
import type {Context} from '../context.ts';

/**
 * The exchange for all that a command polls, at these intervals: what several stores read, or a store and a rule, is requested
 * once. A viewer reads what all viewers share.
 */
export function shareReads(
	{exchange, clock, viewer}: Pick<Context, 'exchange' | 'clock' | 'viewer'>,
	choices: IntervalChoices,
): Exchange {
	if (viewer) return exchange;
	const [intervals, leastMs] = [pollIntervals(choices), pollIntervals(backgroundIntervals)];
	return createSharedExchange({exchange, clock, random: Math.random, intervals, leastMs}).join();
}

/** Asks for as many trades of a market as one answer can have, until it has been answered. */
export function fullFirstPages(): Middleware {
	const answered = new Set<string>();
	return next =>
		readBy(
			{
				async trades(question, call) {
					const key = keyOf({ask: 'trades', market: question.market});
					const answer = await next(answered.has(key) ? question : {...question, limit: largestPage}, call);
					answered.add(key);
					return answer;
				},
			},
			next,
		);
}
