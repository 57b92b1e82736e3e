import type {Exchange} from '../../client/exchange.ts';
import type {Clock} from '../../market/clock.ts';
import {findMarket} from '../../market/symbol.ts';
import {secondMs} from '../../market/units.ts';

type Asking = {
	/** Of all markets. */
	readonly exchange: Pick<Exchange, 'markets'>;
	readonly clock: Clock;
	readonly signal: AbortSignal;
};

/** How long a viewer waits for the list, which others mostly have read before. */
const listMs = secondMs;

/** Those of the markets of a key that the exchange does not list; none if that is not known within a second. */
export async function unlistedMarkets(
	markets: readonly string[],
	{exchange, clock, signal}: Asking,
): Promise<readonly string[]> {
	const {promise: late, resolve} = Promise.withResolvers<undefined>();
	const cancel = clock.after(listMs, () => resolve(undefined));
	const list = await Promise.race([exchange.markets({signal}).catch(() => undefined), late]);
	cancel();
	// One that cannot be read may be meant.
	if (!list || list.data.length === 0 || list.dropped > 0) return [];
	return markets.filter(text => !findMarket(list.data, text));
}
