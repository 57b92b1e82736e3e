import {type Failure, type Ready, type Resource, waiting} from '../store/resource.ts';
import {type Asked, fresh, type KnownMarket} from './quantity-values.ts';

/** Markets by their keys. */
export type KnownMarkets = ReadonlyMap<string, KnownMarket>;

/** What must be known of the market with this key. Of the tickers its own. */
export type Needed = Asked & {readonly market: string};

/** Equal for equal needs. */
export const needKey = (needed: Needed): string =>
	`${needed.market} ${needed.ask === 'candles' ? needed.period : needed.ask}`;

/** What is known of it; of a market that is not followed nothing. */
function resourceOf(known: KnownMarkets, needed: Needed): Resource<unknown> {
	const of = known.get(needed.market);
	if (!of) return waiting;
	return needed.ask === 'candles' ? of.candlesOf(needed.period) : of.state[needed.ask];
}

/** The last answer, stale or not; undefined: there was none. */
export function answerTo(known: KnownMarkets, needed: Needed): Ready<unknown> | undefined {
	const resource = resourceOf(known, needed);
	return resource.status === 'ready' ? resource : undefined;
}

/** Why there is no answer, or no newer one; undefined: none was expected so far. */
export function failureOf(known: KnownMarkets, needed: Needed): Failure | undefined {
	const resource = resourceOf(known, needed);
	return resource.status === 'waiting' ? resource.held : resource.failure;
}

/** Whether all of it was answered, and no refresh has failed since. */
export const areFresh = (known: KnownMarkets, needed: readonly Needed[]): boolean =>
	needed.every(each => fresh(resourceOf(known, each)) !== undefined);
