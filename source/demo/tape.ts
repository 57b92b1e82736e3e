import type {Side} from '../market/types.ts';

/** One execution, in ticks and lots. */
export type Execution = {
	readonly id: number;
	/** Epoch ms. */
	readonly time: number;
	readonly price: number;
	readonly lots: number;
	/** The taker's. */
	readonly side: Side;
};

/** The last executions of a market; older ones are forgotten. */
export class ExecutionTape {
	readonly #capacity: number;
	readonly #firstId: number;
	readonly #times: Float64Array;
	readonly #prices: Float64Array;
	readonly #lots: Float64Array;
	readonly #bought: Uint8Array;
	#count = 0;

	constructor(firstId: number, capacity: number) {
		this.#firstId = firstId;
		this.#capacity = capacity;
		this.#times = new Float64Array(capacity);
		this.#prices = new Float64Array(capacity);
		this.#lots = new Float64Array(capacity);
		this.#bought = new Uint8Array(capacity);
	}

	add(time: number, price: number, lots: number, side: Side): void {
		const place = this.#count % this.#capacity;
		this.#times[place] = time;
		this.#prices[place] = price;
		this.#lots[place] = lots;
		this.#bought[place] = side === 'buy' ? 1 : 0;
		this.#count++;
	}

	/** Newest first, `limit` at most. */
	latest(limit: number): readonly Execution[] {
		const length = Math.min(limit, this.#count, this.#capacity);
		return Array.from({length}, (_, age) => this.#at(this.#count - 1 - age));
	}

	#at(index: number): Execution {
		const place = index % this.#capacity;
		return {
			id: this.#firstId + index,
			time: this.#times[place] ?? 0,
			price: this.#prices[place] ?? 0,
			lots: this.#lots[place] ?? 0,
			side: this.#bought[place] === 1 ? 'buy' : 'sell',
		};
	}
}
