import {describe, expect, test} from 'vitest';
import {
	AbortedError,
	type ExchangeError,
	HttpStatusError,
	RefusedError,
	TimeoutError,
} from '../../source/client/errors.ts';
import {createFailover, mostRefusedMarkets} from '../../source/client/failover.ts';
import type {Interface} from '../../source/market/types.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const context = {operation: 'trades', interface: 'v2', url: 'http://exchange.example/'} as const;
const timeout = new TimeoutError({...context, timeoutMs: 5000});
const status = (code: number, retryAfterMs?: number) =>
	new HttpStatusError({...context, status: code, retryAfterMs, body: '', message: ''});

/** What an interface does: answers its name, fails, or leaves the request open. */
type Behaviour = 'answers' | 'hangs' | ExchangeError;

function setUp({
	oneHost = true,
	isLacking = false,
	keepMs,
}: {
	oneHost?: boolean;
	isLacking?: boolean;
	keepMs?: number;
} = {}) {
	const clock = createFakeClock(0);
	const failover = createFailover({clock, random: () => 0, oneHost});
	const behaviour: Record<Interface, Behaviour | ((symbol?: string) => Behaviour)> = {v2: 'answers', legacy: 'answers'};
	/** Requests so far, as `second interface`; `?` after a probe. */
	const requested: string[] = [];
	const answered = (symbol?: string) =>
		failover.answer<Interface>({
			operation: 'trades',
			symbol,
			order: ['v2', 'legacy'],
			isLacking,
			keepMs,
			request(source, probing) {
				requested.push(`${clock.now() / 1000} ${source}${probing ? '?' : ''}`);
				const says = behaviour[source];
				const does = typeof says === 'function' ? says(symbol) : says;
				if (does === 'hangs') return new Promise(() => {});
				return does === 'answers' ? Promise.resolve(source) : Promise.reject(does);
			},
		});
	const read = async (symbol?: string) => (await answered(symbol)).answer;
	/** A read each second; what they gave, names of errors among them. */
	const poll = async (seconds: number) => {
		const given: string[] = [];
		for (let second = 0; second < seconds; second++) {
			given.push(await read().catch((error: Error) => error.name));
			await clock.advance(1000);
		}

		return given;
	};

	return {clock, behaviour, requested, answered, read, poll};
}

test('the failure of the preferred interface is told as long as the other one answers', async () => {
	const {clock, behaviour, answered} = setUp();
	const [failure, later] = [status(500), status(503)];
	behaviour.v2 = failure;
	expect([await answered(), await answered()]).toEqual(Array(2).fill({answer: 'legacy', failure}));
	behaviour.v2 = later;
	await clock.advance(2000);
	await answered();
	expect(await answered()).toEqual({answer: 'legacy', failure: later});
	behaviour.v2 = 'answers';
	await clock.advance(10_000);
	await answered();
	await clock.advance(1000);
	await answered();
	expect(await answered()).toEqual({answer: 'v2'});
});

test('an interface that stays down is probed after 2, 4, 8, 16 and then every 30 s', async () => {
	const {behaviour, requested, poll} = setUp();
	behaviour.v2 = timeout;
	expect(new Set(await poll(120))).toEqual(new Set(['legacy']));
	expect(requested.filter(request => request.includes('v2'))).toEqual([
		'0 v2',
		'2 v2?',
		'6 v2?',
		'14 v2?',
		'30 v2?',
		'60 v2?',
		'90 v2?',
	]);
	expect(requested.filter(request => request.includes('legacy'))).toHaveLength(120);
});

test('a hanging probe delays no read, and no other starts', async () => {
	const {behaviour, requested, poll} = setUp();
	behaviour.v2 = timeout;
	await poll(1);
	behaviour.v2 = 'hangs';
	expect(await poll(20)).toEqual(Array(20).fill('legacy'));
	expect(requested.filter(request => request.includes('v2'))).toEqual(['0 v2', '2 v2?']);
});

test('two good probes in a row bring the interface back', async () => {
	const {behaviour, requested, poll} = setUp();
	behaviour.v2 = timeout;
	await poll(1);
	behaviour.v2 = 'answers';
	expect(await poll(5)).toEqual(['legacy', 'legacy', 'legacy', 'v2', 'v2']);
	expect(requested.slice(2)).toEqual(['1 legacy', '2 v2?', '2 legacy', '3 v2?', '3 legacy', '4 v2', '5 v2']);
});

