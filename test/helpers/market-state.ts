import {createMarketStore} from '../../source/store/market-store.ts';
import type {Failure, Resource} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {timeout} from '../store/samples.ts';
import {createFakeClock} from './fake-clock.ts';
import {createFakeExchange} from './fake-exchange.ts';

/** What a store knows of BTCUSDT before any answer, but for `known`. */
export function marketState(known: Partial<MarketState> = {}): MarketState {
	const clock = createFakeClock();
	const store = createMarketStore({exchange: createFakeExchange(clock), clock, symbol: 'BTCUSDT'});
	return {...store.getSnapshot(), ...known};
}

/** An answer of v2 that came at `receivedAt`. */
export const received = <T>(data: T, receivedAt: number): Resource<T> & {readonly status: 'ready'} => ({
	...{status: 'ready', data, interface: 'v2', receivedAt, dropped: 0},
});

/** A refresh that timed out first at `since`. */
export const failure = (since: number): Failure => ({error: timeout(), since, retryAt: since + 2000});
