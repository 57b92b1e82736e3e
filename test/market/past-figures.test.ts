/** Figures of the past are compared with the same ones computed from all trades of a market. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {candlesFromTrades} from '../../source/market/candles.ts';
import {
	candlesAheadMs,
	compacted,
	isOfNewest,
	noPast,
	type PastCandles,
	type PastPeriod,
	pastFigures,
	pastNames,
	pastPeriods,
} from '../../source/market/past-figures.ts';
import type {Candle, Trade} from '../../source/market/types.ts';
import {dayMs, hourMs, minuteMs} from '../../source/market/units.ts';
import {candle, trade} from '../store/samples.ts';

const start = Date.UTC(2026, 0, 20);
/** All of an exchange that is known to send the newest candles. */
const how = {...noPast, sendsNewest: new Set(pastPeriods), names: pastNames};

type Answered = {
	readonly trades: readonly Trade[];
	/** When the exchange answered. */
	readonly at: number;
	readonly limit?: number;
	/** Whether the candle that is forming is in the answer. */
	readonly hasForming?: boolean;
	/** Whether the exchange sends its oldest candles instead. */
	readonly sendsOldest?: boolean;
	/** Index of an entry that could not be read. */
	readonly unread?: number | undefined;
};

/** What an exchange answers with that has these trades, oldest first. */
function answered(
	{trades, at, limit = Infinity, hasForming = true, sendsOldest, unread}: Answered,
	period: PastPeriod,
) {
	const all = candlesFromTrades(trades.filter(({time}) => time <= at).toReversed(), period).candles;
	const ended = hasForming ? all : all.filter(({time}) => time + period * minuteMs <= at);
	const sent = sendsOldest ? ended.slice(0, limit) : ended.slice(-limit);
	const dropped = unread === undefined || sent.length === 0 ? -1 : unread % sent.length;
	return compacted(
		sent.filter((_, index) => index !== dropped),
		period,
		{receivedAt: at, dropped: dropped < 0 ? 0 : 1},
	);
}

const past = (answer: Answered) => ({1: answered(answer, 1), 60: answered(answer, 60)});

/** An exchange that sends its oldest candles never shows that it sends the newest. */
const knownOf = ({sendsOldest}: Answered) => (sendsOldest ? {...noPast, names: pastNames} : how);

/** The last price before `time`. */
const priceBefore = (trades: readonly Trade[], time: number): number | undefined =>
	trades.findLast(each => each.time < time)?.price;
const change = (base: number | undefined, price: number) => base && (price / base - 1) * 100;
const floored = (time: number, ms: number) => Math.floor(time / ms) * ms;

/** Trades of up to `days` days before the start, in clusters. */
const marketOf = (days: number) =>
	fc
		.array(
			fc.record({
				ago: fc.integer({min: 0, max: days * dayMs}),
				count: fc.integer({min: 1, max: 30}),
				everyMs: fc.integer({min: 1, max: 10 * minuteMs}),
			}),
			{minLength: 1, maxLength: 30},
		)
		.map(clusters =>
			clusters
				.flatMap(({ago, count, everyMs}) => Array.from({length: count}, (_, index) => start - ago + index * everyMs))
				.sort((a, b) => a - b)
				.map((time, index) => trade(index, time, 100 + ((index * 37) % 101), 1 + (index % 5))),
		);

const answers = fc.record({
	trades: fc.oneof(marketOf(1), marketOf(10)),
	at: fc.integer({min: start, max: start + 2 * hourMs}),
	limit: fc.constantFrom(Infinity, 300, 20, 1),
	hasForming: fc.boolean(),
	sendsOldest: fc.boolean(),
	unread: fc.option(fc.nat(400), {nil: undefined}),
});

test('a known change is exactly the one from the last trade before that minute, or that hour', () => {
	fc.assert(
		fc.property(answers, fc.integer({min: -hourMs, max: 2 * hourMs}), (answer, later) => {
			const time = answer.at + later;
			const found = pastFigures(past(answer), {price: 250, receivedAt: time, time}, knownOf(answer));
			const bases = {
				'1h': floored(time - hourMs, minuteMs),
				'4h': floored(time - 4 * hourMs, minuteMs),
				'7d': floored(time - 7 * dayMs, hourMs),
			};
			for (const [name, at] of Object.entries(bases)) {
				const value = found[name as '1h'];
				if (value !== undefined) expect(value).toBeCloseTo(change(priceBefore(answer.trades, at), 250) ?? 0, 9);
			}
		}),
	);
});

/** Whether the last 25 candles follow each other. */
const isSteady = ({times, period}: PastCandles): boolean =>
	(times.at(-1) ?? 0) - (times.at(-25) ?? 0) === 24 * period * minuteMs;

