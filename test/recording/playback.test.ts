import {describe, expect, onTestFinished, test} from 'vitest';
import {emptyTape, type Tape} from '../../source/market/tape.ts';
import type {DepthBook} from '../../source/market/types.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import type {Answered} from '../../source/recording/outcome-log.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {tradePage} from '../store/samples.ts';
import {answered, failed, recordSample, startedAt, symbol} from './recordings.ts';

const at = (seconds: number): number => startedAt + seconds * 1000;
const book: DepthBook = {asks: [[101, 1]], bids: [[100, 1]]};

function shown(path: string) {
	const reader = openRecording(path);
	const clock = createFakeClock(startedAt);
	const replay = openReplay({log: reader, clock, settle: async () => {}});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	onTestFinished(() => {
		store.stop();
		reader.close();
	});
	return {replay, store, clock};
}

/** The state of the order book after a seek to each of these seconds. */
function bookStates(path: string, seconds: readonly number[]): readonly string[] {
	const {replay, store} = shown(path);
	return seconds.map(second => {
		replay.player.goTo(at(second));
		return store.getSnapshot().depth.status;
	});
}

test.each([
	{depth: undefined, states: ['ready', 'failed', 'ready', 'failed']},
	{depth: 20_000, states: ['ready', 'ready', 'ready', 'ready']},
])('knows a book until three polls of its recorder are missing, each $depth ms', ({depth, states}) => {
	const reads = [0, 20, 40, 60].map(seconds => answered.depth(book, at(seconds)));
	const path = recordSample(reads, undefined, at(0), {intervalsMs: depth === undefined ? {} : {depth}});
	expect(bookStates(path, [9, 15, 25, 35])).toEqual(states);
});

test('loses a book while it plays as after a seek', async () => {
	const path = recordSample([0, 20].map(seconds => answered.depth(book, at(seconds))));
	const {replay, store, clock} = shown(path);
	replay.player.play();
	const states: string[] = [];
	for (const ms of [9000, 6000, 10_000]) {
		await clock.advance(ms);
		states.push(store.getSnapshot().depth.status);
	}

	expect(states).toEqual(['ready', 'failed', 'ready']);
});

test('shows when a failed read is tried again, and since when no request was answered', () => {
	const depth = {ask: 'depth', market: symbol} as const;
	const path = recordSample([
		...[answered.depth(book, at(0)), failed(depth, at(6)), failed(depth, at(15))],
		answered.depth(book, at(25)),
	]);
	const {replay, store} = shown(path);
	const facts = [7, 16, 26].map(second => {
		replay.player.goTo(at(second));
		const {depth: shownBook, pending} = store.getSnapshot();
		return [shownBook.status === 'ready' && shownBook.failure?.retryAt, pending.depth];
	});
	expect(facts).toEqual([
		[at(10), at(1)],
		[at(25) - 40, at(1)],
		[undefined, undefined],
	]);
});

test('steps through a market in which nothing changes by 600 reads', () => {
	const path = recordSample(Array.from({length: 1300}, (_, second) => answered.depth(book, at(second))));
	const {replay} = shown(path);
	const next = replay.changeAt(symbol, 1);
	expect(next?.time).toBe(at(600));
	if (next) replay.player.goTo(next);
	expect(replay.changeAt(symbol, -1)?.time).toBe(at(1));
});

test.each([
	[1000, 24],
	[5000, 6],
	[10_000, 3],
])('a seek with %i tickers shows the prices of the last %i lists', (count, lists) => {
	const seconds = Array.from({length: 25}, (_, index) => index);
	const path = recordSample(
		seconds.map(second => {
			const tickers = Array.from({length: count}, (_, index) => ({symbol: `M${index}`, state: 'active', last: 100}));
			return answered.ticker(
				second === 0 ? tickers : tickers.with(0, {symbol: 'M0', state: 'active', last: second}),
				at(second),
			);
		}),
	);
	const {replay, store} = shown(path);
	replay.player.goTo(at(24));
	const {priceTrails} = store.getSnapshot();
	expect(priceTrails.get('M0')?.prices).toEqual(seconds.slice(-lists));
});

