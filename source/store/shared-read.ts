import {AbortedError, ExchangeError, type Operation} from '../client/errors.ts';
import type {CallOptions} from '../client/exchange.ts';
import {type Clock, steadyNow} from '../market/clock.ts';
import type {Interface} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {createPoller, type Outcome} from './poller.ts';
import type {AnswerDate} from './resource.ts';

/** One read of the exchange that answers many readers. */
export type SharedRead<T> = ReturnType<typeof createSharedRead<T>>;

/** Whose read it is. `owner`: see `CallOptions.owners`; absent: everybody. */
export type Reader = {readonly owner?: object | undefined};

type SharedReadOptions<T> = {
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. */
	readonly random: () => number;
	readonly operation: Operation;
	/** The interface that an aborted read names. */
	readonly preferred: Interface;
	/** Ms between the starts of two requests, however many read. */
	readonly leastMs: number;
	/** For how many ms an answer is handed to who has not had it. */
	readonly keptMs: number;
	/** Ms from the request that got this answer to the next, if both of the above must be shorter. */
	readonly wantedMs: (answer: T) => number;
	readonly dated: (answer: T) => AnswerDate;
	/** How much can be served from an answer. */
	readonly sizeOf: (answer: T) => number;
	/** `last`: the answer before. `size`: what the readers need. Rejects with an `ExchangeError`. */
	readonly request: (call: CallOptions, last: T | undefined, size: number) => Promise<T>;
	/** Whether another read detects when the exchange is back. */
	readonly hasProbe: () => boolean;
	/** Called at the end of each request that was not aborted. */
	readonly onEnd: (outcome: 'answered' | 'failed' | 'unavailable') => void;
};

type LastAnswer<T> = {
	readonly answer: T;
	/** When it came, epoch ms. */
	readonly at: number;
	/** When the exchange answered, by a clock that is never set back. */
	readonly from: number;
	/** Whether somebody has read again and again since. */
	readonly hasFollowers: boolean;
};

type Waiting<T> = {
	readonly reader: Reader;
	readonly call: CallOptions;
	readonly size: number;
	/** Does nothing if it is settled. */
	settle(outcome: Outcome<T>): void;
};

/** A request may follow so soon on one that was aborted, or on one for more of the same, but no sooner. */
const leastRestMs = secondMs;
/** A poller reads again within this, or two intervals. */
const followedMs = 10 * secondMs;
/** Between two reads past caches of one owner, who gets the last outcome in between. */
const refreshGapMs = 5 * secondMs;
/** While the next request takes long, an answer serves for so many times as long as it is kept. */
const longestServed = 2;

/**
 * Creates a read that polls while anybody waits for it, as one reader would: requests begin `leastMs` apart, and after a
 * failure as `retryWaitMs` says. Only these may begin sooner, a second after the last such: one for more than was asked
 * before, one past caches (`CallOptions.fresh`), and one in place of a request that was aborted. A request is aborted when nobody waits for it any more.
 *
 * A reader gets the last outcome at once if it is newer than `CallOptions.newerThan`: the answer while it is younger than `keptMs`
 * or, for a poller, while the others still see it, then the failure until the next try. Otherwise, and with `CallOptions.fresh`, it
 * waits for the next outcome. An owner can bypass caches every five seconds, so that one who always does does not undo them for all;
 * in between, its readers get the last outcome, or that of such a request that is pending.
 */
