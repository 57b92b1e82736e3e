import {AsyncLocalStorage, AsyncResource} from 'node:async_hooks';
import type {Exchange} from '../../client/exchange.ts';
import {exchangeOf, type Middleware} from '../../client/middleware.ts';
import type {Clock} from '../../market/clock.ts';
import {onUncaught} from '../../terminal/ending.ts';

export type Faults = ReturnType<typeof catchFaults>;

/**
 * Has callbacks run as what runs now, whoever calls them. Their errors are thrown in a tick of their own: they would else be
 * those of the caller.
 */
export function ownCallbacks(): (callback: () => void) => () => void {
	const own = new AsyncResource('tapewatch');
	return callback => () =>
		own.runInAsyncScope(() => {
			try {
				callback();
			} catch (error) {
				process.nextTick(() => {
					throw error;
				});
			}
		});
}

type Fail = (error: unknown) => void;

/**
 * Runs the work of viewers so that a defect that one of them meets ends only that one. `failAll` gets what was thrown outside of all
 * work. Node before 24 cannot always tell whose an error is.
 */
export function catchFaults(failAll: Fail) {
	const owner = new AsyncLocalStorage<Fail | undefined>();
	const stop = onUncaught(error => (owner.getStore() ?? failAll)(error));
	const outside = <T>(work: () => T): T => owner.run(undefined, work);

	/** What the reader is told is its own again, and what it throws then is not the answer of the others. */
	const readOutside: Middleware = next => (question, call) => {
		const onSent = call?.onSent && ownCallbacks()(call.onSent);
		return outside(() => next(question, {...call, onSent}));
	};

	return {
		/** Runs `work`, and passes to `fail` what it or anything that it starts throws and nobody catches. */
		run: <T>(fail: Fail, work: () => T): T => owner.run(fail, work),
		/** The clock for what all share: what its timers throw is nobody's, whoever started them. */
		clockOfAll: ({now, after}: Clock): Clock => ({now, after: (ms, callback) => outside(() => after(ms, callback))}),
		/** The exchange that all share, for one of them: what its reads start is nobody's. */
		exchangeOfAll: (exchange: Exchange): Exchange =>
			exchangeOf(readOutside(exchange.read), {
				...exchange,
				retryNow: () => outside(exchange.retryNow),
				close: () => outside(exchange.close),
			}),
		/** Node again ends the process at what nobody catches. */
		stop,
	};
}

/**
 * Clocks whose timers run one in each turn of the event loop, in the order in which they were due: when a hundred screens have
 * something to draw at once, keys are heard between any two of them. What a timer throws is of who began it.
 */
export function createTurns(clock: Clock, nextTurn: (run: () => void) => void): Clock {
	const due: (() => void)[] = [];
	const run = (): void => {
		const callback = due.shift();
		if (due.length > 0) nextTurn(run);
		callback?.();
	};
	return {
		now: clock.now,
		after(ms, callback) {
			const own = ownCallbacks()(callback);
			let isCancelled = false;
			const cancel = clock.after(ms, () => {
				due.push(() => {
					if (!isCancelled) own();
				});
				if (due.length === 1) nextTurn(run);
			});
			return () => {
				isCancelled = true;
				cancel();
			};
		},
	};
}
