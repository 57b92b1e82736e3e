import {EventEmitter} from 'node:events';
import {mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate, setTimeout} from 'node:timers/promises';
import {render} from 'ink';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import {createAlertCalls} from '../../source/cli/commands/alert-calls.ts';
import {createLog, openLogFile} from '../../source/cli/log.ts';
import {tameNode} from '../../source/cli/start.ts';
import {createAlertMemory} from '../../source/cli/state/saved-alerts.ts';
import {rememberSession} from '../../source/cli/state/saved-session.ts';
import {openStateFile} from '../../source/cli/state/state-file.ts';
import type {Size} from '../../source/format/cells.ts';
import {systemClock} from '../../source/market/clock.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createDiagnosis, type DiagnosisStore} from '../../source/store/diagnosis.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createPastCandles, withPast} from '../../source/store/past-candles.ts';
import type {IntervalChoices} from '../../source/store/polling.ts';
import {createSpareTurns} from '../../source/store/spare-turns.ts';
import type {MarketStore} from '../../source/store/state.ts';
import {FrameOutput, type Terminal} from '../../source/terminal/frame-output.ts';
import {KeyInput} from '../../source/terminal/key-input.ts';
import {holdErrors} from '../../source/terminal/lifecycle.ts';
import {createWindowTitle} from '../../source/terminal/window-title.ts';
import {Monitor} from '../../source/view/app.tsx';
import {createTick} from '../../source/view/clock-stores.ts';
import {layoutName} from '../../source/view/layout.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {createUiStore, initialUi, type UiStore} from '../../source/view/ui-state.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {keyInputs} from '../helpers/key-input.ts';
import type {SoakWorld} from './world.ts';

/** Longer than a local terminal's input waits for the rest of a sequence. */
const escapeMs = 60;
/** How long Ink waits for it. */
const inkEscapeMs = 20;

/** Takes every frame at once and keeps none. */
class Sink extends EventEmitter implements Terminal {
	columns = 120;
	rows = 40;
	frames = 0;
	bytes = 0;

	write(text: string, taken: () => void): boolean {
		this.frames++;
		this.bytes += Buffer.byteLength(text);
		taken();
		return true;
	}

	resize({columns, rows}: Size): void {
		[this.columns, this.rows] = [columns, rows];
		this.emit('resize');
	}
}

export type SoakMonitor = {
	readonly store: MarketStore;
	readonly diagnosis: DiagnosisStore;
	readonly ui: UiStore;
	/** Types a key by its name in the keymap, or a text, as one piece of input; and so on. */
	press(...keys: readonly string[]): Promise<void>;
	/** Asks for the books of so many more markets that do not exist, unless the last ones are still to be answered. */
	askForMadeUp(count: number): void;
	/** Whether nothing can be written where the state is saved. */
	fillDisk(full: boolean): void;
	resize(size: Size): void;
	/** Node warns, and a library writes the same to standard error. */
	warn(text: string): void;
	/** Written to the terminal so far. */
	written(): {readonly frames: number; readonly bytes: number};
	/** How often an alert called so far. */
	calls(): number;
	/** Of the terminal, the keyboard, the frames, the store and the process. */
	listeners(): number;
	close(): Promise<void>;
};

