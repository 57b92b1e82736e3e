/**
 * An exchange whose clock is wrong and is set right while it is watched and recorded. What the tape, the candles, `watch --json` and
 * the recording have is compared with all trades that the exchange ever made: each once, or a gap is marked.
 */
import {afterAll, expect, test} from 'vitest';
import {quantityValue} from '../../source/alerts/quantity-values.ts';
import {createMarketEvents} from '../../source/cli/commands/watch-events.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {decodeCandles, decodeTrades} from '../../source/client/wire/v2/schemas.ts';
import {compareTrades, type Tape} from '../../source/market/tape.ts';
import {tapeSums} from '../../source/market/tape-sums.ts';
import {candlesOfTrades} from '../../source/market/trade-candles.ts';
import type {Candle, Trade} from '../../source/market/types.ts';
import {minuteMs, secondMs} from '../../source/market/units.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import {recordedIn} from '../../source/recording/recording-exchange.ts';
import {openRecording, type RecordingReader} from '../../source/recording/recording-reader.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {completeTo} from '../../source/store/trade-time.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeCall} from '../helpers/fake-exchange.ts';
import {openSample, startedAt, symbol} from './recordings.ts';

/** From the request to the answer's making, and from that to its arrival. */
const onWayMs = 40;
/** Between two polls. */
const setRightAt = startedAt + 8.3 * secondMs;

type Case = {
	/** How far its clock is ahead until it is set right. */
	readonly shiftMs: number;
	readonly perSecond: number;
	/**
	 * Its newest trades are those with the highest ids, or the latest times, of which the trades before keep those of the clock
	 * before; or it gives all trades new times.
	 */
	readonly newest: 'numbered' | 'dated' | 'redated';
	/** Whether answers have stamps, by the same clock. */
	readonly isStamped: boolean;
	/** Whether it sends candles, made from its trades; else they are built from the tape. */
	readonly hasCandles?: boolean;
	readonly intervalMs?: number;
	readonly seconds?: number;
	readonly seed?: number;
};

type Made = {readonly at: number; readonly trade: Trade};

/** A market that trades at random, but always the same. */
function createMarket({newest, shiftMs, perSecond, seconds = 16, seed = 7}: Case): readonly Made[] {
	let state = seed;
	const random = () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
	let [at, ticks, id] = [startedAt - (1200 / perSecond) * secondMs, 500_000, 1000];
	const made: Made[] = [];
	while (at < startedAt + seconds * secondMs) {
		at += Math.ceil((-Math.log(random()) * secondMs) / perSecond);
		if (random() < 0.5) ticks += Math.round((random() - 0.5) * 20);
		const time = newest !== 'redated' && at < setRightAt ? at + shiftMs : at;
		const quantity = Math.ceil(random() * 5000) / 10_000;
		made.push({at, trade: {id: String(id++), time, price: ticks / 100, quantity, side: 'buy', sideText: 'buy'}});
	}

	return made;
}

const sum = (trades: readonly Trade[]) =>
	trades.reduce((lots, {quantity}) => lots + Math.round(quantity * 10_000), 0) / 10_000;

let compared = 0;
const check = (actual: unknown, expected: unknown, what: string) => {
	compared++;
	if (!Object.is(actual, expected)) expect(actual, what).toEqual(expected);
};

/** Each trade from the first one on is there once, unless a gap is marked. */
function checkOnce(ids: readonly string[], hasGap: boolean, made: readonly Trade[], what: string) {
	const all = new Set(ids);
	check(ids.length - all.size, 0, `${what}: twice`);
	const first = Math.min(...ids.map(Number));
	const lost = made.filter(({id}) => Number(id) >= first && !all.has(id)).length;
	check(hasGap ? 0 : lost, 0, `${what}: lost without a gap`);
	return lost;
}

const fail = () => {
	throw new Error('unreadable');
};

/** Those of the last minutes with trades, as the exchange sends them. */
const candlesOf = (trades: readonly Trade[]) =>
	candlesOfTrades(trades, 1)
		.slice(-5)
		.map(({time, ...candle}) => ({id: time / secondMs, ...candle}));

