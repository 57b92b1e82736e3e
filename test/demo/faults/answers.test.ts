import {describe, expect, test} from 'vitest';
import type {FaultName} from '../../../source/demo/faults/table.ts';
import type {OperationName} from '../../../source/demo/operations.ts';
import {bodyOf, type Envelope, setUpDemo} from './set-up.ts';

/**
 * The answers of one exchange without and with a fault, for what only the wire shows: what each fault comes to in the
 * program is proven in test/faults.
 */
async function pair(fault: FaultName, on: OperationName, query?: string): Promise<{good: Envelope; bad: Envelope}> {
	const {demo, read} = await setUpDemo();
	const good = await read(on, query);
	demo.faults.add({on, fault});
	return {good, bad: await read(on, query)};
}

const everyThird = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => index % 3 === 0);

describe('statuses', () => {
	test.each<[FaultName, number, string | undefined]>([
		['status-429', 429, undefined],
		['status-429-wait', 429, '3'],
	])('%s: %i in the envelope of the interface', async (fault, status, retryAfter) => {
		const {answer} = await setUpDemo({faults: [{on: '*', fault}]});
		const [v2, legacy] = [await answer('v2.depth'), await answer('legacy.depth')];
		expect([v2.statusCode, v2.headers['retry-after'], legacy.statusCode]).toEqual([status, retryAfter, status]);
		expect(JSON.parse((await bodyOf(v2)).toString())).toMatchObject({data: null, success: false});
		expect(JSON.parse((await bodyOf(legacy)).toString())).toMatchObject({data: null, status, isSuccess: false});
	});

	test('status-500: a page of HTML', async () => {
		const {answer} = await setUpDemo({faults: [{on: '*', fault: 'status-500'}]});
		const response = await answer('v2.depth');
		expect([response.statusCode, response.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
		expect((await bodyOf(response)).toString()).toMatch(/^<!DOCTYPE html>/);
	});

	test.each<[FaultName, string]>([
		['redirect-host', 'https://elsewhere.invalid/engine/v2/public/depth'],
		['redirect-loop', '/engine/v2/public/depth?symbol=BTCUSDT&limit=30&period=60'],
	])('%s', async (fault, location) => {
		const {answer} = await setUpDemo({faults: [{on: '*', fault}]});
		const response = await answer('v2.depth');
		expect([response.statusCode, response.headers.location]).toEqual([302, location]);
	});
});

describe('bodies', () => {
	test('cut-off: half of it', async () => {
		const {demo, answer} = await setUpDemo();
		const whole = await bodyOf(await answer('v2.depth'));
		demo.faults.add({on: '*', fault: 'cut-off'});
		const half = await bodyOf(await answer('v2.depth'));
		expect(half).toEqual(whole.subarray(0, whole.length >> 1));
	});

	test('more-than-asked: 5,500 trades, candles and levels a side, the right ones first; lists without a limit as they are', async () => {
		const listsOf = ({data}: Envelope): readonly unknown[][] =>
			Array.isArray(data) ? [data] : Object.values(data).filter(Array.isArray);
		for (const on of ['v2.depth', 'v2.trades', 'v2.candles', 'legacy.depth', 'legacy.trades'] as const) {
			const {good, bad} = await pair('more-than-asked', on, 'symbol=BTCUSDT&limit=1000&period=60');
			const [lists, wanted] = [listsOf(bad), listsOf(good)];
			expect(lists.map(list => list.length)).toEqual(wanted.map(() => 5500));
			expect(lists.map((list, index) => list.slice(0, wanted[index]?.length))).toEqual(wanted);
		}

		const {good, bad} = await pair('more-than-asked', 'v2.markets');
		expect(bad.data).toEqual(good.data);
	});

	test('garbage: other bytes each time, the same for the same seed', async () => {
		const bytes = async (seed: number) => {
			const {answer} = await setUpDemo({seed, faults: [{on: '*', fault: 'garbage'}]});
			return [await bodyOf(await answer('v2.depth')), await bodyOf(await answer('v2.depth'))];
		};
		const [first, second] = await bytes(1);
		expect(first).not.toEqual(second);
		expect([await bytes(1), (await bytes(2))[0]?.length]).toEqual([[first, second], 600]);
		expect((await bytes(2))[0]).not.toEqual(first);
	});

	test('refusals of the exchange stay as they are', async () => {
		const {read} = await setUpDemo({faults: [{on: '*', fault: 'null-data'}]});
		expect(await read('v2.depth', 'symbol=NOSUCH')).toMatchObject({message: 'no market has this symbol'});
	});
});

describe('data', () => {
	test('wrong-types: no leaf keeps its type', async () => {
		const {good, bad} = await pair('wrong-types', 'v2.trades');
		const [trade] = good.data;
		expect(bad.data[0]).toEqual({
			id: `${trade.id}`,
			quantity: `${trade.quantity}`,
			price: `${trade.price}`,
			time: `${trade.time}`,
			side: trade.side.length,
		});
	});

	test('missing-field: every third entry lacks a different field', async () => {
		const {good, bad} = await pair('missing-field', 'v2.trades');
		const lacking = everyThird(bad.data).map(trade =>
			Object.keys(good.data[0]).filter(name => !Object.hasOwn(Object(trade), name)),
		);
		expect(lacking.slice(0, 6)).toEqual([['id'], ['quantity'], ['price'], ['time'], ['side'], ['id']]);
		expect(bad.data[1]).toEqual(good.data[1]);
	});

	test('long-ids: numbers beyond 2^53', async () => {
		const {demo, answer} = await setUpDemo({faults: [{on: '*', fault: 'long-ids'}]});
		const bad = (await bodyOf(await answer('legacy.trades'))).toString();
		const candles = (await bodyOf(await answer('v2.candles'))).toString();
		demo.faults.clear();
		const good = (await bodyOf(await answer('legacy.trades'))).toString();
		expect(bad.match(/"tradeId":\d+/g)).toEqual(
			good.match(/"tradeId":\d+/g)?.map(text => text.replace(':', ':90071992547409')),
		);
		expect(candles).toBe((await bodyOf(await answer('v2.candles'))).toString());
	});

	test('negative-prices, zero-prices and nan-text: every third entry', async () => {
		const negative = await pair('negative-prices', 'legacy.depth');
		const [[price, quantity], second] = negative.good.data.asks;
		expect(negative.bad.data.asks.slice(0, 2)).toEqual([[-price, quantity], second]);
		const zero = await pair('zero-prices', 'v2.candles');
		const none = {open: 0, high: 0, low: 0, close: 0};
		expect(everyThird(zero.bad.data)).toEqual(everyThird<object>(zero.good.data).map(candle => ({...candle, ...none})));
		expect(zero.bad.data[1]).toEqual(zero.good.data[1]);
		const text = await pair('nan-text', 'v2.trades');
		expect(text.bad.data[0]).toEqual({
			...{id: 'NaN', quantity: 'NaN', price: 'NaN', time: 'NaN'},
			side: text.good.data[0].side,
		});
	});

	test('control-characters and bidi-overrides: in every text, and in keys that are symbols', async () => {
		const control = await pair('control-characters', 'v2.markets');
		const stain = '\u001B[2J\u001B]0;owned\u0007\u0000\u009B31m\u007F';
		expect(control.bad.data[0]).toEqual({
			...control.good.data[0],
			...{
				marketName: `BTC${stain}USDT`,
				base: `B${stain}TC`,
				quote: `US${stain}DT`,
				state: `act${stain}ive`,
				marketType: `Sp${stain}ot`,
			},
		});
		const bidi = await pair('bidi-overrides', 'legacy.ticker');
		expect(Object.keys(bidi.bad.data)[0]).toBe('BTC\u202E\u2066\u200FUSDT');
	});

	test('vanished: every second market is gone from the lists and refused by name', async () => {
		const {good, bad} = await pair('vanished', 'v2.markets');
		expect(bad.data).toEqual(good.data.filter((_: unknown, index: number) => index % 2 === 1));
		const {read} = await setUpDemo({faults: [{on: '*', fault: 'vanished'}]});
		expect(await read('v2.depth')).toMatchObject({data: null, message: 'no market has this symbol'});
		expect(await read('v2.depth', 'symbol=btc_usdt')).toMatchObject({data: null});
		expect(await read('v2.depth', 'symbol=ETHUSDT')).toMatchObject({success: true});
		expect(Object.keys((await read('legacy.ticker')).data)).toEqual(
			bad.data.map(({marketName}: {marketName: string}) => marketName),
		);
	});
});
