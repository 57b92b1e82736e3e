import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type AnyEvent, eventIdOf} from '../../../source/cli/commands/event-lines.ts';
import {type ExchangeServer, legacy, paths} from '../../helpers/exchange-server.ts';
import {answered, recordSample, startedAt, symbol} from '../../recording/recordings.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange} from '../small-exchange.ts';

let exchange: ExchangeServer;
let host = '';
beforeAll(async () => {
	exchange = await startSmallExchange();
	host = new URL(exchange.url).host;
	const fill = {tradeId: 7, quantity: 1, price: 10, createdOn: '2024-08-08T09:59:58+0000'};
	exchange.answer(paths.legacyTrades, legacy([fill, {...fill, quantity: 2}, fill]));
});
afterAll(() => exchange.close());

/** The printed lines that have an id, by their ids. */
async function identified(...args: readonly string[]): Promise<ReadonlyMap<string, {readonly type?: string}>> {
	const {stdout} = await inProcess(args);
	const lines = stdout
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));
	return new Map(lines.map(line => [line.eventId, line]));
}

const addresses = () => ['--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'];

describe('the same event has one id', () => {
	test('in every run: a ticker, a book, a trade and a state of a candle', async () => {
		const once = () => identified('watch', 'BTCUSDT', '--once', '--json', ...addresses());
		const [first, second] = [await once(), await once()];
		expect([...first.keys()].toSorted()).toEqual([...second.keys()].toSorted());
		expect([...first.values()].map(({type}) => type).toSorted()).toEqual(['candle', 'depth', 'ticker', 'trade']);
	});

	test('in a watch and in lines of trades, also of fills that share the id of their order', async () => {
		const lines = await identified('trades', 'btc-usdt', ...addresses(), '-o', 'ndjson');
		expect([...lines.keys()]).toEqual(
			['12345678901234566', '12345678901234567'].map(id => `${host}:BTCUSDT:trade:v2:${id}`),
		);
		const watched = await identified('watch', 'BTCUSDT', '--once', '--json', ...addresses());
		expect([...watched.keys()].filter(id => lines.has(id))).toEqual([`${host}:BTCUSDT:trade:v2:12345678901234567`]);

		const only = ['--legacy-base-url', exchange.url];
		const fills = await identified('trades', 'BTCUSDT', ...only, '-o', 'ndjson');
		const order = `${host}:BTCUSDT:trade:legacy:7 ${Date.UTC(2024, 7, 8, 9, 59, 58)} 10`;
		expect([...fills.keys()].toSorted()).toEqual([`${order} 1`, `${order} 1 1`, `${order} 2`]);
		const [newest = ''] = [...(await identified('watch', 'BTCUSDT', '--once', '--json', ...only))].flatMap(
			([id, {type}]) => (type === 'trade' ? id : []),
		);
		expect(fills.has(newest)).toBe(true);
	});

	test('in a recording, of which each line of trades has those that its events have', async () => {
		const trade = (id: number) => ({
			...{id: String(id), time: startedAt + id * 1000, price: 2, quantity: 3},
			...({side: 'buy', sideText: 'buy'} as const),
		});
		const path = recordSample([
			answered.trades([trade(1)], startedAt + 1000),
			answered.trades([trade(2), trade(1)], startedAt + 2000),
		]);
		const ids = [1, 2].map(id => `sample.example:BTCUSDT:trade:v2:${id}`);
		const recorded = ['--recording', path];
		expect([...(await identified('trades', symbol, ...recorded, '-o', 'ndjson')).keys()]).toEqual(ids);
		expect([...(await identified('trades', symbol, ...recorded, '--from', '14:00', '-o', 'ndjson')).keys()]).toEqual(
			ids,
		);
		expect([...(await identified('watch', symbol, ...recorded, '--json')).keys()]).toEqual(expect.arrayContaining(ids));
	});

	test('none where the market is not known', async () => {
		const lines = await identified('trades', '--market-id', '77', ...addresses(), '-o', 'ndjson');
		expect([...lines.keys()]).toEqual([null]);
	});
});

describe('an id', () => {
	const answer = {interface: 'v2', receivedAt: 1000, serverTime: 900, gap: false} as const;
	const counts = {dropped: 0, rounded: 0};
	const trade = {id: '5', time: 700, price: 2, quantity: 3, side: 'buy', sideText: 'buy'} as const;
	const depth: AnyEvent = {
		...{type: 'depth', symbol, time: 1000, asks: [[2, 1]], bids: null, bidsFailure: null, ...answer, ...counts},
	};
	const candle: AnyEvent = {
		...{type: 'candle', symbol, time: 0, period: 60, open: 1, high: 1, low: 1, close: 1, volume: 1, ...answer},
		...{builtFrom: 'exchange', partial: false, closed: false, ...counts},
	};
	const alert: AnyEvent = {
		...{type: 'alert', symbol, time: 1000, rule: 'last > 1', delayed: false, note: null, values: {last: 2}, trade},
		...{delay: 3, blindSince: null, judgedOn: [], ...answer, interface: null, gap: null},
	};
	const stale: AnyEvent = {
		...{type: 'stale', symbol, time: 1000, operation: 'depth', cause: 'http', waiting: null, since: 1, ...answer},
	};
	const idOf = (event: AnyEvent, of = 'mine') => eventIdOf(event, {exchange: of});

	test.each<readonly [string, AnyEvent, AnyEvent]>([
		['a book that was received later', depth, {...depth, time: 1200, receivedAt: 1200, gap: true}],
		['a candle that was built otherwise', candle, {...candle, builtFrom: 'exchange+trades', interface: 'v2+legacy'}],
		['an alert on a trade that came later', alert, {...alert, time: 1400, delay: 403}],
	])('is the same of %s', (_, one, other) => {
		expect(idOf(one)).toBe(idOf(other));
	});

	test.each<readonly [string, AnyEvent, AnyEvent]>([
		['another book of one time', depth, {...depth, asks: [[2, 2]]}],
		['an equal book of another time', depth, {...depth, serverTime: 901}],
		['an equal book of the other interface', depth, {...depth, interface: 'legacy'}],
		['an equal book of a time that is not known', depth, {...depth, serverTime: null}],
		['a candle that has moved', candle, {...candle, close: 2}],
		['a candle that has closed', candle, {...candle, closed: true}],
		['a candle of another start', candle, {...candle, time: 3_600_000}],
		['an alert on another trade', alert, {...alert, trade: {...trade, id: '6'}}],
		['an alert of another rule', alert, {...alert, rule: 'last > 1.5'}],
		['an alert on no trade, at another time', {...alert, trade: null}, {...alert, trade: null, time: 1400}],
		['a test of an alert, at another time', {...alert, test: true}, {...alert, test: true, time: 1400}],
		['a failure at another time', stale, {...stale, time: 1001}],
		['another failure at one time', stale, {...stale, operation: 'trades'}],
	])('differs of %s', (_, one, other) => {
		expect(idOf(one)).not.toBe(idOf(other));
	});

	test('differs of another market and another exchange', () => {
		expect(idOf({...depth, symbol: 'ETHUSDT'})).not.toBe(idOf(depth));
		expect(idOf(depth, 'yours')).not.toBe(idOf(depth));
	});
});
