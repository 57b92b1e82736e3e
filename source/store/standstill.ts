import {type Operation, StandstillError} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import {type Failure, failing, type Resource, ready} from './resource.ts';

/**
 * Takes the answers of one resource in turn. Returns since when (epoch ms by our clock) the exchange has had nothing newer;
 * undefined while its clock runs.
 */
type Standstill = (answer: Answer<unknown>) => number | undefined;

/** A clock with coarse steps, or an answer from a cache, lags by less. */
const leastLagMs = 10_000;
/** This many answers in a row prove that a clock runs, or does not: the clock that was set may be ours. */
const proof = 3;
/** A clock that runs slower than this share of ours falls behind; one with coarse steps does not. */
const leastSpeed = 0.5;

type Dated = {readonly answer: Answer<unknown>; readonly serverTime: number};

/**
 * Finds exchanges that keep answering with old data: their clock is frozen, or falls further and further behind. An
 * exchange that repeats one time with new data only has a broken time stamp.
 */
export function createStandstill(isSame: (one: unknown, other: unknown) => boolean = areAlike): Standstill {
	/** The last answer that was up to date when it came. */
	let current: Dated | undefined;
	let previous: Dated | undefined;
	/** Answers since `current` that fell behind the one before, and the last ones in a row that did not. */
	let behind = 0;
	let inStep = 0;

	function trust(answer: Dated | undefined): undefined {
		current = answer;
		behind = 0;
	}

	return answer => {
		const before = previous;
		const next = answer.serverTime === undefined ? undefined : {answer, serverTime: answer.serverTime};
		previous = next;
		if (!next || !before || !current) return trust(next);
		const keptPace = keepsPace(before, next);
		inStep = keptPace ? inStep + 1 : 0;
		const isRunning = keepsPace(current, next) || inStep >= proof;
		const isStampBroken = next.serverTime === before.serverTime && !isSame(before.answer.data, next.answer.data);
		if (isRunning || isStampBroken) return trust(next);
		if (!keptPace) behind += 1;
		const currentUntil = current.answer.receivedAt + next.serverTime - current.serverTime;
		return behind >= proof && answer.receivedAt - currentUntil >= leastLagMs ? currentUntil : undefined;
	};
}

/** Whether the exchange's clock ran at about our speed between two answers. Also true where it was set, or is the other interface's. */
function keepsPace(before: Dated, after: Dated): boolean {
	if (before.answer.interface !== after.answer.interface || after.serverTime < before.serverTime) return true;
	const ours = after.answer.receivedAt - before.answer.receivedAt;
	return after.serverTime - before.serverTime >= ours * leastSpeed;
}

const areAlike = (one: unknown, other: unknown): boolean =>
	one === other || JSON.stringify(one) === JSON.stringify(other);

export type Freshness = {
	/** The answer as a resource: stale, and as old as its data may be, where the exchange has had nothing newer. */
	readonly [Name in 'depth' | 'tape' | 'tickers']: <T>(answer: Answer<unknown>, data: T) => Resource<T>;
} & {
	/** The candles' answer, dated back where it is stale: they are shown together with the trades. */
	candles<A extends Answer<unknown>>(answer: A): {readonly answer: A; readonly failure: Failure | undefined};
};

/** Judges what is polled often; the other lists change rarely. */
export function createFreshness(): Freshness {
	const resource = (operation: Operation, standstill = createStandstill()): Freshness['depth'] => {
		return (answer, data) => {
			const {receivedAt, failure} = dated(operation, answer, standstill(answer));
			const fresh = ready({...answer, receivedAt}, data);
			return failure ? failing(fresh, failure) : fresh;
		};
	};
	const candles = createStandstill();
	return {
		depth: resource('depth'),
		// A tape without new trades is the same object.
		tape: resource('trades', createStandstill(Object.is)),
		tickers: resource('ticker'),
		candles(answer) {
			const {receivedAt, failure} = dated('candles', answer, candles(answer));
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
	const error = new StandstillError({operation, interface: answer.interface, url: ''});
	return {receivedAt: since, failure: {error, since}};
}
