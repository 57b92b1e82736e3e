/** Whole numbers as bytes, the smaller the fewer: seven bits in each, the last one below 128. Exact up to 2^53. */
export class VarintWriter {
	readonly #bytes: number[] = [];

	get length(): number {
		return this.#bytes.length;
	}

	unsigned(value: number): void {
		let rest = value;
		for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push(128 + (rest % 128));
		this.#bytes.push(rest);
	}

	/** Up to 2^52 on both sides of 0. */
	signed(value: number): void {
		this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
	}

	bytes(): Uint8Array {
		return Uint8Array.from(this.#bytes);
	}
}

/** Reads what a `VarintWriter` wrote, in its order, from byte `at` on. */
export class VarintReader {
	readonly #bytes: Uint8Array;
	#at: number;

	constructor(bytes: Uint8Array, at: number) {
		this.#bytes = bytes;
		this.#at = at;
	}

	unsigned(): number {
		let value = 0;
		for (let unit = 1; ; unit *= 128) {
			const byte = this.#bytes[this.#at++] ?? 0;
			if (byte < 128) return value + byte * unit;
			value += (byte - 128) * unit;
		}
	}

	signed(): number {
		const value = this.unsigned();
		return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
	}
}
