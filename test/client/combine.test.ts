/** What the combined exchange asks its interfaces, and how it joins their answers. */
import {describe, expect, test} from 'vitest';
import {combine, type Source} from '../../source/client/combine.ts';
import {AbortedError, HttpStatusError} from '../../source/client/errors.ts';
import type {Answer, CallOptions} from '../../source/client/exchange.ts';
import type {DepthBook, Interface, Market} from '../../source/market/types.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const context = {operation: 'depth', interface: 'legacy', url: ''} as const;
const status = (code: number, retryAfterMs?: number) =>
	new HttpStatusError({...context, status: code, retryAfterMs, body: '', message: ''});
/** Two of one name, of which only the trades can be told apart; and one of its own. */
const markets: readonly Market[] = [
	{symbol: 'LUNAUSDT#4', name: 'LUNAUSDT', id: '4', base: 'LUNA', quote: 'USDT', state: 'active', type: 'Spot'},
	{symbol: 'LUNAUSDT#5', name: 'LUNAUSDT', id: '5', base: 'LUNC', quote: 'USDT', state: 'active', type: 'Spot'},
	{symbol: 'BTCUSDT', id: '1', base: 'BTC', quote: 'USDT', state: 'active', type: 'Spot'},
];

/** Both interfaces: v2 has no bids, and what is in `failing` rejects. */
function setUp() {
	const clock = createFakeClock();
	const failing = new Map<string, Error>();
	/** What each interface was asked, as `legacy depth BTCUSDT`. */
	const asked: string[] = [];
	const priorities: (number | undefined)[] = [];
	async function answer<T>(name: Interface, ask: string, data: T, {priority}: CallOptions): Promise<Answer<T>> {
		asked.push(`${name} ${ask}`);
		priorities.push(priority);
		const error = failing.get(`${name} ${ask}`);
		if (error) throw error;
		return {data, interface: name, receivedAt: clock.now(), dropped: 0};
	}

	const nameOf = (market: unknown) => (typeof market === 'string' ? market : JSON.stringify(market));
	const sourceOf = (name: Interface, book: DepthBook): Source => ({
		baseUrl: `http://${name}.example`,
		answers: {
			markets: (_, call) => answer(name, 'markets', markets, call),
			depth: ({market}, call) => answer(name, `depth ${market}`, book, call),
			trades: ({market}, call) => answer(name, `trades ${nameOf(market)}`, [], call),
		},
	});
	const exchange = combine({
		v2: sourceOf('v2', {asks: [[2, 1]]}),
		legacy: sourceOf('legacy', {asks: [[2, 1]], bids: [[1, 1]]}),
		clock,
		random: () => 0,
		budget: () => ({used: 0, allowed: 1}),
		endPauses() {},
		close: async () => {},
	});
	return {clock, exchange, failing, asked, priorities};
}

describe('a book without bids', () => {
	test('says why the last read of the book failed, not why an earlier or an aborted one did', async () => {
		const {exchange, failing} = setUp();
		failing.set('legacy depth A', status(503));
		expect((await exchange.depth('A')).data.bidsFailure).toMatchObject({status: 503});
		failing.set('legacy depth B', new AbortedError(context));
		await expect(exchange.depth('B')).rejects.toThrow('aborted');
		failing.clear();
		expect((await exchange.depth('A')).data.bids).toEqual([[1, 1]]);
		failing.set('legacy depth C', status(429, 60_000));
		for (const market of ['C', 'A', 'B'])
			expect((await exchange.depth(market)).data, market).toEqual({
				asks: [[2, 1]],
				bidsFailure: expect.objectContaining({status: 429}),
			});
	});

	test('is no failure of the interface that was read', async () => {
		const {exchange, failing} = setUp();
		failing.set('legacy depth A', status(503));
		for (const _ of ['v2 first', 'legacy first']) expect((await exchange.depth('A')).preferredFailure).toBeUndefined();
	});
});

describe('a market whose name means several', () => {
	test.each([
		['v2 is preferred', 'auto', 'v2'],
		['legacy is chosen', 'legacy', 'legacy'],
	] as const)('is not read from legacy where %s, whatever v2 does', async (_, use, source) => {
		const {exchange, failing, asked} = setUp();
		await exchange.markets();
		failing.set('v2 depth LUNA_USDT', status(503)).set('v2 trades LUNA_USDT', status(503));
		failing.set('v2 trades {"id":"4"}', status(503));
		for (const read of [
			exchange.depth('LUNAUSDT#4', {use}),
			exchange.trades('LUNAUSDT#4', {use}),
			exchange.trades({id: '4'}),
			exchange.candles('LUNAUSDT#4', {use, period: 1}),
		])
			await expect(read).rejects.toThrow();
		expect(asked.filter(each => each.startsWith('legacy'))).toEqual([]);
		expect(await exchange.depth('LUNAUSDT', {use}).catch(error => error)).toMatchObject({interface: source});
	});
});

test('what is asked at once is sent in that order', () => {
	const {exchange, asked} = setUp();
	for (const read of [exchange.depth('A'), exchange.trades('A'), exchange.tickers(), exchange.markets()])
		read.catch(() => {});
	expect(asked).toEqual(['v2 depth A', 'v2 trades A', 'v2 markets']);
});

test('a probe of an interface that failed waits behind all other requests', async () => {
	const {clock, exchange, failing, asked, priorities} = setUp();
	failing.set('v2 trades A', status(503));
	await exchange.trades('A', {priority: 0});
	await clock.advance(60_000);
	await exchange.trades('A', {priority: 0});
	expect(asked.map((each, index) => `${each} ${priorities[index]}`)).toEqual([
		...['v2 trades A 0', 'legacy trades A 0'],
		...['v2 trades A 2', 'legacy trades A 0'],
	]);
});
