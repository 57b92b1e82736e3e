import {type Bar, BarSum} from './bar.ts';

const hourMinutes = 60;
/** Two days, so that today and yesterday are always included. */
const keptMinutes = 2880;
/** Numbers per minute in the ring: open, high, low, close (ticks), volume (lots), turnover (ticks × lots). */
const fields = 6;

type TurnedOver = {readonly bar: Bar; readonly turnover: number};

/**
 * The traded one-minute bars without gaps: a minute without a trade stays at the previous price. Two days are kept as
 * minutes, earlier ones as hours: 140 kB, plus 2 kB for each older day.
 */
export class LiveMinutes {
	/** Minutes since the epoch. */
	readonly first: number;
	/** The first minute that does not exist yet. */
	#end: number;
	#close: number;
	/** Minute `m` at `m % keptMinutes`. */
	readonly #ring = new Float64Array(keptMinutes * fields);
	/** Every complete hour by its number since the epoch; the first one begins at `first`. */
	readonly #hours = new Map<number, TurnedOver>();

	/** @param close the price before the first minute */
	constructor(first: number, close: number) {
		this.first = first;
		this.#end = first;
		this.#close = close;
	}

	/** The last price, in ticks. */
	get close(): number {
		return this.#close;
	}

	/** Makes sure that `minute` and all minutes before it exist. */
	extendTo(minute: number): void {
		for (; this.#end <= minute; this.#end++) {
			if (this.#end % hourMinutes === 0 && this.#end > this.first) this.#endHour();
			const at = ringIndex(this.#end);
			this.#ring.fill(this.#close, at, at + 4);
			this.#ring.fill(0, at + 4, at + fields);
		}
	}

	/** Adds a trade in `minute`, the newest or a later one. */
	trade(minute: number, price: number, lots: number): void {
		this.extendTo(minute);
		const ring = this.#ring;
		const at = ringIndex(this.#end - 1);
		const number = (field: number) => ring[at + field] ?? 0;
		if (number(4) === 0) ring.fill(price, at, at + 3);
		ring[at + 1] = Math.max(number(1), price);
		ring[at + 2] = Math.min(number(2), price);
		ring[at + 3] = price;
		ring[at + 4] = number(4) + lots;
		ring[at + 5] = number(5) + price * lots;
		this.#close = price;
	}

	/** Whether a sum can begin or end at `minute`: not inside an hour that is kept only as a whole. */
	canCutAt(minute: number): boolean {
		const endOfHour = Math.ceil(this.#end / hourMinutes) * hourMinutes;
		return minute <= this.first || minute % hourMinutes === 0 || minute >= endOfHour - keptMinutes;
	}

	/** Adds the existing minutes in `[from, to)` to `sum`. `canCutAt` holds for both. */
	addTo(sum: BarSum, from: number, to: number): void {
		const start = Math.max(from, this.first);
		const end = Math.min(to, this.#end);
		for (let minute = start; minute < end; ) {
			const hour = Math.floor(minute / hourMinutes);
			const startsHour = minute === Math.max(hour * hourMinutes, this.first);
			const whole = startsHour && (hour + 1) * hourMinutes <= end ? this.#hours.get(hour) : undefined;
			if (whole) sum.add(whole.bar, whole.turnover);
			else this.#addMinute(sum, minute);
			minute = whole ? (hour + 1) * hourMinutes : minute + 1;
		}
	}

	#addMinute(sum: BarSum, minute: number): void {
		const at = ringIndex(minute);
		const number = (field: number) => this.#ring[at + field] ?? 0;
		const bar = {open: number(0), high: number(1), low: number(2), close: number(3), volume: number(4)};
		sum.add(bar, number(5));
	}

	/** Sums the hour that ends at `#end`. */
	#endHour(): void {
		const sum = new BarSum();
		for (let minute = Math.max(this.#end - hourMinutes, this.first); minute < this.#end; minute++) {
			this.#addMinute(sum, minute);
		}

		this.#hours.set(this.#end / hourMinutes - 1, {bar: sum.bar, turnover: sum.turnover});
	}
}

const ringIndex = (minute: number): number => (minute % keptMinutes) * fields;
