import {type Alerts, createAlerts} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {AlertEvent} from '../../source/alerts/judged-rule.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import type {Clock} from '../../source/market/clock.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {MarketStore} from '../../source/store/state.ts';
import type {UiStore} from '../../source/view/ui-state.ts';

type Sources = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** Whose favourites and lists rules are for. Absent: there are none. */
	readonly ui?: UiStore | undefined;
	readonly onEvent?: ((event: AlertEvent) => void) | undefined;
	readonly mostRules?: number | undefined;
};

/** The alerts of a screen, without rules at the start. */
export function alertsOf(store: MarketStore, {exchange, clock, ui, onEvent = () => {}, mostRules}: Sources): Alerts {
	const feeds = createFeeds({exchange, clock, screens: [store]});
	return createAlerts({
		...{feeds, clock, rules: [], onEvent, mostRules},
		marketsOf(scope) {
			const {favourites = [], lists} = ui?.getSnapshot().picker ?? {};
			return [...(scope.type === 'list' ? (lists?.get(scope.name) ?? []) : favourites)].map(symbolKey);
		},
	});
}
