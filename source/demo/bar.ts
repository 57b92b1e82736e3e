/** Open, high, low and close in ticks, volume in lots: all whole numbers, so that sums are exact. */
export type Bar = {
	readonly open: number;
	readonly high: number;
	readonly low: number;
	readonly close: number;
	readonly volume: number;
};

/** Bars added up in time order. */
export class BarSum {
	#bar: {open: number; high: number; low: number; close: number; volume: number} | undefined;
	/** Ticks × lots: what was paid, exact where `add` was told, else volume at the middle of each bar. */
	turnover = 0;

	add(bar: Bar, turnover = (bar.volume * (bar.open + bar.high + bar.low + bar.close)) / 4): void {
		this.turnover += turnover;
		const sum = this.#bar;
		if (!sum) {
			this.#bar = {open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume};
			return;
		}
		if (bar.high > sum.high) sum.high = bar.high;
		if (bar.low < sum.low) sum.low = bar.low;
		sum.close = bar.close;
		sum.volume += bar.volume;
	}

	/** Throws while nothing was added. */
	get bar(): Bar {
		if (!this.#bar) throw new RangeError('the sum of no bars');
		return this.#bar;
	}
}
