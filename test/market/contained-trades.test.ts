import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createContainedTrades, type SentCandle} from '../../source/market/contained-trades.ts';
import {emptyTape, mergeTape, type Tape, tradeKey} from '../../source/market/tape.ts';
import type {Candle, Trade} from '../../source/market/types.ts';

const second = 1000;
const start = Date.UTC(2026, 0, 1, 12);

/** Trades of one hour, oldest first, each of `[seconds since the one before, price, quantity]`. */
function tradesOf(all: ReadonlyArray<readonly [after: number, price: number, quantity: number]>): readonly Trade[] {
	let time = start - 20 * second;
	return all.map(([after, price, quantity], index) => {
		time += after * second;
		return {id: String(index + 1), time, price, quantity};
	});
}

const within = (trades: readonly Trade[]) => trades.filter(({time}) => time >= start);
const volumeOf = (trades: readonly Trade[]) => within(trades).reduce((sum, {quantity}) => sum + quantity, 0);

function candleOf(trades: readonly Trade[]): Candle {
	const prices = within(trades).map(({price}) => price);
	const [high, low] = [Math.max(...prices), Math.min(...prices)];
	return {time: start, open: prices[0] ?? 0, high, low, close: prices.at(-1) ?? 0, volume: volumeOf(trades)};
}

const sentOf = (candle: Candle, from: number, isReached = true): SentCandle => ({
	...{candle, period: 60, from, isReached},
	decimals: 3,
});
const tapeOf = (trades: readonly Trade[], gaps: readonly Trade[] = []): Tape => ({
	trades: trades.toReversed(),
	gaps: new Set(gaps.map(tradeKey)),
});

/** The volume of the candle with what the tape has of it. */
function shown(contained: ReturnType<typeof createContainedTrades>, sent: SentCandle, tape: Tape) {
	const {volume, later, isCertain} = contained.find(sent, tape);
	return {volume: volume + volumeOf(tape.trades.slice(0, later)), isCertain};
}

const trades = tradesOf([
	[1, 10, 5],
	[30, 11, 1],
	[1, 12, 2],
	[1, 11, 4],
	[1, 11, 8],
	[1, 13, 16],
]);

test('sums the trades of a candle whose trades are all on the tape, whatever an answer has of them', () => {
	for (let count = 2; count <= 6; count++) {
		const sent = sentOf(candleOf(trades.slice(0, count)), start, false);
		expect(shown(createContainedTrades(), sent, tapeOf(trades))).toEqual({volume: 31, isCertain: true});
	}
});

test('takes the volume of a candle that is ahead of the tape', () => {
	const sent = sentOf(candleOf(trades), start, false);
	expect(shown(createContainedTrades(), sent, tapeOf(trades.slice(0, 4)))).toEqual({volume: 31, isCertain: true});
});

test('finds the last trade of a candle by its close', () => {
	const sent = sentOf(candleOf(trades.slice(0, 3)), trades[2]?.time ?? 0);
	expect(shown(createContainedTrades(), sent, tapeOf(trades.slice(2)))).toEqual({volume: 31, isCertain: true});
});

test('is not certain where the close does not tell, and is by the volume of the next answer', () => {
	const contained = createContainedTrades();
	const tape = tapeOf(trades.slice(2));
	const first = sentOf(candleOf(trades.slice(0, 4)), trades[2]?.time ?? 0);
	expect(shown(contained, first, tape)).toEqual({volume: 23, isCertain: false});
	expect(shown(contained, sentOf(candleOf(trades), start), tape)).toEqual({volume: 31, isCertain: true});
});

test('is not certain before the tape can have all trades of the candle', () => {
	const contained = createContainedTrades();
	const candle = candleOf(trades.slice(0, 5));
	const from = trades[2]?.time ?? 0;
	expect(shown(contained, sentOf(candle, from, false), tapeOf(trades.slice(2, 4))).isCertain).toBe(false);
	expect(shown(contained, sentOf(candle, from + 2 * second), tapeOf(trades.slice(2)))).toEqual({
		...{volume: 31, isCertain: true},
	});
});

