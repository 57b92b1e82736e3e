/** What judging 500 rules of one market costs with each poll that brings new trades. */
import {createAlerts} from '../../source/alerts/alerts.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {marketState, received} from '../helpers/market-state.ts';
import type {BenchRow} from './row.ts';
import {median} from './support/quantile.ts';

const count = 500;
const mostMs = 1;
const polls = 200;
const firstTrades = 500;
const tradesPerPoll = 5;
/** Polls until code is compiled. */
const settled = 50;

/** None of them ever holds, so that all are judged to the end. */
const rules: ReadonlyArray<(index: number) => string> = [
	index => `last crosses ${70_000 + index}`,
	index => `last > ${80_000 + index}`,
	index => `changePercent(5m) < ${-20 - index / 100}`,
	index => `tradeSize > ${100 + index} and bid > 1`,
	index => `spread > ${500 + index} or volume(1m) > ${100_000 + index}`,
];

export async function bench(): Promise<readonly BenchRow[]> {
	const clock = createFakeClock();
	const start = clock.now();
	const texts = Array.from({length: count}, (_, index) => rules[index % rules.length]?.(index) ?? '');
	const parsed = texts.map(text => parseRule(text, {now: start, marketNamed: name => ({key: name})}));
	const feeds = createKnownFeeds();
	const alerts = createAlerts({
		clock,
		rules: parsed.map(rule => ({rule, origin: 'flag', isOff: false})),
		marketsOf: () => ['BTCUSDT'],
		onEvent() {},
		feeds,
	});
	alerts.start();
	const book = {asks: [[60_101, 1]], bids: [[60_100, 1]]} as const;
	let tape = emptyTape;
	let id = 0;
	const times = Array.from({length: polls}, (_, poll) => {
		const now = start + poll * 1000;
		const length = poll === 0 ? firstTrades : tradesPerPoll;
		const page = Array.from(
			{length},
			(_, index): Trade => ({
				...{id: String(++id), time: now - (length - index) * 100, price: 60_000 + (id % 97), quantity: 1, side: 'buy'},
			}),
		);
		// Pages overlap, as those of a poll do.
		tape = mergeTape(tape, [...tape.trades.slice(0, 1), ...page]);
		const state = marketState({tape: received(tape, now), depth: received(book, now)});
		const known = new Map([['BTCUSDT', {state, candlesOf: () => waiting, windows: new Map()}]]);
		clock.jump(now - clock.now());
		const before = performance.now();
		feeds.arrive(known);
		return performance.now() - before;
	});
	const ms = median(times.slice(settled));
	return [
		{
			name: `judge ${count} rules after a poll with ${tradesPerPoll} new trades`,
			measured: `${ms.toFixed(2)} ms`,
			target: `≤ ${mostMs} ms`,
			met: ms <= mostMs,
		},
	];
}