/** Watches and records the market, and compares what is shown at each change. */
async function watch(each: Case) {
	const {newest, shiftMs, isStamped, hasCandles = false, intervalMs, seconds = 16} = each;
	const what = Object.values(each).join(' ');
	const all = createMarket(each);
	const clock = createFakeClock(startedAt);
	/** As the exchange dates them at `time`, by id. */
	const madeUntil = (time: number) => {
		const trades = all.slice(0, all.findLastIndex(({at}) => at <= time) + 1).map(({trade}) => trade);
		if (newest !== 'redated' || time >= setRightAt) return trades;
		return trades.map(trade => ({...trade, time: trade.time + shiftMs}));
	};

	/** Ids of the trades in its answers. */
	const given = new Set<string>();
	function answer({options: {limit = 500}, ...call}: FakeCall<readonly Trade[]>): undefined {
		clock.after(onWayMs, () => {
			const trades = madeUntil(clock.now());
			const page = (newest === 'dated' ? trades.toSorted(compareTrades).reverse() : trades).slice(-limit);
			const serverTime = isStamped ? clock.now() + (clock.now() < setRightAt ? shiftMs : 0) : undefined;
			const {data, ...counts} = decodeTrades(page, fail, Math.max(serverTime ?? 0, clock.now() + onWayMs));
			clock.after(onWayMs, () => {
				for (const {id} of page) given.add(id);
				call.answer(data, {serverTime, ...counts});
			});
		});
	}

	function answerCandles(call: FakeCall<readonly Candle[]>): undefined {
		const now = () => Math.max(clock.now(), isStamped ? clock.now() + (clock.now() < setRightAt ? shiftMs : 0) : 0);
		clock.after(onWayMs, () => {
			const sent = hasCandles ? candlesOf(madeUntil(clock.now())) : [];
			const {data, ...counts} = decodeCandles(sent, fail, now() + onWayMs);
			clock.after(onWayMs, () => call.answer(data, counts));
		});
	}

	const exchange = createFakeExchange(clock, {trades: answer, candles: answerCandles});
	const {path, db, recorder} = openSample(undefined, clock.now());
	const store = createMarketStore({
		...{exchange: withMiddleware(exchange, recordedIn(recorder, clock)), clock, random: () => 0, symbol, period: 1},
		...{intervals: {trades: intervalMs, candles: 1000}, updateGapMs: 0},
	});
	store.show(new Set(['trades', 'candles']));
	const events = createMarketEvents();
	const reported: {readonly id: string; readonly gap: boolean}[] = [];
	const shown: Shown[] = [];
	/** What throws here is only logged: all is compared later. */
	store.subscribe(() => {
		const state = store.getSnapshot();
		for (const event of events(state, clock.now())) if (event.type === 'trade') reported.push(event);
		const {trades: tape} = state;
		if (tape.status !== 'ready' || tape.data === shown.at(-1)?.tape) return;
		shown.push({
			time: clock.now(),
			tape: tape.data,
			state,
			given: madeUntil(clock.now()).filter(({id}) => given.has(id)),
			made: madeUntil(clock.now()),
		});
	});
	store.start();
	await clock.advance(seconds * secondMs);
	store.stop();
	recorder.end(clock.now());
	db.close();
	const made = madeUntil((exchange.calls.trades.findLast(call => call.settled)?.at ?? 0) + onWayMs);
	for (const each of shown) checkFigures(each, what);
	const {trades, gaps} = shown.at(-1)?.tape ?? {trades: [], gaps: new Set()};
	const ids = trades.map(({id}) => id);
	checkOnce(ids, gaps.size > 0, made, `${what}, tape`);
	const hasGap = reported.some(({gap}) => gap);
	const unreported = checkOnce(
		reported.map(({id}) => id),
		hasGap,
		made,
		`${what}, watch --json`,
	);
	const reader = openRecording(path);
	const rows = [...reader.tradesBetween(symbol, 0, Infinity)];
	const recorded = rows.flatMap(row => row.trades.map(({id}) => id));
	const unrecorded = checkOnce(
		recorded,
		rows.some(row => row.gaps.length > 0),
		made,
		`${what}, recording`,
	);
	const declared = reader.gaps().filter(({operation, reason}) => operation === 'trades' && reason !== 'not recorded');
	const undeclared = made
		.slice(made.findIndex(({id}) => id === recorded[0]))
		.filter(({id, time}) => !recorded.includes(id) && !declared.some(({from, to}) => from <= time && time <= to));
	check(undeclared.length, 0, `${what}: what is lost is not in a gap`);
	check(recorder.counts.gaps, reader.gaps().length, `${what}: the gaps that the recorder counts`);
	checkReplay(reader, shown, what);
	reader.close();
	return {unreported, unrecorded, polls: exchange.calls.trades.length};
}

type Shown = {
	readonly time: number;
	readonly tape: Tape;
	readonly state: MarketState;
	/** The trades that the exchange has sent so far, as it dates them then. */
	readonly given: readonly Trade[];
	/** All trades so far. */
	readonly made: readonly Trade[];
};

