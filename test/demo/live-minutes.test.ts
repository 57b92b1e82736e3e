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

test('keeps the minutes of today and yesterday, and the hours of all days', () => {
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
		expect(minutes.canCutAt(from)).toBe(true);
		expect(candle(from, hour)).toEqual(expected(from, hour));
	}

	const yesterday = midnight + 4 * day;
	const cuts = [first, first + 1, yesterday - day, yesterday - day + 1, yesterday + 1, last];
	expect(cuts.map(minute => minutes.canCutAt(minute))).toEqual([true, false, true, false, true, true]);
	for (let from = yesterday; from < last; from += 7) expect(candle(from, 7)).toEqual(expected(from, 7));
});

test('holds hardly more after a month than after two days', async () => {
	const markets = Array.from({length: 8}, (_, seed) => ({
		...{minutes: new LiveMinutes(midnight, 50_000), seed, next: midnight},
	}));
	const tradeTo = (last: number) => {
		for (const market of markets) {
			for (const {minute, price, lots} of someTrades(market.next, last, market.seed))
				market.minutes.trade(minute, price, lots);
			market.minutes.extendTo(last);
			market.next = last + 1;
		}
	};
	const held = async () => {
		await collectGarbage();
		const {heapUsed, external} = process.memoryUsage();
		return heapUsed + external;
	};
	tradeTo(midnight + 2 * day);
	const before = await held();
	tradeTo(midnight + 30 * day);
	const kilobytesADay = ((await held()) - before) / markets.length / 28 / 1024;
	expect(markets.every(({minutes}) => minutes.close > 0)).toBe(true);
	// Hours take 4 kB; as objects, minutes took 190.
	expect(kilobytesADay).toBeLessThan(10);
});
