import {describe, expect, test} from 'vitest';
import {createNews, judgedDataOf} from '../../source/alerts/market-data.ts';
import {candlesFromTrades} from '../../source/market/candles.ts';
import type {Ticker, Trade} from '../../source/market/types.ts';
import {type Resource, waiting} from '../../source/store/resource.ts';
import {failure, received} from '../helpers/market-state.ts';
import {known as knownOf, parse, second, secondsOf, start, watchRule} from './set-up.ts';

/** A trade every 10 s of the 10 minutes before `now`, newest first. */
const tradesTo = (now: number) =>
	Array.from({length: 60}, (_, index): Trade => {
		const time = now - 1000 - index * 10_000;
		return {id: String(time), time, price: 100, quantity: 1, side: 'buy'};
	});
const unlessFailing = <T>(resource: Resource<T>, receivedAt: number, now: number): Resource<T> =>
	receivedAt === now ? resource : ({...resource, failure: failure(receivedAt)} as Resource<T>);

type Known = {
	/** How many trades the tape has. */
	readonly held?: number;
	readonly ticker?: Partial<Ticker>;
	/** When each was received last; later polls fail. */
	readonly at?: {readonly tape?: number; readonly candles?: number; readonly tickers?: number};
};

function knownAt(now: number, {held = 60, ticker = {}, at = {}}: Known) {
	const {tape = now, candles = now, tickers = now} = at;
	const series = {...candlesFromTrades(tradesTo(candles), 1), builtFrom: 'exchange'} as const;
	const state = {
		trades: unlessFailing(received({trades: tradesTo(tape).slice(0, held), gaps: new Set<string>()}, tape), tape, now),
		tickers: unlessFailing(
			received(new Map([['BTCUSDT', {symbol: 'BTCUSDT', state: 'active', ...ticker}]]), tickers),
			...([tickers, now] as const),
		),
	};
	const candlesOf = (period: number) =>
		period === 1 ? unlessFailing(received(series, candles), candles, now) : waiting;
	return knownOf(state, candlesOf);
}

describe('a rule is judged on', () => {
	test.each<readonly [what: string, text: string, known: Known, data: readonly (string | number)[]]>([
		['trades, where they reach back', 'volume(5m) > 1', {}, ['trades']],
		['trades and candles, where trades do not reach back', 'changePercent(5m) < 50', {held: 20}, ['trades', 1]],
		['trades and candles, where neither reaches back', 'volume(12h) > 1', {held: 20}, ['trades', 1, 60]],
		['trades alone, where they do not reach back and candles do not tell', 'trades(5m) > 1', {held: 20}, ['trades']],
		['trades, while they are not known', 'volume(5m) > 1', {held: 20, at: {tape: start - 1}}, ['trades']],
		['the ticker and trades', 'changePercent < 5', {ticker: {open: 99}}, ['tickers', 'trades']],
		['the ticker, which has the change and no opening price', 'changePercent < 5', {ticker: {}}, ['tickers']],
		['the ticker alone, in a rule for many markets', '* changePercent < 5', {ticker: {open: 99}}, ['tickers']],
		['that ticker when it is stale', 'changePercent < 5', {ticker: {}, at: {tickers: start - 1}}, ['tickers']],
	])('%s', (_, text, known, data) => {
		const news = {data: knownAt(start, known), now: start};
		expect(judgedDataOf(parse(text), 'BTCUSDT').in(news)).toEqual(
			data.map(each => ({
				market: 'BTCUSDT',
				...(typeof each === 'number' ? {ask: 'candles', period: each} : {ask: each}),
			})),
		);
	});
});

/** What is said each second of a minute, with seconds since the start. */
function saidIn(text: string, knownIn: (now: number) => Known) {
	const {arrive} = watchRule(text);
	return Array.from({length: 60}, (_, at) => arrive(at, knownAt(start + at * second, knownIn(start + at * second))))
		.flat()
		.map(event => event.type === 'blind' && `${secondsOf(event.time)}: ${event.ended ? 'judged again' : event.why}`);
}

describe('a rule is blind', () => {
	const until = (now: number) => Math.min(now, start + 10_000);

	test('by stale candles, while trades do not reach back', () => {
		const known = (now: number): Known => ({held: now < start + 50_000 ? 20 : 60, at: {candles: until(now)}});
		expect(saidIn('volume(5m) > 1000', known)).toEqual(['40: timed out', '50: judged again']);
		expect(saidIn('volume(5m) > 1000', now => ({at: {candles: until(now)}}))).toEqual([]);
	});

	test('by the ticker alone, where that has the change and no opening price', () => {
		const ticker = {changePercent: 1};
		const stale = (now: number) => ({ticker, at: {tape: start, tickers: until(now)}});
		expect(saidIn('changePercent > 5', now => ({ticker, at: {tape: until(now)}}))).toEqual([]);
		expect(saidIn('changePercent > 5', stale)).toEqual(['40: timed out']);
	});
});

test('what happens while a market is not followed is not new later', () => {
	const newsOf = createNews();
	const newTimes = (at: number, isFollowed = true) => {
		const now = start + at * 60_000;
		return newsOf(isFollowed ? knownAt(now, {}) : new Map(), now).trades.map(({trade}) => trade.time - now);
	};
	expect([newTimes(0), newTimes(1).length, newTimes(2, false), newTimes(3)]).toEqual([[], 6, [], []]);
});
