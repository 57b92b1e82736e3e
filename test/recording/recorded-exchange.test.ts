import {expect, test} from 'vitest';
import {momentAt, recordedExchange} from '../../source/recording/recorded-exchange.ts';
import {answered, failed, readSample, recordSample, startedAt, symbol} from './recordings.ts';

const at = (seconds: number) => startedAt + seconds * 1000;

test.each([
	[5, 100],
	[10, 100],
	[11, 'UnavailableError'],
	[39, 'UnavailableError'],
	[40, 140],
])('the book at second %s is %s: nothing is known of a stretch without answers', async (second, expected) => {
	const reader = readSample(recordSample([0, 40].map(each => answered.depth({asks: [[100 + each, 1]]}, at(each)))));
	const moment = momentAt(reader, at(second));
	if (!moment) throw new Error('the session has every second');
	const read = recordedExchange(reader, moment).depth(symbol);
	const found = await read.then(
		({data}) => data.asks[0]?.[0],
		(error: unknown) => error instanceof Error && error.constructor.name,
	);
	expect(found).toBe(expected);
});

test('a book is known while the next read of it is pending', async () => {
	const path = recordSample([
		answered.depth({asks: [[100, 1]]}, at(0)),
		{...answered.depth({asks: [[130, 1]]}, at(30)), sentAt: at(1)},
	]);
	const reader = readSample(path);
	const moment = momentAt(reader, at(25));
	const {data} = (await (moment && recordedExchange(reader, moment).depth(symbol))) ?? {};
	expect(data?.asks).toEqual([[100, 1]]);
});

test('a market whose reads all failed is not named as one that was recorded', async () => {
	const outcomes = [failed({ask: 'depth', market: symbol}, at(5)), answered.ticker([], at(600))];
	const readAt = async (path: string) => {
		const reader = readSample(path);
		const moment = momentAt(reader, at(500));
		return (
			moment &&
			recordedExchange(reader, moment)
				.depth(symbol)
				.catch(({message}: Error) => message)
		);
	};
	expect(await readAt(recordSample(outcomes))).toBe(
		'not recorded; the recording has no order book of BTCUSDT (v2 depth)',
	);
	const other = answered.depth({asks: [[100, 1]]}, at(1), {}, 'ETHUSDT');
	expect(await readAt(recordSample([other, ...outcomes]))).toBe(
		'not recorded; the recording has no order book of BTCUSDT, only of ETHUSDT (v2 depth)',
	);
});
