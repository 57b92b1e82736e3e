import {getEventListeners} from 'node:events';
import type {ServerResponse} from 'node:http';
import {createServer} from 'node:net';
import {setImmediate} from 'node:timers/promises';
import {gzipSync} from 'node:zlib';
import {describe, expect, onTestFinished, vi} from 'vitest';
import type {ExchangeError} from '../../source/client/errors.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';
import {paths, sends, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {failureOf, test} from './fixture.ts';

const only = {use: 'v2'} as const;
const emptyBook = {asks: [], bids: []};

test('long answers that arrive together are each read in a turn of their own', async ({server, open}) => {
	const held: ServerResponse[] = [];
	const body = gzipSync(JSON.stringify({success: true, data: emptyBook, filler: ' '.repeat(1_000_000)}));
	server.answer(paths.depth, response => {
		held.push(response);
		if (held.length < 4) return;
		for (const each of held) each.writeHead(200, {'content-encoding': 'gzip'}).end(body);
	});
	let turn = 0;
	const turns = new Set<number>();
	const exchange = open();
	let left = 4;
	for (const symbol of ['A', 'B', 'C', 'D']) {
		void exchange.depth(symbol).finally(() => {
			turns.add(turn);
			left--;
		});
	}

	for (; left > 0; turn++) await setImmediate();
	expect(turns.size).toBe(4);
});

describe('a request', () => {
	test('is a GET on one kept-alive connection', async ({server, open}) => {
		server.answer(paths.depth, v2(emptyBook));
		const exchange = open();
		for (let count = 0; count < 3; count++) {
			await exchange.depth('BTCUSDT');
			// The pool takes a connection back just after the answer.
			await setImmediate();
		}

		expect(server.requests.map(({path, query, connection}) => ({path, query, connection}))).toEqual(
			Array(3).fill({path: paths.depth, query: {symbol: 'BTCUSDT'}, connection: 0}),
		);
	});

	test('has a user agent, and accepts gzip and JSON', async ({server, open}) => {
		server.answer(paths.depth, v2(emptyBook));
		await open().depth('BTCUSDT');
		expect(server.requests[0]?.headers).toEqual({
			host: new URL(server.url).host,
			connection: 'keep-alive',
			accept: 'application/json',
			'accept-encoding': 'gzip',
			'user-agent': 'tapewatch',
		});
	});
});

test('names an invalid proxy address, and still closes', async ({open}) => {
	vi.stubEnv('http_proxy', 'me:secret@');
	onTestFinished(() => void vi.unstubAllEnvs());
	const exchange = open({baseUrl: 'http://exchange.invalid'});
	const error = await failureOf(exchange.depth('BTCUSDT', only));
	expect(error).toMatchObject({kind: 'network', brief: 'invalid proxy address'});
	expect(error.message).not.toContain('secret');
	await exchange.close();
});

test.for([
	['fail', '', 502],
	['are not JSON', 'maintenance', 200],
] as const)('the budget does not grow while answers %s', async ([, body, status], {server, open}) => {
	const clock = createFakeClock();
	const exchange = open({clock, rate: 2});
	server.answer(paths.depth, sends(body, {status}));
	const reads = (count: number) => Array.from({length: count}, () => failureOf(exchange.depth('BTCUSDT', only)));
	await Promise.all(reads(2));
	const waiting = reads(2);
	await clock.advance(1000);
	await Promise.all(waiting);
	expect(exchange.budget().allowed).toBe(2);
});

describe('bodies', () => {
	test('unpacks gzip', async ({server, open}) => {
		const body = JSON.stringify({data: {asks: [[5, 2]], bids: []}, success: true, timestamp: 7});
		server.answer(paths.depth, sends(gzipSync(body), {headers: {'content-encoding': 'gzip'}}));
		expect((await open().depth('BTCUSDT', only)).data).toEqual({asks: [[5, 2]], bids: []});
	});

	test('refuses a gzip bomb', async ({server, open}) => {
		const bomb = gzipSync(Buffer.alloc(17_000_000, ' '));
		server.answer(paths.depth, sends(bomb, {headers: {'content-encoding': 'gzip'}}));
		expect(bomb.length).toBeLessThan(20_000);
		expect(await failureOf(open().depth('BTCUSDT', only))).toMatchObject({
			...{name: 'TooLargeError', kind: 'too-large', brief: 'answer too large', maxBytes: 2_097_152},
			message: `answer larger than 2.1 MB (v2 depth at ${server.url}${paths.depth}?symbol=BTCUSDT)`,
		});
	});

	test.for([
		['a gzip bomb', () => gzipSync(Buffer.alloc(17_000_000, ' ')), 200],
		['a long text', () => gzipSync(Buffer.alloc(2_000_000, 'x')), 200],
		['a long refusal', () => gzipSync(`{"success":false,"message":"${'x'.repeat(2_000_000)}"}`), 200],
		['a long text with status 500', () => Buffer.alloc(60_000, 'x'), 500],
	] as const)('keeps nothing with the failure of %s', async ([, body, status], {server, open}) => {
		const headers = {...(status === 200 && {'content-encoding': 'gzip'})};
		server.answer(paths.depth, sends(body(), {status, headers}));
		const exchange = open();
		const held = async () => {
			await collectGarbage();
			const {external, heapUsed} = process.memoryUsage();
			return (external + heapUsed) / 1024 ** 2;
		};
		const failures: ExchangeError[] = [];
		const failTo = async (count: number) => {
			while (failures.length < count) failures.push(await failureOf(exchange.depth('BTCUSDT', only)));
		};
		await failTo(5);
		const before = await held();
		await failTo(25);
		expect((await held()) - before).toBeLessThan(status === 200 ? 10 : 1);
		expect(new Set(failures).size).toBe(25);
	});

	test('names gzip that is cut short or has bytes after it', async ({server, open}) => {
		const whole = gzipSync(JSON.stringify({data: {asks: [[5, 2]], bids: []}, success: true, timestamp: 7}));
		const headers = {'content-encoding': 'gzip'};
		for (const body of [whole.subarray(0, -9), Buffer.concat([whole, Buffer.alloc(8, 0xff)])]) {
			server.answer(paths.depth, sends(body, {headers}));
			expect(await failureOf(open().depth('BTCUSDT', only))).toMatchObject({
				message: expect.stringContaining('the answer is not valid gzip'),
			});
		}
	});

	test('refuses a body that does not end', async ({server, open}) => {
		server.answer(paths.depth, response => {
			const chunk = Buffer.alloc(64 * 1024, ' ');
			const fill = () => {
				while (!response.destroyed && response.write(chunk));
			};
			response.on('drain', fill);
			fill();
		});
		const error = await failureOf(open({maxBytes: 1_000_000}).depth('BTCUSDT', only));
		expect(error).toMatchObject({kind: 'too-large', maxBytes: 1_000_000});
	});

	test.for([
		['HTML', '<!DOCTYPE html><title>Maintenance</title>', 'is invalid JSON: <!DOCTYPE html><title>Maintenance</title>'],
		['cut-off JSON', '{"data":{"asks":[[1,', 'is invalid JSON: {"data":{"asks":[[1,'],
		['nothing', '', 'is empty'],
	])('names a body that is not JSON: %s', async ([, body = '', problem], {server, open}) => {
		server.answer(paths.depth, sends(body));
		expect(await failureOf(open().depth('BTCUSDT', only))).toMatchObject({
			name: 'SchemaError',
			kind: 'schema',
			brief: 'unreadable answer',
			path: '',
			message: `unreadable answer: the answer ${problem} (v2 depth at ${server.url}${paths.depth}?symbol=BTCUSDT)`,
			cause: expect.any(SyntaxError),
		});
	});
});

describe('the network', () => {
	const gone = 'http://127.0.0.1:1';
	test.for([
		['connection refused', () => gone],
		// No name server is needed: a label has at most 63 characters.
		['unknown host', () => `http://${'x'.repeat(70)}.invalid`],
		['no TLS at this address', (url: string) => url.replace('http:', 'https:')],
	] as const)('names a failure to connect: %s', async ([brief, addressOf], {server, open}) => {
		const baseUrl = addressOf(server.url);
		const error = await failureOf(open({baseUrl}).depth('BTCUSDT', only));
		expect(error).toMatchObject({
			name: 'NetworkError',
			kind: 'network',
			code: expect.any(String),
			brief,
			operation: 'depth',
			interface: 'v2',
			url: `${baseUrl}${paths.depth}?symbol=BTCUSDT`,
			cause: expect.any(Error),
		});
	});

	test.for([
		['connection reset', (response: ServerResponse) => response.socket?.resetAndDestroy()],
		[
			'connection lost',
			(response: ServerResponse) => {
				response.writeHead(200, {'content-length': '1000'});
				response.write('{"data":', () => response.socket?.destroy());
			},
		],
	] as const)('names a failure after the request, and works again: %s', async ([brief, fail], {server, open}) => {
		const exchange = open();
		server.answer(paths.depth, fail);
		expect(await failureOf(exchange.depth('BTCUSDT', only))).toMatchObject({kind: 'network', brief});
		server.answer(paths.depth, v2({asks: [[1, 2]], bids: []}));
		expect((await exchange.depth('BTCUSDT', only)).data.asks).toEqual([[1, 2]]);
	});

	test('names an answer that is not HTTP', async ({open}) => {
		const greeter = createServer(socket => socket.end('220 mail.example ready\r\n'));
		await new Promise<void>(resolve => greeter.listen(0, '127.0.0.1', resolve));
		const address = greeter.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		const error = await failureOf(open({baseUrl: `http://127.0.0.1:${port}`}).depth('BTCUSDT', only));
		greeter.close();
		expect(error).toMatchObject({kind: 'schema', message: expect.stringContaining('the answer is not HTTP')});
	});
});

describe('deadline and abort', () => {
	test('gives up on a trickling answer at the deadline of the whole request', async ({server, open}) => {
		const clock = createFakeClock();
		let trickle = () => {};
		server.answer(paths.depth, response => {
			response.writeHead(200);
			trickle = () => response.write(' ');
			trickle();
		});
		const read = failureOf(open({clock}).depth('BTCUSDT', only));
		await server.received(1);
		for (let second = 1; second < 5; second++) {
			await clock.advance(1000);
			trickle();
		}

		await clock.advance(999);
		expect(clock.timers).toBe(1);
		await clock.advance(1);
		expect(await read).toMatchObject({
			name: 'TimeoutError',
			kind: 'timeout',
			brief: 'timed out',
			timeoutMs: 5000,
			message: `no complete answer within 5000 ms (v2 depth at ${server.url}${paths.depth}?symbol=BTCUSDT)`,
		});
		expect(clock.timers).toBe(0);
	});

	test('counts the deadline from the start of the request, not from the wait for the budget', async ({
		server,
		open,
	}) => {
		const clock = createFakeClock();
		server.answer(paths.depth, v2(emptyBook));
		const exchange = open({clock, rate: 1, timeoutMs: 100});
		await exchange.depth('BTCUSDT');
		const second = exchange.depth('BTCUSDT');
		await clock.advance(999);
		expect(server.requests).toHaveLength(1);
		await clock.advance(1);
		expect((await second).interface).toBe('v2');
	});

	test('tells when it is sent, after its wait for the budget and before its answer', async ({server, open}) => {
		const clock = createFakeClock();
		const exchange = open({clock, rate: 1});
		const sent: number[] = [];
		const onSent = () => sent.push(clock.now());
		server.answer(paths.depth, v2(emptyBook));
		const start = clock.now();
		await exchange.depth('BTCUSDT', {use: 'v2', onSent});
		server.answer(paths.depth, () => {});
		const second = failureOf(exchange.depth('BTCUSDT', {use: 'v2', onSent}));
		await clock.advance(999);
		expect(sent).toEqual([start]);
		await clock.advance(1);
		expect(sent).toEqual([start, start + 1000]);
		await exchange.close();
		expect((await second).kind).toBe('aborted');
	});

	test('aborts a request that is under way', async ({server, open}) => {
		const controller = new AbortController();
		server.answer(paths.depth, () => {});
		const read = failureOf(open().depth('BTCUSDT', {signal: controller.signal}));
		await server.received(1);
		controller.abort();
		expect(await read).toMatchObject({name: 'AbortedError', kind: 'aborted', operation: 'depth', interface: 'v2'});
		expect(server.requests).toHaveLength(1);
	});

	test('aborts a request that waits for the budget, which then is not sent', async ({server, open}) => {
		const clock = createFakeClock();
		server.answer(paths.depth, v2(emptyBook));
		const exchange = open({clock, rate: 1});
		await exchange.depth('BTCUSDT');
		const controller = new AbortController();
		const read = failureOf(exchange.depth('ETHUSDT', {signal: controller.signal}));
		controller.abort();
		expect((await read).kind).toBe('aborted');
		await clock.advance(10_000);
		expect(server.requests).toHaveLength(1);
	});

	test('leaves no timer and no listener behind', async ({server, open}) => {
		const clock = createFakeClock();
		const {signal} = new AbortController();
		server.answer(paths.depth, v2(emptyBook));
		await open({clock}).depth('BTCUSDT', {signal});
		await failureOf(open({clock}).info({signal, use: 'v2'}));
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		expect(clock.timers).toBe(0);
	});

	test('aborts all reads when closed, and later ones', async ({server, open}) => {
		server.answer(paths.depth, () => {});
		const exchange = open();
		const read = failureOf(exchange.depth('BTCUSDT'));
		await server.received(1);
		await exchange.close();
		expect((await read).kind).toBe('aborted');
		expect((await failureOf(exchange.info())).kind).toBe('aborted');
	});
});
