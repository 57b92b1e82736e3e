/** Keep-alive connections that end when they are used again. */
import {createServer, type Server, type Socket} from 'node:net';
import {setImmediate} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {createHttp} from '../../source/client/http.ts';
import type {Pace} from '../../source/client/pace.ts';
import {type Clock, systemClock} from '../../source/market/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {failureOf} from './fixture.ts';

const body = JSON.stringify({data: [], success: true, message: '', timestamp: 1000});
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** What the server does with a request: the first of a connection is 1. */
type Behaviour = (socket: Socket, request: number, connection: number) => void;

/** A bare server on loopback, and how many requests it has had. */
async function withServer(
	behave: Behaviour,
	use: (exchange: Exchange, requests: () => number, baseUrl: string) => Promise<void>,
	clock?: Clock,
): Promise<void> {
	let connections = 0;
	let requests = 0;
	const sockets = new Set<Socket>();
	const server: Server = createServer(socket => {
		const connection = ++connections;
		let request = 0;
		sockets.add(socket);
		socket
			.on('error', () => {})
			.on('data', () => {
				requests++;
				behave(socket, ++request, connection);
			});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const baseUrl = `http://127.0.0.1:${port}`;
	const exchange = connect({baseUrl, rate: 1000, clock});
	try {
		await use(exchange, () => requests, baseUrl);
	} finally {
		await exchange.close();
		for (const socket of sockets) socket.destroy();
		await new Promise(resolve => server.close(resolve));
	}
}

const reads = async (exchange: Exchange, count: number): Promise<number> => {
	let good = 0;
	for (let index = 0; index < count; index++) good += (await exchange.trades('X')).dropped === 0 ? 1 : 0;
	return good;
};

describe.each([
	['closes', (socket: Socket) => void socket.end()],
	['resets', (socket: Socket) => void socket.resetAndDestroy()],
])('an exchange that %s a connection when it is used again', (_, cut) => {
	test('gets the request again on another connection', async () => {
		const behave: Behaviour = (socket, request) => (request === 1 ? void socket.write(answer) : cut(socket));
		await withServer(behave, async (exchange, requests) => {
			expect(await reads(exchange, 20)).toBe(20);
			// Each was sent at most three times.
			expect(requests()).toBeLessThanOrEqual(60);
		});
	});

	test('gets the request once on a new connection', async () => {
		await withServer(cut, async (exchange, requests) => {
			expect((await failureOf(exchange.trades('X'))).kind).toBe('network');
			expect(requests()).toBe(1);
		});
	});
});

test('a repeated request reports its own start to the pace, not that of the lost one', async () => {
	const behave: Behaviour = (socket, request, connection) => {
		if (connection > 1) socket.write('HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n');
		else if (request === 1) socket.write(answer);
		else socket.resetAndDestroy();
	};
	await withServer(behave, async (_, requests, baseUrl) => {
		const accepted: number[] = [];
		const refused: number[] = [];
		let starts = 0;
		const pace: Pace = {
			start: async () => ++starts,
			accepted: (_, startedAt) => void accepted.push(startedAt),
			refused: (_, startedAt) => void refused.push(startedAt),
			ended: () => {},
			endPause: () => {},
			pause: () => ({waitMs: 0}),
			budget: () => ({used: 0, allowed: 1}),
		};
		const http = createHttp({timeoutMs: 5000, paceOf: () => pace, clock: systemClock});
		const context = {operation: 'trades', interface: 'v2', url: baseUrl} as const;
		const get = () => http.get({context, jsonContentType: false, limit: {bytes: 1_000_000, values: 1000}, priority: 1});
		await get();
		// The pool takes a connection back just after the answer.
		await setImmediate();
		expect((await failureOf(get())).status).toBe(429);
		expect([requests(), accepted, refused]).toEqual([3, [1], [3]]);
		await http.close();
	});
});

test('an exchange that cuts every connection after its first bytes gets at most three requests a read', async () => {
	const behave: Behaviour = socket => void socket.write('HTTP/1.1', () => socket.resetAndDestroy());
	await withServer(behave, async (exchange, requests) => {
		await failureOf(exchange.trades('X'));
		expect(requests()).toBeLessThanOrEqual(3);
	});
});

test('a connection that never answers costs one deadline, and not the next read', async () => {
	const clock = createFakeClock();
	const behave: Behaviour = (socket, _, connection) => connection > 1 && void socket.write(answer);
	await withServer(
		behave,
		async (exchange, requests) => {
			const read = failureOf(exchange.trades('X'));
			await expect.poll(requests).toBe(1);
			await clock.advance(5000);
			expect((await read).kind).toBe('timeout');
			// On the hanging connection they would not end.
			expect(await reads(exchange, 3)).toBe(3);
		},
		clock,
	);
});