test.each([
	{name: 'fails at once', failure: status(500), recovery: ['v2', 'v2']},
	{name: 'times out', failure: timeout, recovery: ['legacy', 'v2']},
	{name: 'is rate-limited', failure: status(429), recovery: ['legacy', 'v2']},
	{name: 'asks for a wait', failure: status(503, 12_500), recovery: ['legacy', 'legacy', 'legacy', 'legacy', 'v2']},
	{
		name: 'does not have the market',
		failure: status(404),
		recovery: ['legacy', 'legacy', 'legacy', 'legacy', 'legacy', 'v2'],
	},
])('an interface whose answer the other one lacks is back soon when it $name', async ({failure, recovery}) => {
	const {behaviour, poll} = setUp({oneHost: false, isLacking: true});
	behaviour.v2 = failure;
	expect(new Set(await poll(10))).toEqual(new Set(['legacy']));
	behaviour.v2 = 'answers';
	expect(await poll(recovery.length)).toEqual(recovery);
});

test('recovers with the second read after a long outage of both', async () => {
	const {behaviour, requested, poll} = setUp();
	behaviour.v2 = timeout;
	behaviour.legacy = timeout;
	expect(new Set(await poll(60))).toEqual(new Set(['TimeoutError']));
	behaviour.legacy = 'answers';
	behaviour.v2 = 'answers';
	requested.length = 0;
	expect(await poll(3)).toEqual(['legacy', 'v2', 'v2']);
	expect(requested).toEqual(['60 v2?', '60 legacy', '61 v2', '62 v2']);
	behaviour.v2 = timeout;
	requested.length = 0;
	await poll(10);
	// The outage of both counts as one failure.
	expect(requested.filter(request => request.includes('v2'))).toEqual(['63 v2', '67 v2?']);
});

test('an interface that answers every other time does not make the source flap', async () => {
	const {behaviour, poll} = setUp();
	let turn = 0;
	behaviour.v2 = () => (turn++ % 2 === 0 ? timeout : 'answers');
	const given = await poll(300);
	const changes = given.filter((source, index) => index > 0 && source !== given[index - 1]).length;
	expect(changes).toBeLessThanOrEqual(2);
});

test('a short recovery keeps the probes rare', async () => {
	const {behaviour, requested, poll} = setUp();
	const probes = () => requested.filter(request => request.includes('?'));
	behaviour.v2 = timeout;
	await poll(7);
	behaviour.v2 = 'answers';
	await poll(15);
	behaviour.v2 = timeout;
	requested.length = 0;
	await poll(20);
	// It was down for 0, 2 and 6 s before: the fourth failure in a row, as it were.
	expect(probes()).toEqual(['38 v2?']);
	behaviour.v2 = 'answers';
	await poll(120);
	behaviour.v2 = timeout;
	requested.length = 0;
	await poll(3);
	expect(probes()).toEqual(['164 v2?']);
});

test('a clock set back neither delays a probe nor shortens a recovery', async () => {
	const {clock, behaviour, requested, poll} = setUp();
	const hour = 3_600_000;
	behaviour.v2 = timeout;
	await poll(3);
	clock.jump(-hour);
	behaviour.v2 = 'answers';
	// The next probe was due 4 s after the last one, one of which the clock did not count.
	expect(await poll(7)).toEqual(['legacy', 'legacy', 'legacy', 'legacy', 'legacy', 'legacy', 'v2']);
	clock.jump(-hour);
	await poll(62);
	behaviour.v2 = timeout;
	requested.length = 0;
	await poll(4);
	// After two seconds, as after the first failure.
	expect(requested.map(request => request.replace(/^\S+ /, ''))).toEqual([
		'v2',
		'legacy',
		'legacy',
		'v2?',
		'legacy',
		'legacy',
	]);
});

test('waits as long as the failing interface asks', async () => {
	const {behaviour, requested, poll} = setUp();
	behaviour.v2 = status(503, 20_000);
	await poll(25);
	expect(requested.filter(request => request.includes('v2'))).toEqual(['0 v2', '20 v2?']);
});

