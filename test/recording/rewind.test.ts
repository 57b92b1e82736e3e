import {expect, onTestFinished, test} from 'vitest';
import {TimeoutError} from '../../source/client/errors.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {hourMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import {recordedIn} from '../../source/recording/recording-exchange.ts';
import {createRewind} from '../../source/recording/rewind.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import type {MarketState} from '../../source/store/state.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {answered, startedAt} from './recordings.ts';

const settle = async () => {};

/** A live session whose best ask is the seconds since its start. */
async function startLive() {
	const clock = createFakeClock(startedAt);
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const exchange = createFakeExchange(clock);
	const secondsAt = (time: number) => Math.floor((time - startedAt) / 1000);
	exchange.script.depth = ({at}) => ({asks: [[secondsAt(at) + 1000, 1]], bids: [[999, 1]]});
	exchange.script.markets = () => ['BTCUSDT', 'ETHUSDT'].map(symbol => ({symbol, state: 'active'}));
	exchange.script.tickers = ({at}) =>
		['BTCUSDT', 'ETHUSDT'].map(symbol => ({symbol, last: secondsAt(at) + 1, state: 'active'}));
	const live = createMarketStore({
		...{exchange: withMiddleware(exchange, recordedIn(log, clock)), clock, symbol: 'BTCUSDT'},
	});
	live.start();
	await clock.advance(60_300);
	/** What was read of the recording. */
	const reads: string[] = [];
	const last: typeof log.last = (session, question, ...more) => {
		reads.push(question.ask);
		return log.last(session, question, ...more);
	};
	const rewind = createRewind({live, clock, settle, log: {...log, last}, alerts: () => []});
	onTestFinished(() => {
		rewind.stop();
		live.stop();
	});
	return {clock, exchange, live, log, rewind, reads};
}

const askOf = ({depth}: MarketState): number | undefined =>
	depth.status === 'ready' ? depth.data.asks[0]?.[0] : undefined;

test('shows what was shown then, and how long ago, while the live session goes on', async () => {
	const {clock, live, rewind} = await startLive();
	const {store, controls} = rewind;
	expect([askOf(store.getSnapshot()), controls.getSnapshot()]).toEqual([1060, undefined]);
	expect(controls.skip(-10_000)).toBe(true);
	expect([askOf(store.getSnapshot()), controls.getSnapshot()?.label]).toEqual([1050, 'REWOUND 00:00:10']);
	await clock.advance(5000);
	expect([askOf(store.getSnapshot()), controls.getSnapshot()?.label]).toEqual([1050, 'REWOUND 00:00:15']);
	expect(askOf(live.getSnapshot())).toBe(1065);
});

test('reads what is known of the first moment once, as a key waits for it', async () => {
	const {rewind, reads} = await startLive();
	rewind.controls.skip(-10_000);
	expect(reads.filter(operation => operation === 'depth')).toHaveLength(1);
});

test('plays on from there, and steps to each change', async () => {
	const {clock, rewind} = await startLive();
	const {store, controls} = rewind;
	controls.skip(-30_000);
	const from = askOf(store.getSnapshot()) ?? 0;
	controls.togglePlaying();
	await clock.advance(3000);
	expect(askOf(store.getSnapshot())).toBe(from + 3);
	controls.step(-1);
	controls.step(-1);
	expect(askOf(store.getSnapshot())).toBe(from + 2);
});

test('steps over reads that changed nothing of the market', async () => {
	const {clock, exchange, rewind} = await startLive();
	const {store, controls} = rewind;
	exchange.script.tickers = ({at}) => [
		{symbol: 'BTCUSDT', last: 5, state: 'active'},
		{symbol: 'ETHUSDT', last: at, state: 'active'},
	];
	exchange.script.depth = () => ({asks: [[2000, 1]], bids: [[999, 1]]});
	await clock.advance(150_000);
	const quietSince = clock.now() - 150_000;
	exchange.script.depth = () => ({asks: [[2001, 1]], bids: [[999, 1]]});
	await clock.advance(10_000);
	const shown = () => [askOf(store.getSnapshot()), ((controls.getSnapshot()?.time ?? 0) - quietSince) / 1000];
	controls.skip(-100_000);
	expect(shown()).toEqual([2000, 60]);
	const steps = ([1, -1, -1, -1] as const).map(by => {
		controls.step(by);
		return shown();
	});
	expect(steps).toEqual([
		// The book, the ticker, and the book before.
		[2001, 150.7],
		[2000, 4.7],
		[2000, 0.7],
		[1060, -0.3],
	]);
});

test('hatches what was missing until then of the market on screen', async () => {
	const {clock, exchange, rewind} = await startLive();
	exchange.script.depth = () => new TimeoutError({operation: 'depth', interface: 'v2', url: '', timeoutMs: 50});
	await clock.advance(30_000);
	exchange.script.depth = () => ({asks: [[2, 1]], bids: [[1, 1]]});
	await clock.advance(30_000);
	rewind.controls.skip(-10_000);
	const [gap, ...others] = rewind.controls.getSnapshot()?.gaps ?? [];
	expect([gap && Math.round((gap.to - gap.from) / 10_000), others]).toEqual([3, []]);
});

