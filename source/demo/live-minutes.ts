import type {BarSum} from './bar.ts';

/** Numbers kept of a minute: open, high, low, close (ticks), volume (lots), turnover (ticks × lots). */
const fields = 6;
const firstCapacity = 360;

/**
 * One-minute bars as they are traded, without holes: a minute without a trade stays at the price before it. None is
 * forgotten: 48 bytes each, some 70 kB a day.
 */
export class LiveMinutes {
	/** Minutes since the epoch. */
	readonly first: number;
	#count = 0;
	#close: number;
	#numbers = new Float64Array(firstCapacity * fields);

	/** @param close the price before the first minute */
	constructor(first: number, close: number) {
		this.first = first;
		this.#close = close;
	}

	/** The last price, in ticks. */
	get close(): number {
		return this.#close;
	}

	/** Makes sure that `minute` and all before it are there. */
	extendTo(minute: number): void {
		while (this.first + this.#count <= minute) {
			const at = this.#count * fields;
			if (at === this.#numbers.length) {
				const grown = new Float64Array(this.#numbers.length * 2);
				grown.set(this.#numbers);
				this.#numbers = grown;
			}
			this.#numbers.fill(this.#close, at, at + 4);
			this.#count++;
		}
	}

	/** A trade in `minute`, the newest or a later one. */
	trade(minute: number, price: number, lots: number): void {
		this.extendTo(minute);
		const numbers = this.#numbers;
		const at = (this.#count - 1) * fields;
		const volume = this.#number(at + 4);
		if (volume === 0) numbers.fill(price, at, at + 3);
		numbers[at + 1] = Math.max(this.#number(at + 1), price);
		numbers[at + 2] = Math.min(this.#number(at + 2), price);
		numbers[at + 3] = price;
		numbers[at + 4] = volume + lots;
		numbers[at + 5] = this.#number(at + 5) + price * lots;
		this.#close = price;
	}

	/** The minutes `[from, to)`, added to `sum`; minutes not reached yet are left out. */
	addTo(sum: BarSum, from: number, to: number): void {
		const end = Math.min(to, this.first + this.#count);
		for (let minute = Math.max(from, this.first); minute < end; minute++) {
			const at = (minute - this.first) * fields;
			const bar = {
				open: this.#number(at),
				high: this.#number(at + 1),
				low: this.#number(at + 2),
				close: this.#number(at + 3),
				volume: this.#number(at + 4),
			};
			sum.add(bar, this.#number(at + 5));
		}
	}

	#number(at: number): number {
		return this.#numbers[at] ?? 0;
	}
}
