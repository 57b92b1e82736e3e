import fc from 'fast-check';
import {expect, test} from 'vitest';
import {BarSum} from '../../source/demo/bar.ts';
import {LiveMinutes} from '../../source/demo/live-minutes.ts';
import {Random} from '../../source/demo/random.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';

const hour = 60;
const day = 24 * hour;
/** A midnight, minutes since the epoch. */
const midnight = 20_000 * day;

type Trade = {readonly minute: number; readonly price: number; readonly lots: number};
type Minute = {open: number; high: number; low: number; close: number; volume: number; turnover: number};

/** Every minute from `first` to `last`, nothing forgotten. */
function remembered(first: number, last: number, close: number, trades: readonly Trade[]): readonly Minute[] {
	const minutes: Minute[] = [];
	let before = close;
	let next = 0;
	for (let minute = first; minute <= last; minute++) {
		const bar = {open: before, high: before, low: before, close: before, volume: 0, turnover: 0};
		for (let trade = trades[next]; trade?.minute === minute; trade = trades[++next]) {
			const {price, lots} = trade;
			if (bar.volume === 0) Object.assign(bar, {open: price, high: price, low: price});
			bar.high = Math.max(bar.high, price);
			bar.low = Math.min(bar.low, price);
			bar.close = price;
			bar.volume += lots;
			bar.turnover += price * lots;
		}
		before = bar.close;
		minutes.push(bar);
	}

	return minutes;
}

function traded(first: number, last: number, close: number, trades: readonly Trade[]): LiveMinutes {
	const minutes = new LiveMinutes(first, close);
	for (const {minute, price, lots} of trades) minutes.trade(minute, price, lots);
	minutes.extendTo(last);
	return minutes;
}

const summed = (add: (sum: BarSum) => void) => {
	const sum = new BarSum();
	add(sum);
	return {...sum.bar, turnover: sum.turnover};
};

/** A market whose price wanders, with trades in about every other minute. */
function someTrades(first: number, last: number, seed: number): readonly Trade[] {
	const random = new Random(seed);
	const trades: Trade[] = [];
	let price = 50_000;
	for (let minute = first; minute <= last; minute++) {
		for (let left = Math.floor(random.uniform() * 4) - 1; left > 0; left--) {
			price = Math.max(1, price + Math.round(200 * random.gaussian()));
			trades.push({minute, price, lots: 1 + Math.floor(random.heavyTailed() * 10_000)});
		}
	}

	return trades;
}

test('adds up any stretch of the last days as if every trade were remembered', () => {
	const lengths = fc.record({
		start: fc.integer({min: 0, max: day - 1}),
		length: fc.integer({min: 1, max: 3 * day}),
		seed: fc.integer(),
		cuts: fc.array(fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.double({min: 0, max: 1, noNaN: true})), {
			minLength: 20,
			maxLength: 20,
		}),
	});
	fc.assert(
		fc.property(lengths, ({start, length, seed, cuts}) => {
			const first = midnight + start;
			const last = first + length - 1;
			const trades = someTrades(first, last, seed);
			const minutes = traded(first, last, 50_000, trades);
			const known = remembered(first, last, 50_000, trades);
			for (const shares of cuts) {
				const [from = 0, to = 0] = shares.map(share => Math.floor(share * length)).toSorted((a, b) => a - b);
				const expected = summed(sum => {
					for (const bar of known.slice(from, to + 1)) sum.add(bar, bar.turnover);
				});
				expect(summed(sum => minutes.addTo(sum, first + from, first + to + 1))).toEqual(expected);
			}
		}),
		{numRuns: 40},
	);
});

test('after weeks keeps the minutes of two of them, and the hours of all', () => {
	const first = midnight - 90;
	const last = midnight + 20 * day + 10 * hour;
	const trades = someTrades(first, last, 7);
	const minutes = traded(first, last, 50_000, trades);
	const known = remembered(first, last, 50_000, trades);

	const candle = (from: number, length: number) => summed(sum => minutes.addTo(sum, from, from + length));
	const expected = (from: number, length: number) =>
		summed(sum => {
			for (const bar of known.slice(Math.max(from - first, 0), from - first + length)) sum.add(bar, bar.turnover);
		});
	for (let from = midnight - 2 * hour; from < last; from += hour) {
		expect(minutes.canCutAt(from)).toBe(true);
		expect(candle(from, hour)).toEqual(expected(from, hour));
	}

	const kept = midnight + 6 * day;
	expect([first, first + 1, kept - 1, kept, kept + 1, last].map(minute => minutes.canCutAt(minute))).toEqual([
		true,
		false,
		false,
		true,
		true,
		true,
	]);
	for (let from = kept; from < last; from += 7) expect(candle(from, 7)).toEqual(expected(from, 7));
	expect(() => candle(kept - 5, 7)).toThrow(new RangeError('the minutes of this day are forgotten'));
});

test('takes 20 kB for each of the kept days at most and little more than a kilobyte for each older one', async () => {
	const markets = 20;
	const held = async (days: number) => {
		const last = midnight + days * day;
		const trades = someTrades(midnight, last, 3);
		await collectGarbage();
		const before = process.memoryUsage().arrayBuffers;
		const all = Array.from({length: markets}, () => traded(midnight, last, 50_000, trades));
		await collectGarbage();
		const bytes = (process.memoryUsage().arrayBuffers - before) / markets;
		expect(all.every(each => each.canCutAt(last))).toBe(true);
		return bytes;
	};
	const [oneDay, fifteen, twentyFive] = [await held(1), await held(15), await held(25)];
	expect((fifteen - oneDay) / 14).toBeLessThan(20_000);
	expect((fifteen - oneDay) / 14).toBeGreaterThan(2000);
	expect((twentyFive - fifteen) / 10).toBeLessThan(1500);
});
