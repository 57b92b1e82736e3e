import {expect, test} from 'vitest';
import {createBeat} from '../../source/store/beat.ts';
import {FlowControl} from '../../source/terminal/flow-control.ts';
import {FrameOutput, type FrameOutputOptions} from '../../source/terminal/frame-output.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createScreen} from '../helpers/screen.ts';
import {FarTerminal} from './far-terminal.ts';
import {showFrame} from './frames.ts';
import {SlowTerminal} from './slow-terminal.ts';

const size = {columns: 30, rows: 4};

/** A terminal of 30×4 that shows frames of 4 rows. */
function open({clock = createFakeClock(), ...options}: Partial<FrameOutputOptions> & {clock?: FakeClock} = {}) {
	const terminal = new SlowTerminal(size);
	const output = new FrameOutput(terminal, {clock, ...options});
	let drops = 0;
	output.on('drop', (count: number) => (drops += count));
	return {
		clock,
		terminal,
		output,
		drops: () => drops,
		draw: (row: string) => showFrame(output.surface, [row, '', 'third', 'fourth']),
		/** What a terminal shows that took what was sent. */
		async shown(columns = size.columns, rows = size.rows) {
			const screen = createScreen(columns, rows);
			await screen.write(terminal.taken.join(''));
			return screen.text();
		},
	};
}

test('sends a change of one character as that character', async () => {
	const {terminal, draw} = open();
	await draw('price 61,824.01');
	terminal.taken.length = 0;
	await draw('price 61,824.02');
	expect(terminal.taken).toEqual(['\u001B[?2026h\u001B[;15H2\u001B[?2026l']);
	await draw('price 61,824.02');
	expect(terminal.taken).toHaveLength(1);
});

test('what may wait goes with a frame, the latest only and once a second', async () => {
	const {clock, terminal, output, draw} = open();
	output.sendSoon('<a>');
	await draw('frame 1');
	output.sendSoon('<b>');
	output.sendSoon('<c>');
	await draw('frame 2');
	await clock.advance(1000);
	expect(terminal.taken.join('').match(/<.>/g)).toEqual(['<a>']);
	await draw('frame 3');
	await draw('frame 4');
	output.sendSoon('<d>');
	output.sendSoon('');
	await clock.advance(1000);
	await draw('frame 5');
	expect(terminal.taken.join('').match(/<.>/g)).toEqual(['<a>', '<c>']);
});

test('frames replace each other while the terminal does not read, then the current one is sent', async () => {
	const {clock, terminal, output, draw, drops, shown} = open();
	await draw('frame 0');
	terminal.reading = false;
	await draw('frame 1');
	const waiting = terminal.waiting;
	for (let frame = 2; frame <= 2400; frame++) {
		await clock.advance(250);
		await draw(`frame ${frame}`);
	}

	expect([terminal.waiting, output.writableLength]).toEqual([waiting, 0]);
	// Frame 1 is on its way, and frame 2400 is still to come.
	expect(drops()).toBe(2398);

	terminal.reading = true;
	terminal.take();
	expect(terminal.taken).toHaveLength(3);
	expect(await shown()).toEqual(['frame 2400', '', 'third', 'fourth']);
});

test('frames in one go are one update, and none counts as dropped', async () => {
	const {terminal, draw, drops, shown} = open();
	await draw('frame 0');
	terminal.reading = false;
	for (let frame = 1; frame < 10; frame++) await draw(`frame ${frame}`);
	terminal.reading = true;
	terminal.take();
	expect([terminal.taken.length, drops()]).toEqual([3, 0]);
	expect((await shown())[0]).toBe('frame 9');
});

/** As `open`, but the terminal is far away, and asked how far it has got. */
function openFar(link: ConstructorParameters<typeof FarTerminal>[2] = {}) {
	const clock = createFakeClock();
	const terminal = new FarTerminal(size, clock, link);
	const flow = new FlowControl({clock, write: text => terminal.write(text)});
	terminal.onAnswer = answer => flow.answered(answer);
	const output = new FrameOutput(terminal, {clock, flow});
	let [drops, frame] = [0, 0];
	output.on('drop', (count: number) => (drops += count));
	return {
		clock,
		terminal,
		output,
		drops: () => drops,
		/** Draws frames that have next to nothing in common, four a second. */
		async draw(count: number) {
			for (const end = frame + count; frame < end; frame++) {
				const lines = Array.from({length: 4}, () => `${frame} `.repeat(30).slice(0, 29));
				await showFrame(output.surface, lines);
				await clock.advance(250);
			}
		},
		/** The number on each screen since `from`, an index into what was shown. */
		async screens(from = 0) {
			const screen = createScreen(size.columns, size.rows);
			const numbers: number[] = [];
			for (const [index, text] of terminal.shown.entries()) {
				await screen.write(text);
				const [row = ''] = screen.text();
				if (index >= from && text.includes('\u001B[?2026l')) numbers.push(Number.parseInt(row, 10));
			}

			return numbers;
		},
	};
}

test('a stalled terminal whose system accepts everything gets the current frame on resume', async () => {
	const {terminal, draw, drops, screens} = openFar();
	await draw(10);
	expect([await screens(), drops()]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0]);
	terminal.stop();
	const from = terminal.shown.length;
	await draw(2390);
	terminal.resume();
	await draw(10);
	const [onItsWay = [], after = []] = Object.values(
		Object.groupBy(await screens(from), frame => (frame < 2390 ? 0 : 1)),
	);
	// What was sent before it was known.
	expect(onItsWay).toEqual(Array.from(onItsWay, (_, index) => 10 + index));
	expect(onItsWay.length).toBeLessThan(45);
	expect([after.slice(0, 3), drops()]).toEqual([[2400, 2401, 2402], 2390 - onItsWay.length]);
});

