import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {TimeoutError} from '../../source/client/errors.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {sumDecimals} from '../../source/market/precision.ts';
import {compareTrades, type Tape, tradeKey} from '../../source/market/tape.ts';
import {
	type Candle,
	type DepthBook,
	type Level,
	largestPage,
	type Ticker,
	type Trade,
} from '../../source/market/types.ts';
import {hourMs, minuteMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import {recordedIn} from '../../source/recording/recording-exchange.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import type {Resource} from '../../source/store/resource.ts';
import type {MarketState, MarketStore} from '../../source/store/state.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeCall} from '../helpers/fake-exchange.ts';
import {openSample, startedAt} from './recordings.ts';

const symbol = 'BTCUSDT';
const other = 'ETHUSDT';

/** Prices that move with time alone, so that every read at one time agrees. */
const priceAt = (time: number): number => Math.round(60_000 + 50 * Math.sin(time / 7000) + 13 * Math.sin(time / 900));

/** The exchange's clock is off by `ms` until it is set right. */
type ClockStep = {readonly ms: number; readonly at: number; readonly redates: boolean};

/** How much the trades that happened at `time` are ahead in an answer made at `now`. */
const aheadAt = ({ms, at, redates}: ClockStep, time: number, now: number): number =>
	(redates ? now : time) < at ? ms : 0;

/** Newest first: two at a time and price, of one side or of both. */
const tradesUpTo = (now: number, count: number, step: ClockStep): readonly Trade[] =>
	Array.from({length: count}, (_, index): Trade => {
		const id = Math.floor(now / 400) - index;
		const happened = Math.floor(id / 2) * 800;
		return {
			...{id: String(id), time: happened + aheadAt(step, happened, now)},
			...{price: priceAt(happened) + 0.5, quantity: (id % 7) / 10 + 0.01},
			...(id % 3 ? ({side: 'buy', sideText: 'buy'} as const) : ({side: 'sell', sideText: 'sell'} as const)),
		};
	}).sort(compareTrades);

/** It has ids of its own, and no sides. */
const asLegacy = ({id, time, price, quantity}: Trade): Trade => ({id: `9${id}`, time, price, quantity});

function bookAt(time: number): DepthBook {
	const mid = priceAt(time);
	const side = (sign: 1 | -1): Level[] =>
		Array.from({length: 20}, (_, index) => [
			mid + sign * (index + 1) * 0.5,
			((Math.floor(time / 1000) + index) % 9) + 0.125,
		]);
	return {asks: side(1), bids: side(-1)};
}

const tickersAt = (time: number): readonly Ticker[] =>
	[symbol, other].map((each, index) => ({
		...{
			symbol: each,
			last: priceAt(time) / (index + 1),
			volume: 1000 + Math.floor(time / 5000),
			state: 'active',
			type: 'spot',
		},
	}));

function candlesAt(now: number, period: number, limit: number, step: ClockStep): readonly Candle[] {
	const ms = period * minuteMs;
	const newest = Math.floor((now + aheadAt(step, now, now)) / ms) * ms;
	const count = Math.min(limit, 5);
	const trades = tradesUpTo(now, (count * ms) / 400, step);
	return Array.from({length: count}, (_, index): Candle => {
		const start = newest - (count - 1 - index) * ms;
		const within = trades.filter(trade => trade.time >= start && trade.time < start + ms);
		const prices = within.map(({price}) => price);
		return {
			...{time: start, open: prices.at(-1) ?? 0, close: prices[0] ?? 0},
			...{high: Math.max(...prices), low: Math.min(...prices)},
			volume: sumDecimals(within.map(({quantity}) => quantity)),
		};
	}).filter(({volume}) => volume > 0);
}

/** How the exchange behaves in each second. */
type Weather = 'fine' | 'slow' | 'cached' | 'failing' | 'legacy';

/** How long a cache keeps an answer. */
const keptMs = 1700;

type Sample = {readonly time: number; readonly state: MarketState};

/** Records into a file and a log in memory. */
async function record(clock: FakeClock, weather: readonly Weather[], step: ClockStep, sampleEachMs: number) {
	const {path, db, recorder} = openSample(undefined, clock.now());
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const at = (time: number): Weather => weather[Math.floor((time - startedAt) / 1000)] ?? 'fine';
	const sourceAt = (time: number) => (at(time) === 'legacy' ? ({interface: 'legacy'} as const) : {});
	const fake = createFakeExchange(clock);
	const answer =
		<Call extends {readonly at: number}, Data>(read: (call: Call) => Data) =>
		(call: Call & Pick<FakeCall<Data>, 'answer' | 'fail'>): undefined => {
			const now = at(call.at);
			if (now === 'failing') {
				const error = new TimeoutError({operation: 'depth', interface: 'v2', url: '', timeoutMs: 50});
				clock.after(50, () => call.fail(error));
			} else if (now === 'cached') {
				const written = call.at - (call.at % keptMs);
				const data = read({...call, at: written});
				clock.after(40, () => {
					const cache = {ageMs: clock.now() - written, isHit: true, isSaid: false};
					call.answer(data, {receivedAt: written, cache, ...sourceAt(written)});
				});
			} else {
				clock.after(now === 'slow' ? 2600 : 40, () => call.answer(read(call), sourceAt(call.at)));
			}
		};
	fake.script.depth = answer(call => (at(call.at) === 'legacy' ? {asks: bookAt(call.at).asks} : bookAt(call.at)));
	const tradesFor = ({at: time, options: {limit = 50}}: FakeCall<readonly Trade[]>, askedAt = time) => {
		const trades = tradesUpTo(time, limit, step);
		return at(askedAt) === 'legacy' ? trades.map(asLegacy) : trades;
	};
	const trades = answer((call: FakeCall<readonly Trade[]>) => tradesFor(call));
	let askedAt = startedAt;
	// A recording does not tell that the screen waits for a second page: that one comes at once, of the interface of the first.
	fake.script.trades = (call): undefined => {
		if (call.options.limit === largestPage) {
			call.answer(tradesFor(call, askedAt), sourceAt(askedAt));
			return;
		}

		askedAt = call.at;
		trades(call);
	};
	fake.script.tickers = answer(call => tickersAt(call.at));
	fake.script.candles = answer(call => candlesAt(call.at, call.options.period ?? 1, call.options.limit ?? 500, step));
	fake.script.markets = answer(() => [symbol, other].map(each => ({symbol: each, state: 'active'})));
	fake.script.info = answer(() => ({name: 'Sample', capability: {} as never}));
	const store = createMarketStore({
		...{
			exchange: withMiddleware(fake, recordedIn(log, clock), recordedIn(recorder, clock)),
			...{clock, symbol, period: 1, random: () => 0.5},
		},
		// Updates of the screen wait for a part of a second, which must not decide what is compared.
		updateGapMs: 0,
	});
	const samples: Sample[] = [];
	// The first requests are sent a while after the recorder began.
	await clock.advance(300);
	store.start();
	await clock.advance(20);
	samples.push({time: clock.now(), state: store.getSnapshot()});
	await clock.advance(180);
	for (let sample = 0; sample < (weather.length * 1000) / sampleEachMs; sample++) {
		samples.push({time: clock.now(), state: store.getSnapshot()});
		await clock.advance(sampleEachMs);
	}

	store.stop();
	recorder.end(clock.now());
	db.close();
	return {path, log, samples};
}

/** What a screen shows of a state, without what only a poller knows. */
function shown(state: MarketState) {
	const {symbol: shownSymbol, period, decimals, priceTrails, bookHistory, pending} = state;
	return {
		...{symbol: shownSymbol, period, decimals, priceTrails, bookHistory, pending},
		...{info: resource(state.info), markets: resource(state.markets), tickers: resource(state.tickers)},
		...{depth: resource(state.depth), tape: resource(state.trades), candles: resource(state.candles)},
	};
}

function resource(of: Resource<unknown>) {
	if (of.status === 'waiting') return {status: of.status};
	const {failure} = of;
	const failed = failure && {message: failure.error.message, since: failure.since};
	if (of.status === 'failed') return {status: of.status, failed};
	const {data, interface: from, receivedAt, cache, dropped} = of;
	return {status: of.status, data, from, receivedAt, cache, dropped, failed};
}

/**
 * A recording has each trade once: where the screen's tape started over with another interface, a replay may reach further
 * back. It is cut to what the screen showed, and what is below that is not compared.
 */
function cutTo(live: Resource<Tape>, tape: Resource<Tape>): Resource<Tape> {
	if (live.status !== 'ready' || tape.status !== 'ready') return tape;
	const trades = tape.data.trades.slice(0, live.data.trades.length);
	const above = trades.slice(0, -1).map(tradeKey);
	const below = trades.slice(-1).map(tradeKey);
	const keys = new Set([...above, ...below.filter(key => live.data.gaps.has(key))]);
	return {...tape, data: {trades, gaps: new Set([...tape.data.gaps, ...below]).intersection(keys)}};
}

/** With the words of `expect` where they differ, which takes several times as long to compare. */
function expectShown(
	store: MarketStore,
	{time, state}: Sample,
	{leftOut, isCut}: {leftOut: {candles?: undefined; pending?: undefined}; isCut: boolean},
): void {
	const {trades, ...others} = store.getSnapshot();
	const [replayed, live] = [
		{...shown({...others, trades: isCut ? cutTo(state.trades, trades) : trades}), ...leftOut},
		{...shown(state), ...leftOut},
	];
	if (!isDeepStrictEqual(replayed, live)) expect({time, ...replayed}).toEqual({time, ...live});
}

const weathers = fc
	.array(
		fc
			.tuple(
				fc.constantFrom<Weather>('fine', 'fine', 'slow', 'cached', 'failing', 'legacy'),
				fc.integer({min: 1, max: 6}),
			)
			.map(([weather, seconds]) => Array.from({length: seconds}, () => weather)),
		{minLength: 2, maxLength: 8},
	)
	// In less time a slow exchange answers nothing, and there is no recording.
	.filter(parts => parts.flat().length >= 3);

const steps = fc.record({
	ms: fc.constantFrom(0, 0, 0, 5000, -5000, 3_600_000, -3_600_000),
	at: fc.integer({min: startedAt, max: startedAt + 20_000}),
	redates: fc.boolean(),
});

test('shows at each moment what the live screen showed, after a seek and while it plays', async () => {
	await fc.assert(
		fc.asyncProperty(weathers, steps, async (parts, set) => {
			const clock = createFakeClock(startedAt);
			const isCut = parts.flat().includes('legacy');
			// Where the clock is set while the other interface answers, a recording goes on where the screen's tape starts over.
			const step = isCut ? {...set, ms: 0} : set;
			const {path, log, samples} = await record(clock, parts.flat(), step, 1000);
			// Candles of the clock before stay in a recording, and the screen requests them twice. They move with the tape.
			const leftOut = step.ms === 0 && !isCut ? {} : {candles: undefined, pending: undefined};
			const how = {leftOut, isCut};
			const file = openRecording(path);
			for (const reader of [file, log]) {
				const replay = openReplay({log: reader, clock, settle: async () => {}});
				const store = replay.storeOf({symbol, period: 1});
				store.start();
				// The log in memory begins with the first answer, a file with its recorder.
				const [{from} = {from: 0}] = reader.sessions();
				const since = samples.filter(({time}) => time >= from);
				for (const sample of since) {
					replay.player.goTo(sample.time);
					expectShown(store, sample, how);
				}

				replay.player.goTo(startedAt);
				for (const sample of since) {
					await replay.clock.advanceTo(sample.time);
					store.setPeriod(1);
					expectShown(store, sample, how);
				}

				store.stop();
			}

			file.close();
		}),
		{
			numRuns: 10,
			examples: [
				// The first answer comes after the last sample.
				[[['slow'], ['slow'], ['slow']], {ms: 0, at: startedAt, redates: false}],
				// The first page that comes has trades of both clocks.
				[[['failing'], ['fine'], ['fine']], {ms: 3_600_000, at: startedAt, redates: false}],
				// Books without bids come between others, and trades with ids of their own.
				[
					[
						['fine', 'fine'],
						['legacy', 'legacy'],
						['fine', 'fine'],
					],
					{ms: 0, at: startedAt, redates: false},
				],
			],
		},
	);
});
