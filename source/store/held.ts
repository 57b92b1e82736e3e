import {type Operation, WaitsError} from '../client/errors.ts';
import type {Budget} from '../client/exchange.ts';
import type {Interface} from '../market/types.ts';
import type {Failure} from './resource.ts';
import type {ResourceName} from './state.ts';

/** What waits shorter than this is no news. */
const leastWaitMs = 2000;

const operations: Readonly<Record<ResourceName, Operation>> = {
	info: 'info',
	markets: 'markets',
	tickers: 'ticker',
	depth: 'depth',
	tape: 'trades',
	candles: 'candles',
};

type Wait = {
	/** Since when there has been no answer, epoch ms. */
	readonly since: number;
	readonly now: number;
	readonly interface: Interface;
};

/** What to show of a request under way that the budget lets nobody send for long; undefined where it does, or soon. */
export function heldBack(name: ResourceName, {freeAt}: Budget, wait: Wait): Failure | undefined {
	if (freeAt === undefined || freeAt - wait.now < leastWaitMs) return undefined;
	const error = new WaitsError({operation: operations[name], interface: wait.interface, url: ''});
	return {error, since: wait.since, retryAt: freeAt};
}
