import {backgroundIntervals} from '../../alerts/market-feed.ts';
import type {Exchange} from '../../client/exchange.ts';
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
export function withFullFirstPages(exchange: Exchange): Exchange {
	const answered = new Set<string>();
	return {
		...exchange,
		async trades(market, options) {
			const key = typeof market === 'string' ? market : market.id;
			const answer = await exchange.trades(market, answered.has(key) ? options : {...options, limit: largestPage});
			answered.add(key);
			return answer;
		},
	};
}
