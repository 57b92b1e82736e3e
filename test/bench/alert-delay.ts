/**
 * How long after a trade of the demo exchange the user is called, by where its market is polled. Several clients look at the
 * same markets, each with a budget of its own and begun at another moment, so that a minute is enough.
 */
import {setTimeout} from 'node:timers/promises';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {Alert} from '../../source/alerts/judged-rule.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {connect} from '../../source/client/connect.ts';
import {startDemo} from '../../source/demo/server.ts';
import {systemClock} from '../../source/market/clock.ts';
import type {Ticker} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {BenchRow} from './row.ts';
import {median, quantile} from './support/quantile.ts';

const clients = 16;
const staggerMs = 313;
const runMs = 30_000;
/** Requests per second of each client, as by default. */
const rate = 5;
/** Prices that the ticker is compared with. */
const levels = 24;
const rarePerSecond = 0.7;

const shown = 'BTCUSDT';
const hidden = 'ETHUSDT';
/** How many markets the ticker rules are for, the busiest ones. */
const ticked = 8;

type Connection = {readonly url: string; readonly rules: readonly string[]; readonly onAlert: (alert: Alert) => void};

/** Judges the rules of one client for a while. */
async function client({url, rules, onAlert}: Connection): Promise<void> {
	const clock = systemClock;
	const exchange = connect({baseUrl: url, legacyBaseUrl: url, rate, clock});
	const store = createMarketStore({exchange, clock, symbol: shown});
	store.show(new Set(['tickers', 'depth', 'trades', 'candles']));
	store.start();
	const stated = rules.map(text => parseRule(text, {now: clock.now(), marketNamed: key => ({key})}));
	const alerts = createAlerts({
		clock,
		feeds: createFeeds({exchange, clock, screens: [store]}),
		rules: stated.map(rule => ({rule, origin: 'flag', isOff: false})),
		marketsOf: scope => (scope.type === 'list' ? [scope.name] : []),
		onEvent(event) {
			if (event.type === 'alert') onAlert(event);
		},
	});
	alerts.start();
	await setTimeout(runMs);
	alerts.stop();
	store.stop();
	await exchange.close();
}

export async function bench(): Promise<readonly BenchRow[]> {
	const demo = await startDemo({clock: systemClock});
	const reader = connect({baseUrl: demo.url, legacyBaseUrl: demo.url, rate: 100, clock: systemClock});
	const tradesOf = async (symbol: string) => (await reader.trades(symbol, {limit: 1000})).data;
	/** About one such trade comes between two polls, at any moment. */
	const ofRareTrades = async (symbol: string) => {
		const trades = await tradesOf(symbol);
		const perSecond = ((trades.length - 1) * 1000) / ((trades[0]?.time ?? 0) - (trades.at(-1)?.time ?? 0));
		const size = quantile(
			trades.map(({quantity}) => quantity),
			1 - Math.min(rarePerSecond / perSecond, 1),
		);
		return `${symbol} tradeSize >= ${size} every 1s`;
	};
	try {
		const markets = (await reader.tickers()).data
			.toSorted((one, other) => turnover(other) - turnover(one))
			.slice(0, ticked)
			.map(({symbol}) => symbol);
		const levelRules = markets.map(async symbol =>
			[...new Set((await tradesOf(symbol)).map(({price}) => price))]
				.slice(0, levels)
				.map(price => `--list ${symbol} last > ${price} every 1s`),
		);
		const rules = [await ofRareTrades(shown), await ofRareTrades(hidden), ...(await Promise.all(levelRules)).flat()];
		const alerts: Alert[] = [];
		const startedAt = systemClock.now() + clients * staggerMs;
		const runs = Array.from({length: clients}, async (_, index) => {
			await setTimeout(index * staggerMs);
			await client({url: demo.url, rules, onAlert: alert => alerts.push(alert)});
		});
		await Promise.all(runs);
		const delays = (symbol: string) => alerts.flatMap(alert => (alert.symbol === symbol ? (alert.delayMs ?? []) : []));
		const happened = new Map(await Promise.all(markets.map(async symbol => [symbol, await tradesOf(symbol)] as const)));
		const tickerDelays = alerts.flatMap(({symbol, time, rule: {scope, condition}}) => {
			const level = 'value' in condition.right ? condition.right.value : Number.NaN;
			const trades = scope.type === 'list' ? (happened.get(symbol) ?? []) : [];
			// The newest one that the ticker can show.
			const crossed = trades.find(
				(trade, index) => trade.time <= time && trade.price > level && (trades[index + 1]?.price ?? Infinity) <= level,
			);
			return crossed && crossed.time > startedAt ? time - crossed.time : [];
		});
		return [
			row('the market is on screen', delays(shown)),
			row('the market is polled in the background', delays(hidden)),
			row('the rule is judged by the ticker', tickerDelays),
		];
	} finally {
		await reader.close();
		await demo.close();
	}
}

const turnover = ({last = 0, volume = 0}: Ticker): number => last * volume;

function row(name: string, delays: readonly number[]): BenchRow {
	const [middle, most] = [median(delays), quantile(delays, 0.95)].map(ms => `${(ms / 1000).toFixed(2)} s`);
	return {name: `from a trade to the call, ${name}`, measured: `${middle}, p95 ${most} (${delays.length} alerts)`};
}

if (import.meta.main) {
	for (const {name, measured} of await bench()) console.log(`${name}: ${measured}`);
}
