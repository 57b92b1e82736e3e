import {render} from 'ink';
import type {ReactNode} from 'react';
import type {Rgb} from '../../format/style.ts';
import type {Clock} from '../../market/clock.ts';
import {defaultSymbol, findMarket, sharedNameText} from '../../market/symbol.ts';
import {secondMs} from '../../market/units.ts';
import {createBeat} from '../../store/beat.ts';
import {createStore} from '../../store/create-store.ts';
import {createMarketStore} from '../../store/market-store.ts';
import type {MarketStore} from '../../store/state.ts';
import {hintedBackground, type TerminalCapabilities, takesOsc} from '../../terminal/capabilities.ts';
import {copySequence} from '../../terminal/clipboard.ts';
import {FrameOutput} from '../../terminal/frame-output.ts';
import {mouseOff, mouseOn} from '../../terminal/mouse.ts';
import {createWindowTitle, type WindowTitle} from '../../terminal/window-title.ts';
import {createSlowLink, createTick} from '../../view/clock-stores.ts';
import type {TerminalLoan} from '../../view/terminal-loan.tsx';
import {usualBackground} from '../../view/theme/schemes.ts';
import {createTheme} from '../../view/theme/theme.ts';
import type {Screen} from '../../view/use-market.ts';
import type {Context} from '../context.ts';
import {type BeforeList, type MarketList, marketNamed, onceListed} from './lookup.ts';

/** What a screen needs to draw itself and to quit. */
export type Drawing = {
	readonly screens: readonly Screen[];
	readonly loan: TerminalLoan;
	readonly title: WindowTitle;
	/** Settles the run with this exit status. */
	quit(status: number): void;
	/** Rejects the run with this error. */
	fail(error: unknown): void;
	suspend(): void;
	redraw(): void;
	/** Sends text to the clipboard of the terminal; false: it is too long. */
	copy(text: string): boolean;
	/** Has the terminal report the mouse, or no longer. At the start it does not. */
	setMouse(isOn: boolean): void;
	/** Shows what the window's title is while no alert is in it. Absent: the title stays as it is. */
	readonly setTitle?: ((text: string) => void) | undefined;
	/** Runs `work` after the terminal is restored, also when a signal ends the program. */
	onEnd(work: () => Promise<void>): void;
};

/** Where a screen gets what it shows. */
export type Shown = Pick<Screen, 'tick' | 'replay' | 'recording' | 'present'> & {
	readonly stores: readonly MarketStore[];
	/** When what comes by itself is drawn, see `createBeat`. Absent: at any time. */
	readonly beat?: Clock | undefined;
	/** Called when the terminal is taken. `fail` ends the run with an error. */
	start(fail: (error: unknown) => void): void;
};

function colorLevel({color}: Context['options'], capabilities: TerminalCapabilities) {
	if (color === 'never') return 0;
	return color === 'always' && capabilities.color === 0 ? 1 : capabilities.color;
}

/** Whether only ASCII characters are drawn: if the user wants that, or the locale has no others. */
export const drawsAscii = ({ascii}: Context['options'], {unicode}: TerminalCapabilities): boolean => ascii || !unicode;

/** A market in any spelling; none: the exchange's default one. */
export type WantedSymbol = {
	readonly text: string | undefined;
	/** Shows the default market if this one is no longer listed, as a saved one may be; else that is a failure. */
	readonly mayBeGone?: boolean;
};

/** What the exchange of the context answers now. */
export function showLive({exchange, clock, options}: Context, symbols: readonly WantedSymbol[]): Shown {
	const {period, choice, intervalsMs: intervals, fps} = options;
	const beat = fps === undefined ? undefined : createBeat(clock, secondMs / fps);
	const stores = symbols.map(({text: symbol}) =>
		createMarketStore({exchange, clock, beat, symbol, period, choice, intervals}),
	);
	return {
		stores,
		beat,
		tick: createTick(beat ?? clock),
		start(fail) {
			stores.forEach((store, index) => {
				const {text, mayBeGone = false} = symbols[index] ?? {};
				const check = ({data: markets, dropped}: MarketList, {isShown, isFirst}: BeforeList) => {
					// The header then says that it is not listed.
					const isShared = text !== undefined && sharedNameText(markets, text) !== undefined;
					if (text === undefined || (isShown && !isShared)) return;
					if (!mayBeGone && (isFirst || isShared)) marketNamed(markets, text, dropped);
					else if (mayBeGone && !findMarket(markets, text)) store.select(defaultSymbol(markets) ?? text);
				};
				if (text !== undefined) onceListed(store, check, fail);
				store.start();
			});
		},
	};
}

