// @module-tag ssh
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import ssh2, {type Client, type ClientChannel, type ConnectConfig} from 'ssh2';
import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import type {Viewer} from '../../source/serve/viewer.ts';
import {createKeys, type Doors, openDoors} from './doors.ts';

const keys = createKeys();
let doors: Doors;
/** The one that came last. */
let viewer: Viewer;

beforeAll(async () => {
	const limits = {viewersPerAddress: 1000, framesPerSecond: 10, bytesPerSecond: 100_000, keysPerSecond: 100};
	doors = await openDoors({
		folder: keys.folder,
		limits,
		onViewer(opened) {
			viewer = opened;
		},
	});
});
afterAll(async () => {
	await doors.close();
	keys.remove();
});

/** What a client of ssh2 can be made to send, beside what it offers. */
type Protocol = {
	session(channel: number, window: number, packetSize: number): void;
	rekey(): void;
	windowChange(channel: number, rows: number, columns: number, height: number, width: number): void;
	channelData(channel: number, data: Buffer): void;
	ping(): void;
	env(channel: number, name: string, value: string, wantsReply: boolean): void;
	channelClose(channel: number): void;
	exec(channel: number, command: string, wantsReply: boolean): void;
	subsystem(channel: number, name: string, wantsReply: boolean): void;
	signal(channel: number, name: string): void;
	openssh_agentForward(channel: number, wantsReply: boolean): void;
};

const protocolOf = (client: Client): Protocol => (client as unknown as {_protocol: Protocol})._protocol;

function connect(config: ConnectConfig = {}): Client {
	const client = new ssh2.Client();
	const privateKey = readFileSync(join(keys.folder, 'user'));
	client.connect({host: '127.0.0.1', port: doors.port, username: 'ann', privateKey, strictVendor: false, ...config});
	client.on('error', () => {});
	onTestFinished(() => void client.destroy());
	return client;
}

async function logIn(): Promise<Client> {
	const client = connect();
	await once(client, 'ready');
	return client;
}

/** A viewer with a shell in a terminal, and both sides of its channel. */
async function open(client: Client): Promise<ClientChannel> {
	const opened = new Promise<ClientChannel>((resolve, reject) => {
		client.shell({cols: 80, rows: 24, term: 'xterm'}, (error, channel) => (error ? reject(error) : resolve(channel)));
	});
	return opened;
}

const nobodyIsLeft = () =>
	expect
		.poll(async () => {
			// Of who was slowed, the end is read late.
			await doors.clock.advance(60_000);
			return [doors.server.viewers, doors.server.connecting, doors.viewers.size];
		})
		.toEqual([0, 0, 0]);

beforeEach(nobodyIsLeft);

const lastReasons = (count: number): readonly string[] =>
	doors.events.flatMap(event => (event.type === 'refusal' ? [event.reason] : [])).slice(-count);

