import {PassThrough} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {ServerChannel} from 'ssh2';
import {expect, test} from 'vitest';
import {ChannelInput, mostWaitingBytes} from '../../source/serve/channel-input.ts';
import {limitsFrom} from '../../source/serve/limits.ts';
import {leastRemoteWaitMs} from '../../source/terminal/key-input.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function open(keysPerSecond: number) {
	const channel = new PassThrough({highWaterMark: 4 * mostWaitingBytes});
	const clock = createFakeClock();
	const held: boolean[] = [];
	let typed = 0;
	const gate = {hold: (isHeld: boolean) => void held.push(isHeld), close() {}};
	const onTyped = () => {
		typed++;
	};
	const input = new ChannelInput({channel: channel as unknown as ServerChannel, gate, clock, keysPerSecond, onTyped});
	return {channel, clock, input, isHeld: () => held.at(-1) ?? false, typed: () => typed};
}

test('nothing more is read from the connection while too much waits for its reader', async () => {
	const {channel, clock, input, isHeld} = open(10_000);
	let read = 0;
	input.on('data', data => {
		read += data.length;
	});
	channel.write(Buffer.alloc(mostWaitingBytes));
	await setImmediate();
	expect(isHeld()).toBe(false);
	channel.write(Buffer.alloc(mostWaitingBytes));
	await setImmediate();
	expect(isHeld()).toBe(true);
	await clock.advance(7000);
	expect([isHeld(), read > mostWaitingBytes]).toEqual([false, true]);
	await clock.advance(7000);
	expect(read).toBe(2 * mostWaitingBytes);
});

test('what nobody ever reads is dropped', async () => {
	const {channel, isHeld, typed} = open(10_000);
	for (let index = 0; index < 10; index++) {
		channel.write(Buffer.alloc(mostWaitingBytes));
		await setImmediate();
	}

	expect([isHeld(), typed() <= 1, channel.readableLength <= mostWaitingBytes]).toEqual([false, true, true]);
});

test('no pause in the middle of a key is as long as Esc waits for its rest', async () => {
	const {channel, clock, input} = open(limitsFrom({}).keysPerSecond);
	const times: number[] = [];
	input.on('data', () => times.push(clock.now()));
	channel.write('\u001B[A'.repeat(5000));
	await clock.advance(60_000);
	const pauses = times.map((time, index) => time - (times[index - 1] ?? time));
	expect([times.length > 50, Math.max(...pauses) < leastRemoteWaitMs]).toEqual([true, true]);
});

test('its end comes after all that was typed', async () => {
	const {channel, clock, input} = open(100);
	const read: string[] = [];
	input.on('data', data => read.push(String(data))).on('end', () => read.push('end'));
	channel.end('x'.repeat(500));
	await clock.advance(60_000);
	expect(read.join('')).toBe(`${'x'.repeat(500)}end`);
});

test('a destroyed one holds nothing back and waits for nothing', async () => {
	const {channel, clock, input, isHeld} = open(100);
	input.on('data', () => {});
	channel.write(Buffer.alloc(2 * mostWaitingBytes));
	await setImmediate();
	input.destroy();
	await setImmediate();
	expect([isHeld(), clock.timers, channel.readableLength]).toEqual([false, 0, 0]);
});
