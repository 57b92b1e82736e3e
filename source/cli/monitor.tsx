import {render} from 'ink';
import type {ReactNode} from 'react';
import type {Market} from '../market/types.ts';
import {createMarketStore} from '../store/market-store.ts';
import type {MarketStore} from '../store/state.ts';
import {enterScreen, onSignals, type TerminalCapabilities, terminalCapabilities} from '../terminal/lifecycle.ts';
import {steadyOutput} from '../terminal/steady-output.ts';
import {Monitor} from '../view/app.tsx';
import {layoutName} from '../view/layout.ts';
import type {TerminalLoan} from '../view/terminal-loan.tsx';
import {createTheme} from '../view/theme.ts';
import {createTick} from '../view/tick.ts';
import {createUiStore, initialUi} from '../view/ui-state.ts';
import type {Screen} from '../view/use-market.ts';
import {Watch} from '../view/watch/watch.tsx';
import type {Context} from './context.ts';
import {marketNamed} from './lookup.ts';
import {sharedTickers} from './shared-tickers.ts';

/** What a screen is drawn with, and how it is left. */
type Drawing = {
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	/** Settles the run with this exit status. */
	quit(status: number): void;
	suspend(): void;
};

/** The monitor, driven from the keyboard. Settles with the exit status when the user quits. */
export async function runMonitor(context: Context): Promise<number> {
	const {columns, rows} = process.stdout;
	const ui = createUiStore(initialUi(layoutName({columns, rows})));
	return draw(context, [context.options.market], ({screens: [screen], ...rest}) =>
		screen ? <Monitor {...context} {...rest} screen={screen} ui={ui} /> : null,
	);
}

/** Tiles of the markets for eyes only; `q` and Ctrl-C are heard where there is a keyboard. */
export async function runWatchScreen(context: Context, symbols: ReadonlyArray<string | undefined>): Promise<number> {
	const exchange = sharedTickers(context.exchange, context.clock);
	const keyboard = process.stdin.isTTY;
	return draw({...context, exchange}, symbols, drawing => <Watch {...context} {...drawing} keyboard={keyboard} />);
}

function storeOf({exchange, clock, options}: Context, symbol: string | undefined): MarketStore {
	const {period, choice, intervalsMs: intervals} = options;
	return createMarketStore({exchange, clock, symbol, period, choice, intervals});
}

function colorLevel({color}: Context['options'], capabilities: TerminalCapabilities) {
	if (color === 'never') return 0;
	return color === 'always' && capabilities.color === 0 ? 1 : capabilities.color;
}

/** Takes the terminal, draws until the user or a signal ends it, and gives the terminal back as it was. */
async function draw(
	context: Context,
	symbols: ReadonlyArray<string | undefined>,
	view: (drawing: Drawing) => ReactNode,
): Promise<number> {
	const {clock, options} = context;
	const capabilities = terminalCapabilities(process.env, process.stdin, process.stdout);
	const theme = createTheme({palette: options.palette, color: colorLevel(options, capabilities)});
	const ascii = options.ascii || !capabilities.unicode;
	const tick = createTick(clock);
	const screens = symbols.map((symbol): Screen => ({store: storeOf(context, symbol), tick, theme, ascii}));
	const {promise: ended, resolve: quit, reject: fail} = Promise.withResolvers<number>();

	let leave = enterScreen(process.stdout);
	const steady = steadyOutput(process.stdout);
	const loan: TerminalLoan = {laidOut: steady.laidOut};
	const signals = onSignals({
		end: () => close(),
		async suspend() {
			const suspension = await loan.suspend?.();
			leave();
			return async () => {
				leave = enterScreen(process.stdout);
				await suspension?.resume();
				steady.redraw();
			};
		},
		continued: steady.redraw,
	});
	const app = render(view({screens, loan, quit, suspend: () => void signals.suspend()}), {
		stdout: steady.output,
		exitOnCtrlC: false,
		// Nothing prints while the screen is on: a console that is patched would only hide mistakes.
		patchConsole: false,
		// Ink would take CI=true for a terminal that nobody looks at.
		interactive: true,
		maxFps: 60,
	});
	const close = () => {
		for (const {store} of screens) store.stop();
		tick.stop();
		app.unmount();
		steady.close();
		leave();
	};

	try {
		screens.forEach(({store}, index) => {
			const text = symbols[index];
			if (text !== undefined) onceListed(store, markets => void marketNamed(markets, text), fail);
			store.start();
		});
		// Ink settles by itself only when drawing throws: then this rejects with what was thrown.
		return await Promise.race([ended, app.waitUntilExit().then(() => ended)]);
	} finally {
		signals.off();
		close();
	}
}

/** Hands the market list to `check` when it is first known; what that throws goes to `fail`. */
function onceListed(store: MarketStore, check: (markets: readonly Market[]) => void, fail: (error: unknown) => void) {
	const unsubscribe = store.subscribe(() => {
		const {markets} = store.getSnapshot();
		if (markets.status !== 'ready') return;
		unsubscribe();
		try {
			check(markets.data);
		} catch (error) {
			fail(error);
		}
	});
}
