/** The addresses of an exchange's name: another one later, or several that are slow. */
import {spawn} from 'node:child_process';
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import dns from 'node:dns';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect as openSocket, type Socket} from 'node:net';
import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import {failureOf} from './fixture.ts';

const body = JSON.stringify({data: [], success: true, message: '', timestamp: 1000});

/** What `exchange.test` is looked up as. */
let addresses: readonly string[] = [];

const {lookup} = dns;
beforeEach(() => {
	type Done = (error: null, found: readonly dns.LookupAddress[]) => void;
	vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: dns.LookupAllOptions, done: Done) => {
		if (name !== 'exchange.test') return lookup(name, options, done as never);
		const found = addresses.map(address => ({address, family: address.includes(':') ? 6 : 4}));
		process.nextTick(done, null, found);
	}) as never);
});
afterEach(() => vi.restoreAllMocks());

/** A server on loopback whose status can be set. */
async function serve(host: string, port = 0) {
	let requests = 0;
	const server = createServer((_, response) => {
		requests++;
		response.writeHead(served.status).end(body);
	});
	server.listen(port, host);
	await once(server, 'listening');
	const served = {
		status: 200,
		port: (server.address() as AddressInfo).port,
		requests: () => requests,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return served;
}

/** Reads once, and lets the connection become free for the next read. */
async function read(exchange: ReturnType<typeof connect>) {
	try {
		return await exchange.trades('X');
	} finally {
		await setImmediate();
	}
}

/** Two servers on one port of two addresses; the name is that of the first. */
async function withTwo(
	use: (exchange: ReturnType<typeof connect>, servers: Awaited<ReturnType<typeof serve>>[]) => Promise<void>,
): Promise<void> {
	const first = await serve('127.0.0.1');
	const second = await serve('127.0.0.2', first.port);
	addresses = ['127.0.0.1'];
	const exchange = connect({baseUrl: `http://exchange.test:${first.port}`, rate: 1000});
	try {
		await use(exchange, [first, second]);
	} finally {
		await exchange.close();
		first.close();
		second.close();
	}
}

test('looks the name up anew after two failed answers in a row, while the old server keeps its connections', async () => {
	await withTwo(async (exchange, [old, moved]) => {
		await read(exchange);
		addresses = ['127.0.0.2'];
		if (old) old.status = 503;
		for (const _ of ['first', 'second']) expect(await failureOf(read(exchange))).toMatchObject({status: 503});
		await read(exchange);
		expect([old?.requests(), moved?.requests()]).toEqual([3, 1]);
	});
});

test('keeps its connections when only every other answer fails, or the exchange refuses what was asked', async () => {
	await withTwo(async (exchange, [old, moved]) => {
		addresses = ['127.0.0.1'];
		await read(exchange);
		addresses = ['127.0.0.2'];
		for (const status of [503, 200, 503, 200, 400, 422, 400]) {
			if (old) old.status = status;
			await read(exchange).catch(() => {});
		}

		expect([old?.requests(), moved?.requests()]).toEqual([8, 0]);
	});
});

test('uses no connection for longer than a minute', async () => {
	await withTwo(async (exchange, [old, moved]) => {
		await read(exchange);
		addresses = ['127.0.0.2'];
		const openedAt = Date.now();
		vi.spyOn(Date, 'now').mockReturnValue(openedAt + 50_000);
		await read(exchange);
		vi.spyOn(Date, 'now').mockReturnValue(openedAt + 61_000);
		await read(exchange);
		expect([old?.requests(), moved?.requests()]).toEqual([2, 1]);
	});
});

/** Listens, and accepts nothing before it reads from its standard input. */
const lateServer = `
	const {createServer} = require('node:http');
	const {readSync, writeSync} = require('node:fs');
	const server = createServer((request, response) => response.end(${JSON.stringify(body)}));
	server.listen({host: '127.0.0.1', port: 0, backlog: 1}, () => {
		writeSync(1, String(server.address().port));
		readSync(0, Buffer.alloc(1));
	});
`;

test('waits for a slow address as long as its timeout suggests, when another one has no route', async () => {
	const server = spawn(process.execPath, ['--eval', lateServer], {stdio: ['pipe', 'pipe', 'inherit']});
	onTestFinished(() => void server.kill());
	const [port] = (await once(server.stdout, 'data')) as [Buffer];
	// The queue of the system has room for one more than the server wants.
	for (let waiting = 0; waiting < 2; waiting++) {
		const socket = openSocket(Number(port), '127.0.0.1').on('error', () => {});
		onTestFinished(() => void socket.destroy());
		await once(socket, 'connect');
	}

	const attempts: string[] = [];
	const watch = ({socket}: {readonly socket: Socket}) => {
		socket.on('connectionAttempt', async address => {
			attempts.push(address);
			// The system drops this attempt, as the queue is full, and repeats it after a second.
			await setImmediate();
			server.stdin.write('x');
		});
	};
	subscribe('net.client.socket', watch as never);
	onTestFinished(() => void unsubscribe('net.client.socket', watch as never));
	addresses = ['127.0.0.1', '::1'];
	const exchange = connect({baseUrl: `http://exchange.test:${port}`, timeoutMs: 20_000});
	onTestFinished(exchange.close);
	expect(await exchange.trades('X')).toMatchObject({data: []});
	expect(attempts).toEqual(['127.0.0.1']);
});
