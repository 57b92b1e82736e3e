import type {ReactNode} from 'react';
import type {Alerts} from '../../alerts/alerts.ts';
import {createComparison} from '../../store/comparison.ts';
import {createTickerStore} from '../../store/market-store.ts';
import {withPast} from '../../store/past-candles.ts';
import {createSpareTurns} from '../../store/spare-turns.ts';
import {atExit} from '../../terminal/ending.ts';
import {drawnSize} from '../../terminal/frame-output.ts';
import {Monitor} from '../../view/app.tsx';
import type {Command} from '../../view/commands/command.ts';
import {replayCommands} from '../../view/commands/replay-commands.ts';
import {remapped} from '../../view/commands/table.ts';
import {layoutName} from '../../view/layout.ts';
import {createUiStore, focusedOnPlaced, initialUi} from '../../view/ui-state.ts';
import type {Context, ViewerRights} from '../context.ts';
import {pastReads} from '../exchanges.ts';
import {settingsStart, viewerSettings} from '../options/settings-start.ts';
import {note} from '../standard-error.ts';
import {readHoldings, readLevels, readLines} from '../state/saved-entries.ts';
import {exchangeStateOf, rememberSession, restoredUi, stateOf} from '../state/saved-session.ts';
import {isEqual, noState, type State} from '../state/saved-state.ts';
import {openStateFile, type StateFile, statePath} from '../state/state-file.ts';
import {type Drawing, drawsAscii, showLive, type WantedSymbol} from './draw.tsx';
import {linesDrawnIn, startMonitorAlerts} from './judge-rules.ts';
import {createHistory, type MonitorHistory} from './monitor-history.ts';

/** What the program remembers; its notices are printed at the end. */
export async function openUsersFile({clock}: Pick<Context, 'clock'>): Promise<StateFile> {
	const file = await openStateFile(statePath(process.env), clock);
	// What ended the program comes first.
	atExit('notices', () => {
		for (const notice of file.notices()) note(notice);
	});
	return file;
}

type MonitorParts = {
	readonly file: StateFile;
	/** What it begins with. Default: the file's state. */
	readonly saved?: State | undefined;
	/** The market to show, in any spelling. Default: the last one. */
	readonly market?: string | undefined;
	/** Records to this file from the start. */
	readonly record?: string | undefined;
	/** Default: a history of its own. */
	readonly history?: MonitorHistory | undefined;
	/** Judged elsewhere. Default: the user's, which are judged while it is drawn. */
	readonly alerts?: Alerts | undefined;
	/** Returns to what opened it. */
	readonly leave?: (() => void) | undefined;
	/** Says there what became of a recording that ran until the end. */
	readonly say?: ((notice: string) => void) | undefined;
};

