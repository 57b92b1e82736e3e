import {type Clock, steadyNow} from '../market/clock.ts';

/** What may be used by the second. */
export type Bucket = {
	/** Uses an amount, also one that is not there yet; returns how long to wait before the next, in ms. */
	use(amount: number): number;
};

/** `burst`: what may be used at once; it is there at first. */
export function createBucket(clock: Clock, perSecond: number, burst = perSecond): Bucket {
	const now = steadyNow(clock);
	let left = burst;
	let filledAt = now();
	return {
		use(amount) {
			const at = now();
			left = Math.min(burst, left + ((at - filledAt) * perSecond) / 1000) - amount;
			filledAt = at;
			return left >= 0 ? 0 : (-left * 1000) / perSecond;
		},
	};
}
