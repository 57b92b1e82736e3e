import {EventEmitter} from 'node:events';
import type {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {createSocketGate, mostUnreadBytes, socketBytesPerSecond} from '../../source/serve/socket-gate.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

class FakeSocket extends EventEmitter {
	writableLength = 0;
	isPaused = false;

	pause(): void {
		this.isPaused = true;
	}

	resume(): void {
		this.isPaused = false;
	}
}

function open() {
	const [socket, clock] = [new FakeSocket(), createFakeClock()];
	return {socket, clock, gate: createSocketGate(socket as unknown as Socket, clock)};
}

const second = Buffer.alloc(socketBytesPerSecond);

test('four seconds of bytes are read at once, then as many as the limit allows', async () => {
	const {socket, clock} = open();
	for (let index = 0; index < 4; index++) socket.emit('data', second);
	expect(socket.isPaused).toBe(false);
	socket.emit('data', second);
	expect(socket.isPaused).toBe(true);
	await clock.advance(999);
	expect(socket.isPaused).toBe(true);
	await clock.advance(1);
	expect(socket.isPaused).toBe(false);
});

test('requests are not read while the answers to them are not read', async () => {
	const {socket, clock} = open();
	socket.writableLength = mostUnreadBytes + 1;
	socket.emit('data', Buffer.alloc(1));
	await clock.advance(60_000);
	expect(socket.isPaused).toBe(true);
	socket.writableLength = mostUnreadBytes;
	await clock.advance(100);
	expect(socket.isPaused).toBe(false);
});

test('a held one is read when both the holder and the limit allow it', async () => {
	const {socket, clock, gate} = open();
	gate.hold(true);
	socket.emit('data', Buffer.alloc(5 * socketBytesPerSecond));
	await clock.advance(1000);
	expect(socket.isPaused).toBe(true);
	gate.hold(false);
	expect(socket.isPaused).toBe(false);
});

test('a closed one waits for nothing and hears nothing', () => {
	const {socket, clock, gate} = open();
	socket.emit('data', Buffer.alloc(5 * socketBytesPerSecond));
	gate.close();
	expect([clock.timers, socket.listenerCount('data')]).toEqual([0, 0]);
});
