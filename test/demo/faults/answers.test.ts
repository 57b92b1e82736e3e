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

describe('bodies', () => {
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
});

describe('data', () => {
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
});
