import {EventEmitter} from 'node:events';
import {PassThrough} from 'node:stream';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {FlowControl} from '../../source/terminal/flow-control.ts';
import {escKey} from '../../source/terminal/input-tokens.ts';
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

const answersTo = (text: string): string =>
	questionsIn(text)
		.map(column => `\u001B[2;${column}R`)
		.join('');

function open({isRemote = false} = {}) {
	const clock = createFakeClock();
	const keyboard = new TestKeyboard();
	let asked = '';
	const flow = new FlowControl({
		clock,
		write(text) {
			asked += text;
		},
	});
	const input = new KeyInput(keyboard, {clock, flow, isRemote});
	input.setEncoding('utf8');
	input.listen();
	const keys = (): string => input.read() ?? '';
	/** Asks the terminal something; what it answers. */
	const ask = () => answersTo(flow.withQuestion('frame'));
	/** A terminal that has answered. */
	const greet = () => keyboard.type(ask());
	/** Answers to what was asked beside frames. */
	const answers = () => answersTo(asked);
	return {clock, keyboard, flow, input, keys, ask, answers, greet};
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

test.each([
	{link: 'a local one whose answers take 20 ms', isRemote: false, delayMs: 20, waitMs: 50},
	{link: 'a remote one whose answers take 20 ms', isRemote: true, delayMs: 20, waitMs: 150},
	{link: 'one whose answers take 300 ms', isRemote: true, delayMs: 300, waitMs: 300},
	{link: 'one whose answers take 900 ms', isRemote: false, delayMs: 900, waitMs: 500},
])('passes Esc on $waitMs ms after it on a terminal, $link, and an arrow whole until then', async link => {
	const {clock, keyboard, flow, keys, ask, greet} = open(link);
	greet();
	const answer = ask();
	await clock.advance(link.delayMs);
	keyboard.type(answer);
	expect([flow.due, flow.delayMs]).toEqual([false, link.delayMs]);
	keyboard.type('\u001B');
	await clock.advance(link.waitMs - 1);
	keyboard.type('[');
	await clock.advance(link.waitMs - 1);
	keyboard.type('A');
	expect(keys()).toBe('\u001B[A');
	keyboard.type('\u001B');
	await clock.advance(link.waitMs - 1);
	expect(keys()).toBe('');
	await clock.advance(1);
	expect([keys(), clock.timers]).toEqual([escKey, 0]);
});

test('reads what arrived in time while the program was busy before it passes on Esc', async () => {
	const {clock, keyboard, keys} = open();
	keyboard.type('\u001B');
	clock.after(50, () => keyboard.type('[A'));
	await clock.advance(1000);
	expect(keys()).toBe('\u001B[A');
});

test('passes on keys of any alphabet and pastes as they are, and no answer, however their bytes are split', () => {
	const whole = `q日😀é\u001B[A\u001B[2;1R\u001B]52;c;q日\u0007\u001B[200~é😀q\u001B[201~→`;
	fc.assert(
		fc.property(fc.array(fc.nat(Buffer.byteLength(whole))), places => {
			const keyboard = new PassThrough();
			const input = new KeyInput(keyboard, {clock: createFakeClock(), isRemote: true});
			input.setEncoding('utf8');
			input.listen();
			const ends = [...places.sort((a, b) => a - b), undefined];
			for (const [index, end] of ends.entries()) {
				keyboard.write(Buffer.from(whole).subarray(ends[index - 1] ?? 0, end));
				keyboard.read();
			}

			expect(input.read()).toBe('q日😀é\u001B[A\u001B[200~é😀q\u001B[201~→');
		}),
	);
});

test('reports a paste that has not ended after a second of silence, and forgets it when listening again', async () => {
	const {clock, keyboard, input, keys, answers, greet} = open();
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
	const given = input.giveBack(5000);
	keyboard.type(`\u001B[201~${answers()}`);
	await given;
	expect(clock.timers).toBe(0);
	input.listen();
	keyboard.type('q');
	expect(keys()).toBe('q');
});

test('giveBack asks a last time, and drops all that comes before the answer', async () => {
	const {clock, keyboard, input, keys, answers, greet} = open();
	greet();
	const isDue = answers() !== '';
	keyboard.calls.length = 0;
	input.reportsMouse = true;
	let reports = 0;
	input.on('mouse', () => reports++);
	const given = input.giveBack(2000);
	expect([isDue, answers()]).toEqual([false, '\u001B[2;3R']);
	for (let report = 0; report < 30; report++) {
		await clock.advance(20);
		keyboard.type('\u001B[<64;10;10M');
	}

	expect(keyboard.calls).toEqual([]);
	keyboard.type(`typed ahead${answers()}`);
	await given;
	expect([keyboard.calls, keys(), reports, keyboard.listenerCount('data'), clock.timers]).toEqual([
		['pause', 'cooked'],
		'',
		0,
		0,
		0,
	]);
});

test('giveBack waits no longer than it may for a terminal that has gone silent', async () => {
	const {clock, keyboard, input, greet} = open();
	greet();
	const given = input.giveBack(2000);
	await clock.advance(1999);
	expect(keyboard.calls.at(-1)).toBe('resume');
	await clock.advance(1);
	await given;
	expect([keyboard.calls.at(-1), clock.timers]).toEqual(['cooked', 0]);
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
	const {clock, keyboard, flow, input, keys, answers, greet} = open();
	greet();
	keyboard.type('\u001B');
	const given = input.giveBack(5000);
	keyboard.type(answers());
	await given;
	expect(clock.timers).toBe(0);
	flow.restart();
	input.listen();
	greet();
	keyboard.type('[k');
	expect([keys(), flow.due]).toEqual(['[k', false]);
});
