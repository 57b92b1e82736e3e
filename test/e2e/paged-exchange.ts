import {type ExchangeServer, paths, type Reply, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {ticker} from '../helpers/specified-exchange.ts';
import {market} from '../helpers/wire-entries.ts';

const hour = Date.UTC(2024, 7, 8, 10);
const priceOf = (id: number) => 10 + id / 1000;

/** BTCUSDT and ETHUSDT with trades 1 to `newest`, of which one answer has at most 1,000, on v2 alone. */
export type PagedExchange = Pick<ExchangeServer, 'url' | 'requests' | 'received' | 'close'> & {
	newest: number;
	/** Epoch ms. */
	timeOf(id: number): number;
};

export async function startPagedExchange(newest: number): Promise<PagedExchange> {
	const server = await startExchangeServer();
	const startedAt = Date.now();
	const exchange: PagedExchange = {...server, newest, timeOf: id => hour + 10_000 + id};
	const answers: Readonly<Record<string, (query: Readonly<Record<string, string>>) => unknown>> = {
		[paths.info]: () => ({name: 'Paged', capability: {}}),
		[paths.markets]: () => ['BTC', 'ETH'].map((base, id) => market(base, {id})),
		[paths.ticker]: () => ['BTCUSDT', 'ETHUSDT'].map(symbol => ({...ticker, symbol})),
		[paths.depth]: () => ({asks: [[11, 1]]}),
		[paths.trades]({limit}) {
			const ids = Array.from({length: Math.min(Number(limit), exchange.newest)}, (_, index) => exchange.newest - index);
			return ids.map(id => ({id, price: priceOf(id), quantity: 0.5, time: exchange.timeOf(id), side: 'buy'}));
		},
		[paths.candles]: () =>
			[exchange.newest, 0].map((last, back) => ({
				...{id: hour / 1000 - back * 3600, open: 10, high: 12, low: 8, close: priceOf(last), volume: 5},
			})),
	};
	for (const [path, answer] of Object.entries(answers)) {
		const reply: Reply = (response, request) => {
			const good = {
				data: answer(request.query),
				success: true,
				message: '',
				timestamp: hour + 30_000 + Date.now() - startedAt,
			};
			sends(good)(response, request);
		};
		server.answer(path, reply);
	}

	return exchange;
}
