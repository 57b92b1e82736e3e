import {describe, expect, test} from 'vitest';
import {createMarketEvents} from '../../../source/cli/commands/watch-events.ts';
import {type ExchangeError, HeldError} from '../../../source/client/errors.ts';
import type {CandleSeries} from '../../../source/market/candles.ts';
import {withPage} from '../../../source/market/trade-clock.ts';
import type {Candle, Trade} from '../../../source/market/types.ts';
import type {MarketState} from '../../../source/store/state.ts';
import {marketState, received} from '../../helpers/market-state.ts';
import {ticker, timeout} from '../../store/samples.ts';

const nothing = marketState();
const ready = <T>(data: T, receivedAt = 1000) => ({...received(data, receivedAt), serverTime: 900});

const trade = (id: number, time: number, price = 10 + id): Trade => ({
	id: String(id),
	time,
	price,
	quantity: 0.5,
	side: 'sell',
	sideText: 'SELL',
});
const tapeOf = (trades: readonly Trade[], gaps: readonly string[] = []) => ready({trades, gaps: new Set(gaps)});
const tradeEvent = (id: number, time: number, gap = false, price = 10 + id) => ({
	...{
		type: 'trade',
		symbol: 'BTCUSDT',
		id: String(id),
		time,
		price,
		quantity: 0.5,
		side: 'sell',
		sideText: 'SELL',
		gap,
	},
	...{key: `v2:${id}`, interface: 'v2', receivedAt: 1000, serverTime: 900, dropped: 0, rounded: 0},
});

describe('trades', () => {
	/** The trade events of each tape in turn. */
	const eventsOf = (...tapes: ReadonlyArray<ReturnType<typeof tapeOf>>) => {
		const events = createMarketEvents();
		return tapes.map(tape => events({...nothing, trades: tape}, 0));
	};
	const first = tapeOf([trade(3, 3000), trade(2, 2000), trade(1, 1000)]);

	test('begin with the newest of the first page', () => {
		expect(eventsOf(first, first)).toEqual([[tradeEvent(3, 3000)], []]);
	});

	test('begin with the whole first page, oldest first, on request', () => {
		const events = createMarketEvents({backfill: true});
		const whole = [tradeEvent(1, 1000), tradeEvent(2, 2000), tradeEvent(3, 3000)];
		expect(events({...nothing, trades: first}, 0)).toEqual(whole);
		const later = tapeOf([trade(4, 4000), trade(3, 3000), trade(2, 2000), trade(1, 1000), trade(0, 500)]);
		expect(events({...nothing, trades: later}, 0)).toEqual([tradeEvent(4, 4000)]);
	});

	test('say how far their stamp is ahead of their own times, where that is certain', () => {
		const day = Date.UTC(2026, 0, 1);
		const page = {receivedAt: day + 1000, serverTime: day + 900};
		const trades = [trade(3, day + 9900)];
		const tape = {...tapeOf(trades), tradeClock: withPage(undefined, page, trades, [])};
		expect(eventsOf(tape)).toEqual([[{...tradeEvent(3, day + 9900), serverTimeAhead: -9000}]]);
	});

	test('after an empty page are all new, with the gap of a full page', () => {
		const page = [trade(3, 3000), trade(2, 2000), trade(1, 1000)];
		expect(eventsOf(tapeOf([]), tapeOf(page))).toEqual([
			[],
			[tradeEvent(1, 1000), tradeEvent(2, 2000), tradeEvent(3, 3000)],
		]);
		expect(eventsOf(tapeOf([]), tapeOf(page.slice(0, 2), ['2']))).toEqual([
			[],
			[tradeEvent(2, 2000, true), tradeEvent(3, 3000)],
		]);
	});

	test('continue with new ones, oldest first, late ones too, with gaps marked', () => {
		const trades = [trade(7, 6000), trade(6, 5000), trade(3, 3000), trade(4, 2500), trade(2, 2000), trade(1, 1000)];
		const events = [tradeEvent(4, 2500), tradeEvent(6, 5000, true), tradeEvent(7, 6000)];
		expect(eventsOf(first, tapeOf(trades, ['6']))).toEqual([[tradeEvent(3, 3000)], events]);
	});

	test('of a tape that restarted with other ids are reported only once', () => {
		const restarted = tapeOf([trade(91, 4000), trade(90, 3000, 13), trade(89, 2000, 12)], ['89']);
		expect(eventsOf(first, restarted)).toEqual([[tradeEvent(3, 3000)], [tradeEvent(91, 4000)]]);
	});

	test('of a tape that restarted with times in whole seconds are reported if no earlier one is alike', () => {
		const newest = tapeOf([trade(2, 2700, 13), trade(1, 2600, 12)]);
		const restarted = tapeOf([trade(93, 3000), trade(92, 2000, 13), trade(91, 2000, 13), trade(90, 2000, 12)]);
		expect(eventsOf(newest, restarted)[1]).toEqual([tradeEvent(91, 2000, false, 13), tradeEvent(93, 3000)]);
	});

	test('are not reported again after an empty page of the other interface', () => {
		const next = tapeOf([trade(91, 4000), trade(90, 3000, 13)]);
		expect(eventsOf(first, tapeOf([]), next)).toEqual([[tradeEvent(3, 3000)], [], [tradeEvent(91, 4000)]]);
	});

	test('from before the start of the watch are not reported, also if the exchange sets its clock back', () => {
		const trades = [trade(3, 3000), trade(2, 2000), trade(1, 1000), trade(0, 500)];
		const redated = [trade(4, 400), trade(3, 300), trade(2, 200), trade(1, 100)];
		expect(eventsOf(first, tapeOf(trades), tapeOf(redated))).toEqual([[tradeEvent(3, 3000)], [], [tradeEvent(4, 400)]]);
	});
});