test('counts on after a gap, uncertain until the next answer', () => {
	const contained = createContainedTrades();
	const candle = candleOf(trades.slice(0, 3));
	contained.find(sentOf(candle, start), tapeOf(trades.slice(0, 3)));
	const broken = tapeOf(trades.toSpliced(3, 1), trades.slice(4, 5));
	expect(shown(contained, sentOf(candle, start), broken)).toEqual({volume: 27, isCertain: false});
	const next = sentOf(candleOf(trades), trades[5]?.time ?? 0);
	expect(shown(contained, next, broken)).toEqual({volume: 31, isCertain: true});
});

test('believes no single answer of an exchange whose candles have other volumes than its trades', () => {
	const contained = createContainedTrades();
	const other = {...candleOf(trades.slice(0, 4)), volume: 9.5};
	expect(shown(contained, sentOf(other, start), tapeOf(trades)).isCertain).toBe(false);
	expect(shown(contained, sentOf({...other, close: 13, volume: 42}, start), tapeOf(trades))).toMatchObject({
		...{volume: 42, isCertain: false},
	});
});

test('says that it is certain only where each trade counts once, and counts none twice', () => {
	const trade = fc.tuple(fc.integer({min: 0, max: 8}), fc.integer({min: 10, max: 13}), fc.integer({min: 1, max: 9}));
	const step = fc.record({
		/** How many trades the exchange has made since the last step. */
		more: fc.nat({max: 6}),
		/** How many of the newest trades a page has. */
		page: fc.integer({min: 1, max: 24}),
		/** How many of them a candle lacks that is made at the same time; undefined: none is sent. */
		lack: fc.option(fc.nat({max: 3}), {nil: undefined}),
	});
	let certain = 0;
	fc.assert(
		fc.property(
			fc.array(trade, {minLength: 60, maxLength: 60}),
			fc.array(step, {minLength: 6, maxLength: 12}),
			(list, steps) => {
				const all = tradesOf(list.map(([after, price, tenths]) => [after, price, tenths / 8]));
				const contained = createContainedTrades();
				let [made, tape]: [number, Tape] = [10, emptyTape];
				let sent:
					| {readonly candle: Candle; readonly has: number; readonly from: number; readonly at: number}
					| undefined;
				for (const [at, {more, page, lack}] of steps.entries()) {
					made += more;
					const newest = all.slice(0, made);
					tape = mergeTape(tape, newest.slice(-page).toReversed());
					const has = made - (lack ?? 0);
					const from = (all[has - 1]?.time ?? 0) - 10 * second;
					if (lack !== undefined && volumeOf(all.slice(0, has)) > 0)
						sent = {candle: candleOf(all.slice(0, has)), has, from, at};
					if (!sent) continue;
					const result = shown(contained, sentOf(sent.candle, sent.from, at > sent.at), tape);
					const right = volumeOf(newest);
					expect(result.volume).toBeLessThanOrEqual(right);
					if (!result.isCertain) continue;
					certain++;
					expect(result.volume).toBe(right);
				}
			},
		),
		{numRuns: 120},
	);
	expect(certain).toBeGreaterThan(300);
});

test('adds nothing to a candle after a trade came late between others, until the next answer', () => {
	const contained = createContainedTrades();
	const first = trades.toSpliced(3, 1).slice(0, 4);
	const sent = sentOf(candleOf(first), start);
	expect(shown(contained, sent, tapeOf(first))).toEqual({volume: 11, isCertain: true});
	expect(shown(contained, sent, tapeOf(trades))).toEqual({volume: 11, isCertain: false});
	expect(shown(contained, sentOf(candleOf(trades), start), tapeOf(trades))).toEqual({volume: 31, isCertain: true});
});