/** The monitor as the program wires it, with a keyboard that this holds and a terminal that nobody sees. */
export async function openMonitor(
	{clock, open}: SoakWorld,
	{intervals, maxFps}: {readonly intervals: IntervalChoices; readonly maxFps: number},
): Promise<SoakMonitor> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-soak-'));
	const diagnosis = createDiagnosis();
	const stderr = {isTTY: true, write: (_text: string) => true};
	tameNode(stderr.write);
	const releaseErrors = holdErrors(stderr);
	const {observe: log, warn} = createLog(openLogFile(join(folder, 'log'), 100_000), clock);
	process.on('warning', warn);
	const exchange = await open(outcome => {
		diagnosis.observe(outcome);
		log(outcome);
	});

	const sink = new Sink();
	const frames = new FrameOutput(sink, {clock});
	const subscribed = {count: 0};
	const turns = createSpareTurns(exchange, clock);
	const past = counting(createPastCandles({exchange, clock, turns, random: () => 0}), subscribed);
	const market = createMarketStore({exchange, clock, symbol: 'BTCUSDT', intervals});
	const store = counting(withPast(market, past, exchange.interfaces), subscribed);
	const comparison = counting(createComparison({exchange, clock, intervalMs: intervals.candles}), subscribed);
	const tick = counting(createTick(clock), subscribed);
	const ui = counting(createUiStore(initialUi(layoutName(sink))), subscribed);
	// The machine's disk takes the machine's time.
	mkdirSync(join(folder, 'disk'));
	// In a file that takes the place of a folder nothing can be written.
	writeFileSync(join(folder, 'full'), '');
	symlinkSync('disk', join(folder, 'state'));
	const file = await openStateFile(join(folder, 'state', 'state.json'), systemClock);
	file.onFault(notice => ui.update(state => ({...state, notice})));
	const remember = rememberSession({file, exchangeName: 'demo', ui, store, clock});
	const memory = createAlertMemory({
		...{file, exchangeName: 'demo', clock, configured: [], withUsers: true},
		onFault(text) {
			throw new Error(text);
		},
	});
	const write = (text: string) => sink.write(text, () => {});
	const called = {count: 0};
	const calls = createAlertCalls({
		...{notify: ['bell', 'terminal', 'title', 'command'], terminal: {write, title: createWindowTitle(write)}},
		...{command: {program: 'true', args: ['{message}']}, environment: process.env},
		// A program takes the machine's time.
		...{origin: {exchange: 'demo', demo: true, schemaVersion: 1}, clock: systemClock, onEnd() {}},
	});
	const alerts = counting(
		createAlerts({
			...{clock, rules: memory.rules, feeds: createFeeds({exchange, clock, screens: [store], turns})},
			marketsOf: () => [...ui.getSnapshot().picker.favourites].map(symbolKey),
			onEvent: event =>
				memory.calling(event, () => {
					called.count++;
					calls.call(event);
				}),
		}),
		subscribed,
	);
	const saveRules = memory.follow(alerts);
	alerts.start();
	const keyboard = Object.assign(new EventEmitter(), {setEncoding() {}, resume() {}, pause() {}});
	const keyboardClock = createFakeClock();
	const stdin = new KeyInput(keyboard, {clock: keyboardClock, isRemote: false});
	stdin.listen();
	const app = render(
		<Monitor
			screen={{store, tick, theme: createTheme({palette: 'classic', color: 3}), surface: frames.surface, ascii: false}}
			ui={ui}
			diagnosis={diagnosis}
			comparison={comparison}
			alerts={alerts}
			exchange={exchange}
			loan={{laidOut: frames.laidOut}}
			exchangeName="demo"
			demo
			quit={() => {}}
			redraw={() => {}}
			suspend={() => {}}
		/>,
		{
			stdout: frames as unknown as NodeJS.WriteStream,
			stdin: stdin as unknown as NodeJS.ReadStream,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
			maxFps,
		},
	);
	store.start();
	let asking = 0;
	let madeUp = 0;
	return {
		store,
		diagnosis,
		ui,
		async press(...keys) {
			for (const key of keys) keyboard.emit('data', keyInputs[key] ?? key);
			await setImmediate();
			if (keys.at(-1) !== 'esc') return;
			// A lone escape is a key only when nothing follows it for a while, for Ink by the machine's time.
			await keyboardClock.advance(escapeMs);
			await setTimeout(inkEscapeMs);
		},
		askForMadeUp(count) {
			if (asking > 0) return;
			const answered = () => {
				asking--;
			};
			for (; asking < count; asking++) exchange.depth(`A${madeUp++}USDT`, {priority: 2}).then(answered, answered);
		},
		fillDisk(full) {
			// At once, as a save may be under way.
			symlinkSync(full ? 'full' : 'disk', join(folder, 'next'));
			renameSync(join(folder, 'next'), join(folder, 'state'));
		},
		resize: size => sink.resize(size),
		warn(text) {
			process.emitWarning(text);
			stderr.write(text);
		},
		written: () => ({frames: sink.frames, bytes: sink.bytes}),
		calls: () => called.count,
		listeners: () =>
			subscribed.count + [sink, frames, keyboard, stdin, process].reduce((sum, each) => sum + listenersOf(each), 0),
		async close() {
			alerts.stop();
			store.stop();
			tick.stop();
			frames.close();
			app.unmount();
			await saveRules();
			await calls.ended();
			await remember();
			await exchange.close();
			process.off('warning', warn);
			releaseErrors();
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

type Subscribable = {subscribe(listener: () => void): () => void};

/** The same store, which adds to `subscribed` those who listen to it. */
function counting<Store extends Subscribable>(store: Store, subscribed: {count: number}): Store {
	return {
		...store,
		subscribe(listener) {
			subscribed.count++;
			const unsubscribe = store.subscribe(listener);
			return () => {
				subscribed.count--;
				unsubscribe();
			};
		},
	};
}

function listenersOf(emitter: NodeJS.EventEmitter): number {
	return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
}
