import {expect, test} from 'vitest';
import {candlesOfTrades} from '../../source/market/trade-candles.ts';
import type {Interface, Trade} from '../../source/market/types.ts';
import type {Answered} from '../../source/recording/outcome-log.ts';
import {readTradeRange} from '../../source/recording/recorded-ranges.ts';
import {answered, readSample, recordSample, startedAt, symbol} from './recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;

/** Of the legacy interface: the same trade with another id. */
const trade = (second: number, from: Interface = 'v2'): Trade => ({
	...{id: String(second + (from === 'legacy' ? 5000 : 0)), time: at(second), price: 100 + second, quantity: 0.1},
});

/** The trades of three seconds, received at the last of them. */
const page = (second: number, from: Interface = 'v2'): Answered =>
	answered.trades(
		[second, second - 1, second - 2].map(each => trade(each, from)),
		at(second),
		{interface: from},
	);

function range(pages: readonly Answered[], from: number, to: number) {
	const reader = readSample(recordSample(pages));
	const {trades, missing} = readTradeRange(reader, symbol, {from: at(from), to: at(to)});
	const seconds = [...trades].map(({time}) => (time - startedAt) / 1000);
	return {seconds, missing: missing().map(each => [(each.from - startedAt) / 1000, (each.to - startedAt) / 1000])};
}

test.each([
	['pages that overlap', [page(2), page(4), page(6)], {seconds: [1, 2, 3, 4, 5], missing: []}],
	['a gap between pages', [page(1), page(6)], {seconds: [1, 4, 5], missing: [[1, 4]]}],
	['a gap across the end', [page(3), page(20)], {seconds: [1, 2, 3], missing: [[3, 5]]}],
	['an end without answers', [page(3)], {seconds: [1, 2, 3], missing: [[3, 5]]}],
	['a beginning without answers', [page(5)], {seconds: [3, 4, 5], missing: [[1, 3]]}],
	[
		'a gap at the beginning that a later page fills',
		[
			page(-5),
			page(4),
			answered.trades(
				[4, 3, 2, 0, -1, -2, -3, -4, -5].map(each => trade(each)),
				at(5.1),
			),
		],
		{seconds: [2, 3, 4], missing: []},
	],
	[
		'a gap that a later page fills',
		[
			page(1),
			page(6),
			answered.trades(
				[6, 5, 4, 3, 2, 1].map(each => trade(each)),
				at(6.5),
			),
		],
		{seconds: [1, 4, 5, 2, 3], missing: []},
	],
])('the trades of a range are there once, with %s', (_, pages, expected) => {
	expect(range(pages, 1, 5)).toEqual(expected);
});

test('the trades of a range are there once where the other interface answered, less those of the second of the switch', () => {
	const pages = [page(2), page(3), page(4, 'legacy'), page(5, 'legacy'), page(6), page(7)];
	expect(range(pages, 1, 7)).toEqual({
		seconds: [1, 2, 3, 4, 5, 6, 7],
		missing: [
			[3, 3.999],
			[5, 5.999],
		],
	});
});

test('candles of trades in any order have the first and last price of each period, and all of its volume', () => {
	const trades = [3, 1, 2, 11, 10, 0].map(second => trade(second));
	expect(candlesOfTrades(trades, 10 / 60)).toEqual([
		{time: at(0), open: 100, high: 103, low: 100, close: 103, volume: 0.4, builtFrom: 'trades'},
		{time: at(10), open: 110, high: 111, low: 110, close: 111, volume: 0.2, builtFrom: 'trades'},
	]);
});

/** Received by a computer whose clock is that much behind the exchange's. */
const received = (read: Answered, behindSeconds: number): Answered => {
	const serverTime = read.answer.receivedAt;
	const receivedAt = serverTime - behindSeconds * 1000;
	return {...read, sentAt: receivedAt, answer: {...read.answer, receivedAt, serverTime}} as Answered;
};

test.each([
	['ahead of the computer', [3600, 3600, 3600]],
	['behind the computer', [-3600, -3600, -3600]],
	['set back while it was recorded', [0, 0, -3600]],
])('has all trades of an exchange whose clock is %s', (_, behind) => {
	const pages = [page(3), page(5), page(7)].map((read, index) => received(read, behind[index] ?? 0));
	expect(range(pages, 2, 6)).toEqual({seconds: [2, 3, 4, 5, 6], missing: []});
});

test('reads what happened since an exchange set its clock back, and says from when on it knows', () => {
	const numbered = (second: number, aheadSeconds = 0) => ({
		...trade(second),
		...{id: String(second + 10), time: at(second + aheadSeconds)},
	});
	const ahead = [0, -1, -2].map(second => numbered(second, 3600));
	const pages = [1, 2, 3, 4, 5, 6].map(second =>
		answered.trades([...ahead, ...Array.from({length: second}, (_, index) => numbered(second - index))], at(second)),
	);
	const all = [answered.trades(ahead, at(0)), ...pages];
	const seconds = [1, 2, 3, 4, 5, 6];
	// What was read before the exchange had shown that its clock was set counts as missing.
	expect(range(all, 1, 6)).toEqual({seconds, missing: [[1, 3]]});
	expect(range(all, 3, 6)).toEqual({seconds: [3, 4, 5, 6], missing: []});
	expect(range(all, 3595, 3601)).toEqual({seconds: [3598, 3599, 3600], missing: [[3595, 3601]]});
	const reader = readSample(recordSample(all));
	expect(reader.tradeExtent(symbol)).toMatchObject({first: at(1), last: at(6)});
});

test.each([
	['ahead of', 300],
	['behind', -300],
])('reads trades that are dated by a clock %s that of the recorder and of the answers', (_, seconds) => {
	const dated = (second: number) => ({...trade(second), time: at(second + seconds)});
	const pages = [2, 4, 6].map(second =>
		answered.trades([second, second - 1, second - 2].map(dated), at(second), {serverTime: at(second)}),
	);
	const reader = readSample(recordSample(pages));
	const {first, last = 0} = reader.tradeExtent(symbol) ?? {};
	expect([first, last]).toEqual([at(seconds), at(seconds + 6)]);
	const {trades, missing} = readTradeRange(reader, symbol, {from: at(seconds + 3), to: last});
	expect([[...trades].map(({id}) => id), missing()]).toEqual([['3', '4', '5', '6'], []]);
});
