import {render} from 'ink';
import type {ReactNode} from 'react';
import type {AlertEvent} from '../../alerts/alert-event.ts';
import {createConditionWatch} from '../../alerts/condition-watch.ts';
import {defaultSymbol, findMarket, symbolKey} from '../../market/symbol.ts';
import {createComparison} from '../../store/comparison.ts';
import {createMarketStore} from '../../store/market-store.ts';
import type {MarketStore} from '../../store/state.ts';
import {type TerminalCapabilities, terminalCapabilities} from '../../terminal/capabilities.ts';
import {FrameOutput} from '../../terminal/frame-output.ts';
import {onSignals} from '../../terminal/lifecycle.ts';
import {drawnSize} from '../../terminal/size.ts';
import {openDialogue, takeTerminal} from '../../terminal/take-terminal.ts';
import {createWindowTitle, type WindowTitle} from '../../terminal/window-title.ts';
import {Monitor} from '../../view/app.tsx';
import {createSlowLink, createTick} from '../../view/clock-stores.ts';
import {remapped} from '../../view/commands/table.ts';
import {layoutName} from '../../view/layout.ts';
import {Watch} from '../../view/panels/watch/watch-screen.tsx';
import type {TerminalLoan} from '../../view/terminal-loan.tsx';
import {createTheme} from '../../view/theme.ts';
import {createUiStore, initialUi} from '../../view/ui-state.ts';
import type {Screen} from '../../view/use-market.ts';
import type {Context} from '../context.ts';
import {sharedTickers} from '../exchanges.ts';
import {exitStatus} from '../exit.ts';
import {watchHeap} from '../heap.ts';
import {note, print} from '../output.ts';
import {exchangeStateOf, rememberSession, restoredUi} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {callsAsConfigured} from './alert-calls.ts';
import {alertLine} from './alert-words.ts';
import {type BeforeList, type MarketList, marketNamed, onceListed} from './lookup.ts';
import {startMonitorAlerts} from './monitor-alerts.ts';
import {onAlerts, onWatchEnd, statusAtEnd, type WatchEnd, type WatchLimits} from './watch-end.ts';
import {watchReport} from './watch-rows.ts';
import {onceMarketsListed, type WatchRules} from './watch-rules.ts';
import {watchStatus} from './watch-status.ts';

/** What a screen needs to draw itself and to quit. */
type Drawing = {
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	readonly title: WindowTitle;
	/** Settles the run with this exit status. */
	quit(status: number): void;
	/** Rejects the run with this error. */
	fail(error: unknown): void;
	suspend(): void;
	redraw(): void;
	/** Runs `work` after the terminal is restored, also when a signal ends the program. */
	onEnd(work: () => Promise<void>): void;
};

/** The monitor, driven from the keyboard. Settles with the exit status when the user quits. */
export async function runMonitor(context: Context): Promise<number> {
	const {options, exchangeName, clock} = context;
	const file = await openStateFile(statePath(process.env), clock);
	// What ended the program comes first.
	process.once('exit', () => {
		for (const notice of file.notices()) process.stderr.write(`tapewatch: ${notice}\n`);
	});
	const last = exchangeStateOf(file.state, exchangeName);
	const ui = createUiStore(
		restoredUi(initialUi(layoutName(drawnSize(process.stdout))), file.state.view, last, options.market),
	);
	const period = options.period ?? file.state.view.period;
	const commands = remapped(options.keys);
	const {exchange} = context;
	const comparison = createComparison({exchange, clock, intervalMs: options.intervalsMs.candles});
	const view = ({screens: [screen], onEnd, title, ...rest}: Drawing) => {
		if (!screen) return null;
		const remember = rememberSession({file, exchangeName, ui, store: screen.store, clock});
		const {alerts, stop} = startMonitorAlerts(context, {store: screen.store, ui, title, file});
		onEnd(async () => {
			await Promise.all([remember(), stop()]);
		});
		return <Monitor {...context} {...rest} {...{screen, ui, commands, comparison, alerts}} />;
	};

	const symbol: WantedSymbol =
		options.market === undefined ? {text: last.market, mayBeGone: true} : {text: options.market};
	return draw({...context, options: {...options, period}}, [symbol], view);
}

