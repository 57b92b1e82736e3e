/** What the log in memory takes for an hour of a market, and to show any moment of it. */
import type {Level, Ticker, Trade} from '../../source/market/types.ts';
import {hourMs, secondMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import type {Answered, Outcome} from '../../source/recording/outcome-log.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import type {BenchRow} from './row.ts';
import {quantile} from './support/quantile.ts';

const symbol = 'BTCUSDT';
const seeks = 50;
/** Until code is compiled that each of them runs. */
const firstSeeks = 10;
const most = {bytes: 16_000_000, seekMs: 100, cpuPercent: 0.5};

type Pace = {
	readonly perSecond: number;
	/** Of each side. */
	readonly levels: number;
	/** How many levels of each side change a second. */
	readonly changes: number;
	/** Between two books, and two pages of trades, ms. */
	readonly everyMs: number;
};

const paces: readonly Pace[] = [
	{perSecond: 1, levels: 20, changes: 5, everyMs: 1000},
	{perSecond: 1, levels: 100, changes: 20, everyMs: 250},
	{perSecond: 20, levels: 100, changes: 40, everyMs: 1000},
	{perSecond: 20, levels: 5000, changes: 200, everyMs: 1000},
];

export function bench(): readonly BenchRow[] {
	return paces.flatMap(measure);
}

function measure(pace: Pace): readonly BenchRow[] {
	const clock = createFakeClock(Date.UTC(2026, 10, 22, 14));
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const market = createMarket(pace);
	let cpuMs = 0;
	for (let ms = 0; ms <= hourMs; ms += pace.everyMs) {
		const reads = market(ms, clock.now());
		cpuMs += cpuOf(() => {
			for (const read of reads) log.add(read);
		});
		clock.jump(pace.everyMs);
	}

	const [session] = log.sessions();
	const {from = 0, to = 0} = session ?? {};
	const replay = openReplay({log, clock, settle: async () => {}});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	const steps: number[] = [];
	const times = Array.from({length: seeks}, (_, index) => {
		const moment = from + (((index * 7919) % 997) / 997) * (to - from);
		const took = cpuOf(() => replay.player.goTo(moment));
		const {depth, trades} = store.getSnapshot();
		if (depth.status !== 'ready' || trades.status !== 'ready') throw new Error(`nothing is shown at ${moment - from}`);
		steps.push(cpuOf(() => replay.changeAt(symbol, -1)));
		return took;
	}).slice(firstSeeks);
	store.stop();
	const share = (100 * cpuMs) / hourMs;
	const [p95, worst] = [quantile(times, 0.95), Math.max(...times)];
	const name = `rewind: ${pace.perSecond} trades/s, 2 × ${pace.levels} levels each ${pace.everyMs} ms`;
	return [
		{
			name: `${name}, kept`,
			measured: `${((to - from) / 60_000).toFixed(0)} min in ${(log.bytes() / 1e6).toFixed(1)} MB`,
			...{target: '≤ 16 MB', met: log.bytes() <= most.bytes},
		},
		{name: `${name}, CPU`, measured: `${share.toFixed(2)} % of a core`},
		{
			name: `${name}, any moment`,
			measured: `${p95.toFixed(0)} ms of CPU p95, ${worst.toFixed(0)} ms worst`,
			...{target: `p95 ≤ ${most.seekMs} ms`, met: p95 <= most.seekMs},
		},
		{
			name: `${name}, the change before it`,
			measured: `${quantile(steps.slice(firstSeeks), 0.95).toFixed(0)} ms of CPU p95`,
		},
	];
}

/** Ms of CPU: others may keep the machine busy. */
function cpuOf(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** What is read of a market, by ms since its start. */
function createMarket({perSecond, levels, changes}: Pace): (ms: number, now: number) => readonly Outcome[] {
	let seed = 7;
	const random = () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed / 2_147_483_647;
	};
	const size = () => Math.ceil(random() ** 3 * 300_000) / 100_000;
	const sides = ([1, -1] as const).map(sign =>
		Array.from({length: levels}, (_, index): Level => [6_000_000 + sign * (1 + index * 3), size()]),
	);
	let trades: readonly Trade[] = [];
	let id = 1_000_000;
	let price = 6_000_000;
	let tradedUntil = -500;
	let tickers = Array.from(
		{length: 400},
		(_, index): Ticker => ({
			...{symbol: index === 0 ? symbol : `M${index}USDT`, last: 100 + index, change: 1, changePercent: 0.5, open: 99},
			...{high: 110, low: 90, volume: 1000, quoteVolume: 100_000, state: 'active', type: 'spot'},
		}),
	);

	return (ms, now) => {
		const about = {interface: 'v2', receivedAt: now, serverTime: now - 30, dropped: 0} as const;
		const times = {sentAt: now - 60, endedAt: now};
		const count = Math.floor((perSecond * (ms - tradedUntil)) / secondMs);
		if (count > 0) tradedUntil = ms;
		const fresh = Array.from({length: count}, (): Trade => {
			price += Math.round((random() - 0.5) * 40);
			const side = random() < 0.5 ? 'buy' : 'sell';
			return {
				id: String(id++),
				time: now - Math.floor(random() * 400),
				price: price / 100,
				quantity: size(),
				side,
				sideText: side,
			};
		});
		trades = [...fresh.sort((a, b) => b.time - a.time), ...trades].slice(0, 100);
		for (const side of sides) {
			// Most changes are near the best price.
			for (let change = 0; change < changes; change++) {
				const index = Math.floor(random() ** 3 * side.length);
				side[index] = [side[index]?.[0] ?? 0, size()];
			}
		}

		const [asks, bids] = sides.map(side => side.map(([at, quantity]): Level => [at / 100, quantity]));
		const reads: Answered[] = [
			{
				question: {ask: 'depth', market: symbol},
				...times,
				answer: {...about, data: {asks: asks ?? [], bids: bids ?? []}},
			},
			{question: {ask: 'trades', market: symbol}, ...times, answer: {...about, data: trades}},
		];
		if (ms % 5000 === 0) {
			tickers = tickers.map((ticker, index) =>
				index === 0 || random() < 0.2
					? {...ticker, last: 100 + Math.floor(random() * 1000) / 100, volume: Math.floor(random() * 1e7) / 100}
					: {...ticker},
			);
			reads.push({question: {ask: 'tickers'}, ...times, answer: {...about, data: tickers}});
		}

		if (ms % 300_000 === 0) {
			const data = tickers.map(({symbol: of, state}) => ({symbol: of, state, base: of.slice(0, -4), quote: 'USDT'}));
			reads.push({question: {ask: 'markets'}, ...times, answer: {...about, data}});
		}

		return reads;
	};
}

if (import.meta.main) for (const row of bench()) console.log(Object.values(row).join(' | '));
