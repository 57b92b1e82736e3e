import {type Operation, StandstillError} from '../client/errors.ts';
import type {Answer} from '../client/exchange.ts';
import {type Failure, failing, type Resource, ready} from './resource.ts';

/**
 * Told of each answer of one resource in turn; says since when (epoch ms by our clock) the exchange has had nothing newer,
 * absent while its clock goes on.
 */
type Standstill = (answer: Answer<unknown>) => number | undefined;

/** A clock that is read coarsely, or an answer that is kept for others for a while, lags by less. */
const leastLagMs = 10_000;
/** So many answers in a row must say so, or the contrary: the clock that was set may be ours. */
const proof = 3;
/** A clock that goes slower than this share of ours falls behind; one that is read coarsely does not. */
const leastSpeed = 0.5;

type Anchor = {readonly answer: Answer<unknown>; readonly serverTime: number};

/**
 * Finds exchanges that go on answering with what they knew long ago: the time that they say stands still, or falls further
 * and further behind. One that never says another time, and yet shows other data, has only a broken stamp.
 */
export function createStandstill(isSame: (one: unknown, other: unknown) => boolean = areAlike): Standstill {
	/** The last answer that was known to be of its time. */
	let anchor: Anchor | undefined;
	let last: Anchor | undefined;
	let behind = 0;
	let apace = 0;

	return answer => {
		const {serverTime} = answer;
		const before = last;
		last = serverTime === undefined ? undefined : {answer, serverTime};
		const fallsBehind = last && before && anchor && !keepsPace(before, last);
		apace = fallsBehind ? 0 : apace + 1;
		if (!last || !before || !anchor || keepsPace(anchor, last) || apace >= proof || isNews(before, last, isSame)) {
			anchor = last;
			behind = 0;
			return undefined;
		}

		if (fallsBehind) behind += 1;
		const currentUntil = anchor.answer.receivedAt + last.serverTime - anchor.serverTime;
		return behind >= proof && answer.receivedAt - currentUntil >= leastLagMs ? currentUntil : undefined;
	};
}

/** Whether the exchange's clock went on with ours from one to the other, was set, or is that of the other interface. */
function keepsPace(before: Anchor, after: Anchor): boolean {
	if (before.answer.interface !== after.answer.interface || after.serverTime < before.serverTime) return true;
	const ours = after.answer.receivedAt - before.answer.receivedAt;
	return after.serverTime - before.serverTime >= ours * leastSpeed;
}

/** Whether the same time is said of other data. */
const isNews = (before: Anchor, after: Anchor, isSame: (one: unknown, other: unknown) => boolean): boolean =>
	before.serverTime === after.serverTime && !isSame(before.answer.data, after.answer.data);

const areAlike = (one: unknown, other: unknown): boolean =>
	one === other || JSON.stringify(one) === JSON.stringify(other);

export type Freshness = {
	/** What to show of an answer: stale, and as old as its data may be, where the exchange has had nothing newer. */
	readonly [Name in 'depth' | 'tape' | 'tickers']: <T>(answer: Answer<unknown>, data: T) => Resource<T>;
} & {
	/** The same of candles, which are shown together with the trades. */
	candles<A extends Answer<unknown>>(answer: A): {readonly answer: A; readonly failure: Failure | undefined};
};

/** Judges what is polled often: the other lists are old by nature. */
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
		// A tape to which nothing came is the same one.
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
