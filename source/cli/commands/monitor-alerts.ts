import {type Alerts, createAlerts} from '../../alerts/alerts.ts';
import {createFeeds} from '../../alerts/feeds.ts';
import type {Scope} from '../../alerts/rule.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketStore} from '../../store/state.ts';
import type {UiStore} from '../../view/ui-state.ts';
import type {Context} from '../context.ts';
import {note} from '../output.ts';
import {createAlertCalls} from './alert-calls.ts';
import {originOf} from './documents.ts';

type MonitorAlerts = {
	readonly alerts: Alerts;
	/** Judges no more. Settles when the programs of the calls have ended, or after a second. */
	stop(): Promise<void>;
};

/** Judges the user's rules while the monitor shows `store`, and calls the user. */
export function startMonitorAlerts(
	context: Context,
	{store, ui}: {readonly store: MarketStore; readonly ui: UiStore},
): MonitorAlerts {
	const {exchange, clock} = context;
	const calls = createAlertCalls({
		terminal: text => process.stdout.write(text),
		environment: process.env,
		origin: originOf(context),
		clock,
		// Held back until the screen is left.
		onFailure: note,
	});
	const alerts = createAlerts({
		feeds: createFeeds({exchange, clock, screens: [store]}),
		clock,
		rules: [],
		marketsOf: scope => marketsIn(scope, ui),
		onEvent(event) {
			if (event.type === 'alert') calls.call(event);
		},
	});
	alerts.start();
	return {
		alerts,
		async stop() {
			alerts.stop();
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