export function createSharedRead<T>(options: SharedReadOptions<T>) {
	const {clock, random, leastMs, keptMs, wantedMs, dated, sizeOf, hasProbe, onEnd} = options;
	const now = steadyNow(clock);
	const restMs = Math.min(leastMs, leastRestMs);
	/** Waiting for the request. */
	const waiting = new Set<Waiting<T>>();
	/** Not notified yet; the request of some has ended. */
	const unsettled = new Set<Waiting<T>>();
	let lastAnswer: LastAnswer<T> | undefined;
	/** `at`: epoch ms. `until`: the next try, by `now`. */
	let failure: {readonly error: ExchangeError; readonly at: number; readonly until: number} | undefined;
	let pending: {readonly startedAt: number; readonly size: number; isSent: boolean} | undefined;
	/** Whether the last request went past caches. */
	let isFresh = false;
	let readAt = now();
	let followedAt = Number.NEGATIVE_INFINITY;
	/** Until when no request may take the place of an aborted one. */
	let restUntil = Number.NEGATIVE_INFINITY;
	let nextExtraAt = Number.NEGATIVE_INFINITY;
	let cancelRest = () => {};
	/** By the owner. */
	const refreshedAt = new WeakMap<object, number>();

	const poller = createPoller<T>({
		clock,
		operation: options.operation,
		random,
		intervalMs: leastMs,
		wantedMs,
		dated,
		hasProbe,
		async run({signal, newerThan}) {
			const size = Math.max(0, ...[...waiting].map(each => each.size));
			const own = {startedAt: now(), size, isSent: false};
			pending = own;
			const rest = () => {
				if (pending === own) pending = undefined;
				restUntil = own.startedAt + restMs;
			};
			signal.addEventListener('abort', rest, {once: true});
			const onSent = () => {
				own.isSent = true;
				if (!signal.aborted) for (const {call} of waiting) call.onSent?.();
			};
			const owners = () => [...new Set([...waiting].flatMap(({reader}) => reader.owner ?? []))];
			const priority = [...waiting].map(({call}) => priorityOf(call)).toSorted()[0];
			isFresh = [...waiting].some(({call}) => call.fresh);
			try {
				return await options.request(
					{signal, newerThan, onSent, priority, owners, fresh: isFresh},
					lastAnswer?.answer,
					size,
				);
			} catch (error) {
				if (!signal.aborted && !isFailure(error)) end({error});
				throw error instanceof ExchangeError ? error : aborted();
			} finally {
				signal.removeEventListener('abort', rest);
				if (pending === own) pending = undefined;
			}
		},
		onAnswer(answer) {
			failure = undefined;
			lastAnswer = {
				answer,
				at: clock.now(),
				from: now() - Math.max(clock.now() - dated(answer).receivedAt, 0),
				hasFollowers: true,
			};
			tell(
				[...waiting].filter(each => serves(answer, each)),
				{answer},
			);
			onEnd('answered');
			arrange();
		},
		onFailure({error}, waitMs) {
			const isUnavailable = error.kind === 'unavailable';
			failure = isUnavailable ? undefined : {error, at: clock.now(), until: now() + waitMs};
			end({error});
			// Nothing was sent, so the next read may ask again.
			if (isUnavailable) poller.reset();
			onEnd(isUnavailable ? 'unavailable' : 'failed');
		},
	});

	/** Whether it is enough, and not from a cache for who asks past them. */
	const serves = (answer: T, {call, size}: Waiting<T>) =>
		size <= sizeOf(answer) && (!call.fresh || isFresh || !dated(answer).cache);

	/** Tells each by a timer of its own, as what readers then do can take long: the clock decides what else is done in between. */
	function tell(readers: readonly Waiting<T>[], outcome: Outcome<T>) {
		for (const each of readers) waiting.delete(each);
		const [first, ...others] = readers;
		first?.settle(outcome);
		for (const each of others) clock.after(0, () => each.settle(outcome));
	}

	function end(outcome: {readonly error: unknown}) {
		tell([...waiting], outcome);
		arrange();
	}

	/** Whether it does not wait for the next turn: for more than the last request asked for, or for what no cache has kept. */
	const needsExtra = ({call, size}: Waiting<T>) =>
		call.fresh || (!failure && lastAnswer !== undefined && size > sizeOf(lastAnswer.answer));

	/** Begins what those who wait need, and ends what nobody waits for. */
	function arrange() {
		cancelRest();
		if (waiting.size === 0) return poller.stop();
		if (pending) return;
		if (now() < restUntil) {
			cancelRest = clock.after(restUntil - now(), arrange);
			return;
		}

		poller.start();
		poller.catchUp();
		if (pending || ![...waiting].some(needsExtra)) return;
		if (now() < nextExtraAt) {
			cancelRest = clock.after(nextExtraAt - now(), arrange);
			return;
		}

		nextExtraAt = now() + restMs;
		poller.now();
	}

	const keptMsOf = (answer: T): number => Math.min(keptMs, wantedMs(answer));

	/** Whether the answer is young or, for a poller, what the others still see. */
	function isCurrent({answer, from, hasFollowers}: LastAnswer<T>, isFollowing: boolean): boolean {
		const ms = keptMsOf(answer);
		if (now() - from < ms) return true;
		if (!isFollowing || !hasFollowers) return false;
		return (
			isRetrying() ||
			(pending !== undefined && (failure !== undefined || pending.startedAt - from < longestServed * ms))
		);
	}

	/** Notes that nobody has seen the last answer for a while. */
	function noteUnfollowed() {
		if (isFollowed() || isRetrying()) return;
		failure = undefined;
		if (lastAnswer && now() - lastAnswer.from >= longestServed * keptMsOf(lastAnswer.answer))
			lastAnswer = {...lastAnswer, hasFollowers: false};
	}

	const isFollowed = () => waiting.size > 0 || now() - followedAt < Math.max(followedMs, longestServed * leastMs);

	const isRetrying = () => failure !== undefined && now() < failure.until;

	const aborted = () => new AbortedError({operation: options.operation, interface: options.preferred, url: ''});

	function mayRefresh({owner}: Reader): boolean {
		if (!owner) return true;
		if (now() - (refreshedAt.get(owner) ?? Number.NEGATIVE_INFINITY) < refreshGapMs) return false;
		refreshedAt.set(owner, now());
		return true;
	}

	function wait(reader: Reader, call: CallOptions, size: number): Promise<T> {
		const {promise, resolve, reject} = Promise.withResolvers<T>();
		const leave = () => {
			own.settle({error: aborted()});
			arrange();
		};
		const own: Waiting<T> = {
			reader,
			call,
			size,
			settle(outcome) {
				waiting.delete(own);
				if (!unsettled.delete(own)) return;
				readAt = now();
				call.signal?.removeEventListener('abort', leave);
				if ('answer' in outcome) resolve(outcome.answer);
				else reject(outcome.error);
			},
		};
		call.signal?.addEventListener('abort', leave, {once: true});
		waiting.add(own);
		unsettled.add(own);
		if (pending?.isSent) call.onSent?.();
		arrange();
		return promise;
	}

	return {
		/**
		 * Answers with the last outcome, or with the next one. `size`: how much of it the reader needs (`sizeOf`),
		 * default 0. Rejects with an `ExchangeError`.
		 */
		async read(reader: Reader, request: CallOptions, size = 0): Promise<T> {
			if (request.signal?.aborted) throw aborted();
			readAt = now();
			noteUnfollowed();
			const isRefreshing = [...waiting].some(({call}) => call.fresh);
			const isTooFresh = request.fresh && !isRefreshing && !mayRefresh(reader);
			const call = isTooFresh
				? {...request, fresh: false, newerThan: request.newerThan === undefined ? undefined : 0}
				: request;
			const {newerThan, fresh} = call;
			const isFollowing = newerThan !== undefined;
			if (isFollowing) followedAt = readAt;
			const isNew = ({at}: {readonly at: number}) => at > (newerThan ?? Number.NEGATIVE_INFINITY);
			if (
				lastAnswer &&
				!fresh &&
				isNew(lastAnswer) &&
				size <= sizeOf(lastAnswer.answer) &&
				isCurrent(lastAnswer, isFollowing)
			) {
				return lastAnswer.answer;
			}

			if (failure && !fresh && isNew(failure) && isRetrying()) {
				call.onSent?.();
				throw failure.error;
			}

			return wait(reader, call, size);
		},
		/** The last answer, of any age. */
		last: (): T | undefined => lastAnswer?.answer,
		/** Puts more of the same age in the place of the last answer. */
		extend(answer: T): void {
			if (lastAnswer) lastAnswer = {...lastAnswer, answer};
		},
		/** Ends the reads of this viewer. */
		leave(viewer: Reader): void {
			const theirs = [...unsettled].filter(({reader}) => reader === viewer);
			for (const each of theirs) each.settle({error: aborted()});
			if (theirs.length > 0) arrange();
		},
		/** Ends the wait after a failure as `Poller.retry` does: something else shows that the exchange answers again. */
		recover(): void {
			if (!failure || failure.error.retryAfterMs !== undefined) return;
			failure = undefined;
			poller.retry();
		},
		/** Ends the wait after a failure. */
		retryNow(): void {
			if (!failure || pending) return;
			failure = undefined;
			poller.reset();
		},
		/** Whether someone reads it again and again: waits for it now, or did a short while ago. */
		isFollowed,
		/** For how long nobody has read it, in ms; 0 while somebody waits. */
		idleMs: (): number => (waiting.size > 0 ? 0 : now() - readAt),
		leastMs,
		keptMs,
	};
}

/** What is read once leaves the budget to what is followed, unless it says otherwise. */
const priorityOf = ({priority, newerThan}: CallOptions) => priority ?? (newerThan === undefined ? 2 : 1);

/** Whether a request failed as requests do. Anything else is a defect, and an abort that nobody here asked for ends the exchange. */
const isFailure = (error: unknown): boolean => error instanceof ExchangeError && error.kind !== 'aborted';