describe('before the log-in', () => {
	test('passwords are refused, and after six tries the connection ends with the reason', async () => {
		let tries = 0;
		const client = connect({
			authHandler: (_methods, _partial, next) => {
				tries++;
				next({type: 'password', username: 'ann', password: 'secret'});
			},
		});
		const [error] = await once(client, 'error');
		expect([tries, error.message]).toEqual([6, '6 keys or passwords were refused']);
		expect(lastReasons(7)).toEqual([...Array(6).fill('password log-in is not supported'), error.message]);
	});

	test('a signature by another key than the one that is named is refused', async () => {
		const own = ssh2.utils.parseKey(readFileSync(join(keys.folder, 'stranger')));
		const named = ssh2.utils.parseKey(readFileSync(join(keys.folder, 'user')));
		if (own instanceof Error || named instanceof Error) throw new Error('no key');
		const forged = Object.assign(Object.create(named), {sign: (data: Buffer) => own.sign(data)});
		const method = {type: 'publickey', username: 'ann', key: forged} as const;
		const client = connect({authHandler: (_methods, _partial, next) => next(method)});
		await once(client, 'error');
		expect(lastReasons(7)).toEqual([...Array(6).fill('wrong signature'), expect.any(String)]);
	});

	test('who asks for many sessions in one breath gets few', async () => {
		let asked = 0;
		const onViewer = (viewer: Viewer) => {
			asked++;
			void viewer.end(0);
		};
		const limits = {logInsAtOnce: 2, logInsPerSecond: 1};
		const slow = await openDoors({folder: keys.folder, limits, onViewer});
		onTestFinished(() => slow.close());
		const client = connect({port: slow.port});
		await once(client, 'ready');
		const protocol = protocolOf(client);
		for (let channel = 0; channel < 100; channel++) {
			protocol.session(channel, 2 ** 20, 32_768);
			protocol.exec(channel, 'x', false);
			protocol.channelClose(channel);
		}

		const reasons = () => slow.events.flatMap(event => (event.type === 'refusal' ? [event.reason] : []));
		await slow.passUntil(() => reasons().length > 0);
		expect(reasons()[0]).toBe('too many log-ins from your address; try again in 6 s');
		expect(asked).toBeLessThan(10);
	});

	test('no session is opened', async () => {
		const client = connect({authHandler: () => {}});
		await once(client, 'handshake');
		protocolOf(client).session(0, 2 ** 20, 32_768);
		await doors.passUntil(() => doors.server.connecting === 0);
		expect(doors.viewers.size).toBe(0);
	});
});

describe('after the log-in', () => {
	test('a second session at the same time is refused, one after another is not', async () => {
		const client = await logIn();
		const first = await open(client);
		await expect(open(client)).rejects.toThrow('Channel open failure');
		first.close();
		await nobodyIsLeftWatching();
		await open(client);
		expect(doors.viewers.size).toBe(1);
	});

	test('twelve sessions one after another leave nothing behind', async () => {
		const warned = vi.fn();
		process.on('warning', warned);
		onTestFinished(() => void process.off('warning', warned));
		const client = await logIn();
		for (let round = 0; round < 12; round++) {
			const channel = await open(client);
			channel.resume();
			void viewer.end(0);
			await once(channel, 'close');
		}

		await nobodyIsLeftWatching();
		// The end of the connection, its keep-alive and the look at the keys.
		expect([doors.server.viewers, doors.clock.timers, warned.mock.calls]).toEqual([1, 2, []]);
	});

	test.each([
		['a terminal', {pty: {term: 'xterm'}}, 1000],
		['none', {}, 12 * 3_600_000 + 4000],
	])('who does not close its session, with %s, is disconnected in time', async (_, how, ms) => {
		const client = await logIn();
		Object.assign(protocolOf(client), {channelClose: () => {}});
		const channel = await new Promise<ClientChannel>(resolve => client.exec('x', how, (_, opened) => resolve(opened)));
		channel.resume();
		const exit = once(channel, 'exit');
		void viewer.end(0);
		await exit;
		await doors.clock.advance(ms - 1);
		expect(doors.viewers.size).toBe(1);
		await doors.clock.advance(1);
		await expect.poll(() => doors.viewers.size).toBe(0);
	});

	test('agents, signals, further commands, subsystems and other variables change nothing', async () => {
		const client = await logIn();
		await open(client);
		const protocol = protocolOf(client);
		protocol.openssh_agentForward(0, true);
		protocol.subsystem(0, 'sftp', true);
		protocol.exec(0, 'sh', true);
		protocol.env(0, 'LD_PRELOAD', 'x', true);
		protocol.signal(0, 'KILL');
		const tunnel = new Promise((_, reject) => client.openssh_forwardOutStreamLocal('/run/socket', reject));
		await expect(tunnel).rejects.toThrow('Channel open failure');
		expect([viewer.command, viewer.env, doors.viewers.size]).toEqual([undefined, {TERM: 'xterm'}, 1]);
	});

	test.each([0, 1, 1023])('a client that takes %s bytes in a message is sent none', async packetSize => {
		const client = await logIn();
		protocolOf(client).session(0, 2 ** 20, packetSize);
		protocolOf(client).exec(0, 'x', true);
		const [error] = await once(client, 'error');
		expect(error.message).toBe('your client takes only tiny messages');
		expect(doors.viewers.size).toBe(0);
	});

	test('control characters in names and variables do not reach the program', async () => {
		const client = await logIn();
		const env = {LANG: 'de\u001B]0;x\u0007_DE', COLORTERM: 'x'.repeat(1000)};
		client.exec('watch\u001B[2J\n BTC', {env, pty: {term: 'xterm\u001B[31m', cols: 1e9, rows: 5}}, () => {});
		await expect.poll(() => doors.viewers.size).toBe(1);
		expect([viewer.command, viewer.env, viewer.terminal, viewer.output.columns]).toEqual([
			'watch BTC',
			{TERM: 'xterm', LANG: 'de_DE', COLORTERM: 'x'.repeat(256)},
			{type: 'xterm', columns: 640, rows: 5},
			640,
		]);
	});
});

