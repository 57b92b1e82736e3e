import type {Interface} from '../market/types.ts';
import {failure, interfaceOf, Refusal, success} from './envelope.ts';
import type {Handler} from './handler.ts';
import type {Question} from './question.ts';
import type {Simulation} from './simulation.ts';
import * as v1 from './v1.ts';
import * as v2 from './v2.ts';

export type RoutesOptions = {
	readonly simulation: Simulation;
	/** Bids in the v2 book, which exchange-api.md does not show. */
	readonly v2Bids: boolean;
};

/** The ten operations of exchange-api.md. */
export function createRoutes({simulation, v2Bids}: RoutesOptions): Handler {
	const operations = new Map<string, (query: URLSearchParams) => Question>([
		['/metadata/v2/exchange/info', v2.info],
		['/engine/v2/public/markets', v2.markets],
		['/engine/v2/public/summary', v2.summary],
		['/engine/v2/public/ticker', v2.ticker],
		['/engine/v2/public/depth', query => v2.depth(query, simulation, v2Bids)],
		['/trade/v2/public/trade', query => v2.trades(query, simulation)],
		['/trade-chart/v2/public/kline', query => v2.candles(query, simulation)],
		['/api-ordermatch/api/v1/public/ticker', v1.ticker],
		['/api-ordermatch/api/v1/public/depth', query => v1.depth(query, simulation)],
		['/api-tradeservice/api/v1/public/trade', query => v1.trades(query, simulation)],
	]);
	return async ({method, path, query}) => {
		const shape: Interface = interfaceOf(path);
		try {
			const ask = operations.get(path);
			if (!ask) throw new Refusal(404, 'no such operation');
			if (method !== 'GET') throw new Refusal(405, 'only GET is answered', {allow: 'GET'});
			const question = ask(query);
			return await simulation.read(question.listings, (markets, now) =>
				success(shape, question.data(markets, now), now),
			);
		} catch (error) {
			if (error instanceof Refusal) return failure(shape, error, simulation.now());
			throw error;
		}
	};
}
