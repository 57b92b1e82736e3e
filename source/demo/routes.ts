import type {Interface} from '../market/types.ts';
import {type OperationName, operationAt} from './operations.ts';
import type {Question} from './question.ts';
import type {Simulation} from './simulation.ts';
import * as v1 from './v1.ts';
import * as v2 from './v2.ts';
import {failure, type Handler, interfaceOf, Refusal, success} from './wire.ts';

export type RoutesOptions = {
	readonly simulation: Simulation;
	/** Include bids in the v2 book, which exchange-api.md does not show. */
	readonly v2Bids: boolean;
};

/** Answers the ten operations of exchange-api.md. */
export function createRoutes({simulation, v2Bids}: RoutesOptions): Handler {
	const operations: Readonly<Record<OperationName, (query: URLSearchParams) => Question>> = {
		'v2.info': v2.info,
		'v2.markets': v2.markets,
		'v2.summary': v2.summary,
		'v2.ticker': v2.ticker,
		'v2.depth': query => v2.depth(query, simulation, v2Bids),
		'v2.trades': query => v2.trades(query, simulation),
		'v2.candles': query => v2.candles(query, simulation),
		'legacy.ticker': v1.ticker,
		'legacy.depth': query => v1.depth(query, simulation),
		'legacy.trades': query => v1.trades(query, simulation),
	};
	return async ({method, path, query}) => {
		const shape: Interface = interfaceOf(path);
		try {
			const operation = operationAt(path);
			if (!operation) throw new Refusal(404, 'no such operation');
			if (method !== 'GET') throw new Refusal(405, 'use GET', {allow: 'GET'});
			const question = operations[operation](query);
			return await simulation.read(question.listings, (markets, now) =>
				success(shape, question.data(markets, now), now),
			);
		} catch (error) {
			if (error instanceof Refusal) return failure(shape, error, simulation.now());
			throw error;
		}
	};
}

const windowMs = 1000;

/**
 * Passes at most `perSecond` requests in any second, and refuses the others with 429 and Retry-After in whole seconds.
 * @param now epoch ms
 */
export function limitRate(handler: Handler, perSecond: number, now: () => number): Handler {
	const allowed: number[] = [];
	return async request => {
		const time = now();
		while (allowed[0] !== undefined && allowed[0] <= time - windowMs) allowed.shift();
		if (allowed.length < perSecond) {
			allowed.push(time);
			return handler(request);
		}
		const waitMs = (allowed[0] ?? time) + windowMs - time;
		const refusal = new Refusal(429, `more than ${perSecond} requests per second`, {
			'retry-after': String(Math.ceil(waitMs / 1000)),
		});
		return failure(interfaceOf(request.path), refusal, time);
	};
}
