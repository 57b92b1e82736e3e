import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Exchange} from '../../source/client/exchange.ts';
import type {Ask} from '../../source/client/question.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {type IntervalChoices, pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import type {MarketStore} from '../../source/store/state.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeCall, type FakeExchange} from '../helpers/fake-exchange.ts';
import {book, candle, info, market, ticker, timeout, tradePage} from './samples.ts';
import {hour, startTime} from './set-up.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const shown = ['depth', 'trades', 'tickers', 'candles'] as const;

/** How an exchange behaves: the same at the same time, whoever asks. */
type Weather = {
	/** Of an answer, in ms. */
	readonly latencyMs: readonly [least: number, most: number];
	/** Ms after the start. */
	readonly outage: readonly [from: number, to: number];
	/** The share of the seconds in which requests fail. */
	readonly failing: number;
};

const calm: Weather = {latencyMs: [20, 120], outage: [0, 0], failing: 0};

/** In [0, 1), the same for the same number. */
const noise = (number: number): number => (Math.imul(number ^ (number >>> 15), 2_654_435_761) >>> 0) / 2 ** 32;

const keyOf = (name: string, {symbol, options: {use, period, to}}: FakeCall<unknown>): string =>
	[name, use ?? 'auto', symbol, period, to].filter(part => part !== undefined).join(' ');

/** Lets all promises of a tick settle, quicker than the event loop would. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 40; turn++) await Promise.resolve();
}

type World = {
	readonly clock: FakeClock;
	readonly exchange: FakeExchange;
	weather: Weather;
	/** How many requests were sent for each key. */
	readonly sent: ReadonlyMap<string, number>;
	/** The keys of requests that ran beside another one for the same. */
	readonly stacked: readonly string[];
	/** Of requests that are neither answered nor aborted. */
	running(): readonly string[];
};

function createWorld(weather: Weather): World {
	const clock = createFakeClock(startTime, settle);
	const exchange = createFakeExchange(clock);
	const sent = new Map<string, number>();
	const stacked: string[] = [];
	const live = new Map<FakeCall<unknown>, string>();
	const running = () =>
		[...live].filter(([call]) => !call.settled && !call.options.signal?.aborted).map(([, key]) => key);
	const world: World = {clock, exchange, weather, sent, stacked, running};

	const later =
		<Data>(name: string, dataOf: (call: FakeCall<Data>) => Data) =>
		(call: FakeCall<Data>): undefined => {
			const key = keyOf(name, call);
			if (running().includes(key)) stacked.push(key);
			live.set(call, key);
			sent.set(key, (sent.get(key) ?? 0) + 1);
			const ms = clock.now() - startTime;
			const {latencyMs, outage, failing} = world.weather;
			const isFailing = (outage[0] <= ms && ms < outage[1]) || noise(Math.floor(ms / 1000)) < failing;
			clock.after(latencyMs[0] + noise(Math.floor(ms / 100)) * (latencyMs[1] - latencyMs[0]), () => {
				live.delete(call);
				if (call.options.signal?.aborted) return;
				if (isFailing) call.fail(timeout());
				else call.answer(freeze(dataOf(call)), {serverTime: clock.now()});
			});
		};

	exchange.script.info = later('info', () => info);
	exchange.script.markets = later('markets', () => symbols.map(symbol => market(symbol)));
	exchange.script.tickers = later('tickers', () => symbols.map(symbol => ticker(symbol)));
	exchange.script.depth = later('depth', () => book(clock.now()));
	exchange.script.trades = later('trades', ({options}) => {
		const newest = Math.floor(clock.now() / 200);
		return tradePage(newest, options.limit ?? 0, newest * 200, 200);
	});
	exchange.script.candles = later('candles', ({options: {limit = 0, to = clock.now(), period = 60}}) => {
		const ms = period * (hour / 60);
		const end = Math.floor(to / ms) * ms;
		return Array.from({length: limit}, (_, index) => candle(end - (limit - 1 - index) * ms));
	});
	return world;
}

