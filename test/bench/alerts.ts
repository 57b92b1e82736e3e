/** What judging 500 rules of several kinds costs with each poll that brings new trades, a book, tickers and candles. */
import {createAlerts} from '../../source/alerts/alerts.ts';
import type {MarketData} from '../../source/alerts/quantity-values.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {type CandleSeries, candleStart} from '../../source/market/candles.ts';
import {memo} from '../../source/market/memo.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {Candle, DepthBook, Level, Period, Ticker, Trade} from '../../source/market/types.ts';
import {minuteMs, secondMs} from '../../source/market/units.ts';
import type {Resource} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {marketState, received} from '../helpers/market-state.ts';
import type {BenchRow} from './row.ts';
import {median} from './support/quantile.ts';

const count = 500;
const mostMs = 1;
const polls = 300;
const firstTrades = 500;
const tradesPerPoll = 5;
const bookLevels = 100;
const candleCount = 500;
/** Polls until code is compiled. */
const settled = 100;

/** None of them ever holds, so that all are judged to the end. */
const rules: ReadonlyArray<(index: number) => string> = [
	index => `last crosses ${70_000 + index}`,
	index => `last > ${80_000 + index}`,
	index => `changePercent(5m) < ${-20 - index / 100}`,
	index => `tradeSize > ${100 + index} and bid > 1`,
	index => `spread > ${500 + index} or volume(1m) > ${100_000 + index}`,
	index => `bidDepth(0.5%) < ${index / count} and imbalance > 0`,
	index => `last crosses above sma(50, 1h) + ${10_000 + index}`,
	index => `rsi(14, 1m) > ${100 + index}`,
	index => `changePercent < ${-50 - index / 100} every 10m`,
	index => `last > high(1h) + ${1000 + index}`,
];

type Market = {readonly symbol: string; next(now: number): Omit<MarketData, 'facts'>};

function levelsFrom(best: number, step: number): readonly Level[] {
	return Array.from({length: bookLevels}, (_, index) => [best + index * step, 1]);
}

function candlesOf(period: Period, now: number): readonly Candle[] {
	return Array.from({length: candleCount}, (_, index): Candle => {
		const start = candleStart(now, period) - (candleCount - 1 - index) * period * minuteMs;
		return {time: start, open: 60_000, high: 60_100, low: 60_000, close: 60_000 + (index % 97), volume: 10};
	});
}

/** A market whose every answer is new. */
function createMarket(symbol: string, start: number): Market {
	let tape = emptyTape;
	let id = 0;
	const candles = new Map<Period, readonly Candle[]>(
		([1, 60] as const).map(period => [period, candlesOf(period, start)] as const),
	);
	return {
		symbol,
		next(now) {
			const length = now === start ? firstTrades : tradesPerPoll;
			const page = Array.from(
				{length},
				(_, index): Trade => ({
					...{id: String(++id), time: now - index * 100, price: 60_000 + (id % 97), quantity: 1, side: 'buy'},
				}),
			);
			// Pages overlap, as those of a poll do.
			tape = mergeTape(tape, [...page, ...tape.trades.slice(0, 1)]);
			const book: DepthBook = {asks: levelsFrom(60_101, 1), bids: levelsFrom(60_100, -1)};
			const ticker: Ticker = {symbol, last: 60_000, open: 59_000, state: 'active'};
			const state = marketState({
				symbol,
				trades: received(tape, now),
				depth: received(book, now),
				tickers: received(new Map([[symbol, ticker]]), now),
			});
			const seriesOf = memo((sent: readonly Candle[], period: Period): Resource<CandleSeries> => {
				const [newest] = sent.slice(-1);
				// Only the newest moves.
				const moved = newest ? sent.with(-1, {...newest, volume: newest.volume + id}) : sent;
				return received({period, candles: moved, builtFrom: 'exchange'}, now);
			});
			return {state, candlesOf: period => seriesOf(candles.get(period) ?? [], period)};
		},
	};
}

function measure(marketCount: number): number {
	const clock = createFakeClock();
	const start = clock.now();
	const markets = Array.from({length: marketCount}, (_, index) => createMarket(`M${index}USDT`, start));
	const parsed = Array.from({length: count}, (_, index) => {
		const text = rules[index % rules.length]?.(index) ?? '';
		const own = markets[Math.floor(index / rules.length) % marketCount]?.symbol ?? '';
		return parseRule(`${own} ${text}`, {now: start, marketNamed: name => ({key: name})});
	});
	const feeds = createKnownFeeds();
	const alerts = createAlerts({
		clock,
		rules: parsed.map(rule => ({rule, origin: 'flag', isOff: false})),
		marketsOf: () => [],
		onEvent({rule, symbol}) {
			throw new Error(`${symbol}: a rule said something: ${JSON.stringify(rule)}`);
		},
		feeds,
	});
	alerts.start();
	const known = new Map<string, Omit<MarketData, 'facts'>>();
	const times = Array.from({length: polls}, (_, poll) => {
		const now = start + poll * secondMs;
		for (const [index, market] of markets.entries()) {
			if (poll === 0 || poll % marketCount === index) known.set(market.symbol, market.next(now));
		}

		clock.jump(now - clock.now());
		// What facts were summed is not known a second later.
		const fresh = new Map([...known].map(([key, each]) => [key, {...each, facts: new Map()}] as const));
		const before = performance.now();
		feeds.arrive(fresh);
		return performance.now() - before;
	});
	return median(times.slice(settled));
}

export async function bench(): Promise<readonly BenchRow[]> {
	return [1, 20].map(marketCount => {
		const ms = measure(marketCount);
		return {
			name: `judge ${count} rules (markets: ${marketCount}) after a poll with ${tradesPerPoll} new trades`,
			measured: `${ms.toFixed(2)} ms`,
			target: `≤ ${mostMs} ms`,
			met: ms <= mostMs,
		};
	});
}
