type Backoff = {
	/** Number of failures in a row, from 1. */
	readonly failures: number;
	/** Wait after the first failure. */
	readonly firstMs: number;
	readonly longestMs: number;
	/** In [0, 1). */
	readonly random: number;
};

const jitterShare = 0.25;

/**
 * Milliseconds to wait after a failure: `firstMs`, doubled with each further failure, at most `longestMs`. Up to a quarter
 * less at random, so that the many clients of a recovering exchange do not return at once.
 */
export function backoffMs({failures, firstMs, longestMs, random}: Backoff): number {
	const fullMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
	return Math.round(fullMs * (1 - jitterShare * random));
}