/** A monitor as the user left it, ready to be drawn. */
export function prepareMonitor(whole: Context, {file, market, record, leave, say, ...parts}: MonitorParts) {
	const {options, exchangeName, clock, tty} = whole;
	const {saved = file.state} = parts;
	const last = exchangeStateOf(saved, exchangeName);
	const faults = [readLevels(last.levels).fault, readLines(last.lines).fault, readHoldings(last.holdings).fault];
	for (const fault of faults) if (fault !== undefined) file.notice(fault);
	const layout = layoutName(drawnSize(tty.output));
	const isFirst = !leave && isEqual(saved, noState);
	const initial = {...initialUi(layout, options.quoteCurrency), mouse: options.mouse, isFirst};
	const ui = createUiStore(focusedOnPlaced(layout)(restoredUi(initial, saved.view, last, {...options, market})));
	const period = options.period ?? saved.view.period;
	const commands = commandsOf(whole);
	const sayHere = (notice: string) => ui.update(state => ({...state, notice}));
	let isEnded = false;
	const {history = createHistory(whole, {record, say: notice => (isEnded && say ? say : sayHere)(notice)})} = parts;
	const {exchange} = history;
	const {spareTurns: turns = createSpareTurns(whole.exchange, clock)} = whole;
	const {pastCandles = pastReads(whole, turns)} = whole;
	const context = {...whole, exchange, spareTurns: turns};
	const comparison = createComparison({exchange, clock, intervalMs: options.intervalsMs.candles});
	// Not recorded: what is shown of a recorded moment is the answer of one interface.
	const secondTicker = createTickerStore({exchange: whole.exchange, clock});
	const symbol: WantedSymbol = market === undefined ? {text: last.market, mayBeGone: true} : {text: market};
	const live = showLive({...context, options: {...options, period}}, [symbol]);
	const [store] = live.stores;
	if (!store) throw new Error('a monitor shows a market');
	const shownOptions = {...options, ascii: drawsAscii(options, tty.capabilities())};
	const settings = (whole.viewer ? viewerSettings : settingsStart)(
		shownOptions,
		{ui: ui.getSnapshot(), market: store.getSnapshot()},
		layout,
	);
	const rewindable = history.shownOf({...live, store});
	const stores = rewindable.stores.map(each => withPast(each, pastCandles, exchange.interfaces));
	const shown = {...rewindable, stores};
	const endings: (() => Promise<void>)[] = [history.stop];
	const {addAlert} = history;
	return {
		shown,
		view({screens: [screen], title, ...rest}: Omit<Drawing, 'onEnd'>): ReactNode {
			if (!screen) return null;
			endings.push(rememberSession({file, exchangeName, ui, store: screen.store, clock}));
			let last: string | undefined;
			file.onFault(fault => {
				const why = whole.viewer ? 'please tell the owner of the server' : fault;
				const notice = fault === undefined ? 'changes are saved again' : `nothing is saved: ${why}`;
				// Repeated only after another notice, such as that of an alert, which is not saved either.
				const isShown = notice === last && [undefined, notice].includes(ui.getSnapshot().notice);
				last = notice;
				if (!isShown) sayHere(notice);
			});
			void file.check();
			let {alerts} = parts;
			if (!alerts) {
				// The present is judged, whatever is shown.
				const judged = startMonitorAlerts(context, {store, ui, title, file, onAlert: addAlert});
				endings.push(judged.stop);
				({alerts} = judged);
			}

			const own = {screen, ui, commands, comparison, secondTicker, alerts, settings, leave};
			return <Monitor {...context} {...rest} {...own} />;
		},
		/** What is remembered of it. */
		saved(): State {
			const {symbol, period: shownPeriod} = store.getSnapshot();
			return stateOf(exchangeName, ui.getSnapshot(), {market: symbol, period: shownPeriod});
		},
		/** Its lines, as they are now. */
		linesOf: linesDrawnIn(ui),
		/** Marks the alert in what is recorded. */
		addAlert,
		/** Settles when all is saved. Polls go on until the stores are stopped. */
		async end(): Promise<void> {
			isEnded = true;
			await Promise.all(endings.map(ending => ending()));
		},
	};
}

/** What acts on the computer of the program. */
const ofOwner = {record: 'viewers cannot record', suspend: 'there is no shell here to suspend to'};
const ofDiagnosis = {diagnosis: 'the diagnosis is for keys with owner'};
const ofRewind = Object.fromEntries(replayCommands.map(({name}) => [name, 'the rewind is for keys without market=']));

/** The commands of a screen, with the keys of the config file. From a viewer, what it may not do is withheld. */
export function commandsOf({options, viewer}: Pick<Context, 'options' | 'viewer'>): readonly Command[] {
	const all = remapped(options.keys);
	if (!viewer) return all;
	const withheld = withheldFrom(viewer);
	return all.map(command => ({...command, withheld: withheld[command.name]}));
}

/** Why it may not, by command. */
const withheldFrom = ({isOwner, isRestricted}: ViewerRights): Readonly<Record<string, string>> => ({
	...ofOwner,
	...(!isOwner && ofDiagnosis),
	...(isRestricted && ofRewind),
});