/** Compares the figures of the tape, and the candle that is built from it, with those of the trades that it should have. */
function checkFigures({state, given, made}: Shown, what: string) {
	const {trades: tape, candles} = state;
	if (tape.status !== 'ready') return;
	const {trades, gaps} = tape.data;
	const first = Math.min(...trades.map(({id}) => Number(id)));
	// Those of the last minute that the tape can have; where it marks a gap, those that it has.
	const known = gaps.size > 0 ? trades : given.filter(({id}) => Number(id) >= first);
	const end = completeTo(tape);
	const within = (ms: number) => known.filter(({time}) => time > end - ms && time <= end);
	const {perMinute, perMinutePartial} = tapeSums(tape.data, end);
	if (!perMinutePartial) check(perMinute, within(minuteMs).length, `${what}: the rate`);
	const moment = {now: tape.receivedAt, newest: 0, isTrade: false};
	const values = {state, candlesOf: () => waiting, facts: new Map()};
	const volume = quantityValue({type: 'quantity', name: 'volume', windowMs: 5 * secondMs}, values, moment);
	if (volume !== undefined) check(volume, sum(within(5 * secondMs)), `${what}: the volume of 5 s`);
	const last = candles.status === 'ready' ? candles.data.candles.at(-1) : undefined;
	if (!last || candles.status !== 'ready') return;
	if (candles.data.builtFrom === 'exchange') {
		const traded = made.filter(({time}) => time >= last.time && time < last.time + minuteMs);
		// It may be ahead of the tape, but not of the exchange.
		const volumes = traded.map((_, index) => sum(traded.slice(0, index + 1)));
		const isPartial = candles.data.partial?.has(last.time) ?? false;
		const isRight = isPartial ? last.volume <= (volumes.at(-1) ?? 0) : volumes.includes(last.volume);
		check(
			isRight ? 'right' : [last.volume, volumes],
			'right',
			`${what}: the candle that the exchange sent, and trades`,
		);
		return;
	}

	const own = known.filter(({time}) => time >= last.time && time < last.time + minuteMs);
	const prices = own.map(({price}) => price);
	const {volume: ofCandle, high, low} = last;
	const expected = {ofCandle: sum(own), high: Math.max(...prices), low: Math.min(...prices)};
	check({ofCandle, high, low}, expected, `${what}: the candle`);
}

/** Compares the tape that a replay shows at some moments, after a seek, with the one that was shown live. */
function checkReplay(reader: RecordingReader, shown: readonly Shown[], what: string) {
	const clock = createFakeClock(startedAt);
	const replay = openReplay({log: reader, clock, settle: async () => {}});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	const step = shown.findIndex(({time}) => time > setRightAt);
	for (const {time, tape} of [...shown.slice(step - 1, step + 2), ...shown.slice(-1)]) {
		replay.player.goTo(time);
		const replayed = store.getSnapshot().trades;
		check(replayed.status === 'ready' && replayed.data, tape, `${what}: the replay at ${time - startedAt}`);
	}

	store.stop();
}

const shifts = [5 * secondMs, 60 * minuteMs, -5 * secondMs, -60 * minuteMs];

test.each([1, 40])(
	'counts each trade once, or marks a gap, as an exchange sets its clock right at %i trades a second',
	async perSecond => {
		for (const newest of ['numbered', 'dated', 'redated'] as const) {
			for (const [index, shiftMs] of shifts.entries()) {
				// A few trades by a few seconds and an hour back, many the other way round.
				if ([0, 3].includes(index) === perSecond > 1) continue;
				// Its newest trades by time are the same for an hour: nothing else is there to be seen.
				if (newest === 'dated' && shiftMs > minuteMs) continue;
				const isStamped = shiftMs % 7 > 2;
				const {unrecorded} = await watch({shiftMs, perSecond, newest, isStamped});
				check(unrecorded, 0, 'the recording is whole');
			}
		}
	},
);

test.each([
	['numbered', 1],
	['redated', 2],
] as const)('loses no trade without a gap where a busy market is polled every 30 s: %s (%i)', async (newest, seed) => {
	const busy = {perSecond: 40, intervalMs: 30 * secondMs, seconds: 60, seed, isStamped: false};
	const {polls} = await watch({...busy, newest, shiftMs: 60 * minuteMs});
	// A page that reaches back over the step is no reason to poll more often.
	expect(polls).toBeLessThan(10);
});

test('marks a gap where trades were hidden by others that were dated ahead', async () => {
	const hidden = {perSecond: 40, newest: 'dated', shiftMs: 20 * secondMs, isStamped: true, seconds: 35} as const;
	const {unreported, unrecorded} = await watch(hidden);
	expect([unreported > 0, unrecorded > 0]).toEqual([true, true]);
});

test('counts each trade once in candles of an exchange that sets its clock right', async () => {
	await watch({shiftMs: 5 * secondMs, perSecond: 4, newest: 'numbered', isStamped: false, hasCandles: true});
	await watch({shiftMs: -5 * secondMs, perSecond: 4, newest: 'dated', isStamped: false, hasCandles: true});
});

afterAll(() => {
	console.log(`${compared} values compared with those computed from raw trades`);
});