describe.each([
	['played', 0],
	['after a seek', 5],
])('%s', (_, from) => {
	/** What is shown after 6 s. */
	async function tapeOf(pages: readonly Answered[]): Promise<Tape> {
		const path = recordSample([...pages, answered.depth(book, at(8))]);
		const {replay, store, clock} = shown(path);
		replay.player.goTo(at(from));
		replay.player.play();
		await clock.advance(6000 - from * 1000);
		const {trades: tape} = store.getSnapshot();
		return tape.status === 'ready' ? tape.data : emptyTape;
	}

	const tapeIds = async (pages: readonly Answered[]) => (await tapeOf(pages)).trades.map(({id}) => Number(id));

	test('a tape is of the interface that answers', async () => {
		const v1 = {interface: 'legacy'} as const;
		const pages = [
			answered.trades(tradePage(20, 5, at(0)), at(0)),
			answered.trades(tradePage(900, 5, at(1)), at(1), v1),
			answered.trades(tradePage(901, 5, at(2)), at(2), v1),
			answered.trades(tradePage(23, 5, at(3)), at(3)),
			answered.trades(tradePage(24, 5, at(4)), at(4)),
		];
		expect(await tapeIds(pages)).toEqual([24, 23, 22, 21, 20, 19, 18, 17, 16]);
	});
});

test('has each trade once when a market is shown again, at once or after a while', async () => {
	const reads = Array.from({length: 60}, (_, second) => answered.trades(tradePage(second, 1, at(second)), at(second)));
	const {replay, store, clock} = shown(recordSample(reads));
	const ids = () => {
		const {trades: tape} = store.getSnapshot();
		return tape.status === 'ready' ? tape.data.trades.map(({id}) => Number(id)) : tape.status;
	};
	const downTo0 = (newest: number) => Array.from({length: newest + 1}, (_, index) => newest - index);
	replay.player.goTo(at(5));
	expect(ids()).toEqual(downTo0(5));
	store.select('ETHUSDT');
	expect(ids()).toBe('failed');
	store.select(symbol);
	expect(ids()).toEqual(downTo0(5));
	store.setChoice('v2');
	expect(ids()).toEqual(downTo0(5));
	store.select('ETHUSDT');
	replay.player.play();
	await clock.advance(45_000);
	store.select(symbol);
	expect(ids()).toEqual(downTo0(50));
});

test('a seek brings the reads of all questions in the order of their times', () => {
	const ticker = answered.ticker([{symbol, state: 'active', last: 100}], at(0), {serverTime: at(0)});
	// Between the books, the exchange's clock was set.
	const books = [0, 5].map(second => answered.depth(book, at(second), {serverTime: at(second + 12 * second)}));
	const {replay, store} = shown(recordSample([ticker, ...books]));
	replay.player.goTo(at(6));
	const {tickers} = store.getSnapshot();
	expect(tickers.status === 'ready' && tickers.clockSetMs).toBe(60_000);
});

test('tells when the shown trades and candles were requested, unless a cache had kept them', () => {
	const cache = {isHit: true, isSaid: true, ageMs: 500};
	const candle = {time: at(-60), open: 1, high: 3, low: 1, close: 2, volume: 4};
	const {replay, store} = shown(
		recordSample([
			answered.trades(tradePage(20, 5, at(0)), at(0)),
			answered.candles([candle], at(0)),
			answered.trades(tradePage(21, 5, at(1)), at(1), {cache}),
		]),
	);
	const sentAt = [0, 2].map(second => {
		replay.player.goTo(at(second));
		const {trades: tape, candles} = store.getSnapshot();
		return [tape, candles].map(resource => resource.status === 'ready' && resource.sentAt);
	});
	expect(sentAt).toEqual([
		[at(0) - 40, at(0) - 40],
		[undefined, at(0) - 40],
	]);
});