/** Takes over the terminal, draws until the user or a signal ends it, and restores the terminal. */
export async function draw(
	context: Context,
	{stores, beat, start, ...shown}: Shown,
	view: (drawing: Drawing) => ReactNode,
): Promise<number> {
	const {clock, options, tty} = context;
	const {env, output} = tty;
	const capabilities = tty.capabilities();
	const color = colorLevel(options, capabilities);
	const {theme: themeName, palette, colors} = options;
	const hint = hintedBackground(env);
	const theme = createTheme({theme: themeName, palette, colors, color, background: hint && usualBackground[hint]});
	const background = createStore<Rgb | undefined>(undefined);
	const ascii = drawsAscii(options, capabilities);
	const dialogue = tty.openDialogue({clock, onBackground: color > 0 ? background.set : undefined});
	const frames = new FrameOutput(output, {clock, beat, flow: dialogue?.flow});
	dialogue?.input.on('typed', frames.hurry);
	const slowLink = createSlowLink(clock);
	frames.on('drop', slowLink.dropped);
	if (tty.onDrop) frames.on('drop', tty.onDrop);
	const {surface} = frames;
	// A theme that is chosen suits its background.
	let asksBackground = themeName === 'auto';
	const askBackground = () => {
		if (asksBackground) return;
		asksBackground = true;
		dialogue?.askBackground();
		dialogue?.flow?.ask();
	};
	const take = () => {
		const giveBack = tty.take(clock, dialogue);
		// The first frame brings a question of the flow control, whose answer follows this one.
		if (asksBackground) dialogue?.askBackground();
		return giveBack;
	};
	const terminal = {background, askBackground, surface, ascii, slowLink};
	const screens = stores.map((store): Screen => ({...shown, ...terminal, store, theme}));
	let lastWork = async () => {};
	const onEnd = (work: () => Promise<void>) => {
		lastWork = work;
	};
	const {promise: ended, resolve: quit, reject: fail} = Promise.withResolvers<number>();

	const title = createWindowTitle(
		text => output.write(text),
		text => frames.sendSoon(text),
	);
	const setTitle = options.title && takesOsc(env) ? title.setUsual : undefined;
	const keepTitle = tty.onExit(title.lend);
	let giveBack = take();
	const setMouse = (isOn: boolean): void => {
		if (!dialogue || dialogue.input.reportsMouse === isOn) return;
		dialogue.input.reportsMouse = isOn;
		frames.send(isOn ? mouseOn : mouseOff);
	};
	const loan: TerminalLoan = {laidOut: frames.laidOut};
	const signals = tty.onSignals({
		end: () => close(),
		async suspend() {
			frames.hold();
			const suspension = await loan.suspend?.();
			const retake = title.lend();
			await giveBack();
			return async () => {
				giveBack = take();
				retake();
				if (dialogue?.input.reportsMouse) output.write(mouseOn);
				await suspension?.resume();
			};
		},
		redraw: frames.redraw,
	});
	const copy = (text: string): boolean => {
		const sequence = copySequence(text, env);
		if (sequence !== undefined) frames.send(sequence);
		return sequence !== undefined;
	};
	const suspend = () => void signals.suspend();
	const stdin = dialogue?.input ?? tty.input;
	const {redraw} = frames;
	const drawing = {screens, loan, title, quit, fail, suspend, redraw, copy, setMouse, setTitle, onEnd};
	const app = render(view(drawing), {
		...(stdin && {stdin}),
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
	});
	const stopWatchingHeap = tty.watchMemory(fail);
	const close = async () => {
		stopWatchingHeap();
		for (const store of stores) store.stop();
		shown.tick.stop();
		slowLink.stop();
		frames.close();
		app.unmount();
		title.lend();
		keepTitle();
		await giveBack();
		const work = lastWork;
		lastWork = async () => {};
		await work();
	};

	try {
		start(fail);
		// Ink settles by itself only when drawing throws; this then rejects with the same error.
		return await Promise.race([ended, app.waitUntilExit().then(() => ended), signals.ended ?? ended]);
	} finally {
		signals.off();
		await close();
	}
}
