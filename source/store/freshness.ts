import {FrozenClockError} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import {operationOf} from '../client/middleware.ts';
import {arrivedAt, type Failure, failing, type KeptAnswer, type Resource, ready} from './resource.ts';

/**
 * Checks the answers of one resource in turn. Returns the time (epoch ms by our clock) up to which the data is current if
 * the exchange's clock is frozen or falls behind, else undefined.
 */
type ClockCheck = (answer: Answer<unknown>) => number | undefined;

/** A clock with coarse steps, or a cache that does not say that it is one, lags by less. */
const leastLagMs = 10_000;
/** Answers in a row that prove whether a clock runs. One is not enough, as our own clock may have been set. */
const proof = 3;
/** A clock that runs slower than this share of ours falls behind; a clock with coarse steps does not. */
const leastSpeed = 0.5;

/** `serverTime`: when the answer came. */
type Dated = {readonly answer: Answer<unknown>; readonly serverTime: number};

/**
 * Detects an exchange that keeps answering with old data: its clock is frozen, or falls further and further behind. An
 * exchange that repeats one time with new data only has a broken time stamp.
 */
export function createClockCheck(isSame: (one: unknown, other: unknown) => boolean = areAlike): ClockCheck {
	/**
	 * The last answer that was current when it was received. Invariant: the data of a later answer is current up to the
	 * time at which a running clock, counted from this answer, would have shown its server time.
	 */
	let current: Dated | undefined;
	let previous: Dated | undefined;
	/** Answers since `current` whose clock lost time against the answer before. */
	let behind = 0;
	/** How many answers in a row last lost no time. */
	let inStep = 0;

	function countFrom(answer: Dated | undefined): undefined {
		current = answer;
		behind = 0;
	}

	return answer => {
		const before = previous;
		const next = datedAnswer(answer);
		previous = next;
		if (!next || !before || !current) return countFrom(next);
		if (keepsPace(before, next)) inStep += 1;
		else {
			inStep = 0;
			behind += 1;
		}

		const isRunning = keepsPace(current, next) || inStep >= proof;
		const isStampBroken = next.serverTime === before.serverTime && !isSame(before.answer.data, next.answer.data);
		if (isRunning || isStampBroken) return countFrom(next);
		const currentUntil = arrivedAt(current.answer) + (next.serverTime - current.serverTime);
		const isOld = behind >= proof && arrivedAt(answer) - currentUntil >= leastLagMs;
		return isOld ? currentUntil : undefined;
	};
}

/** The exchange's time when the answer came: a cache that says so has kept it since it was written. */
function datedAnswer(answer: Answer<unknown>): Dated | undefined {
	const {serverTime, cache} = answer;
	if (serverTime === undefined) return undefined;
	return {answer, serverTime: serverTime + (cache?.isSaid ? cache.ageMs : 0)};
}

/** Whether the exchange's clock ran at about our speed between two answers, was set back, or is another interface's. */
function keepsPace(before: Dated, after: Dated): boolean {
	if (before.answer.interface !== after.answer.interface || after.serverTime < before.serverTime) return true;
	const ours = arrivedAt(after.answer) - arrivedAt(before.answer);
	return after.serverTime - before.serverTime >= ours * leastSpeed;
}

const areAlike = (one: unknown, other: unknown): boolean =>
	one === other || JSON.stringify(one) === JSON.stringify(other);

/** Detects stale answers of the resources that are polled often; the other lists change rarely. */
export type Freshness = {
	/** The answer, which fails and is dated back if the exchange's clock is frozen. */
	checked<A extends Answer<unknown>>(ask: Checked, answer: A): {readonly answer: A; readonly failure?: Failure};
	/** The resource after this answer, with `data` in place of the answer's own. */
	resource<T>(ask: Checked, answer: KeptAnswer, data: T): Resource<T>;
};

type Checked = 'depth' | 'trades' | 'tickers' | 'candles';

export function createFreshness(): Freshness {
	const [depth, tickers, candles] = [createClockCheck(), createClockCheck(), createClockCheck()];
	// A tape without new trades is the same object.
	const checks = {depth, tickers, candles, trades: createClockCheck(Object.is)};
	const checked: Freshness['checked'] = (ask, answer) => {
		const since = checks[ask](answer);
		if (since === undefined) return {answer};
		const error = new FrozenClockError({operation: operationOf(ask), interface: answer.interface, url: ''});
		return {answer: {...answer, receivedAt: since}, failure: {error, since}};
	};
	return {
		checked,
		resource(ask, kept, data) {
			const {answer, failure} = checked(ask, kept);
			return failure ? failing(ready(answer, data), failure) : ready(answer, data);
		},
	};
}
