import {backgroundIntervals} from '../../alerts/market-feed.ts';
import type {Exchange} from '../../client/exchange.ts';
import {type IntervalChoices, pollIntervals} from '../../store/polling.ts';
import {createSharedExchange} from '../../store/shared-exchange.ts';
import type {Context} from '../context.ts';

/** The exchange for all that a command polls, at these intervals: what several stores read, or a store and a rule, is requested once. */
export function shareReads({exchange, clock}: Pick<Context, 'exchange' | 'clock'>, choices: IntervalChoices): Exchange {
	const [intervals, leastMs] = [pollIntervals(choices), pollIntervals(backgroundIntervals)];
	return createSharedExchange({exchange, clock, random: Math.random, intervals, leastMs}).join();
}
