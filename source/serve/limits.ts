import {type Clock, steadyNow} from '../market/clock.ts';
import {hourMs, secondMs} from '../market/units.ts';

/** What viewers can use of the server. More is refused with a sentence, or slowed where it comes by the second. */
export type ServeLimits = {
	/** Who is logged in at a time, in all and from one address. */
	readonly viewers: number;
	readonly viewersPerAddress: number;
	/** Connections that have not logged in yet, in all and from one address. */
	readonly connecting: number;
	readonly connectingPerAddress: number;
	/** Log-ins of one address, with success or without, at once and in a second after that. */
	readonly logInsAtOnce: number;
	readonly logInsPerSecond: number;
	/** From the connection to the log-in, and from there to a shell or a command. */
	readonly loginMs: number;
	/** Keys and passwords that a connection can offer in vain. */
	readonly triesPerConnection: number;
	/** Without a key, an answer of the terminal, or output that is taken where there is no terminal. */
	readonly idleMs: number;
	/** Of output to a terminal. */
	readonly framesPerSecond: number;
	/** Of output. */
	readonly bytesPerSecond: number;
	/** Of what is typed. */
	readonly keysPerSecond: number;
};

export const defaultLimits = limitsFrom({});

/**
 * The limits, with some set. The address of an office or of a wall of screens is often one, behind a router: all the viewers
 * that an address may have can log in at once, and others beside them.
 */
export function limitsFrom(set: Partial<ServeLimits>): ServeLimits {
	const {viewersPerAddress = 20} = set;
	return {
		viewers: 200,
		viewersPerAddress,
		connecting: 3 * viewersPerAddress,
		connectingPerAddress: viewersPerAddress,
		logInsAtOnce: 3 * viewersPerAddress,
		logInsPerSecond: viewersPerAddress,
		loginMs: 20 * secondMs,
		triesPerConnection: 6,
		idleMs: 12 * hourMs,
		framesPerSecond: 30,
		bytesPerSecond: 262_144,
		keysPerSecond: 2000,
		...set,
	};
}

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