/** What a watch that runs for weeks prints at its end. */
const mostEvents = 1000;

export type WatchScreenRequest = WatchLimits & {
	/** Markets in any spelling; none: the exchange's default one. */
	readonly texts: readonly string[];
	/** Between two polls; absent: as configured. */
	readonly intervalMs?: number | undefined;
	/** How long each page of tiles is shown. */
	readonly rotateMs?: number | undefined;
	readonly rules: WatchRules;
};

/**
 * Shows a tile for each market; with a keyboard, the keys of quit and interrupt end it. When a condition is met, the markets
 * that met it are printed after the screen is closed. Settles with the exit status: 0 when done or met, 124 when the time ran
 * out first, 130 when the user quit before the condition was met.
 */
export async function runWatchScreen(context: Context, request: WatchScreenRequest): Promise<number> {
	const {clock, options, demo} = context;
	const {texts, intervalMs, rotateMs, until, rules} = request;
	const exchange = sharedTickers(context.exchange, clock);
	const every = intervalMs && {depth: intervalMs, trades: intervalMs, tickers: intervalMs};
	const intervalsMs = {...options.intervalsMs, ...every};
	const keys = texts.length > 0 ? [...new Set(texts.map(symbolKey))] : [undefined];
	const symbols = keys.map((text): WantedSymbol => ({text}));
	const keyboard = process.stdin.isTTY;
	const commands = remapped(options.keys);
	let ended: WatchEnd | undefined;
	let stop = () => {};
	const events: AlertEvent[] = [];
	const view = (drawing: Drawing) => {
		const stores = drawing.screens.map(({store}) => store);
		// Polls nothing until the layout decides which tiles fit on the screen.
		for (const store of stores) store.show(new Set());
		const {title, onEnd, fail, ...shown} = drawing;
		const calls = callsAsConfigured(context, {
			terminal: {write: text => process.stdout.write(text), title},
			onEnd(failure) {
				// Held back until the screen is left.
				if (failure !== undefined) note(failure);
			},
		});
		onEnd(async () => {
			await stopAlerts();
			for (const event of events) if (event.type === 'alert') await print(`${alertLine(event)}\n`);
			await calls.ended();
		});
		const sources = {exchange, clock, choice: options.choice};
		const judged = until && createConditionWatch(until, sources);
		const stopWatch = onWatchEnd({...request, judged}, stores, clock, end => {
			ended = end;
			drawing.quit(exitStatus.done);
		});
		const stopAlerts = onAlerts(stores, {
			...{...sources, rules, intervals: intervalsMs, blindAfterMs: options.blindAfterMs, call: calls.call},
			onEvent(event) {
				events.push(event);
				if (events.length > mostEvents) events.shift();
			},
		});
		const stopChecking = onceMarketsListed(stores[0], rules, fail);
		stop = () => {
			stopWatch();
			stopChecking();
		};
		const pollHidden = until !== undefined || rules.stated.length > 0;
		const status = () =>
			watchStatus(events, {rules: rules.stated.length, until, now: clock.now(), ascii: options.ascii});
		return <Watch {...context} {...shown} {...{keyboard, commands, rotateMs, pollHidden, status}} />;
	};

	const paced = {...context, exchange, options: {...options, intervalsMs}};
	const status = await draw(paced, symbols, view).finally(() => stop());
	// Quitting early must not look like a met condition.
	if (!ended) return until && status === exitStatus.done ? exitStatus.interrupted : status;
	if (ended.reason === 'met')
		await print(watchReport(ended.met.states, {now: clock.now(), ascii: options.ascii, demo}));
	return statusAtEnd(ended, request);
}

function storeOf({exchange, clock, options}: Context, symbol: string | undefined): MarketStore {
	const {period, choice, intervalsMs: intervals} = options;
	return createMarketStore({exchange, clock, symbol, period, choice, intervals});
}

