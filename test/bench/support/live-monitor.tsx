import {PassThrough} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {render} from 'ink';
import {connect} from '../../../source/client/connect.ts';
import type {Exchange} from '../../../source/client/exchange.ts';
import {startDemo} from '../../../source/demo/server.ts';
import {createComparison} from '../../../source/store/comparison.ts';
import {createDiagnosis} from '../../../source/store/diagnosis.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import type {FrameOutput} from '../../../source/terminal/frame-output.ts';
import {Monitor} from '../../../source/view/app.tsx';
import {createTick} from '../../../source/view/clock-stores.ts';
import {layoutName} from '../../../source/view/layout.ts';
import {createTheme} from '../../../source/view/theme/theme.ts';
import {createUiStore, initialUi} from '../../../source/view/ui-state.ts';
import {alertsOf} from '../../helpers/alerts-of.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** The monitor on the demo exchange, both on a clock of their own. */
export type LiveMonitor = {
	/** Lets a quarter of a second pass, for which book and trades are polled anew, until the frame is written. */
	update(): Promise<void>;
	/** Types. */
	press(input: string): Promise<void>;
	close(): Promise<void>;
};

const updateMs = 250;

/** Draws on a terminal. */
export async function openLiveMonitor(output: FrameOutput): Promise<LiveMonitor> {
	const {surface, laidOut} = output;
	const clock = createFakeClock(Date.UTC(2026, 10, 20, 10, 30));
	const demo = await startDemo({clock});
	const settings = {baseUrl: demo.url, legacyBaseUrl: demo.url, rate: 1000, timeoutMs: 600_000, clock};
	const {exchange, settled} = countCalls(connect(settings));
	const intervals = {depth: updateMs, trades: updateMs};
	const store = createMarketStore({exchange, clock, random: () => 0.5, symbol: 'BTCUSDT', intervals});
	const tick = createTick(clock);
	const theme = createTheme({palette: 'classic', color: 3});
	const ui = createUiStore(initialUi(layoutName(output)));
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode: () => {}, ref: () => {}, unref: () => {}});
	const app = render(
		<Monitor
			screen={{store, tick, theme, surface, ascii: false}}
			ui={ui}
			diagnosis={createDiagnosis()}
			comparison={createComparison({exchange, clock, random: () => 0.5})}
			alerts={alertsOf(store, {exchange, clock})}
			exchange={exchange}
			loan={{laidOut}}
			exchangeName="demo"
			demo
			quit={() => {}}
			redraw={() => {}}
			suspend={() => {}}
		/>,
		{
			stdout: output as unknown as NodeJS.WriteStream,
			stdin: stdin as unknown as NodeJS.ReadStream,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
		},
	);

	async function drawn(): Promise<void> {
		// What an answer leads to can be another question.
		for (let round = 0; round < 3; round++) {
			await settled();
			await clock.advance(0);
		}

		await app.waitUntilRenderFlush();
	}

	store.start();
	await drawn();
	return {
		async update() {
			await clock.advance(updateMs);
			await drawn();
		},
		async press(input) {
			stdin.write(input);
			await drawn();
		},
		async close() {
			store.stop();
			tick.stop();
			app.unmount();
			await exchange.close();
			await demo.close();
		},
	};
}

/** The exchange, and a way to wait until it has answered all that it was asked. */
function countCalls(exchange: Exchange): {exchange: Exchange; settled(): Promise<void>} {
	const open = new Set<unknown>();
	const counted = new Proxy(exchange, {
		get(target, name) {
			const value = Reflect.get(target, name, target);
			if (typeof value !== 'function') return value;
			return (...args: unknown[]) => {
				const result = Reflect.apply(value, target, args);
				if (result instanceof Promise) {
					open.add(result);
					const close = () => open.delete(result);
					result.then(close, close);
				}

				return result;
			};
		},
	});
	return {
		exchange: counted,
		async settled() {
			do await setImmediate();
			while (open.size > 0);
		},
	};
}