test('is back at the present at once, with nothing lost', async () => {
	const {clock, exchange, live, rewind} = await startLive();
	const {store, controls} = rewind;
	const before = exchange.calls.depth.length;
	controls.skip(-40_000);
	await clock.advance(20_000);
	expect(exchange.calls.depth.length - before).toBe(20);
	expect(controls.end()).toBe(true);
	expect([store.getSnapshot(), controls.getSnapshot(), controls.end()]).toEqual([live.getSnapshot(), undefined, false]);
});

test('returns to the present by itself when it is reached', async () => {
	const {clock, rewind} = await startLive();
	const {store, controls} = rewind;
	controls.skip(-10_000);
	controls.skip(10_000);
	controls.skip(10_000);
	expect(controls.getSnapshot()).toBeUndefined();
	controls.skip(-10_000);
	controls.setSpeed(10);
	controls.togglePlaying();
	await clock.advance(2000);
	expect([controls.getSnapshot(), askOf(store.getSnapshot())]).toEqual([undefined, 1062]);
});

test('shows of a market that was only in the ticker what is known of it, and stays with it', async () => {
	const {clock, live, rewind} = await startLive();
	const {store, controls} = rewind;
	controls.skip(-10_000);
	store.select('ETHUSDT');
	const {depth, tickers} = store.getSnapshot();
	expect(depth.status === 'failed' && depth.failure.error.brief).toBe('not recorded');
	expect(tickers.status === 'ready' && tickers.data.get('ETHUSDT')?.last).toBe(51);
	expect(live.getSnapshot().symbol).toBe('BTCUSDT');
	controls.end();
	await clock.advance(1000);
	expect([live.getSnapshot().symbol, store.getSnapshot().symbol]).toEqual(['ETHUSDT', 'ETHUSDT']);
});

test('keeps the interface that was chosen, then and on return', async () => {
	const {live, rewind} = await startLive();
	const {store, controls} = rewind;
	live.setChoice('v2');
	controls.skip(-10_000);
	expect(store.getSnapshot().choice).toBe('v2');
	store.setChoice('legacy');
	controls.skip(-10_000);
	expect([store.getSnapshot().choice, live.getSnapshot().choice]).toEqual(['legacy', 'v2']);
	controls.end();
	expect([store.getSnapshot().choice, live.getSnapshot().choice]).toEqual(['legacy', 'legacy']);
});

test('says that there is nothing to go back to before anything was recorded', async () => {
	const {clock, live} = await startLive();
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const rewind = createRewind({live, clock, settle, log, alerts: () => []});
	expect([rewind.controls.skip(-10_000), rewind.controls.getSnapshot()]).toEqual([false, undefined]);
	rewind.stop();
});

test('goes back no further than to the first answer, before which nothing was shown', async () => {
	const {clock, live} = await startLive();
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	await clock.advance(700);
	log.add(answered.depth({asks: [[1234, 1]], bids: [[1233, 1]]}, clock.now()));
	await clock.advance(2000);
	const rewind = createRewind({live, clock, settle, log, alerts: () => []});
	onTestFinished(rewind.stop);
	expect(rewind.controls.skip(-10_000)).toBe(true);
	expect([askOf(rewind.store.getSnapshot()), rewind.controls.getSnapshot()?.label]).toEqual([1234, 'REWOUND 00:00:02']);
	expect(rewind.controls.skip(-10_000)).toBe(false);
});

test('goes back from the present where the clock was set back to a time that was there before', async () => {
	const {clock, exchange, rewind} = await startLive();
	clock.jump(-20_000);
	exchange.script.depth = ({at}) => ({asks: [[Math.floor((at - startedAt) / 1000) + 5000, 1]], bids: [[999, 1]]});
	await clock.advance(15_000);
	rewind.controls.skip(-10_000);
	expect(askOf(rewind.store.getSnapshot())).toBe(5045);
});

test('reports a defect, and is at the present after it', async () => {
	const {clock, live, log} = await startLive();
	const gaps = () => {
		throw new TypeError('a defect');
	};
	const rewind = createRewind({live, clock, settle, log: {...log, gaps}, alerts: () => []});
	onTestFinished(rewind.stop);
	expect(() => rewind.controls.skip(-10_000)).toThrow('a defect');
	expect([rewind.store.getSnapshot(), rewind.controls.getSnapshot()]).toEqual([live.getSnapshot(), undefined]);
});

test('stays live where no earlier change is known', async () => {
	const {clock, live} = await startLive();
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	log.add(answered.depth({asks: [[2, 1]], bids: [[1, 1]]}, clock.now() - 1000));
	const rewind = createRewind({live, clock, settle, log, alerts: () => []});
	onTestFinished(rewind.stop);
	expect([rewind.controls.step(-1), rewind.controls.getSnapshot()]).toEqual([false, undefined]);
	expect(rewind.store.getSnapshot()).toBe(live.getSnapshot());
});
