import {setImmediate} from 'node:timers/promises';
import {createAlerts} from '../../alerts/alerts.ts';
import {createFeeds} from '../../alerts/feeds.ts';
import type {Clock} from '../../market/clock.ts';
import type {RecordedGap} from '../../recording/answer-gaps.ts';
import {createReplayControls} from '../../recording/file-replay.ts';
import {openReplay} from '../../recording/open-replay.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import type {Speed} from '../../recording/replay-controls.ts';
import {createComparison} from '../../store/comparison.ts';
import {createStore} from '../../store/create-store.ts';
import {createDiagnosis} from '../../store/diagnosis.ts';
import {drawnSize} from '../../terminal/size.ts';
import {Monitor} from '../../view/app.tsx';
import type {Tick} from '../../view/clock-stores.ts';
import {remapped} from '../../view/commands/table.ts';
import {layoutName} from '../../view/layout.ts';
import {Watch} from '../../view/panels/watch/watch-screen.tsx';
import {createUiStore, initialUi} from '../../view/ui-state.ts';
import type {LocalContext} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {demoName} from '../options/options.ts';
import {type Drawing, draw} from './draw.tsx';

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
export async function runReplay(whole: LocalContext, {symbol, ...start}: ReplayRequest): Promise<number> {
	const {replay, context, shown, stop} = openShown(whole, [symbol], start);
	const {exchange, clock} = replay;
	const ui = createUiStore(initialUi(layoutName(drawnSize(process.stdout))));
	const alerts = createAlerts({
		feeds: createFeeds({exchange, clock, screens: shown.stores}),
		clock,
		rules: [],
		marketsOf: () => [],
		onEvent() {},
	});
	const comparison = createComparison({exchange, clock, intervalMs: whole.options.intervalsMs.candles});
	const commands = remapped(whole.options.keys);
	const view = ({screens: [screen], title: _, ...rest}: Drawing) =>
		screen ? <Monitor {...context} {...rest} {...{screen, ui, commands, comparison, alerts}} /> : null;
	return draw(context, shown, view).finally(stop);
}

type TilesRequest = ReplayStart & {
	readonly symbols: readonly string[];
	/** How long each page of tiles is shown, in recorded time. */
	readonly rotateMs?: number | undefined;
};

/** Shows a tile for each market of a recording. Settles with the exit status at its end, or when the user quits. */
export async function runReplayTiles(
	whole: LocalContext,
	{symbols, rotateMs, ...start}: TilesRequest,
): Promise<number> {
	const {replay, context, shown, stop} = openShown(whole, symbols, start);
	const {player} = replay;
	const commands = remapped(whole.options.keys);
	const keyboard = process.stdin.isTTY;
	const view = ({title: _, onEnd: _onEnd, fail: _fail, ...rest}: Drawing) => {
		player.subscribe(() => {
			const {isPlaying, session, time, sessions} = player.getSnapshot();
			if (!isPlaying && session === sessions.at(-1) && time >= session.to) rest.quit(exitStatus.done);
		});
		return <Watch {...context} {...rest} {...{keyboard, commands, rotateMs}} />;
	};
	return draw(context, shown, view).finally(stop);
}

/** What a screen shows of a recording; it plays when it is drawn. */
function openShown(whole: LocalContext, symbols: readonly string[], {reader, from, speed}: ReplayStart) {
	const {clock, options} = whole;
	let onError = (error: unknown): void => {
		throw error;
	};
	const replay = openReplay({
		...{reader, sessions: reader.sessions(), clock, settle: setImmediate, from, speed},
		onError: error => onError(error),
	});
	const {player, exchange} = replay;
	const stores = symbols.map(symbol => replay.storeOf({symbol, period: options.period}));
	const [first] = stores;
	if (!first) throw new Error('a replay shows a market');
	const gaps = createStore<readonly RecordedGap[]>([]);
	let stopGaps = () => {};
	const controls = createReplayControls(player, first, {
		gaps,
		alerts: reader.alerts().map(({time}) => time),
		changeAt: by => replay.changeAt(first.getSnapshot().symbol, by),
	});
	const {name: exchangeName} = reader.about();
	const demo = exchangeName === demoName;
	const context = {...whole, exchange, exchangeName, demo, diagnosis: createDiagnosis()};
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
	return {replay, context, shown: {stores, tick, replay: controls, start}, stop};
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