/** Throws where shared data is changed. */
function freeze<T>(data: T): T {
	if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
	for (const part of Object.values(data)) freeze(part);
	return Object.freeze(data);
}

type Viewer = {
	readonly exchange: Exchange;
	readonly store: MarketStore;
	readonly intervals: ReturnType<typeof pollIntervals>;
};

function openStore(world: World, exchange: Exchange, intervals?: IntervalChoices): MarketStore {
	const [symbol] = symbols;
	const store = createMarketStore({exchange, clock: world.clock, symbol, random: () => 0.5, intervals});
	store.start();
	return store;
}

const share = ({exchange, clock}: World) =>
	createSharedExchange({exchange, clock, random: () => 0.5, intervals: pollIntervals()});

const weathers = fc.record({
	latencyMs: fc.constantFrom([20, 120] as const, [300, 900] as const, [800, 2500] as const),
	outage: fc.constantFrom([0, 0] as const, [20_000, 50_000] as const),
	failing: fc.constantFrom(0, 0, 0.2),
});

const acts = fc.oneof(
	fc.constantFrom(...symbols).map(
		symbol =>
			({store}: Viewer) =>
				store.select(symbol),
	),
	fc.constantFrom(60, 15).map(
		period =>
			({store}: Viewer) =>
				store.setPeriod(period),
	),
	fc.constantFrom('auto' as const, 'legacy' as const).map(
		choice =>
			({store}: Viewer) =>
				store.setChoice(choice),
	),
	fc.boolean().map(
		paused =>
			({store}: Viewer) =>
				store.setPaused(paused),
	),
	fc.subarray<Ask>([...shown]).map(
		names =>
			({store}: Viewer) =>
				store.show(new Set(names)),
	),
	fc.constant(({store}: Viewer) => store.loadOlder()),
);

const intervals = fc.constantFrom(undefined, {depth: 300, trades: 300, tickers: 700}, {depth: 2500, candles: 4000});

/** Viewers that come and go, and what they do. */
const crowds = fc.array(
	fc.tuple(fc.integer({min: 0, max: 4000}), fc.nat(5), fc.oneof(acts, fc.constant('leave' as const)), intervals),
	{minLength: 20, maxLength: 50},
);

type Crowd = typeof crowds extends fc.Arbitrary<infer Steps> ? Steps : never;

/** Lets the crowd look at the exchange, each viewer from its first step on. */
async function crowd(world: World, shared: ReturnType<typeof share>, steps: Crowd): Promise<Map<number, Viewer>> {
	const viewers = new Map<number, Viewer>();
	for (const [afterMs, number, act, every] of steps) {
		await world.clock.advance(afterMs);
		const viewer = viewers.get(number);
		if (act === 'leave') {
			viewer?.store.stop();
			await viewer?.exchange.close();
			viewers.delete(number);
		} else if (viewer) act(viewer);
		else {
			const exchange = shared.join();
			viewers.set(number, {exchange, store: openStore(world, exchange, every), intervals: pollIntervals(every)});
		}
	}

	return viewers;
}

/** How old an answer gets until the next one is there, in a calm. */
const longestAge = (ms: number) => ms + calm.latencyMs[1] + 200;

const outcome = ({store, intervals: own}: Viewer, now: number) =>
	shown.map(name => {
		const resource = store.getSnapshot()[name];
		if (resource.status !== 'ready') return `${name} ${resource.status}`;
		const ageMs = now - resource.receivedAt;
		return resource.failure || ageMs > longestAge(Math.max(own[name], pollIntervals()[name]))
			? `${name} ${ageMs}`
			: name;
	});

