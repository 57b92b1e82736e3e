import type {Exchange} from '../client/exchange.ts';
import {abortedRead, type Middleware} from '../client/middleware.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import {secondMs} from '../market/units.ts';

/** The turns of requests that can wait: together they use what all others leave of the request budget. */
export type SpareTurns = ReturnType<typeof createSpareTurns>;

type Turn = {
	/** It was sent to the exchange; what is answered without that uses nothing of the budget. */
	sent(): void;
	end(): void;
};

/** How far back `Budget.used` reaches. */
const usedMs = 5 * secondMs;
/** The rest of the budget is free for those who begin at any moment. */
const mostShare = 0.9;
/** The share of the budget that is used even if the others leave nothing. */
const leastShare = 0.1;
/** Interval at which waiting requests read the spare budget again. */
const rereadMs = secondMs;

/** Creates the turns of all who share one budget. A request that begins still waits in the budget's queue, behind all others. */
export function createSpareTurns(exchange: Pick<Exchange, 'budget'>, clock: Clock) {
	const now = steadyNow(clock);
	const createdAt = now();
	const waiting = new Set<() => void>();
	const counts = new Set<() => number>();
	/** When those were sent that `Budget.used` counts, too. */
	let starts: readonly number[] = [];
	/** When the last one that was sent was due. */
	let dueAt = Number.NEGATIVE_INFINITY;
	let isUnsent = false;
	let cancelTimer = () => {};

	function gapMs(): number {
		const time = now();
		starts = starts.filter(start => start > time - usedMs);
		const own = (starts.length * secondMs) / Math.min(time - createdAt + secondMs, usedMs);
		const {used, allowed} = exchange.budget();
		const spare = allowed * mostShare - Math.max(used - own, 0);
		return allowed > 0 ? secondMs / Math.max(spare, allowed * leastShare) : 0;
	}

	function serve() {
		cancelTimer();
		for (const begin of waiting) {
			if (isUnsent) return;
			const waitMs = dueAt + gapMs() - now();
			if (waitMs > 0) {
				cancelTimer = clock.after(Math.min(waitMs, rereadMs), serve);
				return;
			}

			isUnsent = true;
			waiting.delete(begin);
			begin();
		}
	}

	function createTurn(): Turn {
		let isOver = false;
		const end = () => {
			if (isOver) return;
			isOver = true;
			isUnsent = false;
			serve();
		};
		return {
			sent() {
				const time = now();
				starts = [...starts, time];
				const gap = gapMs();
				// A timer that is late costs no turn.
				dueAt = Math.max(dueAt + gap, time - gap);
				end();
			},
			end,
		};
	}

	return {
		/** Ms between two turns, as the budget is used now. */
		gapMs,
		/** Resolves when a request may begin; with undefined when aborted. Until that is sent or has ended, no other begins. */
		async take(signal?: AbortSignal): Promise<Turn | undefined> {
			if (signal?.aborted) return undefined;
			const {promise, resolve} = Promise.withResolvers<Turn | undefined>();
			const abort = () => {
				waiting.delete(begin);
				resolve(undefined);
				serve();
			};
			const begin = () => {
				signal?.removeEventListener('abort', abort);
				resolve(createTurn());
			};
			signal?.addEventListener('abort', abort, {once: true});
			waiting.add(begin);
			serve();
			return promise;
		},
		/** Counts series of requests, which `count` returns, as polled in turn. The returned function ends that. */
		join(count: () => number): () => void {
			counts.add(count);
			return () => counts.delete(count);
		},
		/** How many series of requests take turns. */
		polls: (): number => [...counts].reduce((sum, count) => sum + count(), 0),
	};
}

/** Lets requests that can wait begin in turn. */
export const inSpareTurns =
	(turns: SpareTurns): Middleware =>
	next =>
	async (question, call = {}) => {
		const turn = await turns.take(call.signal);
		if (!turn) throw abortedRead(question, call);
		try {
			const onSent = () => {
				turn.sent();
				call.onSent?.();
			};
			return await next(question, {...call, onSent});
		} finally {
			turn.end();
		}
	};
