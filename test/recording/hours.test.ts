import {existsSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {hourMs, minuteMs} from '../../source/market/units.ts';
import {openReplay} from '../../source/recording/open-replay.ts';
import {createRecorder} from '../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {answered, exchange, noneAlive, start, startedAt, symbol} from './recordings.ts';

/** Ms between two reads: rarer than by default, as hours of them are recorded in a second. */
const intervalsMs = {depth: 30_000, trades: 60_000, tickers: 60_000, candles: 300_000};
const recordedMs = 8 * hourMs;
const markets = [symbol, 'ETHUSDT', 'LTCUSDT'];

/** What was known of a moment: all of it follows the time. */
const priceAt = (time: number): number => 60_000 + ((time / 1000) % 9973);
const bookAt = (time: number) => {
	const price = priceAt(time);
	return {
		asks: Array.from({length: 20}, (_, level): [number, number] => [
			price + 1 + level,
			1 + ((time / 1000 + level) % 5),
		]),
		bids: Array.from({length: 20}, (_, level): [number, number] => [price - level, 2 + ((time / 1000 + level) % 3)]),
	};
};
const tradesAt = (time: number) =>
	Array.from({length: 75}, (_, index) => ({
		...{id: String(time / 1000 - index), time: time - index * 1000, price: priceAt(time - index * 1000), quantity: 1},
		...({side: 'buy', sideText: 'buy'} as const),
	}));
const tickersAt = (time: number) =>
	markets.map((name, index) => ({symbol: name, last: priceAt(time) + index, state: 'active', type: 'spot'}));
const candlesAt = (time: number) =>
	Array.from({length: 48}, (_, index) => {
		const begin = (Math.floor(time / hourMs) - 47 + index) * hourMs;
		const close = priceAt(Math.min(begin + hourMs, time));
		return {time: begin, open: 60_000, high: 80_000, low: 50_000, close, volume: 1};
	});

function recordHours(path: string): void {
	const from = {...start(), options: {intervalsMs}};
	const db = openToRecord(path, exchange, from, noneAlive);
	const recorder = createRecorder(db, from);
	for (let ms = 0; ms <= recordedMs; ms += intervalsMs.depth) {
		const at = startedAt + ms;
		recorder.add(answered.depth(bookAt(at), at));
		if (ms % intervalsMs.trades === 0) recorder.add(answered.trades(tradesAt(at), at));
		if (ms % intervalsMs.tickers === 0) recorder.add(answered.ticker(tickersAt(at), at));
		if (ms % intervalsMs.candles === 0) recorder.add(answered.candles(candlesAt(at), at, 60));
		if (ms % minuteMs === 0) recorder.flush(at);
	}

	recorder.end(startedAt + recordedMs);
	closeRecorded(db);
}

/** Bytes that this thread has read. */
const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);

describe('hours that were recorded', () => {
	const moments = Array.from(
		{length: 6},
		(_, index) => startedAt + 1000 * Math.floor((((index * 7919) % 997) / 997) * (recordedMs / 1000)),
	);
	let path = '';

	beforeAll(() => {
		path = join(mkdtempSync(join(tmpdir(), 'tapewatch-hours-')), 'hours.twr');
		recordHours(path);
		return () => rmSync(dirname(path), {recursive: true});
	});

	function openHours() {
		const reader = openRecording(path);
		const replay = openReplay({log: reader, clock: createFakeClock(), settle: async () => {}});
		const store = replay.storeOf({symbol, period: 60});
		store.start();
		onTestFinished(() => {
			replay.player.stop();
			store.stop();
			reader.close();
		});
		return {player: replay.player, store, reader};
	}

	test('shows at each moment what was known then', () => {
		const {player, store, reader} = openHours();
		expect(reader.gaps()).toEqual([]);
		for (const moment of moments) {
			player.goTo(moment);
			const {depth, trades: tape, tickers, candles, bookHistory, priceTrails} = store.getSnapshot();
			const lastOf = (name: keyof typeof intervalsMs) => moment - ((moment - startedAt) % intervalsMs[name]);
			expect(depth).toMatchObject({status: 'ready', data: bookAt(lastOf('depth')), receivedAt: lastOf('depth')});
			const newest = lastOf('trades');
			const known = Math.min(4000, (newest - startedAt) / 1000 + 75);
			expect(tape).toMatchObject({status: 'ready', receivedAt: newest});
			const trades = tape.status === 'ready' ? tape.data.trades : [];
			expect(trades.length).toBeGreaterThanOrEqual(known);
			expect(trades.slice(0, 75)).toEqual(tradesAt(newest));
			expect(new Set(trades.map(({id}) => id)).size).toBe(trades.length);
			const quoted = new Map(tickersAt(lastOf('tickers')).map(ticker => [ticker.symbol, ticker]));
			expect(tickers).toMatchObject({status: 'ready', data: quoted, receivedAt: lastOf('tickers')});
			// The newest one is built on from the trades since.
			const closed = candles.status === 'ready' ? candles.data.candles.slice(-47, -1) : [];
			expect(closed).toEqual(candlesAt(lastOf('candles')).slice(-47, -1));
			const books = Math.floor((moment - startedAt) / intervalsMs.depth) + 1;
			const inFourMinutes = 8 + (moment % intervalsMs.depth === 0 ? 1 : 0);
			expect(bookHistory.snapshots.length).toBe(Math.min(books, inFourMinutes));
			expect(priceTrails.get(symbol)?.prices.at(-1)).toBe(priceAt(lastOf('tickers')));
		}
	});

	test('is small', () => {
		expect(statSync(path).size).toBeLessThan(700_000);
	});

	test.skipIf(!existsSync('/proc/thread-self/io'))('is read only where that moment is', () => {
		for (const moment of moments.slice(0, 4)) {
			const {player} = openHours();
			const before = bytesRead();
			player.goTo(moment);
			expect(bytesRead() - before).toBeLessThan(statSync(path).size / 3);
		}
	});
});
