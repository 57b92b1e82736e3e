import {setImmediate} from 'node:timers/promises';
import {createAlerts} from '../../alerts/alerts.ts';
import {createFeeds} from '../../alerts/feeds.ts';
import {utc} from '../../format/zone.ts';
import type {Clock} from '../../market/clock.ts';
import {createReplayControls, openReplay, type Replay} from '../../recording/open-replay.ts';
import type {RecordedGap} from '../../recording/outcome-log.ts';
import {createRecordedPast} from '../../recording/recorded-past.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import type {Speed} from '../../recording/replay-controls.ts';
import {createComparison} from '../../store/comparison.ts';
import {createStore} from '../../store/create-store.ts';
import {withPast} from '../../store/past-candles.ts';
import type {MarketStore} from '../../store/state.ts';
import {drawnSize} from '../../terminal/frame-output.ts';
import {Monitor} from '../../view/app.tsx';
import type {Tick} from '../../view/clock-stores.ts';
import {remapped} from '../../view/commands/table.ts';
import {layoutName} from '../../view/layout.ts';
import {type OpenedMonitor, type TileToOpen, Watch} from '../../view/panels/watch/watch-screen.tsx';
import {type Change, createUiStore, initialUi, type UiState} from '../../view/ui-state.ts';
import type {LocalContext} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {replaySettings} from '../options/settings-start.ts';
import {exchangeIn} from '../recorded.ts';
import {readAnchors, readHoldings, readLevels, readLines} from '../state/saved-entries.ts';
import {exchangeStateOf, withSavedLook} from '../state/saved-session.ts';
import {type Drawing, draw} from './draw.tsx';
import {openUsersFile} from './prepare-monitor.tsx';

/** Between two pages of gaps. */
const gapPauseMs = 20;

type ReplayStart = {
	readonly reader: RecordingReader;
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
	readonly speed?: Speed | undefined;
};

export type ReplayRequest = ReplayStart & {
	/** The market that is shown at first. */
	readonly symbol: string;
};

/** Shows a recording in the monitor. Settles with the exit status when the user quits. */
export async function runReplay(given: LocalContext, {symbol, ...start}: ReplayRequest): Promise<number> {
	const {whole, marked} = await asSaved(given, start.reader);
	const {replay, context, shown, stop} = openShown(whole, [symbol], start);
	const parts = monitorParts(whole, replay, shown.stores, marked);
	const view = ({screens: [screen], title: _, ...rest}: Drawing) =>
		screen ? <Monitor {...context} {...rest} {...parts} screen={screen} /> : null;
	return draw(context, shown, view).finally(stop);
}

type TilesRequest = ReplayStart & {
	readonly symbols: readonly string[];
	/** How long each page of tiles is shown, in recorded time. */
	readonly rotateMs?: number | undefined;
};

/** Shows a tile for each market of a recording. Settles with the exit status at its end, or when the user quits. */
export async function runReplayTiles(
	given: LocalContext,
	{symbols, rotateMs, ...start}: TilesRequest,
): Promise<number> {
	const {whole, marked} = await asSaved(given, start.reader);
	const {replay, context, shown, storeShown, stop} = openShown(whole, symbols, start);
	const {player} = replay;
	const commands = remapped(whole.options.keys);
	const keyboard = whole.tty.hasKeyboard;
	/** With the time zone and the colours of the last monitor. */
	let latest = whole;
	let isMonitorOpen = false;
	let inMonitor: ReturnType<typeof storeShown> | undefined;
	const view = ({title: _, onEnd: _onEnd, fail: _fail, ...rest}: Drawing) => {
		const isOver = () => {
			const {isPlaying, session, time, sessions} = player.getSnapshot();
			return !isPlaying && session === sessions.at(-1) && time >= session.to;
		};
		const endIfOver = () => {
			// In a monitor, the user may go back.
			if (isOver() && !isMonitorOpen) rest.quit(exitStatus.done);
		};
		player.subscribe(endIfOver);
		const openMonitor = async ({symbol, screen: tile, leave}: TileToOpen): Promise<OpenedMonitor> => {
			isMonitorOpen = true;
			inMonitor ??= storeShown(symbol);
			const {store, controls} = inMonitor;
			store.select(symbol);
			store.start();
			const screen = {...tile, store, replay: controls};
			const parts = monitorParts(latest, replay, [store], marked);
			return {
				view: <Monitor {...context} {...rest} {...parts} {...{screen, leave}} />,
				close() {
					store.stop();
					isMonitorOpen = false;
					// The tiles have no key that would resume it.
					if (!isOver()) player.play();
					endIfOver();
					const {zone, theme = latest.options.theme, palette = latest.options.palette} = parts.ui.getSnapshot();
					latest = {...latest, options: {...latest.options, zone, theme, palette}};
					return {zone, theme, palette};
				},
			};
		};
		return <Watch {...context} {...rest} {...{keyboard, commands, rotateMs, zone: whole.options.zone, openMonitor}} />;
	};
	return draw(context, shown, view).finally(stop);
}

