import {backgroundIntervals} from '../alerts/feeds.ts';
import type {Exchange} from '../client/exchange.ts';
import {withMiddleware} from '../client/middleware.ts';
import {type OutcomeSink, recordedIn} from '../recording/recording-exchange.ts';
import {discreet} from '../store/discreet.ts';
import {listedOnly} from '../store/listed.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import {restrictedTo} from '../store/restricted.ts';
import {createSharedExchange} from '../store/shared-exchange.ts';
import type {Context} from './context.ts';

/** Of which concerns the exchange of each command is made, from the requests outwards: the last of them is asked first. */

type Asking = Pick<Context, 'exchange' | 'clock' | 'viewer'>;

/** Of a monitor: every answer is kept, for the rewind or in the user's file. */
export const keptIn = ({exchange, clock}: Asking, sink: OutcomeSink): Exchange =>
	withMiddleware(exchange, recordedIn(sink, clock));

/** Of a watch: what several stores and rules read at these intervals is requested once. A viewer reads what all viewers share. */
export function sharedReads({exchange, clock, viewer}: Asking, choices: IntervalChoices): Exchange {
	if (viewer) return exchange;
	const [intervals, leastMs] = [pollIntervals(choices), pollIntervals(backgroundIntervals)];
	return createSharedExchange({exchange, clock, random: Math.random, intervals, leastMs}).join();
}

/** Of a recorder: every answer is kept, and requested once for all of its stores. */
export const recordedReads = (context: Asking, sink: OutcomeSink, choices: IntervalChoices): Exchange =>
	sharedReads({...context, exchange: keptIn(context, sink)}, choices);

/** Of a server, for all of its viewers: they learn from no failure where the exchange is. */
export const discreetReads = ({exchange}: Asking): Exchange => withMiddleware(exchange, discreet);

/** Of one viewer: only listed markets of what all share are requested, and only those that its key shows. */
export const viewersReads = (shared: Exchange, {clock}: Asking, markets: readonly string[] | undefined): Exchange =>
	withMiddleware(shared, listedOnly(clock), ...(markets ? [restrictedTo(markets)] : []));
