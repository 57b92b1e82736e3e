import {expect, test} from 'vitest';
import type {Exchange} from '../../source/client/exchange.ts';
import type {Candle} from '../../source/market/types.ts';
import type {FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, timeout, tradePage} from './samples.ts';
import {hour, startTime} from './set-up.ts';
import {openShared, since, symbol} from './shared-set-up.ts';

const minute = 60_000;

test('trades: who joins gets as many as it asks for, though only the newest are requested', async () => {
	const {clock, exchange, one, other} = openShared();
	let newest = 1000;
	exchange.script.trades = ({options}) => tradePage(newest, options.limit ?? 0, startTime + newest * 1000);
	const first = await one.trades(symbol, {...since(), limit: 500});
	await clock.advance(1000);
	newest += 10;
	const next = await one.trades(symbol, {...since(0), limit: 50});
	const joined = await other.trades(symbol, {...since(), limit: 500});
	expect(exchange.calls.trades.map(({options}) => options.limit)).toEqual([500, 50]);
	expect(first.data.map(({id}) => Number(id))).toEqual(Array.from({length: 500}, (_, index) => 1000 - index));
	expect(next.data.map(({id}) => Number(id))).toEqual(Array.from({length: 50}, (_, index) => 1010 - index));
	expect(joined.data.map(({id}) => Number(id))).toEqual(Array.from({length: 500}, (_, index) => 1010 - index));
	expect(joined.receivedAt).toBe(next.receivedAt);
});

test('trades: more than is known is requested at once, and then known', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	exchange.script.trades = ({options}) => tradePage(2000, options.limit ?? 0, startTime);
	await one.trades(symbol, {...since(), limit: 50});
	await clock.advance(100);
	const reads = [other.trades(symbol, {...since(0), limit: 800}), one.trades(symbol, {...since(0), limit: 700})];
	await clock.advance(0);
	const lengths = (await Promise.all(reads)).map(({data}) => data.length);
	expect(lengths).toEqual([800, 700]);
	await one.trades(symbol, {...since(0), limit: 800});
	expect([calls('trades'), exchange.calls.trades.map(({options}) => options.limit)]).toEqual([
		[0, 100],
		[500, 800],
	]);
});

test('trades: of a market that has few, all are known', async () => {
	const {clock, exchange, one, other, calls} = openShared();
	exchange.script.trades = () => tradePage(9, 9, startTime);
	await one.trades(symbol, {...since(), limit: 500});
	await clock.advance(1000);
	await one.trades(symbol, {...since(0), limit: 50});
	expect((await other.trades(symbol, {...since(), limit: 500})).data.length).toBe(9);
	expect(calls('trades')).toEqual([0, 1000]);
});

test.each([500, 1000])('trades: none are handed out that others may be missing between (pages of %i)', async most => {
	const {clock, exchange, one, other} = openShared();
	let newest = 1000;
	const page: FakeExchange['script']['trades'] = ({options: {limit = 0}}) =>
		tradePage(newest, limit, startTime + newest * 1000);
	exchange.script.trades = page;
	await one.trades(symbol, {...since(), limit: 500});
	newest += 5000;
	await clock.advance(1000);
	exchange.script.trades = call => ((call.options.limit ?? 0) > most ? timeout() : page(call));
	await one.trades(symbol, {...since(0), limit: 50});
	exchange.script.trades = page;
	const {data} = await other.trades(symbol, {...since(), limit: most});
	expect(data.map(({id}) => Number(id))).toEqual(Array.from({length: most}, (_, index) => 6000 - index));
});

/** Candles of an hour from the first on, as the exchange has them. */
const candlesFrom =
	(firstAt: number, now: () => number): NonNullable<FakeExchange['script']['candles']> =>
	({options: {limit = 500, to = Infinity}}) => {
		const end = Math.floor(Math.min(to, now()) / hour);
		const starts = Array.from({length: limit}, (_, index) => (end - limit + 1 + index) * hour);
		return starts.filter(time => time >= firstAt).map(time => candle(time));
	};

const hours = (candles: readonly Candle[]) => [
	candles.length,
	(candles[0]?.time ?? 0) / hour,
	(candles.at(-1)?.time ?? 0) / hour,
];

