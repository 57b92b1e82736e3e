import type {Resource} from './resource.ts';
import type {MarketState} from './state.ts';

/** What is paused is not tried again by itself. */
export const withoutRetries = ({info, markets, tickers, depth, tape, candles}: MarketState): Partial<MarketState> => ({
	info: untried(info),
	markets: untried(markets),
	tickers: untried(tickers),
	depth: untried(depth),
	tape: untried(tape),
	candles: untried(candles),
});

/** The resource when nothing is tried again until the user asks. */
function untried<T>(resource: Resource<T>): Resource<T> {
	if (resource.status === 'waiting' || resource.failure?.retryAt === undefined) return resource;
	const {error, since} = resource.failure;
	return {...resource, failure: {error, since}};
}
