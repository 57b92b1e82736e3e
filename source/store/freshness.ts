import {FrozenClockError, type Operation} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
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

export type Freshness = {
	/** Turns an answer into a resource, which is stale and dated back if the exchange's clock is frozen. */
	readonly [Name in 'depth' | 'trades' | 'tickers']: <T>(answer: KeptAnswer, data: T) => Resource<T>;
} & {
	/** The candles' answer, dated back if it is stale. `liveCandles` joins it with the trades. */
	candles<A extends Answer<unknown>>(answer: A): {readonly answer: A; readonly failure: Failure | undefined};
};

/** Detects stale answers of the resources that are polled often; the other lists change rarely. */
export function createFreshness(): Freshness {
	const resource = (operation: Operation, clockCheck = createClockCheck()): Freshness['depth'] => {
		return (answer, data) => {
			const {receivedAt, failure} = dated(operation, answer, clockCheck(answer));
			const fresh = ready({...answer, receivedAt}, data);
			return failure ? failing(fresh, failure) : fresh;
		};
	};
	const candlesCheck = createClockCheck();
	return {
		depth: resource('depth'),
		// A tape without new trades is the same object.
		trades: resource('trades', createClockCheck(Object.is)),
		tickers: resource('ticker'),
		candles(answer) {
			const {receivedAt, failure} = dated('candles', answer, candlesCheck(answer));
			return {answer: {...answer, receivedAt}, failure};
		},
	};
}

function dated(
	operation: Operation,
	answer: Answer<unknown>,
	since: number | undefined,
): {readonly receivedAt: number; readonly failure?: Failure} {
	if (since === undefined) return {receivedAt: answer.receivedAt};
	const error = new FrozenClockError({operation, interface: answer.interface, url: ''});
	return {receivedAt: since, failure: {error, since}};
}
