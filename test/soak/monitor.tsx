import {EventEmitter} from 'node:events';
import {PassThrough} from 'node:stream';
import {setImmediate, setTimeout} from 'node:timers/promises';
import {render} from 'ink';
import {createComparison} from '../../source/store/comparison.ts';
import type {DiagnosisStore} from '../../source/store/diagnosis.ts';
import type {IntervalChoices} from '../../source/store/intervals.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {MarketStore} from '../../source/store/state.ts';
import {FrameOutput, type Terminal} from '../../source/terminal/frame-output.ts';
import {Monitor} from '../../source/view/app.tsx';
import {layoutName} from '../../source/view/layout.ts';
import type {Size} from '../../source/view/line.ts';
import {createTheme} from '../../source/view/theme.ts';
import {createTick} from '../../source/view/tick.ts';
import {createUiStore, initialUi} from '../../source/view/ui-state.ts';
import type {SoakWorld} from './world.ts';

export const escapeKey = '\u001B';
/** Longer than Ink waits for the rest of a sequence. */
const escapeMs = 40;

/** Takes every frame at once and keeps none. */
class Sink extends EventEmitter implements Terminal {
	columns = 120;
	rows = 40;
	bytes = 0;

	write(text: string, taken: () => void): boolean {
		this.bytes += Buffer.byteLength(text);
		taken();
		return true;
	}

	resize({columns, rows}: Size): void {
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

export type SoakMonitor = {
	readonly store: MarketStore;
	/** Types one piece of input, as a terminal sends it. */
	press(input: string): Promise<void>;
	resize(size: Size): void;
	/** Written to the terminal so far. */
	bytes(): number;
	/** Of the terminal, the keyboard, the frames, the store and the process. */
	listeners(): number;
	close(): void;
};

/** The monitor as the program wires it, with a keyboard that this holds and a terminal that nobody sees. */
export function openMonitor(
	{clock, exchange}: SoakWorld,
	diagnosis: DiagnosisStore,
	{intervals, maxFps}: {readonly intervals: IntervalChoices; readonly maxFps: number},
): SoakMonitor {
	const sink = new Sink();
	const frames = new FrameOutput(sink, {clock});
	const store = createMarketStore({exchange, clock, symbol: 'BTCUSDT', intervals});
	const tick = createTick(clock);
	let subscribed = 0;
	const counted: MarketStore = {
		...store,
		subscribe(listener) {
			subscribed++;
			const unsubscribe = store.subscribe(listener);
			return () => {
				subscribed--;
				unsubscribe();
			};
		},
	};
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode() {}, ref() {}, unref() {}});
	const app = render(
		<Monitor
			screen={{store: counted, tick, theme: createTheme({palette: 'classic', color: 3}), ascii: false}}
			ui={createUiStore(initialUi(layoutName(sink)))}
			diagnosis={diagnosis}
			comparison={createComparison({exchange, clock})}
			loan={{laidOut: frames.laidOut}}
			exchangeName="demo"
			demo
			quit={() => {}}
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
	return {
		store,
		async press(input) {
			stdin.write(input);
			// A lone escape is a key only when nothing follows it for a while, by the machine's time.
			await (input === escapeKey ? setTimeout(escapeMs) : setImmediate());
		},
		resize: size => sink.resize(size),
		bytes: () => sink.bytes,
		listeners: () => subscribed + [sink, frames, stdin, process].reduce((sum, each) => sum + listenersOf(each), 0),
		close() {
			store.stop();
			tick.stop();
			frames.close();
			app.unmount();
		},
	};
}

function listenersOf(emitter: NodeJS.EventEmitter): number {
	return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
}
