import {expect, test} from 'vitest';
import type {WatchEvent} from '../../../source/cli/commands/watch-events.ts';
import {createEventQueue} from '../../../source/cli/commands/watch-queue.ts';

/** A reader that takes the next write on `next`. */
function slowReader() {
	const taken: {readonly text: string; take(): void; fail(error: Error): void}[] = [];
	const write = (text: string) =>
		new Promise<void>((resolve, reject) => {
			taken.push({text, take: resolve, fail: reject});
		});
	const next = async () => {
		taken.at(-1)?.take();
		await Promise.resolve();
		await Promise.resolve();
	};
	return {
		write,
		next,
		taken,
		lastLines: () =>
			taken
				.at(-1)
				?.text.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line)),
	};
}

/** The queue knows no other fields. */
const event = (type: WatchEvent['type'], time: number, symbol = 'BTCUSDT') =>
	({type, symbol, time, gap: false, key: String(time)}) as WatchEvent;

type Reader = Pick<ReturnType<typeof slowReader>, 'write'>;

const source = {exchange: 'mine', demo: false, schemaVersion: 1} as const;
/** Its line; `gap`: it is the first of its type and market, or comes after one that was left out. */
const printed = ({key, ...plain}: WatchEvent, gap = false) => ({
	...{...plain, gap, eventId: `mine:${plain.symbol}:${plain.type}:${key}`, ...source},
});
const queueFor = ({write}: Reader, options: {now?: () => number; mostPending?: number} = {}) =>
	createEventQueue({write, origin: source, now: () => 0, ...options});

test('writes an event at once, and those that arrive during the write afterwards, in order', async () => {
	const reader = slowReader();
	const queue = queueFor(reader);
	queue.push([event('trade', 1)]);
	queue.push([event('depth', 2), event('trade', 3)]);
	queue.push([]);
	queue.push([event('depth', 4)]);
	expect(reader.taken.map(({text}) => text)).toEqual([
		'{"type":"trade","symbol":"BTCUSDT","time":1,"gap":true,"eventId":"mine:BTCUSDT:trade:1","exchange":"mine","demo":false,"schemaVersion":1}\n',
	]);

	await reader.next();

	expect(reader.taken.length).toBe(2);
	expect(reader.lastLines()).toEqual([
		printed(event('depth', 2), true),
		printed(event('trade', 3)),
		printed(event('depth', 4)),
	]);
});

test('is drained when the reader has taken everything', async () => {
	const reader = slowReader();
	const queue = queueFor(reader);
	await queue.drained();
	queue.push([event('trade', 1)]);
	queue.push([event('trade', 2)]);
	let isDrained = false;
	const drained = queue.drained().then(() => {
		isDrained = true;
	});
	await reader.next();
	expect(isDrained).toBe(false);
	await reader.next();
	await drained;
	queue.push([event('trade', 3)]);
	expect(reader.taken.length).toBe(3);
});

test('drops outdated events when too much waits, then the oldest trades, and counts them', async () => {
	const reader = slowReader();
	const queue = queueFor(reader, {now: () => 99, mostPending: 1100});
	queue.push([event('trade', 0)]);
	for (let time = 1; time <= 5; time++) {
		queue.push([event('depth', time), event('depth', time, 'ETHUSDT'), event('candle', 60), event('trade', time)]);
	}

	await reader.next();

	expect(reader.lastLines()).toEqual([
		{
			...{type: 'dropped', symbol: null, time: 99, dropped: {depth: 8, candle: 4, trade: 1}, gap: true},
			...{interface: null, receivedAt: null, serverTime: null, ...source},
			eventId: expect.stringMatching(/^mine::dropped:99:[\w-]{22}$/),
		},
		printed(event('trade', 2), true),
		...[event('trade', 3), event('trade', 4)].map(each => printed(each)),
		...[event('depth', 5), event('depth', 5, 'ETHUSDT'), event('candle', 60)].map(each => printed(each, true)),
		printed(event('trade', 5)),
	]);
});

test('marks the first event that comes after the last of its type and market was left out', async () => {
	const reader = slowReader();
	const queue = queueFor(reader, {mostPending: 150});
	queue.push([event('trade', 0)]);
	queue.push([event('trade', 1), event('trade', 2, 'ETHUSDT')]);
	await reader.next();
	expect(reader.lastLines()?.slice(1)).toEqual([printed(event('trade', 2, 'ETHUSDT'), true)]);

	queue.push([event('trade', 3)]);
	await reader.next();
	queue.push([event('trade', 4)]);
	expect(reader.lastLines()).toEqual([printed(event('trade', 3), true)]);
	await reader.next();
	expect(reader.lastLines()).toEqual([printed(event('trade', 4))]);
});

test('stays within its limit however long the reader stalls', async () => {
	const reader = slowReader();
	const queue = queueFor(reader, {now: () => 0, mostPending: 10_000});
	for (let time = 0; time < 5000; time++) queue.push([event('depth', time), event('trade', time)]);
	expect(reader.taken.length).toBe(1);

	await reader.next();

	expect(reader.taken.at(-1)?.text.length).toBeLessThan(10_300);
	expect(reader.lastLines()?.at(-1)).toEqual(printed(event('trade', 4999)));
});

test('rejects when the output cannot be written', async () => {
	const reader = slowReader();
	const queue = queueFor(reader);
	queue.push([event('trade', 1)]);
	const drained = queue.drained();
	reader.taken[0]?.fail(new Error('disk full'));
	await expect(queue.failed).rejects.toThrow('disk full');
	await expect(drained).rejects.toThrow('disk full');
});