describe('candles', () => {
	const candle = (time: number, close: number): Candle => ({time, open: 1, high: 9, low: 1, close, volume: 2});
	const minute = 60_000;
	const seriesOf = (candles: readonly Candle[], more: Partial<CandleSeries> = {}) =>
		ready<CandleSeries>({period: 1, candles, builtFrom: 'exchange', ...more});
	const candleEvent = (time: number, close: number, more: object = {}) => ({
		...{type: 'candle', symbol: 'BTCUSDT', period: 60, time, open: 1, high: 9, low: 1, close, volume: 2},
		...{builtFrom: 'exchange', partial: false, closed: false, interface: 'v2', receivedAt: 1000, serverTime: 900},
		...{gap: false, dropped: 0, rounded: 0, ...more},
	});
	const closed = {closed: true};
	/** The candle events of each state in turn. */
	const eventsOf = (...states: readonly Partial<MarketState>[]) => {
		const events = createMarketEvents();
		return states.map(state => events({...nothing, ...state}, 0).filter(({type}) => type === 'candle'));
	};
	const at = (serverTime: number) => ({...tapeOf([]), serverTime, receivedAt: serverTime + 100});

	test('are marked when trades may be missing, and when no longer', () => {
		const built = seriesOf([candle(0, 2), candle(minute, 3)], {builtFrom: 'trades', partial: new Set([minute])});
		expect(eventsOf({candles: built}, {candles: seriesOf([candle(0, 2), candle(minute, 3)])})).toEqual([
			[candleEvent(minute, 3, {builtFrom: 'trades', partial: true})],
			[candleEvent(minute, 3)],
		]);
	});

	test('begin with the last, continue when it moves and when one opens', () => {
		const events = eventsOf(
			{candles: seriesOf([candle(0, 2), candle(minute, 3)])},
			{candles: seriesOf([candle(0, 2), candle(minute, 4), candle(2 * minute, 5)])},
			{candles: seriesOf([candle(minute, 4), candle(2 * minute, 5)])},
		);
		expect(events).toEqual([[candleEvent(minute, 3)], [candleEvent(minute, 4), candleEvent(2 * minute, 5)], []]);
	});

	test('begin with all of the first answer, oldest first, on request', () => {
		const events = createMarketEvents({backfill: true});
		const [before, after] = [seriesOf([candle(0, 2), candle(minute, 3)]), seriesOf([candle(0, 2), candle(minute, 4)])];
		expect(events({...nothing, candles: before}, 0)).toEqual([candleEvent(0, 2), candleEvent(minute, 3)]);
		expect(events({...nothing, candles: after}, 0)).toEqual([candleEvent(minute, 4)]);
	});

	test('are closed when the newest answer of their interface has all their trades', () => {
		const candles = seriesOf([candle(0, 2)]);
		const until = (receivedAt: number) => ({...tapeOf([]), receivedAt});
		const states = [
			{candles},
			{candles, trades: {...until(2 * minute), interface: 'legacy'} as const},
			{candles, trades: until(minute - 1)},
			{candles, trades: until(minute)},
			{candles, trades: until(minute + 1)},
		];
		expect(eventsOf(...states)).toEqual([[candleEvent(0, 2)], [], [], [candleEvent(0, 2, closed)], []]);
	});

	test('that are corrected after their end are events, also before the first event, but none that is added there', () => {
		const tape = at(2 * minute);
		const before = seriesOf([candle(-minute, 1), candle(0, 2)]);
		const opened = seriesOf([-2, -1, 0, 1, 2].map(index => candle(index * minute, index + 2)));
		const corrected = seriesOf([5, 9, 7, 8, 4].map((close, index) => candle((index - 2) * minute, close)));
		expect(eventsOf({candles: before}, {candles: opened, trades: tape}, {candles: corrected, trades: tape})).toEqual([
			[candleEvent(0, 2)],
			[candleEvent(0, 2, closed), candleEvent(minute, 3, closed), candleEvent(2 * minute, 4)],
			[
				...[candleEvent(-2 * minute, 5, closed), candleEvent(-minute, 9, closed)],
				...[candleEvent(0, 7, closed), candleEvent(minute, 8, closed)],
			],
		]);
	});

	test('start over where the exchange sets its clock back', () => {
		const [late, early] = [[candle(9 * minute, 2)], [candle(0, 3)]].map(candles => ({candles: seriesOf(candles)}));
		expect(eventsOf({...late}, {...early})).toEqual([[candleEvent(9 * minute, 2)], [candleEvent(0, 3)]]);
	});

	test('name what they are built from, and when its last part was received', () => {
		const candles = [candle(0, 2), candle(minute, 3)];
		const [tape, legacyTape] = [at(5000), {...at(5000), interface: 'legacy'} as const];
		const moved = seriesOf(candles, {added: {from: 0, lastSent: 0}});
		const opened = seriesOf(candles, {added: {from: minute, lastSent: 0}});
		const first = {candles: seriesOf([candle(0, 1)]), trades: tapeOf([])};
		const events = (candles: typeof moved, tape: MarketState['trades']) => eventsOf(first, {candles, trades: tape})[1];
		const newest = {receivedAt: 5100, serverTime: 5000};
		const both = {builtFrom: 'exchange+trades', ...newest};
		const trades = {builtFrom: 'trades', ...newest};
		expect(events(moved, tape)).toEqual([candleEvent(0, 2, both), candleEvent(minute, 3, trades)]);
		expect(events(opened, tape)).toEqual([candleEvent(0, 2), candleEvent(minute, 3, trades)]);
		expect(events(moved, legacyTape)).toEqual([
			candleEvent(0, 2, {...both, interface: 'v2+legacy'}),
			candleEvent(minute, 3, {...trades, interface: 'legacy'}),
		]);
		expect(events({...moved, data: {...moved.data, builtFrom: 15}}, tape)?.[0]).toMatchObject({builtFrom: '15+trades'});
	});
});

