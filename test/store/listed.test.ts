import {expect, test} from 'vitest';
import {AbortedError, NetworkError, UnavailableError} from '../../source/client/errors.ts';
import type {CallOptions} from '../../source/client/exchange.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {listedOnly} from '../../source/store/listed.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {book, market} from './samples.ts';

/** Viewers of one exchange, which lists BTCUSDT. */
function open() {
	const clock = createFakeClock();
	const exchange = createFakeExchange(clock, {
		markets: () => [market('BTCUSDT')],
		depth: () => book(7),
		trades: () => [],
		candles: () => [],
	});
	const shared = createSharedExchange({exchange, clock, random: () => 0.5, intervals: pollIntervals()});
	const {calls} = exchange;
	return {
		...{clock, exchange, calls},
		join: (owner = {}) => withMiddleware(shared.join(owner), listedOnly(clock)),
		sent: () => [...calls.depth, ...calls.trades, ...calls.candles].map(({symbol}) => symbol),
		network: () => new NetworkError({operation: 'markets', interface: 'v2', url: '', words: failed}),
	};
}

const failed = {brief: 'network', text: 'network', own: 'network', advice: ''};

test('refuses a market that the list lacks with the nearest names, without a request for it', async () => {
	const {clock, join, sent} = open();
	const viewer = join();
	const reads = [viewer.depth('BTCUSDX'), viewer.trades('BTCUSDX'), viewer.candles('NOPE', {period: 60})];
	const ended = Promise.allSettled(reads);
	await clock.advance(0);
	const errors = (await ended).map(read => read.status === 'rejected' && read.reason);
	for (const error of errors) expect(error).toBeInstanceOf(UnavailableError);
	expect(errors.map(({message}) => message)).toEqual([
		'no market BTCUSDX; did you mean BTCUSDT? (v2 depth)',
		'no market BTCUSDX; did you mean BTCUSDT? (v2 trades)',
		'no market NOPE; choose another market (v2 candles)',
	]);
	expect(sent()).toEqual([]);
});

test('reads a market in any spelling, and one whose name others have', async () => {
	const {exchange, join, sent} = open();
	const twins = ['2', '3'].map(id => ({...market(`ABUSD#${id}`), id}));
	exchange.script.markets = () => [market('BTCUSDT'), ...twins];
	const viewer = join();
	const names = ['BTCUSDT', 'BTC_USDT', 'btc-usdt', 'ABUSD#3', 'ABUSD'];
	for (const name of names) await viewer.depth(name);
	await viewer.trades({id: '9'});
	expect(sent()).toEqual([...names, '9']);
});

test('reads the list once more for a market that has been listed since, whichever read asks first', async () => {
	const {clock, exchange, calls, join} = open();
	const viewer = join();
	await viewer.depth('BTCUSDT');
	exchange.script.markets = () => [market('BTCUSDT'), market('NEWUSDT')];
	await clock.advance(4999);
	await expect(viewer.depth('NEWUSDT')).rejects.toThrow('no market NEWUSDT');
	await clock.advance(1);
	const reads = [viewer.depth('NEWUSDT'), viewer.trades('NEWUSDT'), viewer.candles('NEWUSDT', {period: 60})];
	await clock.advance(0);
	await Promise.all(reads);
	expect(calls.markets.map(({options}) => options.fresh)).toEqual([false, true]);
});

test('made-up names cost one list in five seconds, whoever makes them up', async () => {
	const {clock, calls, join, sent} = open();
	const viewers = Array.from({length: 10}, () => join());
	for (let round = 0; round < 1000; round++) {
		for (const [index, viewer] of viewers.entries()) viewer.depth(`A${round}B${index}`).catch(() => {});
		await clock.advance(20);
	}

	expect(sent()).toEqual([]);
	expect(calls.markets.length).toBe(4);
});

test.each([
	['fails', undefined, 0],
	['is empty', [], 0],
	['has entries without a name', [market('BTCUSDT')], 1],
])('sends the name as it is where the list %s', async (_, list, dropped) => {
	const {exchange, join, sent, network} = open();
	exchange.script.markets = call => {
		if (!list) return network();
		call.answer(list, {dropped});
		return undefined;
	};
	expect((await join().depth('NEWUSDT')).data).toEqual(book(7));
	expect(sent()).toEqual(['NEWUSDT']);
});

test('refuses a name where all entries of the list have one, readable or not', async () => {
	const {exchange, join} = open();
	exchange.script.markets = call => {
		call.answer([market('BTCUSDT'), {...market('OLDUSDT'), unreadable: true}], {dropped: 1});
		return undefined;
	};
	const viewer = join();
	await viewer.depth('OLDUSDT');
	await expect(viewer.depth('NEWUSDT')).rejects.toThrow('no market NEWUSDT');
});

test('goes on with a market that a later list lacks', async () => {
	const {clock, exchange, join} = open();
	const viewer = join();
	await viewer.depth('BTCUSDT');
	exchange.script.markets = () => [market('ETHUSDT')];
	await clock.advance(10 * 60_000);
	const other = join();
	await expect(other.depth('BTCUSDT')).rejects.toThrow('no market BTCUSDT');
	expect((await viewer.depth('BTCUSDT')).data).toEqual(book(7));
});

test('a viewer who ends its read does not wait for the list', async () => {
	const {exchange, join, sent} = open();
	exchange.script.markets = () => undefined;
	const ended = new AbortController();
	const call: CallOptions = {signal: ended.signal};
	const read = join().depth('BTCUSDT', call);
	ended.abort();
	await expect(read).rejects.toBeInstanceOf(AbortedError);
	expect(sent()).toEqual([]);
});