test('a terminal gets a question again after a suspension', async () => {
	const {terminal, output, draw} = openFar();
	await draw(1);
	output.hold();
	terminal.shown.length = 0;
	output.redraw();
	await draw(1);
	expect(terminal.shown[0]).toMatch(/^\u001B7\u001B\[2;\d+H\u001B\[6n\u001B8$/);
});

/** As `open`, but at most two frames a second are sent while nobody types. */
async function openOnBeat() {
	const clock = createFakeClock();
	const opened = open({clock, beat: createBeat(clock, 500)});
	// The first frames are on time, whatever they come from.
	await clock.advance(1000);
	return opened;
}

test('sends a frame a beat, and shows the last one before it', async () => {
	const {clock, terminal, draw, drops, shown} = await openOnBeat();
	for (let frame = 0; frame < 20; frame++) {
		await draw(`frame ${frame}`);
		await clock.advance(100);
	}

	await clock.advance(1);
	expect([terminal.taken.length, drops()]).toEqual([5, 0]);
	expect((await shown())[0]).toBe('frame 19');
});

test('shows what a key leads to at once, and then goes on at the beat', async () => {
	const {clock, terminal, output, draw, shown} = await openOnBeat();
	await draw('data');
	await draw('more data');
	expect((await shown())[0]).toBe('data');
	output.hurry();
	await draw('key');
	expect((await shown())[0]).toBe('key');
	await clock.advance(900);
	await draw('what the key asked for');
	expect((await shown())[0]).toBe('what the key asked for');
	await clock.advance(500);
	terminal.taken.length = 0;
	for (let frame = 0; frame < 20; frame++) {
		await draw(`frame ${frame}`);
		await clock.advance(100);
	}

	expect(terminal.taken).toHaveLength(5);
});

test('does not hurry for longer when the clock is set back', async () => {
	const {clock, terminal, output, draw} = await openOnBeat();
	output.hurry();
	clock.jump(-3_600_000);
	terminal.taken.length = 0;
	for (let frame = 0; frame < 10; frame++) await draw(`frame ${frame}`);
	expect(terminal.taken).toHaveLength(1);
});

test('shows a new size at once, whatever the beat', async () => {
	const {terminal, output, draw} = await openOnBeat();
	await draw('before');
	terminal.taken.length = 0;
	terminal.resize({columns: 24, rows: 4});
	output.laidOut({columns: 24, rows: 4});
	await draw('after');
	expect(terminal.taken.join('')).toContain('after');
});

test('has the size of the real terminal', () => {
	const {terminal, output} = open();
	expect([output.isTTY, output.columns, output.rows]).toEqual([true, 30, 4]);
	terminal.resize({columns: 40, rows: 5});
	expect([output.columns, output.rows]).toEqual([40, 5]);
});

test('sends nothing from a resize until the view is laid out, then everything on a cleared screen', async () => {
	const {terminal, output, draw, shown} = open();
	await draw('before');
	terminal.taken.length = 0;
	terminal.resize({columns: 20, rows: 4});
	terminal.resize({columns: 24, rows: 4});
	await draw('for the old size');
	output.laidOut({columns: 20, rows: 4});
	await draw('for a size in between');
	output.redraw();
	expect(terminal.taken).toEqual([]);

	output.laidOut({columns: 24, rows: 4});
	await draw('for the new size');
	expect(terminal.taken).toHaveLength(1);
	expect(terminal.taken[0]).toContain('\u001B[2J');
	expect(await shown(24)).toEqual(['for the new size', '', 'third', 'fourth']);
});

test('a layout without a resize sends nothing', async () => {
	const {terminal, output, draw} = open();
	await draw('frame');
	terminal.taken.length = 0;
	output.laidOut(size);
	expect(terminal.taken).toEqual([]);
});

test('a suspended terminal gets nothing until it is redrawn', async () => {
	const {terminal, output, draw, shown} = open();
	await draw('before');
	output.hold();
	terminal.taken.length = 0;
	await draw('meanwhile');
	expect(terminal.taken).toEqual([]);
	output.redraw();
	expect(terminal.taken).toHaveLength(1);
	expect(await shown()).toEqual(['meanwhile', '', 'third', 'fourth']);
});

test('accepts and discards what Ink writes, also while the terminal does not read', async () => {
	const {terminal, output, draw} = open();
	await draw('frame 0');
	terminal.reading = false;
	await draw('frame 1');
	const before = [terminal.taken.length, terminal.waiting];
	await new Promise(resolve => {
		output.write('\u001B[?25l\u001B[2Ktext', resolve);
	});
	expect([terminal.taken.length, terminal.waiting]).toEqual(before);
	terminal.reading = true;
	terminal.take();
	expect(terminal.taken.join('')).not.toContain('text');
});

test('after close it neither listens nor writes', async () => {
	const {terminal, output, draw} = open();
	await draw('frame');
	terminal.taken.length = 0;
	output.close();
	await draw('another');
	expect([terminal.taken, terminal.listenerCount('resize')]).toEqual([[], 0]);
});
