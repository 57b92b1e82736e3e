import {setLast} from '../market/memo.ts';
import {type Bar, type BarSum, splitBar} from './bar.ts';
import {hashNumbers, Random} from './random.ts';

/** In minutes, longest first; each is a whole multiple of the next. Counted from the epoch, so weeks start on Thursdays. */
const spans = [10_080, 1440, 60, 1] as const;

/**
 * How many splits of weeks, days and hours are cached per market. Bars are requested in order of time, and most often at the
 * ends of the last 24 hours, so each split serves its neighbours and the next poll. With fewer than three, candles that
 * cross the hour would compute each split twice.
 */
const keptSplits = 3;

/** The week of 2026-11-19, in which every market is near its listed price. */
const anchorWeek = 2968;
const octaves = 9;

export type HistoryOptions = {
	readonly seed: number;
	/** The price that the market stays around, in ticks. */
	readonly price: number;
	/** Relative deviation of the price over a week. */
	readonly weeklyVolatility: number;
	/** Mean volume of a week, in lots. */
	readonly weeklyVolume: number;
	/** Mean volume of a trade, in lots: determines how many minutes have no trade. */
	readonly tradeVolume: number;
};

/**
 * The past of one market, back to the epoch. Bars are computed on request: weeks come from a walk that can be computed at any
 * point, and each week splits exactly into days, hours and minutes, each with its own random stream.
 */
export class History {
	readonly #options: HistoryOptions;
	readonly #splits = spans.map(() => new Map<number, readonly Bar[]>());

	constructor(options: HistoryOptions) {
		this.#options = options;
	}

	/** Adds the minutes `[from, to)` since the epoch to `sum`, in as few pieces as possible. */
	addTo(sum: BarSum, from: number, to: number): void {
		for (let minute = from; minute < to; ) {
			const level = spans.findIndex(span => minute % span === 0 && minute + span <= to);
			const span = spans[level] ?? 1;
			sum.add(this.#bar(level, minute / span));
			minute += span;
		}
	}

	/** The closing price of the minute before `minute`, in ticks. */
	closeBefore(minute: number): number {
		return this.#bar(spans.length - 1, minute - 1).close;
	}

	#bar(level: number, index: number): Bar {
		if (level <= 0) return this.#week(index);
		const perParent = (spans[level - 1] ?? 1) / (spans[level] ?? 1);
		const parent = Math.floor(index / perParent);
		const bar = this.#split(level - 1, parent, perParent)[index - parent * perParent];
		if (!bar) throw new RangeError(`no bar ${index} of ${spans[level]} minutes`);
		return bar;
	}

	#split(level: number, index: number, count: number): readonly Bar[] {
		const splits = this.#splits[level];
		const bars = splits?.get(index) ?? this.#splitAnew(level, index, count);
		if (splits) setLast(splits, index, bars, keptSplits);
		return bars;
	}

	#splitAnew(level: number, index: number, count: number): readonly Bar[] {
		const random = new Random(hashNumbers(this.#options.seed, level, index));
		return splitBar(this.#bar(level, index), count, this.#options.tradeVolume, random);
	}

	#week(week: number): Bar {
		const {seed, weeklyVolatility, weeklyVolume} = this.#options;
		const random = new Random(hashNumbers(seed, -1, week));
		const open = this.#priceAtWeek(week);
		const close = this.#priceAtWeek(week + 1);
		const stretch = 0.6 * weeklyVolatility;
		return {
			open,
			high: Math.round(Math.max(open, close) * (1 + stretch * Math.abs(random.gaussian()))),
			low: Math.max(1, Math.round(Math.min(open, close) / (1 + stretch * Math.abs(random.gaussian())))),
			close,
			volume: Math.max(1, Math.round(weeklyVolume * Math.exp(0.5 * random.gaussian()))),
		};
	}

	/** The price at the start of a week: noise of wavelengths from 1 to 256 weeks, which looks like a walk but needs no past. */
	#priceAtWeek(week: number): number {
		let sum = 0;
		for (let octave = 0; octave < octaves; octave++) {
			sum += this.#wave(octave, week) - this.#wave(octave, anchorWeek);
		}
		return Math.max(1, Math.round(this.#options.price * Math.exp(sum)));
	}

	#wave(octave: number, week: number): number {
		const length = 2 ** octave;
		const left = Math.floor(week / length);
		const share = week / length - left;
		const height = (at: number) => new Random(hashNumbers(this.#options.seed, -2 - octave, at)).gaussian();
		const amplitude = 0.5 * this.#options.weeklyVolatility * Math.sqrt(length);
		return amplitude * (height(left) * (1 - share) + height(left + 1) * share);
	}
}