test('candles: who joins gets all that it asks for, though only the newest are requested', async () => {
	const {clock, exchange, one, other} = openShared();
	exchange.script.candles = candlesFrom(0, clock.now);
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	for (let ms = 0; ms < 2 * hour; ms += minute) {
		await clock.advance(minute);
		await one.candles(symbol, {...since(ms), period: 60, limit: 4});
	}

	const joined = await other.candles(symbol, {...since(), period: 60, limit: 500});
	const limits = exchange.calls.candles.map(({options}) => options.limit);
	expect([limits[0], new Set(limits.slice(1))]).toEqual([500, new Set([4])]);
	const newest = Math.floor(clock.now() / hour);
	expect(hours(joined.data)).toEqual([500, newest - 499, newest]);
	expect(joined.receivedAt).toBe(clock.now());
	const more = await other.candles(symbol, {...since(), period: 60, limit: 1000});
	expect([hours(more.data), exchange.calls.candles.length]).toEqual([[1000, newest - 999, newest], 122]);
});

test('candles: a page of older ones that somebody has read serves all, wherever theirs begin', async () => {
	const {clock, exchange, one, other} = openShared();
	const newest = startTime / hour - 0.5;
	exchange.script.candles = candlesFrom((newest - 1999) * hour, clock.now);
	const read = (viewer: Exchange, to: number) =>
		viewer.candles(symbol, {...since(), period: 60, limit: 1000, to: to * hour - 1, priority: 0});
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	const pages = [
		await read(one, newest - 499),
		await read(other, newest - 495),
		await read(other, newest - 1495),
		await read(one, newest - 1499),
		await read(one, newest - 1999),
	];
	await clock.advance(15_000);
	await one.candles(symbol, {...since(0), period: 60, limit: 4});
	expect((await read(other, newest - 1999)).data).toEqual([]);
	expect(pages.map(({data}) => hours(data))).toEqual([
		[1000, newest - 1499, newest - 500],
		[1000, newest - 1495, newest - 496],
		[504, newest - 1999, newest - 1496],
		[500, newest - 1999, newest - 1500],
		[0, 0, 0],
	]);
	expect(
		exchange.calls.candles.map(({options: {limit, to = 0}}) => [limit, to && newest + 1 - (to + 1) / hour]),
	).toEqual([
		[500, 0],
		[1000, 500],
		[1000, 1500],
		[1000, 2000],
		[4, 0],
	]);
});

test('candles: a page that does not join what is known is requested as it is', async () => {
	const {clock, exchange, one} = openShared();
	exchange.script.candles = candlesFrom(0, clock.now);
	const to = startTime - 900 * hour;
	await one.candles(symbol, {...since(), period: 60, limit: 3, to});
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	await one.candles(symbol, {...since(), period: 60, limit: 4, to});
	delete exchange.script.candles;
	const end = startTime - 499.5 * hour - 1;
	const before = one.candles(symbol, {...since(), period: 60, limit: 5, to: end});
	await clock.advance(0);
	exchange.last('candles').answer([candle(0)], {interface: 'legacy'});
	await clock.advance(0);
	expect(exchange.calls.candles.map(({options}) => [options.limit, options.to])).toEqual([
		[3, to],
		[500, undefined],
		[4, to],
		[1000, end],
		[5, end],
	]);
	exchange.last('candles').answer([candle(7)]);
	expect((await before).data).toEqual([candle(7)]);
});

test('what is read once is a page as the exchange sends it, which all get who ask for it meanwhile', async () => {
	const {clock, exchange, one, other} = openShared();
	exchange.script.trades = ({options}) => tradePage(900, options.limit ?? 0, startTime);
	exchange.script.candles = candlesFrom(0, clock.now);
	await one.trades(symbol, {...since(), limit: 500});
	await one.candles(symbol, {...since(), period: 60, limit: 500});
	for (const each of [one, other]) {
		await each.trades(symbol, {limit: 7});
		await each.candles(symbol, {period: 60, limit: 7});
		await each.candles(symbol, {period: 60, limit: 7, to: startTime});
	}

	expect(exchange.calls.trades.map(({options}) => options.limit)).toEqual([500, 7]);
	expect(exchange.calls.candles.map(({options}) => [options.limit, options.to])).toEqual([
		[500, undefined],
		[7, undefined],
		[7, startTime],
	]);
	expect(exchange.calls.trades.map(({options}) => options.priority)).toEqual([1, 2]);
});
