/** A stream of random numbers that depends only on its seed. */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed | 0;
	}

	/** Uniform in [0, 1), in steps of 2^-32. (Mulberry32.) */
	uniform(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
		return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000;
	}

	/** Mean 0, deviation 1, never beyond ±3: the sum of three uniform numbers, close enough to a Gaussian and cheap. */
	gaussian(): number {
		return (this.uniform() + this.uniform() + this.uniform()) * 2 - 3;
	}

	/** Mean 1: the waiting time until the next event, at one event per unit of time. */
	exponential(): number {
		return -Math.log(1 - this.uniform());
	}

	/** Mean 1, long tail: most results are small, a few several times the mean. */
	heavyTailed(): number {
		return Math.exp(1.2 * this.gaussian() - 0.688);
	}
}

/** 32 bits that look unrelated for related inputs. */
export function hashNumbers(seed: number, ...values: readonly number[]): number {
	let hash = seed | 0;
	for (const value of values) {
		hash = Math.imul(hash ^ value, 0x85ebca6b);
		hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
		hash ^= hash >>> 16;
	}
	return hash;
}

/** 32 bits of a text. (FNV-1a, then mixed.) */
export function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return hashNumbers(hash, text.length);
}
