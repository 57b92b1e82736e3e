import {setImmediate} from 'node:timers/promises';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {createReplayControls, openReplay} from '../../source/recording/open-replay.ts';
import type {Outcome} from '../../source/recording/outcome-log.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import type {Speed} from '../../source/recording/replay-controls.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createStore} from '../../source/store/create-store.ts';
import {createDiagnosis} from '../../source/store/diagnosis.ts';
import {Monitor} from '../../source/view/app.tsx';
import {layoutName} from '../../source/view/layout.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {createUiStore, initialUi} from '../../source/view/ui-state.ts';
import {alertsOf} from '../helpers/alerts-of.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTerminal} from '../view/monitor.tsx';
import {answered, failed, recordSample, startedAt, symbol} from './recordings.ts';

/** A read that ended, ms after the one before. */
type Read = {readonly what: 'depth' | 'trades' | 'ticker' | 'candles' | 'failed'; readonly afterMs: number};

const reads = fc.array(
	fc.record({
		what: fc.constantFrom<Read['what'][]>('depth', 'depth', 'trades', 'trades', 'ticker', 'candles', 'failed'),
		afterMs: fc.oneof({weight: 20, arbitrary: fc.integer({min: 1, max: 900})}, fc.integer({min: 8000, max: 30_000})),
	}),
	{minLength: 5, maxLength: 60},
);

/** One session of these reads that begins at `from`. Prices follow the time. */
function outcomesOf(list: readonly Read[], from: number): readonly Outcome[] {
	let at = from;
	return list.map(({what, afterMs}) => {
		at += afterMs;
		const price = 60_000 + (Math.floor(at / 100) % 97);
		const trade = {time: at - 50, price, quantity: 1, side: 'buy', sideText: 'buy'} as const;
		const time = Math.floor(at / 60_000) * 60_000;
		const candle = {time, open: 60_000, high: price, low: 60_000, close: price, volume: 1};
		const outcomes: Readonly<Record<Read['what'], Outcome>> = {
			depth: answered.depth({asks: [[price + 1, 2]], bids: [[price, (at % 7) + 1]]}, at),
			trades: answered.trades([{id: String(at), ...trade}], at),
			ticker: answered.ticker([{symbol, last: price, state: 'active', type: 'spot'}], at),
			candles: answered.candles([candle], at),
			failed: failed({ask: 'depth', market: symbol}, at),
		};
		return outcomes[what];
	});
}

/** Two sessions with a minute between them. */
function record(first: readonly Read[], second: readonly Read[]): string {
	const length = first.reduce((sum, {afterMs}) => sum + afterMs, 0);
	const path = recordSample(outcomesOf(first, startedAt));
	const from = startedAt + length + 60_000;
	return recordSample(outcomesOf(second, from), path, from);
}

function open(path: string) {
	const clock = createFakeClock();
	const reader = openRecording(path);
	const replay = openReplay({log: reader, clock, settle: async () => {}});
	const store = replay.storeOf({symbol, period: 1});
	store.start();
	const close = () => {
		replay.player.stop();
		store.stop();
		reader.close();
	};
	return {...replay, replayClock: replay.clock, clock, reader, store, close};
}

const speeds = fc.constantFrom<Speed[]>(0.1, 1, 10, 60, 1000, 'max');
/** What a user does: plays, pauses, changes the speed, goes to a part of the recording, or waits. */
type Act = ['play'] | ['pause'] | ['speed', Speed] | ['goto', share: number] | ['wait', ms: number];
const acts = fc.array(
	fc.oneof<fc.Arbitrary<Act>[]>(
		fc.constantFrom<Act[]>(['play'], ['pause']),
		fc.tuple(fc.constant('speed'), speeds),
		fc.tuple(fc.constant('goto'), fc.double({min: 0, max: 1, noNaN: true})),
		fc.tuple(fc.constant('wait'), fc.integer({min: 1, max: 700})),
	),
	{maxLength: 12},
);

