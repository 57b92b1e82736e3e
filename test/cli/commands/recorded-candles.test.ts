import {expect, onTestFinished, test} from 'vitest';
import type {Candle, Trade} from '../../../source/market/types.ts';
import {openReplay} from '../../../source/recording/open-replay.ts';
import type {Outcome} from '../../../source/recording/outcome-log.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {answered, readSample, recordSample, startedAt, symbol} from '../../recording/recordings.ts';
import {inProcess} from '../in-process.ts';

/** 14:00:00. */
const at = (seconds: number) => startedAt + seconds * 1000;

/** One each second. */
const trade = (second: number): Trade => ({
	...{id: String(1000 + second), time: at(second), price: 100 + (second % 7), quantity: 1},
});

/** The three newest trades. */
const page = (second: number): readonly Trade[] => [second, second - 1, second - 2].map(trade);
const market = {symbol, id: '17', base: 'BTC', quote: 'USDT', state: 'active', type: 'spot'};
const candle = {time: at(-60), open: 1, high: 3, low: 1, close: 2, volume: 4};

const minutes = [-60, 0, 60, 120].map(second => ({...candle, time: at(second)}));
/** A recording of the trades from one second to another, and of what else was read. */
const candlesPath = (first: number, last: number, more: readonly Outcome[]) => {
	const trades = Array.from({length: last - first + 1}, (_, index) =>
		answered.trades(page(first + index), at(first + index)),
	);
	const all = [answered.markets([market], at(first)), ...trades, ...more];
	return recordSample(
		all.toSorted((one, other) => one.endedAt - other.endedAt),
		undefined,
		at(first),
	);
};

/** The exchange's minutes at a second, its newest one with the trades up to then. */
const minutesAt = (second: number, volume: number) => {
	const sent = minutes.filter(({time}) => time <= at(second));
	const whole = sent.map((each, index) => (index === sent.length - 1 ? {...each, volume} : {...each, volume: 60}));
	return answered.candles(whole, at(second));
};

const readAt = async (path: string, period: string, ...args: readonly string[]) => {
	const read = await inProcess(['candles', symbol, '--period', period, '--recording', path, '--json', ...args]);
	expect([read.stderr.startsWith('tapewatch: RECORDED '), read.status]).toEqual([true, 0]);
	return JSON.parse(read.stdout).candles as ReadonlyArray<Candle & {readonly forming: boolean}>;
};

const volumeOf = (candles: readonly Candle[], start: number) =>
	candles.filter(({time}) => time >= start && time < start + 60_000).reduce((sum, {volume}) => sum + volume, 0);

test('candles of a recording are as complete as its trades, whichever their period and time', async () => {
	const path = candlesPath(-10, 150, [minutesAt(15, 16), minutesAt(75, 16)]);
	for (const args of [[], ['--at', '14:01:40'], ['--at', '14:01:10'], ['--at', '14:00:20']]) {
		const [byMinute, byThird] = [await readAt(path, '1m', ...args), await readAt(path, '20s', ...args)];
		for (const each of byMinute.slice(1))
			expect([each.time, each.volume]).toEqual([each.time, volumeOf(byThird, each.time)]);
		expect(byMinute.at(-1)?.time).toBe(Math.floor((byThird.at(-1)?.time ?? 0) / 60_000) * 60_000);
	}

	const newest = await readAt(path, '1m');
	expect(
		newest.map(({time, volume, forming, builtFrom, partial}) => [time, volume, forming, builtFrom, partial]),
	).toEqual([
		[at(-60), 60, false, 'exchange', false],
		[at(0), 60, false, 'trades', false],
		[at(60), 60, false, 'trades', false],
		[at(120), 31, true, 'trades', false],
	]);
});

test('candles of a recording are partial where the exchange had not finished one, and trades of it were not recorded', async () => {
	const path = candlesPath(30, 50, [minutesAt(45, 46)]);
	expect((await readAt(path, '1m')).at(-1)).toEqual({
		...{time: at(0), open: 1, high: 106, low: 1, close: trade(50).price, volume: 46},
		...{forming: true, partial: true, builtFrom: 'exchange'},
	});
});

test('candles of a recording go on with the exchange where a later session has them', async () => {
	const path = candlesPath(-10, 20, [minutesAt(15, 16)]);
	recordSample([minutesAt(100, 41), answered.trades(page(101), at(101))], path, at(100));
	const candles = await readAt(path, '1m');
	expect(candles.map(({time, volume, partial, builtFrom}) => [time, volume, partial, builtFrom])).toEqual([
		[at(-60), 60, false, 'exchange'],
		[at(0), 60, false, 'exchange'],
		[at(60), 41, true, 'exchange'],
	]);
});

test('candles of a recording between two sessions are those of the trades that were recorded', async () => {
	const path = candlesPath(-10, 130, [minutesAt(75, 16)]);
	const later = {...candle, time: at(600)};
	recordSample([answered.candles([later], at(601)), answered.trades(page(601), at(601))], path, at(601));
	const candles = await readAt(path, '1m');
	expect(candles.map(({time, volume, partial, builtFrom}) => [time, volume, partial, builtFrom])).toEqual([
		[at(-60), 60, false, 'exchange'],
		[at(0), 60, false, 'trades'],
		[at(60), 60, false, 'trades'],
		[at(120), 11, true, 'trades'],
		[at(540), 1, true, 'trades'],
		[at(600), 2, false, 'trades'],
	]);
});

test('candles of a recording say which is still forming: none of a range that was followed by an answer', async () => {
	const path = candlesPath(-10, 70, []);
	const range = ['--from', '14:00:10', '--to', '14:00:15'];
	expect((await readAt(path, '5s', ...range)).map(({forming}) => forming)).toEqual([false, false]);
	expect((await readAt(path, '5s', '--limit', '1')).map(({forming}) => forming)).toEqual([true]);
});

test('candles of a replay are those of the reads, also after the last time that candles were read', async () => {
	const polls = Array.from({length: 9}, (_, index) => minutesAt(15 * index, ((15 * index) % 60) + 1));
	const path = candlesPath(-10, 150, polls);
	const reader = readSample(path);
	const clock = createFakeClock(at(200));
	const replay = openReplay({log: reader, clock, settle: async () => {}});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	onTestFinished(() => store.stop());
	for (const [second, time] of [
		[14, '14:00:14'],
		[73, '14:01:13'],
		[110, '14:01:50'],
		[150, '14:02:30'],
	] as const) {
		replay.player.goTo(at(second));
		const {candles} = store.getSnapshot();
		const shown = candles.status === 'ready' ? candles.data.candles.slice(1) : [];
		const read = await readAt(path, '1m', '--at', time);
		expect(shown.map(each => [each.time, each.volume])).toEqual(read.slice(1).map(each => [each.time, each.volume]));
	}
});

test('candles built from trades are as old as the last answer that was known at the time', async () => {
	const path = candlesPath(-10, 20, []);
	for (const time of ['14:00:10', '2026-11-22T14:00:10.500Z']) {
		const read = await inProcess(['candles', symbol, '--period', '20s', '--recording', path, '--json', '--at', time]);
		expect(JSON.parse(read.stdout).receivedAt).toBe(at(10));
	}
});
