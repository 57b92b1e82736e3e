import {onTestFinished} from 'vitest';
import {rewindTick} from '../../source/cli/commands/monitor-history.ts';
import {replayTick} from '../../source/cli/commands/replay.tsx';
import {TimeoutError} from '../../source/client/errors.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import type {Trade} from '../../source/market/types.ts';
import {hourMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import {createReplayControls, openReplay} from '../../source/recording/open-replay.ts';
import {createRecordedPast} from '../../source/recording/recorded-past.ts';
import {recordedIn} from '../../source/recording/recording-exchange.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import type {ReplayControls} from '../../source/recording/replay-controls.ts';
import {createRewind} from '../../source/recording/rewind.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createStore} from '../../source/store/create-store.ts';
import {createDiagnosis} from '../../source/store/diagnosis.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createPastCandles, withPast} from '../../source/store/past-candles.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSpareTurns} from '../../source/store/spare-turns.ts';
import type {MarketStore} from '../../source/store/state.ts';
import {Monitor} from '../../source/view/app.tsx';
import {createTick, type Tick} from '../../source/view/clock-stores.ts';
import {layoutName} from '../../source/view/layout.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {createUiStore, initialUi} from '../../source/view/ui-state.ts';
import type {Screen} from '../../source/view/use-market.ts';
import {alertsOf} from '../helpers/alerts-of.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {openSample} from '../recording/recordings.ts';
import {openTerminal, type Terminal} from './monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

/** Epoch ms of a second of what `recordSessions` records. */
export const at = (second: number): number => sampleTime + second * 1000;

/** As the sample exchange, with a trade each second, and a book that fails from second 20 to 35. */
function livelyScript(): FakeExchange['script'] {
	const newTrades = (now: number): readonly Trade[] =>
		Array.from({length: Math.max(Math.floor((now - sampleTime) / 1000), 0)}, (_, index): Trade => {
			const second = Math.floor((now - sampleTime) / 1000) - index;
			const side = second % 3 === 0 ? 'sell' : 'buy';
			return {
				...{id: String(3_735_683_259 + second), time: sampleTime + second * 1000, side, sideText: side},
				...{
					price: Number((61_823.97 + ((second * 3) % 8) / 100).toFixed(2)),
					quantity: (((second * 7) % 11) * 10 + 1) / 1000,
				},
			};
		});
	return {
		...sampleScript,
		trades: call => [...newTrades(call.at), ...((sampleScript.trades?.(call) ?? []) as readonly Trade[])],
		depth(call) {
			const fails = call.at >= at(20) && call.at < at(35);
			if (fails) return new TimeoutError({operation: 'depth', interface: 'v2', url: '', timeoutMs: 5000});
			return sampleScript.depth?.(call);
		},
	};
}

/** A live session from `from` on that is recorded. */
function record(from: number, path?: string) {
	const clock = createFakeClock(from);
	const {recorder, db, ...file} = openSample(path, from);
	const exchange = createFakeExchange(clock, livelyScript());
	const recorded = withMiddleware(exchange, recordedIn(recorder, clock));
	const store = createMarketStore({exchange: recorded, clock, random: () => 0, symbol: 'BTCUSDT'});
	const flush = () => {
		recorder.flush(clock.now());
		cancel = clock.after(1000, flush);
	};
	let cancel = clock.after(1000, flush);
	store.start();
	return {
		...{clock, exchange, store, recorder, path: file.path},
		end() {
			cancel();
			store.stop();
			recorder.end(clock.now());
			db.close();
		},
	};
}

/** Records a minute in which an alert calls at second 10 and, after 40 s without a recorder, half a minute. Returns the file's path. */
export async function recordSessions(): Promise<string> {
	const first = record(at(0));
	await first.clock.advance(60_000);
	first.recorder.addAlert({time: at(10), symbol: 'BTCUSDT', rule: 'last > 1', message: 'last 61,824.00'});
	first.end();
	const second = record(at(100), first.path);
	await second.clock.advance(30_000);
	second.end();
	return first.path;
}

type Options = {
	readonly size: {readonly columns: number; readonly rows: number};
	readonly ascii?: boolean | undefined;
	readonly demo?: boolean | undefined;
};

type ShownMoment = {
	readonly store: MarketStore;
	readonly controls: ReplayControls;
	readonly tick: Tick;
	readonly present?: Screen['present'];
	readonly exchange: Exchange;
	/** Whose timers the screen waits for. */
	readonly clock: FakeClock;
};

async function show({store, controls, tick, present, exchange, clock}: ShownMoment, options: Options) {
	const {size, ascii = false, demo = false} = options;
	const ui = createUiStore(initialUi(layoutName(size)));
	const judged = present ?? {store, tick};
	const alerts = alertsOf(judged.store, {exchange, clock: judged.tick.clock, ui});
	const theme = createTheme({palette: 'classic', color: 0});
	const terminal: Terminal = await openTerminal(clock, size, ({surface, loan}) => (
		<Monitor
			{...{ui, exchange, loan, demo, alerts, diagnosis: createDiagnosis(), exchangeName: 'sample'}}
			screen={{store, tick, present, surface, ascii, theme, replay: controls}}
			comparison={createComparison({exchange, clock})}
			quit={() => {}}
			suspend={() => {}}
			redraw={() => {}}
		/>
	));
	onTestFinished(terminal.unmount);
	alerts.start();
	onTestFinished(alerts.stop);
	return Object.assign(terminal, {alerts, controls});
}

/** The monitor on a recording, paused at `from`. It plays as `clock` advances. */
export async function openRecorded(path: string, {from, ...options}: Options & {readonly from: number}) {
	const clock = createFakeClock();
	const reader = openRecording(path);
	const replay = openReplay({log: reader, clock, settle: async () => {}, from});
	const {player, exchange} = replay;
	const past = createRecordedPast(replay, {reader, clock, settle: async () => {}});
	const store = withPast(replay.storeOf({symbol: 'BTCUSDT', period: 60}), past, exchange.interfaces);
	const controls = createReplayControls(replay, store, {
		gaps: createStore(reader.gaps()),
		alerts: reader.alerts().map(({time}) => time),
	});
	store.start();
	onTestFinished(() => {
		player.stop();
		store.stop();
		reader.close();
	});
	const tick = replayTick(replay);
	return Object.assign(await show({store, controls, tick, exchange, clock}, options), {clock});
}

/** The monitor on a live session that began a minute ago, and can be stepped back. */
export async function openRewindable(options: Options) {
	const clock = createFakeClock(at(0));
	const exchange = createFakeExchange(clock, livelyScript());
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const recorded = withMiddleware(exchange, recordedIn(log, clock));
	const live = createMarketStore({exchange: recorded, clock, random: () => 0, symbol: 'BTCUSDT'});
	const rewind = createRewind({live, clock, settle: async () => {}, log, alerts: () => [at(50)]});
	live.start();
	const turns = createSpareTurns(exchange, clock);
	const past = createPastCandles({exchange, clock, turns, random: () => 0});
	const {controls} = rewind;
	const store = withPast(rewind.store, past, exchange.interfaces);
	const liveTick = createTick(clock);
	const tick = rewindTick(liveTick, rewind);
	onTestFinished(() => {
		rewind.stop();
		tick.stop();
		live.stop();
	});
	await clock.advance(60_300);
	const present = {store: live, tick: liveTick};
	const monitor = await show({store, controls, tick, present, exchange, clock}, options);
	return Object.assign(monitor, {clock, exchange, live});
}