test('viewers that come, go, switch and pause are all answered, and leave nothing behind', async () => {
	await fc.assert(
		fc.asyncProperty(weathers, crowds, async (weather, steps) => {
			const world = createWorld(weather);
			const shared = share(world);
			const viewers = await crowd(world, shared, steps);
			expect(world.stacked).toEqual([]);
			expect(shared.viewers()).toBe(viewers.size);

			world.weather = calm;
			for (const {store} of viewers.values()) {
				store.setPaused(false);
				store.show(new Set(shown));
			}

			await world.clock.advance(35_000);
			for (const viewer of viewers.values()) expect(outcome(viewer, world.clock.now())).toEqual(shown);

			for (const {store, exchange} of viewers.values()) {
				store.stop();
				await exchange.close();
			}

			await settle();
			expect({running: world.running(), viewers: shared.viewers()}).toEqual({running: [], viewers: 0});
			await world.clock.advance(10 * 60_000);
			expect(world.clock.timers).toBe(0);
			// What they have read is forgotten when somebody comes again, but for the info of each choice of the interface.
			const late = shared.join();
			void late.tickers().catch(() => {});
			expect(shared.reads()).toBeLessThanOrEqual(4);
			await late.close();
		}),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 3)},
	);
});

const tapeOf = (store: MarketStore) => {
	const {trades} = store.getSnapshot();
	if (trades.status !== 'ready') throw new Error(`the tape is ${trades.status}`);
	return trades.data;
};

test('viewers of a market have one tape, in which who joins sees what others have seen', async () => {
	const world = createWorld(calm);
	const shared = share(world);
	const first = openStore(world, shared.join());
	await world.clock.advance(60_000);
	const second = openStore(world, shared.join());
	await world.clock.advance(2000);
	expect(tapeOf(second)).toBe(tapeOf(first));
	expect(tapeOf(second).trades.length).toBeGreaterThan(700);

	second.setPaused(true);
	const paused = tapeOf(second);
	await world.clock.advance(10_000);
	expect(tapeOf(second)).toBe(paused);
	second.setPaused(false);
	await world.clock.advance(2000);
	expect(tapeOf(second)).toBe(tapeOf(first));
	for (const store of [first, second]) store.stop();
});

test('a viewer that resumes when the tape of all was forgotten keeps what it has seen, for itself', async () => {
	const world = createWorld(calm);
	const shared = share(world);
	const first = openStore(world, shared.join());
	await world.clock.advance(5000);
	const oldest = tapeOf(first).trades.at(-1);
	first.setPaused(true);
	await world.clock.advance(10 * 60_000);
	const second = openStore(world, shared.join());
	await world.clock.advance(2000);
	first.setPaused(false);
	await world.clock.advance(10_000);
	expect(tapeOf(first).trades).toContain(oldest);
	expect(tapeOf(first).gaps.size).toBe(1);
	expect(tapeOf(second).trades).not.toContain(oldest);
	expect(tapeOf(second).gaps.size).toBe(0);
	expect(tapeOf(first).trades.slice(0, 100)).toEqual(tapeOf(second).trades.slice(0, 100));
	for (const store of [first, second]) store.stop();
});

const forgiven = 1.05;
/**
 * When an outage begins, others may still answer after a read has failed. Until nothing has answered for ten seconds, it is tried
 * as often as it is polled, which is this much more often than for one viewer, whose tries grow apart at once.
 */
const untilSilent = 6;

test('a crowd costs what one viewer costs who looks at the same all the time', async () => {
	await fc.assert(
		fc.asyncProperty(weathers, crowds, async (weather, steps) => {
			const [alone, together] = [createWorld(weather), createWorld(weather)];
			const store = openStore(alone, alone.exchange);
			const shared = share(together);
			const always = openStore(together, shared.join());
			const viewers = await crowd(together, shared, steps);
			await alone.clock.advance(together.clock.now() - alone.clock.now());
			const more = 1 + (weather.outage[1] > 0 ? untilSilent : 0);
			const dearer = [...alone.sent].filter(([key, count]) => (together.sent.get(key) ?? 0) > count * forgiven + more);
			expect(dearer.map(([key, count]) => [key, count, together.sent.get(key)])).toEqual([]);
			for (const each of [store, always, ...[...viewers.values()].map(viewer => viewer.store)]) each.stop();
		}),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 3)},
	);
});
