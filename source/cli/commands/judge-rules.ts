import {type AlertsOptions, createAlerts} from '../../alerts/alerts.ts';
import {createFeeds, withoutSlowPolls} from '../../alerts/feeds.ts';
import type {Alert, AlertEvent} from '../../alerts/judged-rule.ts';
import type {LinesOf} from '../../alerts/quantity-values.ts';
import type {Scope} from '../../alerts/rule.ts';
import type {Exchange} from '../../client/exchange.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {IntervalChoices} from '../../store/polling.ts';
import type {SpareTurns} from '../../store/spare-turns.ts';
import type {MarketStore} from '../../store/state.ts';
import type {WindowTitle} from '../../terminal/window-title.ts';
import {linesNumbered} from '../../view/drawn-lines.ts';
import type {UiStore} from '../../view/ui-state.ts';
import {type Context, viewerLimits} from '../context.ts';
import {readConfigRules} from '../options/rule-options.ts';
import {type AlertMemory, createAlertMemory} from '../state/saved-alerts.ts';
import type {StateFile} from '../state/state-file.ts';
import {callsAsConfigured} from './alert-calls.ts';
import {marketsOf, type WatchRules} from './watch-rules.ts';

export type RulesJudging = Pick<
	AlertsOptions,
	'clock' | 'blindAfterMs' | 'mostRules' | 'runsPrograms' | 'marketsOf' | 'onEvent'
> & {
	readonly stated: AlertsOptions['rules'];
	/** Of those that are remembered; absent: none are. */
	readonly memory?: AlertMemory | undefined;
	readonly exchange: Exchange;
	readonly turns: SpareTurns | undefined;
	/** Default: none. */
	readonly linesOf?: LinesOf | undefined;
	/** How many markets are followed. Default: no limit. */
	readonly mostMarkets?: number | undefined;
	/** Of the stores. */
	readonly intervals: IntervalChoices;
	/** Calls the user. */
	readonly call: (event: AlertEvent) => void;
};

/** Judges rules on what these stores show and on what is polled in the background, and calls the user. */
function judgeRules(stores: readonly MarketStore[], judging: RulesJudging) {
	const {stated, memory, intervals, call, onEvent} = judging;
	const alerts = createAlerts({
		...judging,
		feeds: createFeeds({...judging, screens: stores.map(store => withoutSlowPolls(store, intervals))}),
		rules: stated,
		onEvent(event) {
			onEvent(event);
			if (memory) memory.calling(event, () => call(event));
			else call(event);
		},
	});
	const stopSaving = memory?.follow(alerts);
	alerts.start();
	return {
		alerts,
		/** Judges no more. Settles when all is saved. */
		async stop(): Promise<void> {
			alerts.stop();
			await stopSaving?.();
		},
	};
}

/** The keys of the markets of these stores, as far as they are known. */
export const keysOf = (stores: readonly MarketStore[]): readonly string[] =>
	stores.flatMap(store => store.getSnapshot().symbol ?? []).map(symbolKey);

type WatchJudging = Omit<RulesJudging, 'stated' | 'memory' | 'marketsOf'> & {readonly rules: WatchRules};

/** Judges the rules for the markets of these stores, among others, and calls the user. */
export function judgeWatchRules(stores: readonly MarketStore[], {rules, ...judging}: WatchJudging) {
	return judgeRules(stores, {...judging, ...rules, marketsOf: marketsOf(rules, () => keysOf(stores))});
}

type MonitorParts = {
	readonly store: MarketStore;
	readonly ui: UiStore;
	readonly title: WindowTitle;
	/** Remembers the rules. */
	readonly file: StateFile;
	/** Called with each alert. */
	readonly onAlert: (alert: Alert) => void;
};

/** The lines of a monitor, as they are when a rule is judged. */
export const linesDrawnIn =
	(ui: UiStore): LinesOf =>
	(market, number) =>
		linesNumbered(ui.getSnapshot().drawnLines)(market, number);

/** Judges the user's rules while the monitor shows `store`, and calls the user. */
export function startMonitorAlerts(context: Context, {store, ui, title, file, onAlert}: MonitorParts) {
	const {exchange, exchangeName, clock, options, tty, output} = context;
	const calls = callsAsConfigured(context, {
		terminal: {write: text => tty.output.write(text), title},
		onEnd(failure) {
			if (failure === undefined) alerts.callSucceeded();
			else alerts.callFailed(failure);
		},
	});
	const configured = readConfigRules(options.alerts, clock.now());
	const memory = createAlertMemory({
		...{file, exchangeName, clock, configured, withUsers: true},
		// Held back until the screen is left.
		onFault: output.note,
	});
	const {alerts, stop} = judgeRules([store], {
		...{exchange, clock, memory, stated: memory.rules, intervals: options.intervalsMs, turns: context.spareTurns},
		mostMarkets: context.viewer && viewerLimits.ruleMarkets,
		mostRules: context.viewer && viewerLimits.rules,
		runsPrograms: context.viewer === undefined,
		marketsOf: scope => marketsIn(scope, ui),
		linesOf: linesDrawnIn(ui),
		blindAfterMs: options.blindAfterMs,
		call: calls.call,
		onEvent(event) {
			if (event.type === 'alert') onAlert(event);
		},
	});
	const showWaiting = () => calls.waiting(alerts.getSnapshot().unseen);
	const unsubscribe = alerts.subscribe(showWaiting);
	showWaiting();
	return {
		alerts,
		/** Judges no more. Settles when all is saved, and programs have ended. */
		async stop(): Promise<void> {
			unsubscribe();
			await stop();
			await calls.ended();
		},
	};
}

/** The keys of the markets of a rule that names none. */
function marketsIn(scope: Exclude<Scope, {readonly type: 'market'}>, ui: UiStore): readonly string[] {
	const {favourites, lists} = ui.getSnapshot().picker;
	const symbols = scope.type === 'list' ? lists.get(scope.name) : favourites;
	return [...(symbols ?? [])].map(symbolKey);
}
