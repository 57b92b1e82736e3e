import {type Words, wordsFor} from '../client/messages.ts';
import {formatSpan} from '../format/time.ts';
import type {Tape} from '../market/tape.ts';
import {aheadMs, type Bounds, stampsAheadMs} from '../market/trade-clock.ts';
import type {Ready, Resource} from './resource.ts';

const unbounded: Bounds = {least: -Infinity, most: Infinity};

/**
 * The time by the clock that dates the trades, of which the candles are made, when it is `at` by ours; both epoch ms. Where no
 * trade shows it, it is the earlier of ours and that of the answer's stamp.
 */
export function tradeTime(resource: Resource<unknown>, at: number): number {
	if (resource.status !== 'ready') return at;
	return at + aheadMs(resource.tradeClock?.ahead ?? unbounded, resource);
}

/** When the answer can have been made at the earliest, epoch ms by our clock. */
export const madeAfter = ({sentAt, receivedAt}: Pick<Ready<unknown>, 'sentAt' | 'receivedAt'>): number =>
	Math.min(sentAt ?? receivedAt, receivedAt);

/** Up to when the tape has all trades, epoch ms by their clock: to the newest, and to the request of the last answer. */
export const completeTo = (tape: Ready<Tape>): number =>
	Math.max(tape.data.trades[0]?.time ?? -Infinity, tradeTime(tape, madeAfter(tape)));

/** How far the stamps of answers are ahead of the trades' own times, in ms (below 0: behind); undefined: less than 2 s, or unknown. */
export const stampsAhead = (resource: Resource<unknown>): number | undefined =>
	resource.status === 'ready' && resource.tradeClock ? stampsAheadMs(resource.tradeClock.stamps) : undefined;

/** The words for stamps that are `ms` ahead of the trades' own times, or (below 0) behind. */
export const stampsWords = (ms: number): Words =>
	wordsFor('trade-clock', `${formatSpan(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead of'}`);
