import {Text} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactElement} from 'react';
import {onTestFinished, vi} from 'vitest';
import type {Alerts} from '../../source/alerts/alerts.ts';
import type {Size} from '../../source/format/cells.ts';
import {f1Character} from '../../source/format/control.ts';
import {createComparison} from '../../source/store/comparison.ts';
import {createDiagnosis, type DiagnosisStore} from '../../source/store/diagnosis.ts';
import {createMarketStore, createTickerStore} from '../../source/store/market-store.ts';
import {createPastCandles, withPast} from '../../source/store/past-candles.ts';
import {createSpareTurns} from '../../source/store/spare-turns.ts';
import type {MarketStore} from '../../source/store/state.ts';
import {blankCell, type Cell} from '../../source/terminal/cell-row.ts';
import {type Picture, Surface} from '../../source/terminal/surface.ts';
import {Monitor} from '../../source/view/app.tsx';
import {createTick} from '../../source/view/clock-stores.ts';
import type {Gesture} from '../../source/view/commands/pointer.ts';
import {type Remapping, remapped} from '../../source/view/commands/table.ts';
import {layoutName} from '../../source/view/layout.ts';
import type {TerminalLoan} from '../../source/view/terminal-loan.tsx';
import type {PaletteName} from '../../source/view/theme/names.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {createUiStore, initialUi, type UiStore} from '../../source/view/ui-state.ts';
import type {Screen} from '../../source/view/use-market.ts';
import {alertsOf} from '../helpers/alerts-of.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {keyInputs} from '../helpers/key-input.ts';
import {sampleScript, sampleTime} from './sample-exchange.ts';

/** A terminal without a process: what the program shows on it, a keyboard, and a size that can change. */
export type Terminal = {
	/** Every frame so far, as text. */
	readonly frames: readonly string[];
	/** What stands on the screen now, as text. */
	frame(): string;
	/** Its rows, without the unstyled blanks at their ends and without the blank rows at the bottom. */
	rows(): readonly string[];
	cell(row: number, column: number): Cell;
	/** All cells. */
	picture(): Picture;
	/** Types keys by the keymap's names, each in a piece of input of its own, and lets the screen follow. */
	press(...keys: readonly string[]): Promise<void>;
	/** One piece of input as it comes. */
	type(input: string): Promise<void>;
	/** What the mouse does, with the left button and without Shift unless said. */
	point(...gestures: readonly Pointing[]): Promise<void>;
	resize(size: Size): Promise<void>;
	/** Lets the screen follow what was done without a key, while no time passes. */
	settle(): Promise<void>;
	unmount(): void;
};

type Pointing = Pick<Gesture, 'kind' | 'column' | 'row'> & Partial<Gesture>;

/** A click on a cell of the screen. */
export const clickOn = (column: number, row: number): readonly Pointing[] => [
	{kind: 'press', column, row},
	{kind: 'release', column, row},
];

/** Of every row so far: pictures share those that did not change. */
const rowTexts = new WeakMap<readonly Cell[], string>();
function rowText(row: readonly Cell[]): string {
	const known = rowTexts.get(row);
	if (known !== undefined) return known;
	const end = row.findLastIndex(cell => cell !== blankCell) + 1;
	let text = '';
	for (let column = 0; column < end; column++) text += row[column]?.text ?? '';
	rowTexts.set(row, text);
	return text;
}

const rowsOf = ({rows}: Picture): readonly string[] => {
	const texts = rows.map(rowText);
	return texts.slice(0, texts.findLastIndex(text => text !== '') + 1);
};
const textOf = (picture: Picture): string => rowsOf(picture).join('\n');

/** What a tree is drawn with. */
type Drawing = {readonly surface: Surface; readonly loan: TerminalLoan};

/** Turns without a change after which a drawing counts as done. */
const stillTurns = 4;

