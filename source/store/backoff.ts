const longestRetryMs = 8000;
/** Slow resources are not slow to recover: their first retry does not wait a whole interval. */
const longestBaseMs = 2000;
const jitterShare = 0.25;

/**
 * Milliseconds to wait before the next try: the interval doubled per failure, at most 8 s, and up to a quarter
 * less by chance, so that many clients of a recovering exchange do not come back together.
 * `failures` counts from 1; `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, intervalMs: number, random: number): number {
	const fullMs = Math.min(Math.min(intervalMs, longestBaseMs) * 2 ** failures, longestRetryMs);
	return Math.round(fullMs * (1 - jitterShare * random));
}
