import type {Alert, AlertEvent} from '../../alerts/alert-event.ts';
import {createConditionWatch} from '../../alerts/condition-watch.ts';
import {symbolKey} from '../../market/symbol.ts';
import {createComparison} from '../../store/comparison.ts';
import {drawnSize} from '../../terminal/size.ts';
import {Monitor} from '../../view/app.tsx';
import {remapped} from '../../view/commands/table.ts';
import {layoutName} from '../../view/layout.ts';
import {Watch} from '../../view/panels/watch/watch-screen.tsx';
import {createUiStore, initialUi} from '../../view/ui-state.ts';
import type {Context} from '../context.ts';
import {sharedTickers} from '../exchanges.ts';
import {exitStatus} from '../exit.ts';
import {note, print} from '../output.ts';
import {exchangeStateOf, rememberSession, restoredUi} from '../state/saved-session.ts';
import {openStateFile, statePath} from '../state/state-file.ts';
import {callsAsConfigured} from './alert-calls.ts';
import {alertLine} from './alert-words.ts';
import {type Drawing, draw, showLive, type WantedSymbol} from './draw.tsx';
import {startMonitorAlerts} from './monitor-alerts.ts';
import {createMonitorRecording} from './monitor-recording.ts';
import {createMonitorRewind} from './monitor-rewind.ts';
import {onAlerts, onWatchEnd, statusAtEnd, type WatchEnd, type WatchLimits} from './watch-end.ts';
import {watchReport} from './watch-rows.ts';
import {onceMarketsListed, type WatchRules} from './watch-rules.ts';
import {watchStatus} from './watch-status.ts';

export type MonitorRequest = {
	/** Records to this file from the start. */
	readonly record?: string | undefined;
};

/** The monitor, driven from the keyboard. Settles with the exit status when the user quits. */
export async function runMonitor(whole: Context, {record}: MonitorRequest = {}): Promise<number> {
	const {options, exchangeName, clock} = whole;
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
	const recording = createMonitorRecording(whole, ui);
	if (record !== undefined) recording.controls.recordTo(record);
	const rewinding = createMonitorRewind({...whole, exchange: recording.exchange}, options.rewindMs);
	const {exchange} = rewinding;
	const context = {...whole, exchange};
	const comparison = createComparison({exchange, clock, intervalMs: options.intervalsMs.candles});
	const symbol: WantedSymbol =
		options.market === undefined ? {text: last.market, mayBeGone: true} : {text: options.market};
	const drawn = {...context, options: {...options, period}};
	const live = showLive(drawn, [symbol]);
	const [store] = live.stores;
	if (!store) throw new Error('a monitor shows a market');
	const shown = rewinding.shownOf({...live, store});
	const view = ({screens: [screen], onEnd, title, ...rest}: Drawing) => {
		if (!screen) return null;
		const remember = rememberSession({file, exchangeName, ui, store: screen.store, clock});
		const onAlert = (alert: Alert) => {
			recording.addAlert(alert);
			rewinding.addAlert(alert);
		};
		// The present is judged, whatever is shown.
		const {alerts, stop} = startMonitorAlerts(context, {store, ui, title, file, onAlert});
		onEnd(async () => {
			await Promise.all([remember(), stop(), recording.stop(), rewinding.stop()]);
		});
		return <Monitor {...context} {...rest} {...{screen, ui, commands, comparison, alerts}} />;
	};

	return draw(drawn, {...shown, recording: recording.controls}, view);
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
	const status = await draw(paced, showLive(paced, symbols), view).finally(() => stop());
	// Quitting early must not look like a met condition.
	if (!ended) return until && status === exitStatus.done ? exitStatus.interrupted : status;
	if (ended.reason === 'met')
		await print(watchReport(ended.met.states, {now: clock.now(), ascii: options.ascii, demo}));
	return statusAtEnd(ended, request);
}
