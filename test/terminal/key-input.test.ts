import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {FlowControl} from '../../source/terminal/flow-control.ts';
import {KeyInput} from '../../source/terminal/key-input.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {questionsIn} from './far-terminal.ts';

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
	const flow = new FlowControl({clock, write() {}});
	const input = new KeyInput(keyboard, {clock, flow});
	input.setEncoding('utf8');
	input.listen();
	const keys = (): string => input.read() ?? '';
	/** Asks the terminal something; what it answers. */
	const ask = () =>
		questionsIn(flow.withQuestion('frame'))
			.map(column => `\u001B[2;${column}R`)
			.join('');
	/** A terminal that has answered. */
	const greet = () => keyboard.type(ask());
	return {clock, keyboard, flow, input, keys, ask, greet};
}

test('is raw from the start, and has all that Ink needs of a terminal', () => {
	const {keyboard, input} = open();
	expect(input.isTTY).toBe(true);
	input.setRawMode();
	input.ref();
	input.unref();
	expect(keyboard.calls).toEqual(['raw', 'resume', 'ref', 'unref']);
});

test('passes keys on in order, and answers to the flow control', () => {
	const {keyboard, flow, keys, ask, greet} = open();
	greet();
	const answer = ask();
	expect(flow.due).toBe(true);
	keyboard.type(`ab${answer.slice(0, 3)}`);
	keyboard.type(`${answer.slice(3)}日c`);
	expect([keys(), flow.due]).toEqual(['ab日c', false]);
});

test.each(['\u001BOP', '\u001B[11~', '\u001B[[A', '\u001B[P'])(
	'passes on F1, sent as %j, as one character',
	sequence => {
		const {keyboard, keys, greet} = open();
		greet();
		keyboard.type(`a${sequence}\u001BOQ\u001B[A`);
		expect(keys()).toBe('a\uF704\u001BOQ\u001B[A');
	},
);

test('passes Esc on at once when no answer is due, else after 30 ms', async () => {
	const {clock, keyboard, flow, keys, ask, greet} = open();
	greet();
	keyboard.type('\u001B');
	expect(keys()).toBe('\u001B');

	const answer = ask();
	keyboard.type('\u001B');
	await clock.advance(29);
	expect(keys()).toBe('');
	await clock.advance(1);
	expect(keys()).toBe('\u001B');
	keyboard.type(`${answer.slice(1)}j`);
	expect([keys(), flow.due]).toEqual(['j', false]);
});

test('keeps a key whole that begins like an answer, however slow it arrives', async () => {
	const {clock, keyboard, keys, ask, greet} = open();
	greet();
	ask();
	keyboard.type('\u001B[');
	await clock.advance(400);
	keyboard.type('A');
	expect(keys()).toBe('\u001B[A');
	keyboard.type('\u001B[');
	await clock.advance(500);
	expect(keys()).toBe('\u001B[');
});

test('reports a paste that has not ended after a second of silence, and forgets it when listening again', async () => {
	const {clock, keyboard, input, keys, greet} = open();
	greet();
	let reports = 0;
	input.on('unfinished', () => reports++);
	keyboard.type('\u001B[200~a');
	await clock.advance(999);
	keyboard.type('b');
	await clock.advance(999);
	expect(reports).toBe(0);
	await clock.advance(1);
	expect(reports).toBe(1);
	keyboard.type('c');
	await input.giveBack(5000);
	expect(clock.timers).toBe(0);
	input.listen();
	keyboard.type('q');
	expect(keys()).toBe('q');
});

test('giveBack waits for the due answer and drops it', async () => {
	const {clock, keyboard, input, keys, ask, greet} = open();
	greet();
	const answer = ask();
	keyboard.calls.length = 0;
	const given = input.giveBack(5000);
	await clock.advance(4000);
	expect(keyboard.calls).toEqual([]);
	keyboard.type(`typed ahead${answer}`);
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
	const {keyboard, input, ask, greet} = open();
	greet();
	ask();
	const given = input.giveBack(5000);
	end(keyboard);
	await given;
	expect(keyboard.calls.at(-1)).toBe('cooked');
});

test('passes on keys and answers again after listening again, and nothing from before', async () => {
	const {keyboard, flow, input, keys, greet} = open();
	greet();
	keyboard.type('\u001B');
	keys();
	await input.giveBack(5000);
	flow.restart();
	input.listen();
	greet();
	keyboard.type('[k');
	expect([keys(), flow.due]).toEqual(['[k', false]);
});

test('drops a string and the clicks of an old mouse protocol, and passes keys again after a second without their end', async () => {
	const {clock, keyboard, input, keys, greet} = open();
	greet();
	keyboard.type('a\u001BP1$r0 ');
	await clock.advance(999);
	keyboard.type('q\u001B\\b\u001B[M q!c');
	expect(keys()).toBe('abc');
	keyboard.type('\u001B]52;c;');
	await clock.advance(999);
	keyboard.type('q');
	await clock.advance(1000);
	keyboard.type('d');
	expect([keys(), clock.timers]).toEqual(['d', 0]);
	keyboard.type('\u001BP');
	await input.giveBack(5000);
	expect(clock.timers).toBe(0);
});