describe('what a viewer keeps of the server', () => {
	/** How many of the writes have been taken. */
	function write(count: number, size: number): () => number {
		let taken = 0;
		const frame = Buffer.alloc(size, 'x');
		for (let index = 0; index < count; index++) {
			viewer.output.write(frame, error => {
				if (!error) taken++;
			});
		}

		return () => taken;
	}

	test('a frame is taken when the viewer has room for all of it', async () => {
		const client = await logIn();
		protocolOf(client).session(0, 10_000, 32_768);
		protocolOf(client).exec(0, 'x', true);
		await expect.poll(() => doors.viewers.size).toBe(1);
		const taken = write(5, 4000);
		await expect.poll(taken).toBe(2);
		await doors.clock.advance(60_000);
		expect(taken()).toBe(2);
	});

	test('standard error goes out after what had to wait, and nothing twice', async () => {
		const client = await logIn();
		const channel = await new Promise<ClientChannel>(resolve => client.exec('x', (_, opened) => resolve(opened)));
		let [output, errors] = [0, 0];
		channel.on('data', (data: Buffer) => {
			output += data.length;
		});
		channel.stderr.on('data', (data: Buffer) => {
			errors += data.length;
		});
		const half = 1_500_000;
		viewer.output.write('x'.repeat(half));
		viewer.errors.write('e'.repeat(half));
		viewer.output.write('x'.repeat(half));
		void viewer.end(3);
		const exit = once(channel, 'exit');
		await doors.passUntil(() => output + errors === 3 * half);
		expect([output, errors, await exit]).toEqual([2 * half, half, [3]]);
	});

	test('while keys are being exchanged, frames wait', async () => {
		const client = await logIn();
		await open(client);
		const internals = client as unknown as {_sock: {pause(): void; resume(): void}};
		// It begins an exchange and reads nothing that the server answers.
		internals._sock.pause();
		const sent = doors.server.sentBytes;
		protocolOf(client).rekey();
		// The server has answered, and waits for the rest.
		await expect.poll(() => doors.server.sentBytes).toBeGreaterThan(sent);
		const taken = write(1, 1000);
		await doors.clock.advance(60_000);
		expect(taken()).toBe(0);
		internals._sock.resume();
		await expect.poll(taken).toBe(1);
	});

	test('frames and bytes are slowed to what the limits allow', async () => {
		const client = await logIn();
		const channel = await open(client);
		channel.resume();
		const small = write(100, 10);
		await expect.poll(small).toBe(10);
		await doors.clock.advance(100);
		await expect.poll(small).toBe(11);
		await doors.clock.advance(1000);
		await expect.poll(small).toBeGreaterThanOrEqual(20);
		expect(small()).toBeLessThanOrEqual(21);
	});
});

async function nobodyIsLeftWatching(): Promise<void> {
	await expect.poll(() => doors.viewers.size).toBe(0);
}
