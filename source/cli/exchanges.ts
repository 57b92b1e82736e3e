import {backgroundIntervals} from '../alerts/feeds.ts';
import type {Exchange} from '../client/exchange.ts';
import {withMiddleware} from '../client/middleware.ts';
import {type OutcomeSink, recordedIn} from '../recording/recording-exchange.ts';
import {discreet} from '../store/discreet.ts';
import {listedOnly} from '../store/listed.ts';
import {createPastCandles, type PastCandlesReader} from '../store/past-candles.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import {restrictedTo} from '../store/restricted.ts';
import {createSharedExchange} from '../store/shared-exchange.ts';
import type {SpareTurns} from '../store/spare-turns.ts';
import type {Context} from './context.ts';

/** How the exchange of each command is composed. Of several middlewares, the last one gets a question first. */

type Parts = Pick<Context, 'exchange' | 'clock' | 'viewer'>;

/** The exchange of a monitor. Every outcome goes to `sink`, which is the log of the rewind or the user's recording. */
export const keptIn = ({exchange, clock}: Parts, sink: OutcomeSink): Exchange =>
	withMiddleware(exchange, recordedIn(sink, clock));

/** The exchange of a watch. What several stores and rules read is requested once per interval. A viewer's is shared already. */
export function sharedReads({exchange, clock, viewer}: Parts, choices: IntervalChoices): Exchange {
	if (viewer) return exchange;
	const [intervals, leastMs] = [pollIntervals(choices), pollIntervals(backgroundIntervals)];
	return createSharedExchange({exchange, clock, random: Math.random, intervals, leastMs}).join();
}

/** The exchange of `record`. Every outcome goes to `sink`, and what several stores read is requested once. */
export const recordedReads = (context: Parts, sink: OutcomeSink, choices: IntervalChoices): Exchange =>
	sharedReads({...context, exchange: keptIn(context, sink)}, choices);

/** What reads the past of many markets. It is not recorded: the rewind would keep little else, and this reaches back by itself. */
export const pastReads = ({exchange, clock}: Parts, turns: SpareTurns): PastCandlesReader =>
	createPastCandles({exchange, clock, turns, random: Math.random});

/** The exchange of `serve`. Its failures do not tell viewers the address of the exchange. */
export const discreetReads = ({exchange}: Parts): Exchange => withMiddleware(exchange, discreet);

/** The exchange of one viewer. Only listed markets are requested, and only those that the viewer's key allows. */
export const viewersReads = (shared: Exchange, {clock}: Parts, markets: readonly string[] | undefined): Exchange =>
	withMiddleware(shared, listedOnly(clock), ...(markets ? [restrictedTo(markets)] : []));
