import {setImmediate} from 'node:timers/promises';
import {createAlerts} from '../../alerts/alerts.ts';
import {createFeeds} from '../../alerts/feeds.ts';
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
import {createUiStore, initialUi} from '../../view/ui-state.ts';
import type {LocalContext} from '../context.ts';
import {type Drawing, draw} from './draw.tsx';

export type ReplayRequest = {
	readonly reader: RecordingReader;
	/** The market that is shown at first. */
	readonly symbol: string;
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
	readonly speed?: Speed | undefined;
};

/** Shows a recording in the monitor. Settles with the exit status when the user quits. */
export async function runReplay(context: LocalContext, {reader, symbol, from, speed}: ReplayRequest): Promise<number> {
	const {clock, options} = context;
	const sessions = reader.sessions();
	let onError = (error: unknown): void => {
		throw error;
	};
	const replay = openReplay({
		...{reader, sessions, clock, settle: setImmediate, from, speed},
		onError: error => onError(error),
	});
	const {player, exchange} = replay;
	const store = replay.storeOf({symbol, period: options.period});
	const controls = createReplayControls(player, store, {
		gaps: reader.gaps(),
		alerts: reader.alerts().map(({time}) => time),
		changeAt: by => replay.changeAt(store.getSnapshot().symbol, by),
	});
	const ui = createUiStore(initialUi(layoutName(drawnSize(process.stdout))));
	const alerts = createAlerts({
		feeds: createFeeds({exchange, clock: replay.clock, screens: [store]}),
		clock: replay.clock,
		rules: [],
		marketsOf: () => [],
		onEvent() {},
	});
	const {name: exchangeName} = reader.about();
	const shown = {...context, exchange, exchangeName, demo: exchangeName === 'demo', diagnosis: createDiagnosis()};
	const comparison = createComparison({exchange, clock: replay.clock, intervalMs: options.intervalsMs.candles});
	const commands = remapped(options.keys);
	const view = ({screens: [screen], title: _, ...rest}: Drawing) =>
		screen ? <Monitor {...shown} {...rest} {...{screen, ui, commands, comparison, alerts}} /> : null;
	const start = (fail: (error: unknown) => void) => {
		onError = fail;
		store.start();
		player.play();
	};
	const tick = replayTick(replay);
	try {
		return await draw(shown, {stores: [store], tick, replay: controls, start}, view);
	} finally {
		player.stop();
		tick.stop();
	}
}

/** The time that the player shows. */
export function replayTick({player, clock}: Pick<ReturnType<typeof openReplay>, 'player' | 'clock'>): Tick {
	const {set, ...store} = createStore(player.getSnapshot().time);
	const stop = player.subscribe(() => set(player.getSnapshot().time));
	return {...store, stop, clock};
}
