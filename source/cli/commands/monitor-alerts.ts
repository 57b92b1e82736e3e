import type {Alert} from '../../alerts/alert-event.ts';
import {type Alerts, createAlerts} from '../../alerts/alerts.ts';
import {createFeeds, withoutSlowPolls} from '../../alerts/feeds.ts';
import type {Scope} from '../../alerts/rule.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketStore} from '../../store/state.ts';
import type {WindowTitle} from '../../terminal/window-title.ts';
import type {UiStore} from '../../view/ui-state.ts';
import {type Context, viewerLimits} from '../context.ts';
import {readConfigRules} from '../options/config-rules.ts';
import {createAlertMemory} from '../state/remember-alerts.ts';
import type {StateFile} from '../state/state-file.ts';
import {callsAsConfigured} from './alert-calls.ts';

type MonitorAlerts = {
	readonly alerts: Alerts;
	/** Judges no more. Settles when all is saved, and the programs of the calls have ended, or after a second. */
	stop(): Promise<void>;
};

type MonitorParts = {
	readonly store: MarketStore;
	readonly ui: UiStore;
	readonly title: WindowTitle;
	/** Remembers the rules. */
	readonly file: StateFile;
	/** Called with each alert. */
	readonly onAlert: (alert: Alert) => void;
};

/** Judges the user's rules while the monitor shows `store`, and calls the user. */
export function startMonitorAlerts(context: Context, {store, ui, title, file, onAlert}: MonitorParts): MonitorAlerts {
	const {exchange, exchangeName, clock, options, tty, output} = context;
	const {blindAfterMs} = options;
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
	const alerts = createAlerts({
		feeds: createFeeds({
			...{exchange, clock, screens: [withoutSlowPolls(store, options.intervalsMs)]},
			turns: context.spareTurns,
			mostMarkets: context.viewer && viewerLimits.ruleMarkets,
		}),
		clock,
		rules: memory.rules,
		marketsOf: scope => marketsIn(scope, ui),
		blindAfterMs,
		mostRules: context.viewer && viewerLimits.rules,
		onEvent(event) {
			if (event.type === 'alert') onAlert(event);
			memory.calling(event, () => calls.call(event));
		},
	});
	const unsubscribe = alerts.subscribe(() => calls.waiting(alerts.getSnapshot().unseen));
	const stopSaving = memory.follow(alerts);
	alerts.start();
	return {
		alerts,
		async stop() {
			unsubscribe();
			alerts.stop();
			await stopSaving();
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
