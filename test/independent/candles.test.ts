/** What is shown of candles, against the same computed from their definitions, in whole numbers where there are no roots. */
import {describe, type TestContext, test} from 'vitest';
import {quantityValue} from '../../source/alerts/quantity-values.ts';
import {heikinAshi} from '../../source/market/candle-groups.ts';
import {type CandleSeries, highestSoFar} from '../../source/market/candles.ts';
import {atr, bollinger, ema, macd, rsi, sma, type Values, volumeAverage, vwap} from '../../source/market/indicators.ts';
import {changeSince, stepPrices} from '../../source/market/performance.ts';
import {valueShare, volumeProfile} from '../../source/market/volume-profile.ts';
import {measured} from '../../source/view/panels/chart/legend.ts';
import {seeded} from '../helpers/candles.ts';
import {comparing, comparingNumbers} from '../helpers/comparing.ts';
import {marketState, received} from '../helpers/market-state.ts';
import {candleOf, decimal, markets, quotient, type RawCandle, total} from '../helpers/raw-market.ts';

const hour = 3_600_000;
const start = Date.UTC(2025, 11, 29, 5);

/** Candles of an hour at random, oldest first, some missing, some without a trade. */
function rawHours(seed: number, count: number): readonly RawCandle[] {
	const random = seeded(seed);
	let [time, close] = [start, 40_000];
	return Array.from({length: count}, () => {
		time += hour * (random() < 0.03 ? 1 + Math.floor(random() * 40) : 1);
		const open = close;
		if (random() < 0.85) close = Math.max(open + Math.round((random() - 0.5) * 900), 50);
		const reach = () => Math.floor(random() * 40);
		return {
			...{time, open: BigInt(open), close: BigInt(close)},
			...{high: BigInt(Math.max(open, close) + reach()), low: BigInt(Math.min(open, close) - reach())},
			volume: BigInt(random() < 0.05 ? 0 : Math.ceil(random() ** 3 * 800_000)),
		};
	});
}

const mean = (values: readonly bigint[], decimals: number): number =>
	quotient(total(values), BigInt(values.length) * 10n ** BigInt(decimals));

/** Compares each value with the expected one; undefined: there is none yet. */
function compareAll(
	context: TestContext,
	values: Values,
	expected: readonly (number | undefined)[],
	size?: number,
): void {
	const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
	for (const [index, value] of expected.entries()) {
		if (value === undefined) compare(values.at(index), undefined, `at ${index}`);
		else compareNumbers(values.at(index), value, `at ${index}`, size);
	}
}

/** An exponential mean that begins with the first value. */
function exponential(values: readonly number[], length: number): readonly number[] {
	const weight = 2 / (length + 1);
	const means: number[] = [];
	for (const value of values) means.push(value * weight + (means.at(-1) ?? value) * (1 - weight));
	return means;
}

