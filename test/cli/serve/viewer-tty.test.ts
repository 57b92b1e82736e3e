import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {viewerTty} from '../../../source/cli/serve/viewer-tty.ts';
import type {Viewer} from '../../../source/serve/viewer.ts';
import {escKey} from '../../../source/terminal/input-tokens.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {questionsIn} from '../../terminal/far-terminal.ts';

/** The terminal of a viewer that is shown a first frame and has answered. */
function open() {
	const clock = createFakeClock();
	const input = new PassThrough();
	const output = Object.assign(new PassThrough(), {isTTY: true, columns: 80, rows: 24});
	const viewer = {input, output, env: {TERM: 'xterm'}, gone: new AbortController().signal} as unknown as Viewer;
	const tty = viewerTty(viewer, new Promise(() => {}), clock);
	const dialogue = tty.openDialogue({clock});
	const giveBack = tty.take(clock, dialogue);
	dialogue?.input.setEncoding('utf8');
	const answer = async (written: string) => {
		input.write(
			questionsIn(written)
				.map(column => `\u001B[2;${column}R`)
				.join(''),
		);
		await clock.advance(0);
	};
	const written = (): string => String(output.read() ?? '');
	return {clock, input, dialogue, giveBack, answer, written, keys: () => String(dialogue?.input.read() ?? '')};
}

test('Esc of a viewer waits 150 ms for the rest of a key, whatever the variables of the server say', async () => {
	const {clock, input, keys} = open();
	input.write('\u001B');
	await clock.advance(149);
	input.write('[A');
	await clock.advance(0);
	expect(keys()).toBe('\u001B[A');
	input.write('\u001B');
	await clock.advance(149);
	expect(keys()).toBe('');
	await clock.advance(1);
	expect(keys()).toBe(escKey);
});

test('a viewer gets its terminal back when it has answered a last question, or after two seconds', async () => {
	for (const answers of [true, false]) {
		const {clock, input, dialogue, giveBack, answer, written, keys} = open();
		await answer(dialogue?.flow?.withQuestion('frame') ?? '');
		written();
		let isBack = false;
		const given = giveBack().then(() => {
			isBack = true;
		});
		await clock.advance(answers ? 600 : 1999);
		input.write('\u001B[<64;1;1M');
		await clock.advance(0);
		expect([isBack, input.listenerCount('data')]).toEqual([false, 1]);
		if (answers) await answer(written());
		else await clock.advance(1);
		await given;
		expect([keys(), input.listenerCount('data'), clock.timers]).toEqual(['', 0, 0]);
	}
});