test('a change is known until 58 minutes after the answer if whole candles reach back so far', () => {
	fc.assert(
		fc.property(answers, fc.integer({min: 0, max: 57 * minuteMs}), ({trades, at}, later) => {
			const time = at + later;
			const {1: minutes, 60: hours} = past({trades, at});
			for (const candles of [minutes, hours]) fc.pre(!candles || candles.times.length < 25 || !isSteady(candles));
			const found = pastFigures({1: minutes, 60: hours}, {price: 250, receivedAt: time, time}, how);
			const hasPrice = (moment: number) => priceBefore(trades, moment) !== undefined;
			expect([found['1h'] !== undefined, found['4h'] !== undefined, found['7d'] !== undefined]).toEqual([
				hasPrice(floored(time - hourMs, minuteMs)),
				hasPrice(floored(time - 4 * hourMs, minuteMs)),
				hasPrice(floored(time - 7 * dayMs, hourMs)),
			]);
		}),
	);
});

test('a known relative volume is that of the last full hour against the mean of the 24 before it', () => {
	fc.assert(
		fc.property(answers, fc.integer({min: 0, max: hourMs}), (answer, later) => {
			const time = answer.at + later;
			const {rvol, rvolEndedAt} = pastFigures(past(answer), {price: 1, receivedAt: time, time}, knownOf(answer));
			if (rvol === undefined || rvolEndedAt === undefined) return;
			const last = floored(Math.min(time, answer.at - 2 * minuteMs), hourMs);
			if (answer.sendsOldest) expect(rvolEndedAt).toBeLessThanOrEqual(last);
			else expect(rvolEndedAt).toBe(last);
			const volumeIn = (from: number, to: number) =>
				answer.trades.reduce((sum, each) => sum + (each.time >= from && each.time < to ? each.quantity : 0), 0);
			const mean = volumeIn(rvolEndedAt - 25 * hourMs, rvolEndedAt - hourMs) / 24;
			expect(rvol).toBeCloseTo(volumeIn(rvolEndedAt - hourMs, rvolEndedAt) / mean, 9);
		}),
	);
});

const hours = (count: number, volumeOf: (ago: number) => number | undefined): readonly Candle[] =>
	Array.from({length: count}, (_, index) => count - index)
		.map(ago => ({ago, volume: volumeOf(ago)}))
		.flatMap(({ago, volume}) => (volume === undefined ? [] : candle(start - ago * hourMs, 100, volume)));

const figures = (candles: readonly Candle[], period: PastPeriod, {at = start + 5 * minuteMs, dropped = 0} = {}) =>
	pastFigures(
		{[period]: compacted(candles, period, {receivedAt: at, dropped})},
		{price: 110, receivedAt: at, time: at},
		how,
	);

describe('a relative volume', () => {
	test('counts an hour without a candle as one without trades, and not the hour that is forming', () => {
		const candles = [...hours(30, ago => (ago === 1 ? 36 : ago % 2 === 0 ? 24 : undefined)), candle(start, 100, 1000)];
		expect(figures(candles, 60)).toMatchObject({rvol: 3, rvolEndedAt: start});
		expect(
			figures(
				hours(30, ago => (ago === 1 || ago === 3 ? undefined : 24)),
				60,
			),
		).toMatchObject({rvol: 0, rvolEndedAt: start});
	});

	test.each([
		['one hour of a steadily traded market may be late', 1, {rvol: 2, rvolEndedAt: start - hourMs}],
		['a steadily traded market that is silent for a day is quiet', 24, {rvol: 0, rvolEndedAt: start}],
	])('is of the last hour that is known: %s', (_, missing, expected) => {
		const candles = hours(60, ago => (ago <= missing ? undefined : ago === missing + 1 ? 48 : 24));
		expect(figures(candles, 60)).toMatchObject(expected);
	});

	test('is of the hour before while the last one may not be there yet', () => {
		const candles = hours(30, ago => (ago === 1 ? 48 : 24));
		expect(figures(candles, 60, {at: start + minuteMs})).toMatchObject({rvol: 1, rvolEndedAt: start - hourMs});
	});

	test.each<[string, readonly Candle[], number]>([
		['of a market listed two hours ago', hours(2, () => 24), 0],
		[
			'of a market without a trade in the 24 hours before',
			hours(30, ago => (ago === 1 || ago > 25 ? 24 : undefined)),
			0,
		],
		['where an hour is missing and an entry could not be read', hours(30, ago => (ago === 5 ? undefined : 24)), 1],
	])('is unknown %s', (_, candles, dropped) => {
		expect(figures(candles, 60, {dropped})).not.toHaveProperty('rvol');
	});

	test.each([
		['3 h 59 min', 239, 1],
		['4 h', 240, undefined],
	])('is unknown once its hour ended four hours ago: %s', (_, minutesAgo, rvol) => {
		const candles = hours(30, () => 24);
		const page = {receivedAt: start + 5 * minuteMs, dropped: 0};
		const at = start + minutesAgo * minuteMs;
		const found = pastFigures({60: compacted(candles, 60, page)}, {price: 1, receivedAt: at, time: at}, how);
		expect(found.rvol).toBe(rvol);
	});

	test('is known although an older entry could not be read', () => {
		expect(
			figures(
				hours(30, ago => (ago === 29 ? undefined : 24)),
				60,
				{dropped: 1},
			),
		).toMatchObject({rvol: 1});
	});
});

