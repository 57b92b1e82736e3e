import {UnavailableError} from '../client/errors.ts';
import type {Failure} from './resource.ts';
import type {MarketState} from './state.ts';

type Lists = Pick<MarketState, 'markets' | 'tickers'>;

/**
 * Why book, tape and candles wait while no market is known: the lists that would name one cannot be read, or name none.
 * Empty while the first answer is awaited.
 */
export function marketBoundFailures(lists: Lists): Partial<Pick<MarketState, 'depth' | 'tape' | 'candles'>> {
	const failure = failureOf(lists);
	if (!failure) return {};
	const failed = {status: 'failed', failure} as const;
	return {depth: failed, tape: failed, candles: failed};
}

function failureOf({markets, tickers}: Lists): Failure | undefined {
	if (markets.status === 'failed') return markets.failure;
	if (markets.status === 'ready') return {error: noMarket(markets.interface), since: markets.receivedAt};
	return tickers.status === 'failed' ? tickers.failure : undefined;
}

const noMarket = (source: 'v2' | 'v1'): UnavailableError =>
	new UnavailableError({
		operation: 'markets',
		interface: source,
		url: '',
		brief: 'the exchange lists no markets',
		remedy: 'check the address, or name a market',
	});
