import type {Alerts} from '../../alerts/alerts.ts';
import type {Alert} from '../../alerts/judged-rule.ts';
import type {Zone} from '../../format/zone.ts';
import {distinctNames, unlistedName} from '../../market/symbol.ts';
import {type OpenedMonitor, type TileToOpen, Watch} from '../../view/panels/watch/watch-screen.tsx';
import type {Context} from '../context.ts';
import {sharedReads} from '../exchanges.ts';
import {exitStatus} from '../exit.ts';
import {linesIn, withSavedLook} from '../state/saved-session.ts';
import type {StateFile} from '../state/state-file.ts';
import {callsAsConfigured} from './alert-calls.ts';
import {alertLine, watchStatus} from './alert-words.ts';
import {type Drawing, draw, showLive, type WantedSymbol} from './draw.tsx';
import {judgeWatchRules} from './judge-rules.ts';
import type {MonitorHistory} from './monitor-history.ts';
import {commandsOf, openUsersFile, prepareMonitor} from './prepare-monitor.tsx';
import {afterLong, judgeUntil, statusAtEnd, type WatchEnd, type WatchLimits} from './watch-end.ts';
import {watchReport} from './watch-rows.ts';
import {onceBooksCame, onceMarketsListed, type WatchRules} from './watch-rules.ts';

export type MonitorRequest = {
	/** Records to this file from the start. */
	readonly record?: string | undefined;
	/** What is remembered. Default: the user's. */
	readonly file?: StateFile | undefined;
	/** Default: a history of its own. */
	readonly history?: MonitorHistory | undefined;
};

/** The monitor, driven from the keyboard. Settles with the exit status when the user quits. */
export async function runMonitor(context: Context, request: MonitorRequest = {}): Promise<number> {
	const file = request.file ?? (await openUsersFile(context));
	const {shown, view, end} = prepareMonitor(context, {...request, file, market: context.options.market});
	return draw(context, shown, ({onEnd, ...drawing}) => {
		onEnd(end);
		return view(drawing);
	});
}

/** What a watch that runs for weeks prints at its end. */
const mostAlerts = 1000;

export type WatchScreenRequest = WatchLimits & {
	/** Markets in any spelling; none: the exchange's default one. */
	readonly texts: readonly string[];
	/** Between two polls; absent: as configured. */
	readonly intervalMs?: number | undefined;
	/** How long each page of tiles is shown. */
	readonly rotateMs?: number | undefined;
	readonly rules: WatchRules;
	/** What is remembered. Default: the user's. */
	readonly file?: StateFile | undefined;
	/** Of the monitors that are opened from tiles. Default: each has its own. */
	history?(): MonitorHistory;
};

/**
 * Shows a tile for each market; with a keyboard, the keys of quit and interrupt end it. When a condition is met, the markets
 * that met it are printed after the screen is closed. Settles with the exit status: 0 when done or met, 124 when the time ran
 * out first, 130 when the user quit before the condition was met.
 */