describe('an answer that is kept', () => {
	test('is replaced by the other interface’s when the preferred one has failed for that long', async () => {
		const {behaviour, requested, poll} = setUp({keepMs: 3000});
		const failed = 'HttpStatusError';
		expect(await poll(1)).toEqual(['v2']);
		behaviour.v2 = status(500);
		expect(await poll(2)).toEqual([failed, failed]);
		behaviour.v2 = 'answers';
		expect(await poll(1)).toEqual(['v2']);
		behaviour.v2 = status(500);
		expect(await poll(5)).toEqual([failed, failed, failed, 'legacy', 'legacy']);
		expect(requested.slice(4)).toEqual(['4 v2', '5 v2', '6 v2', '7 v2', '7 legacy', '8 legacy']);
	});

	test('is replaced at once where there is none yet, or the failing interface asks for a longer wait', async () => {
		const {behaviour, read} = setUp({keepMs: 3000});
		behaviour.v2 = timeout;
		expect(await read()).toBe('legacy');
		const answered = setUp({keepMs: 3000, oneHost: false});
		await answered.read();
		answered.behaviour.v2 = status(429, 3000);
		expect(await answered.read()).toBe('legacy');
	});

	test('is followed by the preferred interface’s after an outage of both', async () => {
		const {behaviour, read, poll} = setUp({keepMs: 3000});
		await read();
		behaviour.v2 = timeout;
		behaviour.legacy = timeout;
		await poll(60);
		Object.assign(behaviour, {v2: 'answers', legacy: 'answers'});
		expect(await poll(2)).toEqual(['v2', 'v2']);
	});
});

describe('when both fail', () => {
	test('rejects with the preferred one’s error, and sends each one request a read', async () => {
		const {behaviour, requested, read, clock} = setUp();
		behaviour.v2 = timeout;
		behaviour.legacy = status(500);
		for (let count = 0; count < 3; count++) {
			await expect(read()).rejects.toBe(timeout);
			await clock.advance(1000);
		}

		expect(requested.map(request => request.replace('?', ''))).toEqual([
			'0 v2',
			'0 legacy',
			'1 legacy',
			'1 v2',
			'2 v2',
			'2 legacy',
		]);
	});

	test('uses the first one that answers at once', async () => {
		const {behaviour, read, poll, clock} = setUp();
		behaviour.v2 = timeout;
		behaviour.legacy = status(500);
		await poll(9);
		behaviour.v2 = 'answers';
		expect(await read()).toBe('v2');
		await clock.advance(1000);
		behaviour.legacy = 'answers';
		expect(await read()).toBe('v2');
	});
});

describe('no failover follows', () => {
	test('an abort', async () => {
		const {behaviour, requested, read} = setUp();
		const abort = new AbortedError(context);
		behaviour.v2 = abort;
		await expect(read()).rejects.toBe(abort);
		behaviour.v2 = 'answers';
		expect(await read()).toBe('v2');
		expect(requested).toEqual(['0 v2', '0 v2']);
	});

	test('a rate limit, where both are at one host', async () => {
		const {behaviour, requested, read} = setUp();
		behaviour.v2 = status(429);
		await expect(read()).rejects.toBe(behaviour.v2);
		expect(requested).toEqual(['0 v2']);
	});

	test('but one follows a rate limit at another host', async () => {
		const {behaviour, read} = setUp({oneHost: false});
		behaviour.v2 = status(429);
		expect(await read()).toBe('legacy');
	});
});

test.each([status(400), status(422), new RefusedError({...context, status: 200, body: '', message: ''})])(
	'a refusal of one market says nothing about the others (%s)',
	async error => {
		const {behaviour, requested, read} = setUp();
		behaviour.v2 = symbol => (symbol === 'OLD' ? error : 'answers');
		expect(await read('OLD')).toBe('legacy');
		expect(await read('BTCUSDT')).toBe('v2');
		expect(await read('OLD')).toBe('legacy');
		expect(requested).toEqual(['0 v2', '0 legacy', '0 v2', '0 legacy']);
	},
);

test('forgets which markets were refused, the oldest first, so that made-up names fill no memory', async () => {
	const {behaviour, read, requested} = setUp();
	behaviour.v2 = new RefusedError({...context, status: 200, body: '', message: 'no such market'});
	const requestsOf = async (symbol: string) => {
		const before = requested.length;
		await read(symbol);
		return requested.slice(before);
	};
	expect([await requestsOf('A'), await requestsOf('B'), await requestsOf('A')]).toEqual([
		['0 v2', '0 legacy'],
		['0 v2', '0 legacy'],
		['0 legacy'],
	]);
	for (let index = 0; index < mostRefusedMarkets - 1; index++) await read(`MADE-UP-${index}`);
	expect([await requestsOf('B'), await requestsOf('A')]).toEqual([['0 legacy'], ['0 v2', '0 legacy']]);
});
