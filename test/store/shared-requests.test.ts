/** Many stores, the real client and a real server, whose requests are counted. */
import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import type {Answer, Exchange} from '../../source/client/exchange.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {type ExchangeServer, paths, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import * as wire from '../helpers/wire-entries.ts';
import {startTime} from './set-up.ts';

const names = ['BTC', 'ETH', 'SOL', 'XRP'];
const seconds = 30;

/** A server of these markets, whose clock is `now`. */
async function serve(now: () => number): Promise<ExchangeServer> {
	const server = await startExchangeServer();
	const answers = {
		[paths.info]: {name: 'Sample', capability: {}},
		[paths.markets]: names.map((name, index) => wire.market(name, {id: index + 1})),
		[paths.ticker]: names.map(name => wire.ticker({symbol: `${name}USDT`})),
		[paths.depth]: {asks: [[11, 1]], bids: [[10, 1]]},
		[paths.trades]: [wire.trade(7), wire.trade(6)],
		[paths.candles]: [wire.candle(1)],
	};
	for (const [path, data] of Object.entries(answers)) {
		server.answer(path, (...request) => sends({data, success: true, message: '', timestamp: now()})(...request));
	}

	return server;
}

/** How many requests the server gets while the stores of these viewers are polled. */
async function countRequests(viewers: number, isShared: boolean): Promise<Record<string, number>> {
	let running = 0;
	const settle = async () => {
		do await setImmediate();
		while (running > 0);
	};
	const clock = createFakeClock(startTime, settle);
	const server = await serve(clock.now);
	const connected = connect({baseUrl: server.url, rate: 1000, clock, random: () => 0.5});
	const counted =
		<Args extends unknown[], T>(read: (...args: Args) => Promise<Answer<T>>) =>
		async (...args: Args): Promise<Answer<T>> => {
			running++;
			return read(...args).finally(() => running--);
		};
	const exchange: Exchange = {
		...connected,
		info: counted(connected.info),
		markets: counted(connected.markets),
		tickers: counted(connected.tickers),
		depth: counted(connected.depth),
		trades: counted(connected.trades),
		candles: counted(connected.candles),
	};
	const shared = createSharedExchange({exchange, clock, random: () => 0.5, intervals: pollIntervals()});
	const stores = Array.from({length: viewers}, (_, index) => {
		const symbol = `${names[index % names.length]}USDT`;
		return createMarketStore({exchange: isShared ? shared.join() : exchange, clock, symbol, random: () => 0.5});
	});
	try {
		for (const [index, store] of stores.entries()) {
			store.start();
			// Each joins at its own time, and all before the end of the first interval of the candles.
			if (index >= names.length) await clock.advance(271);
		}

		await clock.advance(startTime + seconds * 1000 - clock.now());
		const states = stores.map(store => store.getSnapshot());
		expect(states.map(({depth}) => depth.status)).toEqual(stores.map(() => 'ready'));
		for (const store of stores) store.stop();
		return Object.fromEntries(
			Object.entries(paths).map(([name, path]) => [name, server.requests.filter(each => each.path === path).length]),
		);
	} finally {
		await connected.close();
		await server.close();
	}
}

test('twelve viewers of four markets cost a server what four who look at one each do, and less for what all share', async () => {
	const [apart, together] = [await countRequests(names.length, false), await countRequests(12, true)];
	expect({...together, info: 1, markets: 1, ticker: 1}).toEqual({...apart, info: 1, markets: 1, ticker: 1});
	const ofLists = ({info, markets, ticker}: Record<string, number>) => ({info, markets, ticker});
	expect([ofLists(apart), ofLists(together)]).toEqual([
		{info: 4, markets: 4, ticker: 28},
		{info: 1, markets: 1, ticker: 7},
	]);
});
