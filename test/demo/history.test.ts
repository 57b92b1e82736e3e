import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Bar, BarSum} from '../../source/demo/bar.ts';
import {History} from '../../source/demo/history.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';

const options = {seed: 7, price: 60_000, weeklyVolatility: 0.07, weeklyVolume: 1e8, tradeVolume: 2000};
const weekMinutes = 10_080;
const recentWeek = 2968;

function barOf(history: History, from: number, to: number): Bar {
	const sum = new BarSum();
	history.addTo(sum, from, to);
	return sum.bar;
}

const someMinute = fc.integer({min: 0, max: recentWeek * weekMinutes});

test('any stretch of time is the sum of its minutes', () => {
	const history = new History(options);
	fc.assert(
		fc.property(someMinute, fc.integer({min: 1, max: 3000}), (from, length) => {
			const minutes = new BarSum();
			for (let minute = from; minute < from + length; minute++) minutes.add(barOf(history, minute, minute + 1));
			expect(barOf(history, from, from + length)).toEqual(minutes.bar);
		}),
		{numRuns: 20},
	);
});

test('weeks can be split anywhere', () => {
	const history = new History(options);
	fc.assert(
		fc.property(
			someMinute,
			fc.integer({min: 1, max: 100_000}),
			fc.integer({min: 1, max: 100_000}),
			(from, one, other) => {
				const left = barOf(history, from, from + one);
				const right = barOf(history, from + one, from + one + other);
				const sum = new BarSum();
				sum.add(left);
				sum.add(right);
				expect(right.open).toBe(left.close);
				expect(history.closeBefore(from + one)).toBe(left.close);
				expect(barOf(history, from, from + one + other)).toEqual(sum.bar);
			},
		),
	);
});

test('prices stay positive whole ticks, even at a price of a few ticks', () => {
	const history = new History({...options, price: 3, weeklyVolatility: 0.3});
	for (let week = 0; week < recentWeek; week++) {
		const {open, high, low, close, volume} = barOf(history, week * weekMinutes, (week + 1) * weekMinutes);
		expect(low).toBeGreaterThanOrEqual(1);
		expect([open, high, low, close, volume].every(Number.isInteger)).toBe(true);
	}
});

test('caches a bounded number of splits', async () => {
	const usedHistory = (seed: number) => {
		const history = new History({...options, seed});
		for (let hours = 0; hours < 200; hours++) history.closeBefore(recentWeek * weekMinutes + hours * 60);
		return history;
	};
	// Until its code is compiled.
	usedHistory(0);
	await collectGarbage();
	const before = process.memoryUsage().heapUsed;
	const histories = Array.from({length: 60}, (_, seed) => usedHistory(seed));
	await collectGarbage();
	const kilobytes = (process.memoryUsage().heapUsed - before) / histories.length / 1024;
	expect(histories.every(history => history.closeBefore(recentWeek * weekMinutes) > 0)).toBe(true);
	expect(kilobytes).toBeLessThan(40);
});
