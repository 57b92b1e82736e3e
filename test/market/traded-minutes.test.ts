import fc from 'fast-check';
import {expect, test} from 'vitest';
import {emptyTape, mergeTape, type Tape} from '../../source/market/tape.ts';
import {createTradedMinutes, type TradedMinutes} from '../../source/market/traded-minutes.ts';
import type {Trade} from '../../source/market/types.ts';

const minute = 60_000;
const sides = ['buy', 'sell', undefined] as const;

/** `time price side quantity` of each minute, sorted. */
const linesOf = ({minutes}: TradedMinutes): readonly string[] =>
	[...minutes]
		.flatMap(([start, bySide]) =>
			Object.entries(bySide).flatMap(([side, prices]) =>
				[...prices].map(([price, {total}]) => `${start / minute} ${price} ${side} ${total}`),
			),
		)
		.sort();

/** The same of trades, summed one by one. */
function linesOfTrades(trades: readonly Trade[]): readonly string[] {
	const cents = new Map<string, number>();
	for (const {time, price, side = 'unknown', quantity} of trades) {
		const name = `${Math.floor(time / minute)} ${price} ${side}`;
		cents.set(name, (cents.get(name) ?? 0) + Math.round(quantity * 100));
	}

	return [...cents].map(([name, sum]) => `${name} ${sum / 100}`).sort();
}

/** Trades of ten minutes with rising ids. */
const anyTrades = fc
	.array(
		fc.record({
			time: fc.integer({min: 0, max: 10 * minute - 1}),
			price: fc.integer({min: 1, max: 5}),
			quantity: fc.integer({min: 1, max: 500}).map(cents => cents / 100),
			side: fc.constantFrom(...sides),
		}),
		{minLength: 1, maxLength: 60},
	)
	.map(all =>
		all.toSorted((a, b) => a.time - b.time).map((trade, index): Trade => ({...trade, id: String(index + 1)})),
	);

test('counts each trade from the newest to the first gap once, whatever pages it comes in', () => {
	fc.assert(
		fc.property(anyTrades, fc.array(fc.tuple(fc.nat(60), fc.nat(60)), {maxLength: 8}), (trades, pages) => {
			const tradedIn = createTradedMinutes();
			let tape: Tape = emptyTape;
			for (const [from, count] of pages) {
				tape = mergeTape(tape, trades.slice(from, from + count + 1));
				const gap = tape.trades.findIndex(({id}) => tape.gaps.has(id));
				const unbroken = gap < 0 ? tape.trades : tape.trades.slice(0, gap + 1);
				const traded = tradedIn(tape);
				expect([linesOf(traded), traded.after]).toEqual([linesOfTrades(unbroken), unbroken.at(-1)?.time ?? Infinity]);
			}
		}),
	);
});

test('keeps what a full tape has dropped', () => {
	fc.assert(
		fc.property(anyTrades, fc.integer({min: 1, max: 20}), fc.integer({min: 2, max: 30}), (trades, by, capacity) => {
			const tradedIn = createTradedMinutes();
			let tape: Tape = emptyTape;
			let traded = tradedIn(tape);
			for (let to = 1; to <= trades.length; to = to === trades.length ? to + 1 : Math.min(to + by, trades.length)) {
				// Each page shares a trade with the one before.
				tape = mergeTape(tape, trades.slice(Math.max(to - by - 1, 0), to), Math.max(capacity, by + 1));
				traded = tradedIn(tape);
			}

			expect([linesOf(traded), traded.after]).toEqual([linesOfTrades(trades), trades[0]?.time]);
		}),
	);
});

test('adds a late trade to its minute, and keeps the minutes that the full tape has dropped', () => {
	const trade = (id: number, seconds: number): Trade => ({
		...{id: String(id), time: seconds * 1000, price: 1, quantity: id, side: 'buy'},
	});
	const tradedIn = createTradedMinutes();
	const first = mergeTape(emptyTape, [trade(1, 10), trade(2, 70), trade(4, 130)], 3);
	tradedIn(first);
	const full = mergeTape(first, [trade(4, 130), trade(8, 190)], 3);
	expect(linesOf(tradedIn(full))).toEqual(['0 1 buy 1', '1 1 buy 2', '2 1 buy 4', '3 1 buy 8']);
	const late = mergeTape(full, [trade(4, 130), trade(16, 140), trade(8, 190)], 4);
	expect(linesOf(tradedIn(late))).toEqual(['0 1 buy 1', '1 1 buy 2', '2 1 buy 20', '3 1 buy 8']);
});

test('an earlier moment of a recording has nothing of what comes after it', () => {
	const trades = [10, 70, 130, 190].map(
		(seconds, index): Trade => ({id: String(index), time: seconds * 1000, price: 1, quantity: 1, side: 'sell'}),
	);
	const tradedIn = createTradedMinutes();
	tradedIn(mergeTape(emptyTape, trades));
	const earlier = tradedIn(mergeTape(emptyTape, trades.slice(0, 2)));
	expect(linesOf(earlier)).toEqual(['0 1 sell 1', '1 1 sell 1']);
});

test('drops the oldest minutes beyond 100,000 prices, and reports from when on every trade is counted', () => {
	const trades = Array.from({length: 100_000}, (_, index): Trade => {
		return {id: String(index), time: index * 6, price: index + 1, quantity: 1, side: 'buy'};
	});
	const more = {id: '100000', time: 100_000 * 6, price: 1, quantity: 1, side: 'buy'} as const;
	const tradedIn = createTradedMinutes();
	const full = mergeTape(emptyTape, trades, 100_001);
	const whole = tradedIn(full);
	expect([whole.minutes.size, whole.after]).toEqual([10, 0]);
	const cut = tradedIn(mergeTape(full, [...trades.slice(-1), more], 100_001));
	expect([Math.min(...cut.minutes.keys()), cut.after]).toEqual([minute, minute - 1]);
});
