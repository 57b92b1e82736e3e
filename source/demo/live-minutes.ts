import type {BarSum} from './bar.ts';
import {addBars, barFields, dayMinutes, PackedDay} from './packed-day.ts';

/** Days besides today whose minutes are kept; of the days before them only the hours are. */
const keptDays = 14;
const hourMinutes = 60;

/**
 * One-minute bars as they are traded, without holes: a minute without a trade stays at the price before it. Those of the
 * last two weeks are kept, of older ones the hours: 70 kB for today, 16 kB for each of the kept days, 1 kB for each older.
 */
export class LiveMinutes {
	/** Minutes since the epoch. */
	readonly first: number;
	/** The first minute that is not there yet. */
	#end: number;
	#close: number;
	readonly #today = new Float64Array(dayMinutes * barFields);
	/** From the day of the first minute to yesterday. */
	readonly #past: PackedDay[] = [];

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

	/** Makes sure that `minute` and all before it are there. */
	extendTo(minute: number): void {
		for (; this.#end <= minute; this.#end++) {
			const ofDay = this.#end % dayMinutes;
			if (ofDay === 0 && this.#end > this.first) this.#endDay();
			this.#today.fill(this.#close, ofDay * barFields, ofDay * barFields + 4);
			this.#today.fill(0, ofDay * barFields + 4, (ofDay + 1) * barFields);
		}
	}

	/** A trade in `minute`, the newest or a later one. */
	trade(minute: number, price: number, lots: number): void {
		this.extendTo(minute);
		const today = this.#today;
		const at = ((this.#end - 1) % dayMinutes) * barFields;
		const number = (field: number) => today[at + field] ?? 0;
		const volume = number(4);
		if (volume === 0) today.fill(price, at, at + 3);
		today[at + 1] = Math.max(number(1), price);
		today[at + 2] = Math.min(number(2), price);
		today[at + 3] = price;
		today[at + 4] = volume + lots;
		today[at + 5] = number(5) + price * lots;
		this.#close = price;
	}

	/** Whether a sum can begin or end with `minute`: not within an hour whose minutes are forgotten. */
	canCutAt(minute: number): boolean {
		const forgotten = Math.max(0, this.#past.length - keptDays);
		return minute <= this.first || minute % hourMinutes === 0 || minute >= (this.#firstDay + forgotten) * dayMinutes;
	}

	/** The minutes `[from, to)`, which `canCutAt`, added to `sum`; those not reached yet are left out. */
	addTo(sum: BarSum, from: number, to: number): void {
		const end = Math.min(to, this.#end);
		for (let minute = Math.max(from, this.first); minute < end; ) {
			const day = Math.floor(minute / dayMinutes);
			const until = Math.min(end, (day + 1) * dayMinutes);
			const [start, stop] = [minute - day * dayMinutes, until - day * dayMinutes];
			const past = this.#past[day - this.#firstDay];
			if (past) past.addTo(sum, start, stop);
			else addBars(sum, this.#today, start, stop);
			minute = until;
		}
	}

	get #firstDay(): number {
		return Math.floor(this.first / dayMinutes);
	}

	#endDay(): void {
		this.#past.push(new PackedDay(this.#today, this.#past.length === 0 ? this.first % dayMinutes : 0));
		this.#past.at(-1 - keptDays)?.forgetMinutes();
	}
}
