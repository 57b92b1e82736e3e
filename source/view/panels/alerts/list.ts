import type {AlertEntry, AlertsState, JudgedMarket} from '../../../alerts/alerts.ts';
import type {Rule, Scope} from '../../../alerts/rule.ts';
import {
	type UnavailableQuantity,
	unavailableQuantity,
	unavailableQuantityText,
} from '../../../alerts/unavailable-quantity.ts';
import {stripControl} from '../../../format/control.ts';
import type {Interface} from '../../../market/types.ts';
import {lastTradePrice, type MarketState, selectedTicker} from '../../../store/state.ts';

/** The last price of a market: that of its last trade if it is on screen, else that of its ticker. Undefined: not known. */
export const lastPrices =
	(state: Pick<MarketState, 'symbol' | 'trades' | 'tickers'>) =>
	(symbol: string): number | undefined => {
		const trade = symbol === state.symbol ? lastTradePrice(state) : undefined;
		return trade ?? selectedTicker({...state, symbol})?.last;
	};

/** A rule for one of its markets. */
export type AlertRow = {
	/** Distinguishes it from all others, and stays the same. */
	readonly key: string;
	readonly entry: AlertEntry;
	/** Absent: the rule has none now. */
	readonly market?: JudgedMarket | undefined;
};

/** The rows of the list, in the order in which the rules were stated. */
export const alertRows = ({entries}: AlertsState): readonly AlertRow[] =>
	entries.flatMap((entry): readonly AlertRow[] => {
		if (entry.markets.length === 0) return [{key: entry.id, entry}];
		return entry.markets.map(market => ({key: `${market.symbol} ${entry.id}`, entry, market}));
	});

/** What of a rule is never shown by these interfaces, as they are chosen; undefined: nothing. */
export const unavailableIn = (
	{condition}: Rule,
	interfaces: readonly Interface[],
	{depth, choice}: Pick<MarketState, 'depth' | 'choice'>,
): UnavailableQuantity | undefined => {
	// The book on screen shows whether this exchange's v2 has bids.
	const hasV2Bids = depth.status === 'ready' && depth.interface === 'v2' ? depth.data.bids !== undefined : undefined;
	return unavailableQuantity(condition, {interfaces, choice, hasV2Bids});
};

/** Why a rule can never be judged; undefined: it can. */
export const neverJudgedIn =
	(interfaces: readonly Interface[], state: Pick<MarketState, 'depth' | 'choice'>) =>
	(rule: Rule): string | undefined => {
		const never = unavailableIn(rule, interfaces, state);
		return never && unavailableQuantityText(never);
	};

/** Why a rule is judged for no market. */
export const noMarketText = (scope: Scope): string =>
	scope.type === 'list' ? `no market in the list ${stripControl(scope.name)}` : 'no favourites yet';