test('every event of data counts the entries of its answer that were dropped, rounded or cut', () => {
	const counts = {dropped: 3, rounded: 2, cut: 1};
	const state = {
		...nothing,
		tickers: {...ready(new Map([['BTCUSDT', ticker('BTCUSDT')]])), ...counts},
		depth: {...ready({asks: [[2, 1]] as const}), ...counts},
		trades: {...tapeOf([trade(1, 1000)]), ...counts},
		candles: {
			...ready<CandleSeries>({
				period: 1,
				candles: [{time: 0, open: 1, high: 9, low: 1, close: 2, volume: 2}],
				builtFrom: 'exchange',
			}),
			...counts,
		},
	};
	expect(createMarketEvents()(state, 0)).toMatchObject(
		['ticker', 'depth', 'trade', 'candle'].map(type => ({type, ...counts})),
	);
});

test('a book is an event with every answer, with null for bids that are not shown', () => {
	const first = {...nothing, depth: ready({asks: [[2, 1]] as const})};
	const event = {
		type: 'depth',
		symbol: 'BTCUSDT',
		asks: [[2, 1]],
		bids: null,
		bidsFailure: null,
		interface: 'v2',
		serverTime: 900,
		...{gap: false, dropped: 0, rounded: 0},
	};
	const events = createMarketEvents();
	expect(events(first, 0)).toEqual([{...event, time: 1000, receivedAt: 1000}]);
	expect(events(first, 0)).toEqual([]);
	const again = {...nothing, depth: ready({asks: [[2, 1]] as const}, 2000)};
	expect(events(again, 0)).toEqual([{...event, time: 2000, receivedAt: 2000}]);
});

