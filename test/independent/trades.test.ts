/** What is shown of trades, against the same computed in whole numbers from the trades themselves. */
import {describe, test} from 'vitest';
import {groupCandles} from '../../source/market/candle-groups.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {dayChange, dayRange} from '../../source/market/day.ts';
import {dayAverage, daySums, medianQuantity, medianValue, tapeSums} from '../../source/market/tape-sums.ts';
import type {Side} from '../../source/market/types.ts';
import {windowBefore} from '../../source/market/windows.ts';
import {deltaTrend} from '../../source/view/panels/tape/delta-rows.ts';
import {comparing, comparingNumbers} from '../helpers/comparing.ts';
import {
	candleOf,
	decimal,
	markets,
	quotient,
	type RawTrade,
	rawCandle,
	rawCandles,
	rawTrades,
	total,
	tradesOf,
} from '../helpers/raw-market.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A Friday; the trades pass the end of its month. */
const start = Date.UTC(2026, 0, 30, 9, 17, 3, 250);

const cases = markets.map((digits, index) => ({digits, seed: index + 11}));

describe.each(cases)('of a market of $digits.price and $digits.quantity decimals', ({digits, seed}) => {
	const raw = rawTrades({seed, count: 2500, start, meanMs: 90_000});
	const trades = tradesOf(raw, digits);
	const tape = {trades, gaps: new Set<string>()};
	const [first, last] = [raw[0]?.time ?? 0, raw.at(-1)?.time ?? 0];
	const quantity = (counted: readonly RawTrade[]) => decimal(total(counted.map(({lots}) => lots)), digits.quantity);
	const of = (counted: readonly RawTrade[], side: Side | undefined) => counted.filter(trade => trade.side === side);
	const costOf = (counted: readonly RawTrade[]) => total(counted.map(({ticks, lots}) => ticks * lots));
	/** Moments all over the tape, some of which are those of trades, or a minute or a day later. */
	const moments = Array.from({length: 60}, (_, index) => Math.round(first + ((last - first) * index) / 59)).flatMap(
		(time, index) => {
			const traded = raw[index * 40]?.time ?? time;
			return [time, traded, traded + (index % 2 === 0 ? minute : day)];
		},
	);

	const sumsOf = (counted: readonly RawTrade[]) => {
		const [bought, sold] = [of(counted, 'buy'), of(counted, 'sell')];
		const lots = (some: readonly RawTrade[]) => total(some.map(trade => trade.lots));
		return {
			...{bought: quantity(bought), sold: quantity(sold), unknown: quantity(of(counted, undefined))},
			delta: decimal(lots(bought) - lots(sold), digits.quantity),
		};
	};

	test('sums of a tape and trades of the last minute', context => {
		const compare = comparing(context);
		const all = sumsOf(raw);
		for (const end of moments) {
			const {bought, sold, unknown, delta, perMinute} = tapeSums(tape, end);
			compare({bought, sold, unknown, delta}, all);
			compare(perMinute, raw.filter(({time}) => time > end - minute).length);
		}
	});

	test('sums and average price of a day', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const from of moments) {
			const counted = raw.filter(({time}) => time >= from);
			const {bought, sold, unknown, delta} = daySums(tape, from);
			compare({bought, sold, unknown, delta}, sumsOf(counted));
			if (counted.length === 0) continue;
			const lots = total(counted.map(trade => trade.lots));
			const average = quotient(costOf(counted), lots * 10n ** BigInt(digits.price));
			compareNumbers(dayAverage(tape, from)?.price, average, 'the average price');
		}
	});

	test('the usual size and value of a trade', context => {
		const compare = comparing(context);
		for (const count of [1, 2, 499, 500, 501, 2500]) {
			const newest = raw.slice(-count);
			const middle = (values: readonly bigint[]) => {
				const sorted = values.slice(-500).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
				return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0n;
			};
			const some = trades.slice(0, count);
			compare(medianQuantity(some), decimal(middle(newest.map(({lots}) => lots)), digits.quantity));
			const value = decimal(middle(newest.map(({ticks, lots}) => ticks * lots)), digits.price + digits.quantity);
			comparingNumbers(context)(medianValue(some), value);
		}
	});

	test('the cumulative delta', context => {
		const compare = comparing(context);
		let units = 0n;
		const sums = raw.map(({side, lots}) => {
			if (side !== undefined) units += side === 'buy' ? lots : -lots;
			return decimal(units, digits.quantity);
		});
		sums.reverse();
		for (const columns of [10, 37, 80, 500]) {
			const {values} = deltaTrend(tape, columns);
			compare(values.at(-1), sums[0]);
			// Each column ends with the delta after some trade, in their order.
			let next = 0;
			for (const value of values.toReversed()) {
				const at = sums.indexOf(value ?? Number.NaN, next);
				compare(at >= 0, true, `column with ${value}`);
				next = at;
			}
		}
	});

	const calendar = (period: number) => (time: number) => {
		const date = new Date(time);
		const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
		if (period === 43_829.1) return Date.UTC(year, month);
		if (period === 10_080) return Date.UTC(year, month, dayOfMonth - ((date.getUTCDay() + 6) % 7));
		const minutes = date.getUTCHours() * 60 + date.getUTCMinutes();
		return Date.UTC(year, month, dayOfMonth, 0, minutes - (minutes % period));
	};

	test('candles of trades', context => {
		const compare = comparing(context);
		for (const period of [1, 5, 15, 60, 240, 720, 1440]) {
			const expected = rawCandles(raw, calendar(period));
			const {candles} = candlesFromTrades(trades, period);
			compare(candles.length, expected.length);
			for (const [index, candle] of expected.entries()) compare(candles[index], candleOf(candle, digits));
		}
	});

	test('candles of shorter candles', context => {
		const compare = comparing(context);
		for (const [period, longer] of [
			[1, 5],
			[1, 60],
			[5, 240],
			[60, 1440],
			[60, 10_080],
			[240, 10_080],
		] as const) {
			const shorter = rawCandles(raw, calendar(period)).map(candle => candleOf(candle, digits));
			const expected = rawCandles(raw, calendar(longer));
			const {candles} = groupCandles(shorter, period, longer);
			compare(candles.length, expected.length);
			for (const [index, candle] of expected.entries()) compare(candles[index], candleOf(candle, digits));
		}
	});

	/** What a window from `from` to the trade before `index` has. */
	const windowOf = (from: number, index: number, isWhole: boolean) => {
		const known = raw.slice(0, index);
		const counted = known.filter(({time}) => (isWhole ? time > from : time >= from));
		const before = known.filter(({time}) => (isWhole ? time <= from : time < from)).at(-1);
		const candle = counted.length > 0 ? rawCandle(0, counted) : undefined;
		const price = (ticks: bigint | undefined) => (ticks === undefined ? undefined : decimal(ticks, digits.price));
		return {
			...{open: price(before?.ticks), high: price(candle?.high), low: price(candle?.low)},
			volume: quantity(counted),
		};
	};

	test('windows of trades, and of candles where trades do not reach', context => {
		const compare = comparing(context);
		const minutes = rawCandles(raw, calendar(1)).map(candle => candleOf(candle, digits));
		for (const now of moments) {
			const newest = trades.findIndex(({time}) => time <= now);
			if (newest === -1) continue;
			const index = raw.length - newest;
			for (const ms of [minute, 10 * minute, hour, 7 * hour, day]) {
				if (now - ms <= first) continue;
				const {open, high, low, volume} = windowBefore({tape, candles: []}, ms, now, newest) ?? {};
				compare({open, high, low, volume}, windowOf(now - ms, index, true), `${ms} ms at ${now}`);
				const sides = windowBefore({tape, candles: []}, ms, now, newest)?.trades;
				const counted = raw.slice(0, index).filter(({time}) => time > now - ms);
				compare(sides?.count, counted.length);
				const isOneUnknown = of(counted, undefined).length > 0;
				compare(sides?.bought, isOneUnknown ? undefined : quantity(of(counted, 'buy')));
				compare(sides?.sold, isOneUnknown ? undefined : quantity(of(counted, 'sell')));

				// A tape of a few trades, whose oldest one is the first of its millisecond.
				const short = {trades: trades.slice(0, newest + 40), gaps: new Set<string>()};
				const reach = short.trades.at(-1)?.time ?? 0;
				if (reach <= now - ms || minutes[0] === undefined) continue;
				const past = {tape: short, candles: [{period: 1, candles: minutes, completeTo: last + minute}]};
				const joined = windowBefore(past, ms, now, newest);
				const isSeamed = Math.ceil((reach + 1) / minute) * minute <= now;
				const from = Math.floor((now - ms) / minute) * minute;
				const expected = windowOf(from, index, false);
				const {open: opened, high: highest, low: lowest, volume: traded} = joined ?? {};
				if (isSeamed && from > first) {
					compare({open: opened, high: highest, low: lowest, volume: traded}, expected, `candles, ${ms} at ${now}`);
				}
			}
		}
	});

	test('change and range of 24 hours', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const trade of raw.filter((_, index) => index % 40 === 0)) {
			const opened = raw.find(({time}) => time > trade.time - day) ?? trade;
			const ticker = {symbol: 'ABC', state: 'active', open: decimal(opened.ticks, digits.price)};
			const {change, percent} = dayChange(ticker, decimal(trade.ticks, digits.price));
			compare(change, decimal(trade.ticks - opened.ticks, digits.price));
			const expected = quotient((trade.ticks - opened.ticks) * 100n, opened.ticks);
			compareNumbers(percent, expected, 'the change in percent', 100);
			// The second time is 24 hours after a trade, which no longer counts.
			for (const now of [trade.time, (raw[Math.max(trade.id - 30, 0)]?.time ?? 0) + day]) {
				const within = raw.filter(({time, id}) => time > now - day && id <= trade.id);
				if (within.length === 0) continue;
				// A ticker of any trade that counts.
				const known = decimal(within[0]?.ticks ?? 0n, digits.price);
				const range = dayRange({...ticker, high: known, low: known}, trades.slice(raw.length - 1 - trade.id), now);
				const {high, low} = rawCandle(0, within);
				compare(range, {high: decimal(high, digits.price), low: decimal(low, digits.price)});
			}
		}
	});
});
