import {describe, expect, test} from 'vitest';
import {emptyTape, type Tape} from '../../source/market/tape.ts';
import {daySums, sizeTier, tapeSums} from '../../source/market/tape-sums.ts';
import type {Side, Trade} from '../../source/market/types.ts';

const now = 1_000_000;
const trade = (id: number, secondsAgo: number, quantity: number, side?: Side): Trade => ({
	id: String(id),
	time: now - secondsAgo * 1000,
	price: 100,
	quantity,
	side,
});
const tapeOf = (trades: readonly Trade[], ...gaps: readonly number[]): Tape => ({
	trades,
	gaps: new Set(gaps.map(String)),
});

describe('sums of a day', () => {
	const trades = [trade(3, 10, 3, 'buy'), trade(2, 20, 2, 'sell'), trade(1, 30, 5, 'buy')];

	test('count from its start if the tape holds an older trade', () => {
		expect(daySums(tapeOf(trades, 1), now - 25_000)).toEqual({
			...{bought: 3, sold: 2, unknown: 0, delta: 1, hasGaps: false},
			since: now - 25_000,
		});
	});

	test('count from the oldest trade if the tape does not reach back', () => {
		expect(daySums(tapeOf(trades), now - 60_000)).toMatchObject({bought: 8, sold: 2, since: now - 30_000});
	});

	test('are partial with a gap that reaches into the day', () => {
		expect(daySums(tapeOf(trades, 2), now - 25_000)).toMatchObject({hasGaps: true});
	});
});

describe('sums of a tape', () => {
	const trades = [trade(4, 5, 3, 'buy'), trade(3, 30, 2, 'sell'), trade(2, 59, 4), trade(1, 60, 0.5, 'buy')];

	test('are partial with a gap, and so is the last minute if the gap reaches it', () => {
		expect(tapeSums(tapeOf(trades, 3), now)).toMatchObject({hasGaps: true, perMinutePartial: true});
		expect(tapeSums(tapeOf(trades, 2), now)).toMatchObject({hasGaps: true, perMinutePartial: true});
		expect(tapeSums(tapeOf([...trades, trade(0, 90, 1)], 1), now)).toMatchObject({
			hasGaps: true,
			perMinutePartial: false,
		});
	});

	test('mark the last minute as partial if the tape is shorter', () => {
		expect(tapeSums(tapeOf(trades.slice(0, 2)), now)).toMatchObject({perMinute: 2, perMinutePartial: true});
	});

	test('count each trade once while a tape grows on top, in the middle and below', () => {
		const [newest, second, third, oldest] = [
			trade(4, 5, 3, 'buy'),
			trade(3, 30, 2, 'sell'),
			trade(2, 40, 4),
			trade(1, 50, 1),
		];
		const lists = [
			[third, oldest],
			[second, third, oldest],
			[newest, second, third, oldest],
			[newest, second, trade(5, 35, 0.1, 'sell'), third, oldest],
			[newest, second, third, oldest, trade(0, 90, 0.2, 'buy')],
			[second, third, oldest],
		];
		const sums = lists.map(list => tapeSums(tapeOf(list), now));
		expect(sums.map(({bought, sold, unknown}) => [bought, sold, unknown])).toEqual([
			[0, 0, 5],
			[0, 2, 5],
			[3, 2, 5],
			[3, 2.1, 5],
			[3.2, 2, 5],
			[0, 2, 5],
		]);
	});

	test('are zero for an empty tape', () => {
		expect(tapeSums(emptyTape, now)).toEqual({
			bought: 0,
			sold: 0,
			unknown: 0,
			delta: 0,
			since: undefined,
			hasGaps: false,
			perMinute: 0,
			perMinutePartial: false,
		});
	});
});

describe('the usual size', () => {
	test.each([
		[9.9, 'usual'],
		[10, 'large'],
		[39.9, 'large'],
		[40, 'huge'],
	])('a trade of %d against 2 is %s', (quantity, tier) => {
		expect(sizeTier(quantity, 2)).toBe(tier);
	});
});