test('a ticker is an event of its own market only, and its absence is one until it is back', () => {
	const [own, other] = [ticker('BTCUSDT'), ticker('ETHUSDT')].map(each => [each.symbol, each] as const);
	const listed = (entry: typeof own, receivedAt: number, dropped = 0) => ({
		...{...nothing, tickers: {...ready(new Map(entry && [entry]), receivedAt), dropped}},
	});
	const events = createMarketEvents();
	const of = {symbol: 'BTCUSDT', operation: 'ticker', interface: 'v2'};
	const answer = {receivedAt: null, serverTime: null, gap: false};
	const error = {type: 'error', ...of, ...answer, kind: 'absent', status: null, retryAfter: null, retryAt: null};
	expect(events(listed(other, 1000), 1000)).toEqual([
		{...error, time: 1000, message: 'no ticker for BTCUSDT (v2 ticker)'},
	]);
	expect(events(listed(other, 2000), 2000)).toEqual([]);
	expect(events(listed(other, 3000, 1), 3000)).toEqual([
		{...error, time: 3000, message: 'no readable ticker for BTCUSDT (v2 ticker)'},
	]);
	expect(events(listed(own, 4000), 4000)).toMatchObject([
		{type: 'ticker', symbol: 'BTCUSDT'},
		{type: 'recovered', ...of, time: 4000, since: 1000, receivedAt: 4000},
	]);
});

test('tickers are events with each answer, and once if stores share it', () => {
	const events = createMarketEvents();
	const [first, second] = [ticker('BTCUSDT', 10), ticker('BTCUSDT', 10)];
	const states = [
		ready(new Map([['BTCUSDT', first]])),
		ready(new Map([['BTCUSDT', first]])),
		ready(new Map([['BTCUSDT', second]])),
	];
	const later = ready(new Map([['BTCUSDT', second]]), 2000);
	expect([...states, later].map(tickers => events({...nothing, tickers}, 0).map(({time}) => time))).toEqual([
		[1000],
		[],
		[1000],
		[2000],
	]);
});

test('what comes after a failed request is marked, but not after a wait for the rate limit', () => {
	const candles = (close: number) =>
		ready<CandleSeries>({
			...{period: 1, builtFrom: 'exchange'},
			candles: [0, 60_000].map(time => ({time, open: 1, high: 9, low: 1, close, volume: 2})),
		});
	const depth = (receivedAt: number) => ready({asks: [[2, 1]] as const}, receivedAt);
	const tickers = (receivedAt: number) => ready(new Map([['BTCUSDT', ticker('BTCUSDT')]]), receivedAt);
	const answers = (receivedAt: number) => ({
		...{...nothing, depth: depth(receivedAt), tickers: tickers(receivedAt), candles: candles(receivedAt)},
	});
	const held = new HeldError({operation: 'depth', interface: 'v2', url: ''});
	const failing = (error: ExchangeError, {depth: book, tickers: listed, candles: series} = answers(1)) => ({
		...nothing,
		...{depth: {...book, failure: {error, since: 1}}, tickers: {...listed, failure: {error, since: 1}}},
		candles: {...series, failure: {error, since: 1}},
	});
	const events = createMarketEvents();
	const gapsOf = (state: MarketState) =>
		events(state, 0).flatMap(({type, gap}) => (type === 'error' || type === 'recovered' ? [] : {type, gap}));
	const marked = (gap: boolean) => ['ticker', 'depth', 'candle'].map(type => ({type, gap}));
	expect(gapsOf(answers(1))).toEqual(marked(false));
	gapsOf(failing(held));
	expect(gapsOf(answers(2))).toEqual([...marked(false), {type: 'candle', gap: false}]);
	gapsOf(failing(timeout()));
	expect(gapsOf(answers(3))).toEqual([...marked(true), {type: 'candle', gap: false}]);
	expect(gapsOf(answers(4))).toEqual([...marked(false), {type: 'candle', gap: false}]);
});