function colorLevel({color}: Context['options'], capabilities: TerminalCapabilities) {
	if (color === 'never') return 0;
	return color === 'always' && capabilities.color === 0 ? 1 : capabilities.color;
}

/** A market in any spelling; none: the exchange's default one. */
type WantedSymbol = {
	readonly text: string | undefined;
	/** Shows the default market if this one is no longer listed, as a saved one may be; else that is a failure. */
	readonly mayBeGone?: boolean;
};

/** Takes over the terminal, draws until the user or a signal ends it, and restores the terminal. */
async function draw(
	context: Context,
	symbols: readonly WantedSymbol[],
	view: (drawing: Drawing) => ReactNode,
): Promise<number> {
	const {clock, options} = context;
	const capabilities = terminalCapabilities(process.env, process.stdin, process.stdout);
	const theme = createTheme({palette: options.palette, color: colorLevel(options, capabilities)});
	const ascii = options.ascii || !capabilities.unicode;
	const tick = createTick(clock);
	const dialogue = openDialogue(process.stdin, process.stdout, process.env, clock);
	const frames = new FrameOutput(process.stdout, {clock, maxFps: options.fps, flow: dialogue?.flow});
	const slowLink = createSlowLink(clock);
	frames.on('drop', slowLink.dropped);
	const screens = symbols.map(
		({text}): Screen => ({
			store: storeOf(context, text),
			tick,
			theme,
			surface: frames.surface,
			ascii,
			slowLink,
		}),
	);
	let lastWork = async () => {};
	const onEnd = (work: () => Promise<void>) => {
		lastWork = work;
	};
	const {promise: ended, resolve: quit, reject: fail} = Promise.withResolvers<number>();

	const title = createWindowTitle(text => process.stdout.write(text));
	process.on('exit', title.clear);
	let giveBack = takeTerminal(process.stdout, clock, dialogue);
	const loan: TerminalLoan = {laidOut: frames.laidOut};
	const signals = onSignals({
		end: () => close(),
		async suspend() {
			frames.hold();
			const suspension = await loan.suspend?.();
			const retake = title.lend();
			await giveBack();
			return async () => {
				giveBack = takeTerminal(process.stdout, clock, dialogue);
				retake();
				await suspension?.resume();
			};
		},
		redraw: frames.redraw,
	});
	const app = render(
		view({screens, loan, title, quit, fail, suspend: () => void signals.suspend(), redraw: frames.redraw, onEnd}),
		{
			stdin: dialogue?.input ?? process.stdin,
			stdout: frames,
			exitOnCtrlC: false,
			// What Ink draws itself is empty, see FrameOutput.
			maxFps: 1,
			// Nothing prints while the screen is on; patching the console would only hide mistakes.
			patchConsole: false,
			// With CI=true, Ink would draw nothing until the end.
			interactive: true,
			// Whatever the environment says: it would change what Ink draws, which is empty.
			isScreenReaderEnabled: false,
		},
	);
	const stopWatchingHeap = watchHeap(fail);
	const close = async () => {
		stopWatchingHeap();
		for (const {store} of screens) store.stop();
		tick.stop();
		slowLink.stop();
		frames.close();
		app.unmount();
		title.clear();
		process.off('exit', title.clear);
		await giveBack();
		const work = lastWork;
		lastWork = async () => {};
		await work();
	};

	try {
		screens.forEach(({store}, index) => {
			const {text, mayBeGone = false} = symbols[index] ?? {};
			const check = ({data: markets, dropped}: MarketList, {isShown, isFirst}: BeforeList) => {
				// The header then says that it is not listed.
				if (text === undefined || isShown) return;
				if (!mayBeGone && isFirst) marketNamed(markets, text, dropped);
				else if (mayBeGone && !findMarket(markets, text)) store.select(defaultSymbol(markets) ?? text);
			};
			if (text !== undefined) onceListed(store, check, fail);
			store.start();
		});
		// Ink settles by itself only when drawing throws; this then rejects with the same error.
		return await Promise.race([ended, app.waitUntilExit().then(() => ended)]);
	} finally {
		signals.off();
		await close();
	}
}