/** With the time zone and the colours that the monitor remembers. `marked`: with what it remembers of the recorded exchange. */
async function asSaved(context: LocalContext, reader: RecordingReader) {
	const {options} = context;
	const {state} = await openUsersFile(context);
	const {holdings, levels, lines, avwaps} = exchangeStateOf(state, reader.about().name);
	const marked = (ui: UiState): UiState => ({
		...ui,
		picker: {...ui.picker, holdings: readHoldings(holdings, options.holdings).holdings},
		drawnLevels: readLevels(levels).levels,
		drawnLines: readLines(lines).lines,
		chart: {...ui.chart, anchors: readAnchors(avwaps)},
	});
	return {whole: {...context, options: withSavedLook(options, state.view)}, marked};
}

/** What a monitor of a recording has of its own: its view, and alerts and a comparison that show nothing. */
function monitorParts(
	{options, tty}: LocalContext,
	{exchange, clock}: Replay,
	screens: readonly MarketStore[],
	marked: Change,
) {
	const feeds = createFeeds({exchange, clock, screens});
	const {quoteCurrency, zone = utc, theme, palette, mouse} = options;
	const layout = layoutName(drawnSize(tty.output));
	const initial = {...initialUi(layout, quoteCurrency), zone, theme, palette, mouse};
	const ui = createUiStore(marked(initial));
	const [store] = screens;
	const begun = store && {ui: ui.getSnapshot(), market: store.getSnapshot()};
	return {
		ui,
		settings: begun && replaySettings(options, begun, layout),
		alerts: createAlerts({feeds, clock, rules: [], marketsOf: () => [], onEvent() {}}),
		comparison: createComparison({exchange, clock, intervalMs: options.intervalsMs.candles}),
		commands: remapped(options.keys),
	};
}

/** What a screen shows of a recording; it plays when it is drawn. */
function openShown(whole: LocalContext, symbols: readonly string[], {reader, from, speed}: ReplayStart) {
	const {clock, options} = whole;
	let onError = (error: unknown): void => {
		throw error;
	};
	const replay = openReplay({
		...{log: reader, clock, settle: setImmediate, from, speed},
		onError: error => onError(error),
	});
	const {player, exchange} = replay;
	const past = createRecordedPast(replay, {reader, clock, settle: setImmediate});
	const gaps = createStore<readonly RecordedGap[]>([]);
	let stopGaps = () => {};
	const alerts = reader.alerts().map(({time}) => time);
	/** A market, and what moves through its recorded time. */
	const storeShown = (symbol: string) => {
		const store = withPast(replay.storeOf({symbol, period: options.period}), past, exchange.interfaces);
		return {store, controls: createReplayControls(replay, store, {gaps, alerts})};
	};
	const all = symbols.map(storeShown);
	const stores = all.map(({store}) => store);
	const [first] = all;
	if (!first) throw new Error('a replay shows a market');
	const {controls} = first;
	const context = {...whole, ...exchangeIn(reader), exchange};
	const tick = replayTick(replay);
	const start = (fail: (error: unknown) => void) => {
		onError = fail;
		for (const store of stores) store.start();
		player.play();
		stopGaps = findGaps(reader, gaps, clock, fail);
	};
	const stop = () => {
		stopGaps();
		player.stop();
		tick.stop();
	};
	return {replay, context, shown: {stores, tick, replay: controls, start}, storeShown, stop};
}

/** Puts what was not recorded into `gaps`, page by page: the screen is drawn first, and keys are heard meanwhile. */
function findGaps(
	reader: RecordingReader,
	gaps: ReturnType<typeof createStore<readonly RecordedGap[]>>,
	clock: Clock,
	fail: (error: unknown) => void,
): () => void {
	const pages = reader.gapPages();
	let cancel = clock.after(gapPauseMs, function next() {
		try {
			const {value: page, done} = pages.next();
			if (done) return;
			if (page.length > 0) gaps.set([...gaps.getSnapshot(), ...page]);
			cancel = clock.after(gapPauseMs, next);
		} catch (error) {
			fail(error);
		}
	});
	return () => cancel();
}

/** The time that the player shows. */
export function replayTick({player, clock}: Pick<ReturnType<typeof openReplay>, 'player' | 'clock'>): Tick {
	const {set, ...store} = createStore(player.getSnapshot().time);
	const stop = player.subscribe(() => set(player.getSnapshot().time));
	return {...store, stop, clock};
}