/** Draws a tree as a program that starts on a terminal of this size. */
export async function openTerminal(
	clock: FakeClock,
	size: Size,
	tree: (drawing: Drawing) => ReactElement,
): Promise<Terminal> {
	const pictures: Picture[] = [];
	let outdated = false;
	const surface = new Surface(size, () => {
		const picture = surface.picture();
		if (!outdated && picture !== pictures.at(-1)) pictures.push(picture);
	});
	const loan: TerminalLoan = {
		laidOut(laidOut) {
			outdated = false;
			surface.resize(laidOut);
		},
	};
	// The library's terminal has a size of its own that the program must not see.
	const app = render(<Text> </Text>);
	const {stdout, stdin} = app;
	const resized = ({columns, rows}: Size) => {
		Object.defineProperties(stdout, {
			columns: {value: columns, configurable: true},
			rows: {value: rows, configurable: true},
		});
	};
	// React draws again after effects, and on a busy machine one drawing takes several turns of the event loop.
	const settle = async () => {
		let before = surface.picture();
		for (let still = 0; still < stillTurns; ) {
			await clock.advance(0);
			const now = surface.picture();
			still = now === before ? still + 1 : 0;
			before = now;
		}
	};

	resized(size);
	app.rerender(tree({surface, loan}));
	await settle();

	const type = async (input: string) => {
		// A lone escape is a key only when nothing has followed it for a moment of Ink's.
		const isEscape = input.endsWith('\u001B');
		if (isEscape) vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		stdin.write(input);
		if (isEscape) vi.runAllTimers();
		if (isEscape) vi.useRealTimers();
		await settle();
	};
	const picture = (): Picture => {
		// Ink itself draws nothing but an error that was thrown while drawing.
		const overview = app.lastFrame()?.trim();
		if (overview) throw new Error(overview);
		return surface.picture();
	};
	return {
		unmount: app.unmount,
		get frames() {
			return pictures.map(textOf);
		},
		frame: () => textOf(picture()),
		rows: () => rowsOf(picture()),
		picture,
		cell(row, column) {
			const cell = picture().rows[row]?.[column];
			if (!cell) throw new RangeError(`No cell at row ${row}, column ${column}`);
			return cell;
		},
		async press(...keys) {
			// Ink gets F1 from KeyInput, which is not here.
			for (const key of keys) await type(key === 'f1' ? f1Character : (keyInputs[key] ?? key));
		},
		type,
		async point(...gestures) {
			for (const gesture of gestures) {
				stdin.emit('mouse', {button: 'left', shift: false, at: clock.now(), ...gesture});
			}

			await settle();
		},
		settle,
		async resize(next) {
			outdated = true;
			resized(next);
			stdout.emit('resize');
			await settle();
		},
	};
}

export type OpenMonitor = Terminal & {
	readonly clock: FakeClock;
	readonly exchange: FakeExchange;
	readonly store: MarketStore;
	readonly ui: UiStore;
	readonly alerts: Alerts;
	/** To be told what the exchange did. */
	readonly diagnosis: DiagnosisStore;
	/** Exit statuses that were asked for. */
	readonly quits: readonly number[];
	/** How often the program was told to suspend itself. */
	readonly suspensions: readonly true[];
	readonly redraws: readonly true[];
	/** Leaves; done by itself at the end of the test. */
	close(): void;
};

type MonitorOptions = {
	readonly size: Size;
	/** Epoch ms. Default: the time of the sample exchange. */
	readonly start?: number | undefined;
	/** Default: the sample exchange. */
	readonly script?: FakeExchange['script'] | undefined;
	/** Default `BTCUSDT`. */
	readonly symbol?: string | undefined;
	readonly ascii?: boolean | undefined;
	/** Keys by the command's name, as the config file gives them. Default: the commands' own. */
	readonly keys?: Remapping | undefined;
	/** Default `classic`. */
	readonly palette?: PaletteName | undefined;
	/** Of the terminal. Default: it does not report it. */
	readonly background?: Screen['background'];
	/** Colour level. Default 1. */
	readonly color?: 0 | 1 | 2 | 3 | undefined;
	/** Default: both. */
	readonly interfaces?: FakeExchange['interfaces'] | undefined;
};

/** The monitor, just started, on an exchange that answers by `script`. */
export async function openMonitor(options: MonitorOptions): Promise<OpenMonitor> {
	const {
		size,
		start = sampleTime,
		script = sampleScript,
		symbol = 'BTCUSDT',
		ascii = false,
		palette = 'classic',
		color = 1,
		keys = {},
		background,
		interfaces = ['v2', 'legacy'],
	} = options;
	const clock = createFakeClock(start);
	const exchange = createFakeExchange(clock, {...script});
	const turns = createSpareTurns(exchange, clock);
	const past = createPastCandles({exchange, clock, turns, random: () => 0});
	const store = withPast(createMarketStore({exchange, clock, random: () => 0, symbol}), past, interfaces);
	const diagnosis = createDiagnosis();
	const ui = createUiStore(initialUi(layoutName(size)));
	const tick = createTick(clock);
	const theme = createTheme({palette, color});
	const commands = remapped(keys);
	const alerts = alertsOf(store, {exchange, clock, ui});
	const quits: number[] = [];
	const suspensions: true[] = [];
	const redraws: true[] = [];
	const secondTicker = createTickerStore({exchange, clock, random: () => 0});
	const terminal = await openTerminal(clock, size, ({surface, loan}) => (
		<Monitor
			screen={{store, tick, theme, background, surface, ascii}}
			ui={ui}
			diagnosis={diagnosis}
			comparison={createComparison({exchange, clock, random: () => 0})}
			secondTicker={secondTicker}
			alerts={alerts}
			exchange={exchange}
			loan={loan}
			exchangeName="sample"
			commands={commands}
			demo={false}
			quit={status => quits.push(status)}
			suspend={() => suspensions.push(true)}
			redraw={() => redraws.push(true)}
		/>
	));
	store.start();
	alerts.start();
	await clock.advance(0);
	await clock.advance(0);
	const close = () => {
		alerts.stop();
		store.stop();
		tick.stop();
		terminal.unmount();
	};
	onTestFinished(close);
	return Object.assign(terminal, {clock, exchange, store, ui, alerts, diagnosis, quits, suspensions, redraws, close});
}
