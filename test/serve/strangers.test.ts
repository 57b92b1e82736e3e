// @module-tag ssh
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {createKeys, type Doors, openDoors} from './doors.ts';

const keys = createKeys();
let doors: Doors;

beforeAll(async () => {
	const limits = {connecting: 12, connectingPerAddress: 8};
	doors = await openDoors({folder: keys.folder, limits, onViewer: viewer => void viewer.end(0)});
});
afterAll(async () => {
	await doors.close();
	keys.remove();
});

type Stranger = {
	readonly socket: Socket;
	/** All that it is told, once the connection is closed. */
	readonly told: Promise<string>;
};

/** A connection that has been told with what it speaks. `from`: its own address. */
async function approach(from = '127.0.0.1'): Promise<Stranger> {
	const socket = connect({port: doors.port, host: '127.0.0.1', localAddress: from});
	onTestFinished(() => void socket.destroy());
	socket.on('error', () => {});
	const told = text(socket).catch(() => '');
	await once(socket, 'readable').catch(() => {});
	return {socket, told};
}

const isEmpty = () => doors.passUntil(() => doors.server.connecting === 0);

afterEach(async () => {
	await isEmpty();
	// The look at the keys waits, and nothing else.
	await expect.poll(() => doors.clock.timers).toBe(1);
});

describe('a stranger', () => {
	test('is told nothing but what the server speaks, and closed at the end of its time with a word', async () => {
		const {told} = await approach();
		await doors.clock.advance(19_999);
		expect(doors.server.connecting).toBe(1);
		await doors.clock.advance(1);
		expect(await told).toMatch(/^SSH-2\.0-OpenSSH_compatible_tapewatch\r\n.*log-in took longer than 20 s/s);
	});

	test.each([
		['sends garbage', Buffer.alloc(9000, 0xff)],
		['sends an endless line', 'x'.repeat(9000)],
		['speaks the first version', 'SSH-1.5-x\r\n'],
		['sends a packet that is too long', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 0xff)])],
		['sends an empty packet', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64)])],
		[
			'logs in before keys are exchanged',
			Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), packet(5, '\0\0\0\x0cssh-userauth')]),
		],
	])('that %s is closed at once', async (_, bytes) => {
		const {socket, told} = await approach();
		socket.write(bytes);
		expect(await told).toMatch(/^SSH-2\.0-OpenSSH_compatible_tapewatch\r\n/);
	});

	test.each([
		['says nothing', ''],
		['never begins to exchange keys', 'SSH-2.0-x\r\n'],
		['stops in the middle of a packet', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.from([0, 0, 1])])],
	])('that %s is closed at the end of its time', async (_, bytes) => {
		const {socket, told} = await approach();
		socket.write(bytes);
		await doors.clock.advance(19_999);
		expect(doors.server.connecting).toBe(1);
		await doors.clock.advance(1);
		expect(await told).toContain('log-in took longer than 20 s');
	});

	test('that sends a byte now and then gets no more time for it', async () => {
		const {socket, told} = await approach();
		for (const byte of 'SSH-2.0-is') {
			socket.write(byte);
			await doors.clock.advance(2000);
		}

		expect(await told).toContain('log-in took longer than 20 s');
	});
});

test('a port scan leaves nothing', async () => {
	const handles = () => process.getActiveResourcesInfo().filter(name => name.startsWith('TCP')).length;
	const before = handles();
	for (let round = 0; round < 25; round++) {
		const sockets = Array.from({length: 8}, () => connect(doors.port, '127.0.0.1').on('error', () => {}));
		await Promise.all(sockets.map(socket => once(socket, 'connect')));
		for (const [index, socket] of sockets.entries()) index % 2 ? socket.destroy() : socket.resetAndDestroy();
		await isEmpty();
	}

	// Of other tests, some may close meanwhile.
	await expect.poll(handles).toBeLessThanOrEqual(before);
});

test('strangers who hold all connections keep nobody out, and the oldest are told that there are too many', async () => {
	const from = ['127.0.0.1', '127.0.0.2', '127.0.0.3'].flatMap(address => Array(4).fill(address));
	const strangers = await Promise.all(from.map(approach));
	expect(doors.server.connecting).toBe(12);
	const isIn = {status: 0, stderr: expect.not.stringContaining('too many')};
	expect(await doors.call(['x'])).toMatchObject(isIn);
	await approach('127.0.0.2');
	expect(await doors.call(['x'], {options: ['-b', '127.0.0.4']})).toMatchObject(isIn);
	const gone = strangers.filter(({socket}) => socket.closed);
	expect(gone.length).toBe(2);
	for (const {told} of gone) {
		expect(await told).toMatch(
			/^SSH-2\.0-OpenSSH_compatible_tapewatch\r\n.*too many connections are logging in; try again in a few seconds/s,
		);
	}
});

test('of those who make room, only some are told why, the others are closed without a word', async () => {
	const silent = await Promise.all(Array.from({length: 68}, () => approach()));
	await expect.poll(() => silent.filter(({socket}) => socket.closed).length).toBe(60);
	const words = await Promise.all(silent.filter(({socket}) => socket.closed).map(({told}) => told));
	const untold = words.filter(said => !said.includes('too many connections'));
	expect(doors.server.connecting).toBe(8);
	expect(untold.length).toBeLessThanOrEqual(10);
});

/** A packet that is not encrypted. */
function packet(type: number, payload: string): Buffer {
	const padding = 4 + ((8 - ((5 + 1 + payload.length + 4) % 8)) % 8);
	const head = Buffer.from([0, 0, 0, 2 + payload.length + padding, padding, type]);
	return Buffer.concat([head, Buffer.from(payload, 'latin1'), Buffer.alloc(padding)]);
}
