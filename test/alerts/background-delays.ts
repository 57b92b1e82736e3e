/** What the rules of markets in the background cost and how late they alert, on a clock of their own. */

import {type AlertsState, createAlerts} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {AlertEvent} from '../../source/alerts/judged-rule.ts';
import {createPace} from '../../source/client/pace.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {Trade} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {book, candle, info, market, ticker} from '../store/samples.ts';
import {parse, second, start} from './set-up.ts';

type Load = {
	/** In the background, each with a rule. */
	readonly markets: number;
	/** Requests per second. */
	readonly rate: number;
	readonly seconds: number;
	/** Seconds that do not count, before those. */
	readonly warmUp: number;
};

type Run = {
	/** Ms from a trade to its alert, sorted. */
	readonly delaysMs: readonly number[];
	/** How late the polls of the book on screen began, ms, sorted. */
	readonly screenMs: readonly number[];
	/** The most requests in any second, and how many the budget allowed a second at the end. */
	readonly busiest: number;
	readonly allowed: number;
	/** What was blind, and why. */
	readonly blind: readonly string[];
	/** How old, at most, data was that a rule was judged on while it was not blind, ms. */
	readonly oldestMs: number;
	readonly state: AlertsState;
};

/** A big trade comes once in that many trades. */
const bigEvery = 41;

/** Every market has a trade each second, at a moment of its own. */
function tradesOf(name: string, now: number, limit: number): readonly Trade[] {
	const own = Number(name.replace(/\D/g, '')) || 0;
	const shiftMs = (own * 389) % second;
	const newest = Math.floor((now - start - shiftMs) / second);
	return Array.from({length: limit}, (_, index): Trade => {
		const at = newest - index;
		const isBig = (at + own * 17) % bigEvery === 0;
		const time = start + at * second + shiftMs;
		return {id: String(1_000_000 + at), time, price: 99, quantity: isBig ? 10 : 1, side: 'buy'};
	});
}

/** The monitor shows a market, while rules wait for big trades in others. */
export async function runInBackground({markets, rate, seconds, warmUp}: Load): Promise<Run> {
	const clock = createFakeClock(start);
	const pace = createPace({rate, clock, random: () => 0});
	const names = Array.from({length: markets}, (_, index) => `M${index}USDT`);
	const listed = ['BTCUSDT', ...names].map(name => market(name));
	const exchange = {
		...createFakeExchange(
			clock,
			{
				info: () => info,
				markets: () => listed,
				tickers: () => listed.map(({symbol}) => ticker(symbol)),
				depth: () => book(100),
				trades: ({symbol = '', options: {limit = 500}}) => tradesOf(symbol, clock.now(), limit),
				candles: () => [candle(start - 60 * second)],
			},
			pace,
		),
		budget: () => pace.budget(),
	};
	const screen = createMarketStore({exchange, clock, symbol: 'BTCUSDT', random: () => 0});
	const events: AlertEvent[] = [];
	const rules = names.map(name => `${name} tradeSize > 5 every 1s`);
	const alerts = createAlerts({
		clock,
		rules: rules.map(text => ({rule: parse(text), origin: 'user', isOff: false})),
		marketsOf: () => [],
		onEvent: event => events.push(event),
		feeds: createFeeds({exchange, clock, screens: [screen], random: () => 0}),
	});
	screen.start();
	alerts.start();
	const countedFrom = start + warmUp * second;
	let oldestMs = 0;
	while (clock.now() < countedFrom + seconds * second) {
		await clock.advance(second);
		if (clock.now() < countedFrom) continue;
		const judged = alerts.getSnapshot().entries.flatMap(entry => entry.markets);
		for (const {blind, judgedOn} of judged)
			for (const {receivedAt = start} of blind ? [] : judgedOn) oldestMs = Math.max(oldestMs, clock.now() - receivedAt);
	}

	const state = alerts.getSnapshot();
	// Its entries are read when they are asked for.
	const kept = {...state, entries: state.entries};
	alerts.stop();
	screen.stop();
	const late = events.filter(({time}) => time >= countedFrom);
	const times = Object.values(exchange.calls).flatMap(calls => calls.map(({at}) => at));
	const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
	return {
		delaysMs: sorted(
			late.flatMap(event => (event.type === 'alert' && event.trade ? event.time - event.trade.time : [])),
		),
		screenMs: sorted(exchange.calls.depth.filter(({at}) => at >= countedFrom).map(({at}) => (at - start) % second)),
		busiest: busiestSecond(times),
		allowed: pace.budget().allowed,
		blind: [
			...new Set(
				late.flatMap(event =>
					event.type === 'blind' && !event.ended ? `${symbolKey(event.symbol)}: ${event.why}` : [],
				),
			),
		],
		oldestMs,
		state: kept,
	};
}

function busiestSecond(times: readonly number[]): number {
	const ordered = times.toSorted((a, b) => a - b);
	let first = 0;
	let most = 0;
	for (const [index, time] of ordered.entries()) {
		while ((ordered[first] ?? time) <= time - second) first++;
		most = Math.max(most, index - first + 1);
	}

	return most;
}
