import {type Alerts, createAlerts} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import type {Clock} from '../../source/market/clock.ts';
import type {MarketStore} from '../../source/store/state.ts';

/** The alerts of a screen, without rules at the start. */
export function alertsOf(store: MarketStore, {exchange, clock}: {exchange: Exchange; clock: Clock}): Alerts {
	const feeds = createFeeds({exchange, clock, screens: [store]});
	return createAlerts({feeds, clock, rules: [], marketsOf: () => [], onEvent() {}});
}
