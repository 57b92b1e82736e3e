const longestRetryMs = 8000;
/** Slow resources are not slow to recover: their first retry does not wait a whole interval. */
const longestBaseMs = 2000;
/** What is polled more often than this is not tried again so often while it fails. */
const leastRetryMs = 1000;
const jitterShare = 0.25;

type Retry = {
	/** In a row, from 1. */
	readonly failures: number;
	/** Between two polls that succeed. */
	readonly intervalMs: number;
	/** Something else finds out when the exchange is back: this one may wait longer than its interval. */
	readonly patient: boolean;
	/** In [0, 1). */
	readonly random: number;
};

/**
 * Milliseconds to wait before the next try: the interval doubled per failure, at most 8 s, and unless `patient` at most
 * the interval (or 1 s), so that data is there again one poll after the trouble is over. Up to a quarter less by chance:
 * many clients of a recovering exchange do not come back together.
 */
export function retryDelayMs({failures, intervalMs, patient, random}: Retry): number {
	const doubledMs = Math.min(Math.min(intervalMs, longestBaseMs) * 2 ** failures, longestRetryMs);
	const fullMs = patient ? doubledMs : Math.min(doubledMs, Math.max(intervalMs, leastRetryMs));
	return Math.round(fullMs * (1 - jitterShare * random));
}