describe.each(markets.map((digits, index) => ({digits, seed: index + 31})))('of $digits.price decimals', given => {
	const {digits, seed} = given;
	const raw = rawHours(seed, 500);
	const candles = raw.map(candle => candleOf(candle, digits));
	const series: CandleSeries = {period: 60, candles, builtFrom: 'exchange'};
	const closes = raw.map(({close}) => close);
	const prices = candles.map(({close}) => close);
	const highest = Math.max(...candles.map(({high}) => high));
	const last = (length: number, index: number) => raw.slice(index - length + 1, index + 1);
	const fromIndex = (first: number, value: (index: number) => number | undefined) =>
		raw.map((_, index) => (index < first ? undefined : value(index)));

	test.for([2, 5, 20, 50, 200])('the mean of %i', (length, context) => {
		const closesOf = (index: number) => last(length, index).map(({close}) => close);
		const expected = fromIndex(length - 1, index => mean(closesOf(index), digits.price));
		compareAll(context, sma(candles, length), expected);
		const volumes = (index: number) =>
			mean(
				last(length, index).map(({volume}) => volume),
				digits.quantity,
			);
		const size = decimal(900_000, digits.quantity);
		compareAll(context, volumeAverage(candles, length), fromIndex(length - 1, volumes), size);
	});

	test.for([2, 5, 20, 50])('the exponential mean of %i', (length, context) => {
		const means = exponential(prices, length);
		compareAll(
			context,
			ema(candles, length),
			fromIndex(length - 1, index => means[index]),
		);
	});

	test.for([5, 20, 34])('the bands of %i', (length, context) => {
		const bands = bollinger(candles, length, 2);
		const unit = 10n ** BigInt(digits.price);
		const of = (index: number) => {
			const values = last(length, index).map(({close}) => close);
			const count = BigInt(length);
			const sum = total(values);
			// The variance times the square of the count.
			const squares = count * total(values.map(value => value * value)) - sum * sum;
			const deviation = Math.sqrt(quotient(squares, count * count * unit * unit));
			return {middle: quotient(sum, count * unit), deviation};
		};
		const curve = (sign: number) => fromIndex(length - 1, index => of(index).middle + sign * 2 * of(index).deviation);
		compareAll(context, bands.lower, curve(-1), highest);
		compareAll(context, bands.middle, curve(0), highest);
		compareAll(context, bands.upper, curve(1), highest);
	});

	test.for([2, 5, 14])('the relative strength of %i', (length, context) => {
		const moves = prices.slice(1).map((price, index) => price - (prices[index] ?? price));
		const smoothed = (amounts: readonly number[]) => {
			let average = amounts.slice(0, length).reduce((sum, amount) => sum + amount, 0) / length;
			return amounts.map((amount, index) => {
				if (index >= length) average = (average * (length - 1) + amount) / length;
				return average;
			});
		};
		const [up, down] = [
			smoothed(moves.map(move => Math.max(move, 0))),
			smoothed(moves.map(move => Math.max(-move, 0))),
		];
		const expected = fromIndex(length, index => {
			const [gain = 0, loss = 0] = [up[index - 1], down[index - 1]];
			const isUnmoved = closes.slice(index - length, index + 1).every(close => close === closes[index]);
			return isUnmoved ? undefined : (100 * gain) / (gain + loss);
		});
		compareAll(context, rsi(candles, length), expected, 100);
	});

	test.for([
		[12, 26, 9],
		[2, 5, 9],
	] as const)('the difference of means of %j', ([short, long, signal], context) => {
		const [fast, slow] = [exponential(prices, short), exponential(prices, long)];
		const lines = fast.map((value, index) => value - (slow[index] ?? 0));
		const signals = exponential(lines.slice(long - 1), signal);
		const found = macd(candles, short, long, signal);
		compareAll(
			context,
			found.macd,
			fromIndex(long - 1, index => lines[index]),
			highest,
		);
		const first = long - 1 + signal - 1;
		const signalAt = (index: number) => signals[index - long + 1] ?? 0;
		compareAll(context, found.signal, fromIndex(first, signalAt), highest);
		compareAll(
			context,
			found.histogram,
			fromIndex(first, index => (lines[index] ?? 0) - signalAt(index)),
			highest,
		);
	});

	test.for([2, 14])('the average true range of %i', (length, context) => {
		let average = 0;
		const averages = raw.map(({high, low}, index) => {
			const before = raw[index - 1]?.close ?? low;
			const reaches = [high - low, high - before, before - low].map(units => decimal(units, digits.price));
			const range = index === 0 ? (reaches[0] ?? 0) : Math.max(...reaches);
			average = index < length ? average + range / length : (average * (length - 1) + range) / length;
			return average;
		});
		compareAll(
			context,
			atr(candles, length),
			fromIndex(length - 1, index => averages[index]),
			highest,
		);
	});

	test.for([
		['day', 10],
		['month', 7],
		['year', 4],
	] as const)('the mean by volume of a %s', ([session, letters], context) => {
		const sessions = raw.map(({time}) => new Date(time).toJSON().slice(0, letters));
		const expected = raw.map((_, index) => {
			const alike = raw.slice(sessions.indexOf(sessions[index] ?? ''), index + 1);
			const volume = total(alike.map(each => each.volume));
			// The series begins inside its first session.
			if (volume === 0n || sessions[index] === sessions[0]) return undefined;
			const cost = total(alike.map(each => (each.high + each.low + each.close) * each.volume));
			return quotient(cost, 3n * volume * 10n ** BigInt(digits.price));
		});
		compareAll(context, vwap(series, session, false), expected);
	});

	test('indicators in rules, of closed candles', context => {
		const compareNumbers = comparingNumbers(context);
		const known = {state: marketState(), candlesOf: () => received(series, start), facts: new Map()};
		const quantityOf = (name: 'sma' | 'ema' | 'rsi' | 'vwap', count: number, now: number) => {
			const moment = {now, newest: 0, isTrade: false};
			const candlesOf = () => received(series, now);
			return quantityValue(
				{type: 'quantity', name, count, period: 60},
				{...known, candlesOf, facts: new Map()},
				moment,
			);
		};
		for (const end of [60, 200, 333, 499]) {
			const closed = raw.slice(0, end);
			const now = (closed.at(-1)?.time ?? 0) + hour;
			for (const count of [3, 14, 50]) {
				const some = closed.slice(-count);
				const cost = total(some.map(({high, low, close, volume}) => (high + low + close) * volume));
				const volume = total(some.map(each => each.volume));
				compareNumbers(
					quantityOf('sma', count, now),
					mean(
						some.map(({close}) => close),
						digits.price,
					),
				);
				compareNumbers(quantityOf('ema', count, now), exponential(prices.slice(0, end), count).at(-1));
				compareNumbers(quantityOf('vwap', count, now), quotient(cost, 3n * volume * 10n ** BigInt(digits.price)));
			}
		}
	});

	test('averaged candles and the highest price so far', context => {
		const compareNumbers = comparingNumbers(context);
		const averaged = heikinAshi(candles);
		const highs = highestSoFar(candles);
		let before: {readonly open: number; readonly close: number} | undefined;
		for (const [index, candle] of candles.entries()) {
			const close = (candle.open + candle.high + candle.low + candle.close) / 4;
			const open = before ? (before.open + before.close) / 2 : (candle.open + candle.close) / 2;
			before = {open, close};
			const found = averaged.at(index);
			compareNumbers(found?.open, open);
			compareNumbers(found?.close, close);
			compareNumbers(found?.high, Math.max(candle.high, open, close));
			compareNumbers(found?.low, Math.min(candle.low, open, close));
			compareNumbers(highs.at(index), Math.max(...candles.slice(0, index + 1).map(({high}) => high)));
		}
	});

	test('the volume profile', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const [from, to, count] of [
			[0, 500, 24],
			[100, 180, 12],
			[300, 340, 40],
			[450, 500, 7],
		] as const) {
			const some = raw.slice(from, to);
			const least = some.map(({low}) => low).reduce((a, b) => (a < b ? a : b));
			const most = some.map(({high}) => high).reduce((a, b) => (a > b ? a : b));
			const width = (most - least) / BigInt(count) + 1n;
			// From the top down, in ticks; the last reaches below every candle.
			const edges = Array.from({length: count + 1}, (_, index) => most - width * BigInt(index));
			const shares = edges.slice(1).map((bottom, index) => {
				const top = edges[index] ?? 0n;
				return some.reduce((sum, {high, low, volume}) => {
					const [upper, lower] = [high < top ? high : top, low > bottom ? low : bottom];
					return upper <= lower ? sum : sum + quotient(volume * (upper - lower), high - low);
				}, 0);
			});
			const found = volumeProfile(
				candles.slice(from, to),
				edges.map(edge => decimal(edge, digits.price)),
			);
			const all = shares.reduce((sum, share) => sum + share, 0);
			for (const [index, share] of shares.entries()) {
				const expected = share / 10 ** digits.quantity;
				compareNumbers(found.volumes[index], expected, `stretch ${index}`, all / 10 ** digits.quantity);
			}

			const control = shares.indexOf(Math.max(...shares));
			compare(found.control, control, 'the point of control');
			// All areas around it that neighbours of more volume widen.
			let [first, end] = [control, control];
			const held = () => shares.slice(first, end + 1).reduce((sum, share) => sum + share, 0);
			compare(valueShare, 0.7);
			while (held() < 0.7 * all) {
				if ((shares[first - 1] ?? -1) >= (shares[end + 1] ?? -1)) first--;
				else end++;
			}

			compare(found.area, {first, last: end}, 'the value area');
		}
	});

	test('what is measured between two candles', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		const endOf = (index: number) => index;
		for (let mark = 0; mark < raw.length; mark += 41) {
			for (let cross = 3; cross < raw.length; cross += 53) {
				const [from, to] = [raw[mark], raw[cross]];
				if (!from || !to) continue;
				const marked = {mark: {time: from.time, price: decimal(from.close, digits.price)}, crossPrice: undefined};
				const found = measured({series, decimals: digits.price, ...marked}, {candles, cross, endOf});
				compare(found?.change, decimal(to.close - from.close, digits.price), 'the change');
				compareNumbers(found?.percent, quotient((to.close - from.close) * 100n, from.close), 'percent', 100);
				compare(found?.candles, cross - mark);
				compare(found?.ms, to.time - from.time);
				const between = raw.slice(Math.min(mark, cross) + 1, Math.max(mark, cross) + 1);
				compare(found?.volume, decimal(total(between.map(({volume}) => volume)), digits.quantity), 'the volume');
			}
		}
	});

	test('performance of compared markets, from any step', context => {
		const [compare, compareNumbers] = [comparing(context), comparingNumbers(context)];
		for (const period of [60, 240, 1440]) {
			const from = Math.floor(start / (period * 60_000)) * period * 60_000 - 2 * period * 60_000;
			const count = Math.floor(((raw.at(-1)?.time ?? 0) - from) / (period * 60_000)) + 3;
			const found = stepPrices(candles, {from, period, count});
			const ticks = Array.from({length: count}, (_, step) => {
				const end = from + (step + 1) * period * 60_000;
				return raw.findLast(({time}) => time < end)?.close;
			});
			for (const [step, close] of ticks.entries()) {
				compare(found[step], close === undefined ? undefined : decimal(close, digits.price), `step ${step}`);
				const base = ticks[Math.floor(count / 3)];
				if (close === undefined || base === undefined) continue;
				const expected = quotient((close - base) * 100n, base);
				compareNumbers(changeSince(decimal(base, digits.price), found[step]), expected, `change ${step}`, 100);
			}
		}
	});
});
