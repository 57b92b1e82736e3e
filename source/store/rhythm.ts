import {clamp} from '../market/numbers.ts';

/** An answer that is older than its poll. Times are epoch ms. */
type OldAnswer = {
	readonly answeredAt: number;
	readonly now: number;
	/** Between two polls, above 0. */
	readonly intervalMs: number;
	/** From a cache, whose answers are only as old as they seem if one of them was seen fresh. */
	readonly isCached: boolean;
};

/** Times the polls that get answers from a cache, or share them with another reader. */
export type Rhythm = {
	/** Ms until the next poll. Takes the answers in turn. */
	waitMs(answer: OldAnswer): number;
};

/** In intervals: the least time between two polls, and how exactly the time is found at which an answer is replaced. */
const step = 1 / 7;
/** In intervals: how late a poll comes, so that the cache has noticed that its answer has expired. */
const margin = 1 / 20;
/** In intervals: where an answer was written sooner after the one before, a new one is always there. */
const shortestFollowed = 1 - step;
/** In intervals: where an answer is kept for longer, polls at each interval show first whether it still is. */
const longestWaited = 5 / 4;
/** In intervals: an answer that is older does not show when it will be replaced. */
const longestFollowed = 2.5;
/** New answers after which the time is found again, as clocks drift and other readers come and go. */
const newUntilCheck = 30;
/** Early polls in a row, all with new answers, that show that the cache keeps none for an interval. */
const mostEarly = 1 / step + 1;

/**
 * A poll comes one interval after the last answer, when the next one is there, and finds an answer that is kept for longer
 * again: then it waits for as long as the one before was kept, or a step.
 *
 * What is fetched for other readers is never fresh at polls that keep their distance from those, and ages count from the freshest
 * answer (`createWrittenAges`). So polls come earlier, step by step, until one finds the old answer again: then the next
 * one finds the new answer within a step of its writing.
 */
export function createRhythm(): Rhythm {
	let last: {readonly answeredAt: number; readonly at: number; readonly isAgain: boolean} | undefined;
	/** How long after the answer before it the last one was written. */
	let keptMs = 0;
	/** How old an answer was that came again; 0: no one did, or not lately. */
	let heldMs = 0;
	let newSinceFound = newUntilCheck;
	let early = 0;

	function takeNew(answeredAt: number, isFound: boolean): void {
		keptMs = answeredAt - (last?.answeredAt ?? answeredAt);
		newSinceFound = isFound || early >= mostEarly ? 0 : newSinceFound + 1;
		early = newSinceFound < newUntilCheck ? 0 : early + 1;
		if (early > 0) heldMs = 0;
	}

	function untilNext({answeredAt, now, intervalMs, isCached}: OldAnswer): number {
		const ageMs = Math.max(now - answeredAt, 0);
		const stepMs = intervalMs * step;
		const isAgain = last?.answeredAt === answeredAt;
		if (!isAgain) takeNew(answeredAt, last?.isAgain === true && now - last.at < 2 * stepMs);
		last = {answeredAt, at: now, isAgain};
		if (!Number.isFinite(intervalMs) || ageMs >= longestFollowed * intervalMs) return intervalMs;
		if (!isCached) return Math.max(intervalMs - ageMs, stepMs);
		const isEarly = early > 0;
		const lateMs = isEarly ? -stepMs : intervalMs * margin;
		if (isAgain) heldMs = ageMs <= longestWaited * intervalMs ? ageMs : 0;
		if (isAgain) return clamp(keptMs + lateMs - ageMs, stepMs, intervalMs);
		if (keptMs > 0 && keptMs < shortestFollowed * intervalMs) return isEarly ? intervalMs - stepMs : intervalMs;
		const nextMs = isEarly && keptMs > 0 ? Math.min(keptMs, intervalMs) : Math.max(intervalMs, heldMs);
		return Math.max(nextMs + lateMs - ageMs, stepMs);
	}

	return {waitMs: answer => Math.ceil(untilNext(answer))};
}