export async function runWatchScreen(context: Context, request: WatchScreenRequest): Promise<number> {
	const {clock, demo, output} = context;
	const {texts, intervalMs, rotateMs, until, forMs, rules} = request;
	const file = request.file ?? (await openUsersFile(context));
	const options = withSavedLook(context.options, file.state.view);
	const every = intervalMs && {depth: intervalMs, trades: intervalMs, tickers: intervalMs};
	const intervalsMs = {...options.intervalsMs, ...every};
	const names = texts.length > 0 ? distinctNames(texts).map(unlistedName) : [undefined];
	const symbols = names.map((text): WantedSymbol => ({text}));
	const keyboard = context.tty.hasKeyboard;
	const commands = commandsOf(context);
	const exchange = sharedReads(context, intervalsMs);
	const paced = {...context, exchange, options: {...options, intervalsMs}};
	let ended: WatchEnd | undefined;
	let stop = () => {};
	const fired: Alert[] = [];
	const view = (drawing: Drawing) => {
		const stores = drawing.screens.map(({store}) => store);
		// Polls nothing until the layout decides which tiles fit on the screen.
		for (const store of stores) store.show(new Set());
		const {title, onEnd, fail, ...shown} = drawing;
		const calls = callsAsConfigured(context, {
			terminal: {write: text => context.tty.output.write(text), title},
			onEnd(failure) {
				// Held back until the screen is left.
				if (failure !== undefined) output.note(failure);
			},
		});
		onEnd(async () => {
			await Promise.all([judgedRules.stop(), monitors.end()]);
			for (const alert of fired) await output.print(`${alertLine(alert, options.zone)}\n`);
			await calls.ended();
		});
		const ofMonitors = {...context, exchange, options: {...context.options, intervalsMs}};
		const monitors = createTileMonitors(ofMonitors, drawing, {
			alerts: () => judgedRules.alerts,
			file,
			history: request.history,
		});
		const end = (reason: WatchEnd) => {
			if (ended) return;
			ended = reason;
			drawing.quit(exitStatus.done);
		};
		const {blindAfterMs} = options;
		const sources = {exchange, clock, turns: context.spareTurns, intervals: intervalsMs};
		const judging = {...sources, blindAfterMs, linesOf: monitors.linesOf};
		const judged = until && judgeUntil(until, stores, judging, met => end({reason: 'met', met}));
		judged?.start();
		const stopTime = forMs === undefined ? undefined : afterLong(clock, forMs, () => end({reason: 'time'}));
		const judgedRules = judgeWatchRules(stores, {
			...{...judging, rules: {...rules, linesOf: monitors.linesOf}, call: calls.call},
			onEvent(event) {
				if (event.type !== 'alert') return;
				monitors.addAlert(event);
				fired.push(event);
				if (fired.length > mostAlerts) fired.shift();
			},
		});
		const stopChecking = onceMarketsListed(stores[0], {rules, until}, fail);
		const compared = [...(until ? [{condition: until, where: '--until'}] : []), ...rules.conditions];
		const stopWaiting = onceBooksCame(stores, compared, options, fail);
		stop = () => {
			judged?.stop();
			stopTime?.();
			stopChecking();
			stopWaiting();
		};
		const pollHidden = until !== undefined || rules.stated.length > 0;
		const status = (shownZone: Zone) =>
			watchStatus(judgedRules.alerts.getSnapshot(), {
				...{until, now: clock.now(), ascii: options.ascii, zone: shownZone},
			});
		const openMonitor = context.viewer?.isWatchOnly ? undefined : monitors.openMonitor;
		const {zone} = options;
		const shownTiles = {keyboard, commands, zone, rotateMs, pollHidden, status, openMonitor};
		return <Watch {...context} {...shown} {...shownTiles} />;
	};

	const status = await draw(paced, showLive(paced, symbols), view).finally(() => stop());
	// Quitting early must not look like a met condition.
	if (!ended) return until && status === exitStatus.done ? exitStatus.interrupted : status;
	if (ended.reason === 'met')
		await output.print(
			watchReport(ended.met.states, {now: clock.now(), ascii: options.ascii, zone: options.zone, demo}),
		);
	return statusAtEnd(ended, request, context);
}

type Shared = {
	/** Judged for the tiles, which every monitor shows. */
	alerts(): Alerts;
	/** What every monitor begins with. */
	readonly file: StateFile;
	/** Default: each has a history of its own. */
	history?: (() => MonitorHistory) | undefined;
};

/** Opens monitors on the terminal of the tiles. */
function createTileMonitors(
	context: Context,
	{fail, ...drawing}: Omit<Drawing, 'screens' | 'onEnd'>,
	{alerts, file, history}: Shared,
) {
	let close = () => {};
	let addAlert = (_: Alert) => {};
	let {state: saved} = file;
	let linesOf = linesIn(saved, context.exchangeName);
	/** Each settles when a monitor has saved all. */
	const endings: Promise<void>[] = [];
	return {
		async openMonitor({symbol, screen, leave, say}: TileToOpen): Promise<OpenedMonitor> {
			const monitor = prepareMonitor(context, {
				file,
				saved,
				market: symbol,
				alerts: alerts(),
				history: history?.(),
				leave,
				say,
			});
			({addAlert, linesOf} = monitor);
			const {stores, start, ...shown} = monitor.shown;
			const [store = screen.store] = stores;
			close = () => {
				close = () => {};
				addAlert = () => {};
				saved = monitor.saved();
				for (const each of stores) each.stop();
				shown.tick.stop();
				endings.push(monitor.end());
			};
			const view = monitor.view({...drawing, fail, screens: [{...screen, ...shown, store}]});
			start(fail);
			return {
				view,
				close() {
					close();
					return withSavedLook(context.options, saved.view);
				},
			};
		},
		/** The lines of the one that is open, or was last. */
		linesOf: (market: string, number: number) => linesOf(market, number),
		/** Passes an alert to the one that is open, which may record it. */
		addAlert: (alert: Alert) => addAlert(alert),
		/** Closes the one that is open. Settles when all is saved. */
		async end(): Promise<void> {
			close();
			await Promise.all(endings);
		},
	};
}
