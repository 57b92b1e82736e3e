import {expect, test} from 'vitest';
import {BarSum} from '../../source/demo/bar.ts';
import {LiveMinutes} from '../../source/demo/live-market.ts';
import {Random} from '../../source/demo/random.ts';

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

test('keeps every minute', () => {
	const first = midnight - 90;
	const last = midnight + 5 * day + 10 * hour;
	const trades = someTrades(first, last, 7);
	const minutes = traded(first, last, 50_000, trades);
	const known = remembered(first, last, 50_000, trades);

	const candle = (from: number, length: number) => summed(sum => minutes.addTo(sum, from, from + length));
	const expected = (from: number, length: number) =>
		summed(sum => {
			for (const bar of known.slice(Math.max(from - first, 0), from - first + length)) sum.add(bar, bar.turnover);
		});
	for (let from = midnight - 2 * hour; from < last; from += hour) {
		expect(candle(from, hour)).toEqual(expected(from, hour));
	}

	for (let from = midnight + 4 * day; from < last; from += 7) expect(candle(from, 7)).toEqual(expected(from, 7));
});