describe('a change', () => {
	const minutes = (count: number) =>
		Array.from({length: count}, (_, index) => candle(start - (count - index) * minuteMs, 100));

	test('of a market listed two hours ago is known for one hour, not for four, and not for seven days', () => {
		const market = {...{1: compacted(minutes(120), 1, {receivedAt: start, dropped: 0})}};
		const found = pastFigures(market, {price: 110, receivedAt: start, time: start}, how);
		expect(found['1h']).toBeCloseTo(10, 9);
		expect([found['4h'], found['7d'], found.rvol]).toEqual([undefined, undefined, undefined]);
	});

	test('is unknown without a price', () => {
		const market = {1: compacted(minutes(120), 1, {receivedAt: start, dropped: 0})};
		expect(pastFigures(market, {price: undefined, receivedAt: start, time: start}, how)['1h']).toBeUndefined();
	});

	test('takes the price of an hour before which nothing was traded since, where minutes do not reach back', () => {
		const market = {
			1: compacted([], 1, {receivedAt: start, dropped: 0}),
			60: compacted(
				hours(9, ago => (ago > 6 ? 1 : undefined)),
				60,
				{receivedAt: start, dropped: 0},
			),
		};
		const found = pastFigures(market, {price: 110, receivedAt: start, time: start}, how);
		expect([found['1h'], found['4h']].map(Number)).toEqual([expect.closeTo(10, 9), expect.closeTo(10, 9)]);
	});

	test.each([
		['ours is 3 h slow, and answers are stamped right', 3 * hourMs, 0],
		['ours is 3 h fast, and answers are stamped right', -3 * hourMs, 0],
		['ours is right, and stamps are 3 h ahead', 0, -3 * hourMs],
		['ours is right, and stamps are 3 h behind', 0, 3 * hourMs],
	])('is dated by the clock of the candles: %s', (_, slowMs, stampSlowMs) => {
		const rising = minutes(300).map((each, index) => ({...each, close: 100 + index}));
		const page = {receivedAt: start - slowMs, serverTime: start - stampSlowMs};
		const market = {1: compacted(rising, 1, {...page, dropped: 0})};
		const leastMs = (rising.at(-1)?.time ?? 0) - page.receivedAt;
		const at = {price: 500, receivedAt: page.receivedAt, time: start};
		expect(pastFigures(market, at, {...how, leastAheadMs: leastMs})['1h']).toBeCloseTo((500 / 339 - 1) * 100, 9);
	});
});

test.each([
	['ours was corrected, and stamps are right', 30 * minuteMs, 0, 0],
	['ours was corrected, and stamps are slow', 30 * minuteMs, -5000, -5000],
	['ours is slow, and stamps are right', 30 * minuteMs, 30 * minuteMs, 30 * minuteMs],
	['stamps are slow', -20_000, -30 * minuteMs, 0],
	['a candle begins early', 5000, 0, 5000],
])('what candles showed before a clock was set does not date later answers: %s', (_, leastAheadMs, stampMs, ahead) => {
	const page = {receivedAt: start, serverTime: start + stampMs};
	expect(candlesAheadMs({leastAheadMs}, page)).toBe(ahead);
});

test.each([
	['so many candles up to now', 30, 0, true],
	['so many up to the last that had ended', 30, 1, true],
	['so many, but old ones', 30, 2, false],
	['fewer, as of a new market', 29, 0, false],
])('an exchange that sends %s is known to send the newest: %s', (_, count, missing, isShown) => {
	const sent = compacted([...hours(count + missing, () => 1), candle(start)].slice(1, 1 + count), 60, {
		...{receivedAt: start + 5 * minuteMs, dropped: 0},
	});
	expect(sent && isOfNewest(sent, 30, noPast)).toBe(isShown);
});

test.each<[string, readonly Candle[], PastPeriod]>([
	['hours for minutes', hours(30, () => 1), 1],
	['minutes for hours', Array.from({length: 30}, (_, index) => candle(start + index * minuteMs)), 60],
	['hours that begin at half past', hours(30, () => 1).map(each => ({...each, time: each.time + 30 * minuteMs})), 60],
])('of an exchange that sends %s nothing is known', (_, candles, period) => {
	expect(compacted(candles, period, {receivedAt: start, dropped: 0})).toBeUndefined();
});

test('keeps of an answer its times and numbers, not its candles', () => {
	const read = {sentAt: start - 10, receivedAt: start, serverTime: start - 5};
	const answer = {...read, data: hours(9, () => 1), dropped: 0};
	expect(compacted(answer.data, 60, answer)?.page).toEqual(read);
});
