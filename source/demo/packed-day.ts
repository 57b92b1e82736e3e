import {type Bar, BarSum} from './bar.ts';
import {VarintReader, VarintWriter} from './varints.ts';

/** Numbers of a bar in a row of bars: open, high, low, close (ticks), volume (lots), turnover (ticks × lots). */
export const barFields = 6;
export const dayMinutes = 1440;
const hourMinutes = 60;
const dayHours = dayMinutes / hourMinutes;

/** Adds the bars `[from, to)` of a row of bars to `sum`. */
export function addBars(sum: BarSum, bars: Float64Array, from: number, to: number): void {
	for (let index = from; index < to; index++) {
		const bar = barAt(bars, index);
		sum.add(bar, bar.turnover);
	}
}

/**
 * A day of one-minute bars that is over, without loss in less than a third of its room. Minutes without a trade stay at
 * the price before them; all numbers are whole.
 */
export class PackedDay {
	/** Minute of the day with which it begins. */
	readonly #first: number;
	/** A bar for each hour. */
	readonly #hours = new Float64Array(dayHours * barFields);
	/** Where each hour begins in the packed minutes. */
	readonly #starts = new Uint32Array(dayHours);
	#minutes: Uint8Array | undefined;
	/** The hour whose minutes were wanted last: who reads one of them reads the others too. */
	#unpacked: {readonly hour: number; readonly bars: Float64Array} | undefined;

	/** @param bars all minutes of the day; those before the minute `first` do not count */
	constructor(bars: Float64Array, first: number) {
		this.#first = first;
		const writer = new VarintWriter();
		for (let hour = Math.floor(first / hourMinutes); hour < dayHours; hour++) {
			const sum = new BarSum();
			addBars(sum, bars, this.#begin(hour), end(hour));
			setBar(this.#hours, hour, {...sum.bar, turnover: sum.turnover});
			this.#starts[hour] = writer.length;
			let price = sum.bar.open;
			for (let minute = this.#begin(hour); minute < end(hour); minute++) {
				const bar = barAt(bars, minute);
				pack(writer, bar, price);
				price = bar.close;
			}
		}

		this.#minutes = writer.bytes();
	}

	/** Keeps the hours only. */
	forgetMinutes(): void {
		this.#minutes = undefined;
		this.#unpacked = undefined;
	}

	/** The minutes `[from, to)` of the day, added to `sum`. Throws for parts of an hour whose minutes are forgotten. */
	addTo(sum: BarSum, from: number, to: number): void {
		for (let minute = Math.max(from, this.#first); minute < to; ) {
			const hour = Math.floor(minute / hourMinutes);
			const until = Math.min(to, end(hour));
			if (minute === this.#begin(hour) && until === end(hour)) addBars(sum, this.#hours, hour, hour + 1);
			else addBars(sum, this.#hourBars(hour), minute - hour * hourMinutes, until - hour * hourMinutes);
			minute = until;
		}
	}

	#begin(hour: number): number {
		return Math.max(hour * hourMinutes, this.#first);
	}

	/** The minutes of an hour. */
	#hourBars(hour: number): Float64Array {
		if (this.#unpacked?.hour === hour) return this.#unpacked.bars;
		if (!this.#minutes) throw new RangeError('the minutes of this day are forgotten');
		const bars = new Float64Array(hourMinutes * barFields);
		const reader = new VarintReader(this.#minutes, this.#starts[hour] ?? 0);
		let price = barAt(this.#hours, hour).open;
		for (let minute = this.#begin(hour); minute < end(hour); minute++) {
			const bar = unpack(reader, price);
			setBar(bars, minute - hour * hourMinutes, bar);
			price = bar.close;
		}

		this.#unpacked = {hour, bars};
		return bars;
	}
}

const end = (hour: number): number => (hour + 1) * hourMinutes;

type TurnedOver = Bar & {readonly turnover: number};

function barAt(bars: Float64Array, index: number): TurnedOver {
	const number = (field: number) => bars[index * barFields + field] ?? 0;
	return {
		open: number(0),
		high: number(1),
		low: number(2),
		close: number(3),
		volume: number(4),
		turnover: number(5),
	};
}

function setBar(bars: Float64Array, index: number, {open, high, low, close, volume, turnover}: TurnedOver): void {
	bars.set([open, high, low, close, volume, turnover], index * barFields);
}

function pack(writer: VarintWriter, {open, high, low, close, volume, turnover}: TurnedOver, before: number): void {
	writer.unsigned(volume);
	if (volume === 0) return;
	writer.signed(open - before);
	writer.signed(close - open);
	writer.unsigned(high - Math.max(open, close));
	writer.unsigned(Math.min(open, close) - low);
	writer.signed(turnover - volume * close);
}

function unpack(reader: VarintReader, before: number): TurnedOver {
	const volume = reader.unsigned();
	if (volume === 0) return {open: before, high: before, low: before, close: before, volume, turnover: 0};
	const open = before + reader.signed();
	const close = open + reader.signed();
	const high = Math.max(open, close) + reader.unsigned();
	const low = Math.min(open, close) - reader.unsigned();
	return {open, high, low, close, volume, turnover: volume * close + reader.signed()};
}
