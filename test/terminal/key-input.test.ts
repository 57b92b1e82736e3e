import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {KeyInput} from '../../source/terminal/key-input.ts';
import {Receipts} from '../../source/terminal/receipts.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

/** A keyboard that keeps what is done to it. */
class TestKeyboard extends EventEmitter {
	readonly calls: string[] = [];

	setRawMode(raw: boolean) {
		this.calls.push(raw ? 'raw' : 'cooked');
	}
	setEncoding() {}
	resume() {
		this.calls.push('resume');
	}
	pause() {
		this.calls.push('pause');
	}
	ref() {
		this.calls.push('ref');
	}
	unref() {
		this.calls.push('unref');
	}

	type(text: string) {
		this.emit('data', text);
	}
}

function open() {
	const clock = createFakeClock();
	const keyboard = new TestKeyboard();
	const receipts = new Receipts({clock, write() {}});
	const input = new KeyInput(keyboard, {clock, receipts});
	input.setEncoding('utf8');
	input.listen();
	const keys = (): string => input.read() ?? '';
	/** A terminal that has said what it is. */
	const greet = () => {
		receipts.withQuestion('frame');
		keyboard.type('\u001B[?1;2c\u001B[0n');
	};
	return {clock, keyboard, receipts, input, keys, greet};
}

test('is raw from the first moment, and whatever Ink wants of a terminal it is', () => {
	const {keyboard, input} = open();
	expect(input.isTTY).toBe(true);
	input.setRawMode();
	input.ref();
	input.unref();
	expect(keyboard.calls).toEqual(['raw', 'resume', 'ref', 'unref']);
});

test('keys come in order, answers do not come, and count', () => {
	const {keyboard, receipts, keys, greet} = open();
	greet();
	receipts.withQuestion('frame');
	expect(receipts.due).toBe(true);
	keyboard.type('ab\u001B[0');
	keyboard.type('n日c');
	expect([keys(), receipts.due]).toEqual(['ab日c', false]);
});

test('Esc is heard at once when no answer is due, and 30 ms later when one is', async () => {
	const {clock, keyboard, receipts, keys, greet} = open();
	greet();
	keyboard.type('\u001B');
	expect(keys()).toBe('\u001B');

	receipts.withQuestion('frame');
	keyboard.type('\u001B');
	await clock.advance(29);
	expect(keys()).toBe('');
	await clock.advance(1);
	expect(keys()).toBe('\u001B');
	keyboard.type('[0nj');
	expect([keys(), receipts.due]).toEqual(['j', false]);
});

test('a key that begins as an answer does is whole, however slowly it comes', async () => {
	const {clock, keyboard, receipts, keys, greet} = open();
	greet();
	receipts.withQuestion('frame');
	keyboard.type('\u001B[');
	await clock.advance(400);
	keyboard.type('A');
	expect(keys()).toBe('\u001B[A');
	keyboard.type('\u001B[');
	await clock.advance(500);
	expect(keys()).toBe('\u001B[');
});

test('giving the terminal back waits for the answer that is due, and hands it to nobody', async () => {
	const {clock, keyboard, receipts, input, keys, greet} = open();
	greet();
	receipts.withQuestion('frame');
	keyboard.calls.length = 0;
	const given = input.giveBack(5000);
	await clock.advance(4000);
	expect(keyboard.calls).toEqual([]);
	keyboard.type('typed ahead\u001B[0n');
	await given;
	expect([keyboard.calls, keys(), keyboard.listenerCount('data'), clock.timers]).toEqual([
		['pause', 'cooked'],
		'',
		0,
		0,
	]);
});

test.each([
	['Ctrl-C', (keyboard: TestKeyboard) => keyboard.type('\u0003')],
	['the end of the input', (keyboard: TestKeyboard) => keyboard.emit('end')],
	['a broken connection', (keyboard: TestKeyboard) => keyboard.emit('error', new Error('EIO'))],
])('%s ends that wait', async (_, end) => {
	const {keyboard, receipts, input, greet} = open();
	greet();
	receipts.withQuestion('frame');
	const given = input.giveBack(5000);
	end(keyboard);
	await given;
	expect(keyboard.calls.at(-1)).toBe('cooked');
});

test('taken again it hears keys and answers again, and nothing of before', async () => {
	const {keyboard, receipts, input, keys, greet} = open();
	greet();
	keyboard.type('\u001B');
	keys();
	await input.giveBack(5000);
	receipts.restart();
	input.listen();
	greet();
	keyboard.type('[k');
	expect([keys(), receipts.due]).toEqual(['[k', false]);
});
