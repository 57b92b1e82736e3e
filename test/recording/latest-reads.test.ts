import {expect, test} from 'vitest';
import {createLatestReads} from '../../source/recording/latest-reads.ts';
import {book, candle, market, ticker, trade} from '../store/samples.ts';
import {answered, failed, startedAt, symbol} from './recordings.ts';

test('keeps the last answer to each read that is not repeated soon, in the order in which they were known', () => {
	const reads = createLatestReads();
	const markets = answered.markets([market(symbol)], startedAt);
	const tickers = [1, 2].map(last => answered.ticker([ticker(symbol, last)], startedAt + last));
	const [minutes, hours] = [1, 60].map(period => answered.candles([candle(startedAt)], startedAt, period));
	const known = [markets, minutes, tickers[0], hours, tickers[1]].flatMap(read => read ?? []);
	for (const read of known) reads.add(read);
	reads.add(answered.depth(book(1), startedAt));
	reads.add(answered.trades([trade(1, startedAt)], startedAt));
	reads.add(failed({operation: 'markets'}, startedAt));
	expect(reads.all()).toEqual([markets, minutes, hours, tickers[1]]);
});

test('keeps 50 answers, the newest', () => {
	const reads = createLatestReads();
	for (let period = 1; period <= 60; period++) reads.add(answered.candles([candle(startedAt)], startedAt, period));
	expect(reads.all().map(read => 'period' in read && read.period)).toEqual(
		Array.from({length: 50}, (_, index) => index + 11),
	);
});