test('what is shown depends on the recorded time alone, however it was played to it', async () => {
	await fc.assert(
		fc.asyncProperty(
			reads,
			reads,
			acts,
			speeds,
			fc.integer({min: 0, max: 5000}),
			async (one, two, list, speed, fromMs) => {
				const path = record(one, two);
				const played = open(path);
				const {player, clock, store} = played;
				const [first] = player.getSnapshot().sessions;
				const last = player.getSnapshot().sessions.at(-1);
				if (!first || !last) throw new Error('nothing was recorded');
				for (const each of list) {
					if (each[0] === 'play') player.play();
					else if (each[0] === 'pause') player.pause();
					else if (each[0] === 'speed') player.setSpeed(each[1]);
					else if (each[0] === 'wait') await clock.advance(each[1]);
					else player.goTo(Math.round(first.from + each[1] * (last.to - first.from)));
				}

				player.goTo(first.from + fromMs);
				const from = player.moment();
				// What was played is compared each time that it is shown.
				const shown: {readonly time: number; readonly state: unknown}[] = [];
				const keep = () => {
					const {session, time} = player.getSnapshot();
					if (session === from.session) shown.push({time, state: store.getSnapshot()});
				};
				const stop = store.subscribe(keep);
				player.setSpeed(speed);
				player.play();
				await clock.advance(1000);
				stop();
				played.close();

				const reference = open(path);
				reference.player.goTo(from);
				for (const {time, state} of shown) {
					await reference.replayClock.advanceTo(time);
					reference.store.setPeriod(1);
					expect({time, state: reference.store.getSnapshot()}).toEqual({time, state});
				}

				reference.close();
			},
		),
		{numRuns: 6},
	);
});

const steady: readonly Read[] = Array.from({length: 20}, (_, index) => ({
	what: (['depth', 'trades', 'ticker', 'depth', 'candles', 'failed', 'depth'] as const)[index % 7] ?? 'depth',
	afterMs: 300,
}));

/** Frames at the end of the first session, and each 3 s before, of a replay that plays at `speed`. */
async function framesAt(path: string, speed: Speed, times: readonly number[]): Promise<readonly string[]> {
	const size = {columns: 120, rows: 40};
	const {clock, reader, store, player, replayClock, exchange, changeAt, close} = open(path);
	onTestFinished(close);
	const controls = createReplayControls(player, store, {
		gaps: createStore(reader.gaps()),
		alerts: [],
		changeAt: by => changeAt(symbol, by),
	});
	const ui = createUiStore(initialUi(layoutName(size)));
	const {set, ...time} = createStore(player.getSnapshot().time);
	player.subscribe(() => set(player.getSnapshot().time));
	const tick = {...time, clock: replayClock, stop() {}};
	const theme = createTheme({palette: 'classic', color: 0});
	const terminal = await openTerminal(clock, size, ({surface, loan}) => (
		<Monitor
			{...{ui, exchange, loan, diagnosis: createDiagnosis(), demo: false, exchangeName: 'sample'}}
			screen={{store, tick, theme, surface, ascii: false, replay: controls}}
			comparison={createComparison({exchange, clock: replayClock})}
			alerts={alertsOf(store, {exchange, clock: replayClock, ui})}
			quit={() => {}}
			suspend={() => {}}
			redraw={() => {}}
		/>
	));
	onTestFinished(terminal.unmount);
	const [{to = 0} = {}] = player.getSnapshot().sessions;
	const frames: string[] = [];
	for (const until of times) {
		player.setSpeed(speed);
		const stop = player.subscribe(() => {
			if (player.getSnapshot().time >= until && player.getSnapshot().isPlaying) player.pause();
		});
		player.play();
		while (player.getSnapshot().isPlaying) {
			await clock.advance(50);
			await setImmediate();
		}

		stop();
		player.setSpeed(1);
		await clock.advance(0);
		await terminal.press('g');
		expect(player.getSnapshot().time).toBe(speed === 'max' ? to : until);
		frames.push(terminal.frame());
	}

	return frames;
}

test('a replay shows the same screens at every speed', async () => {
	const path = record(steady, steady);
	const end = startedAt + 6000;
	const times = [3000, 6000].map(ms => startedAt + ms);
	const frames = await framesAt(path, 1, times);
	expect(new Set(frames).size).toBe(2);
	expect(await framesAt(path, 0.5, times.slice(0, 1))).toEqual(frames.slice(0, 1));
	expect(await framesAt(path, 60, times)).toEqual(frames);
	expect(await framesAt(path, 'max', [end])).toEqual(frames.slice(-1));
	expect(await framesAt(path, 1000, [end])).toEqual(frames.slice(-1));
});
