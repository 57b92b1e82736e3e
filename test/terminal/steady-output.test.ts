import {Writable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {render, Text, useWindowSize} from 'ink';
import {createElement, useEffect} from 'react';
import {expect, test} from 'vitest';
import {steadyOutput} from '../../source/terminal/steady-output.ts';

const clearScreen = '\u001B[2J\u001B[H';
/** What Ink writes for a frame, in as many pieces as it does. */
const frameOf = (text: string) => ['\u001B[?2026h', text, '\u001B[?2026l'];
/** The same drawn anew. */
const redrawn = (text: string) => `\u001B[?2026h${clearScreen}${frameOf(text).join('')}\u001B[?2026l`;

/** A terminal of 20×4 and the bytes that reached it. */
function openTerminal() {
	const written: string[] = [];
	const stream = new Writable({
		decodeStrings: false,
		write(chunk: string, _encoding, callback) {
			written.push(chunk);
			callback();
		},
	});
	const terminal = Object.assign(stream, {isTTY: true, columns: 20, rows: 4});
	const steady = steadyOutput(terminal);
	return {
		terminal,
		steady,
		/** What was written since it was last asked. */
		take: () => written.splice(0).join(''),
		draw(text: string) {
			for (const piece of frameOf(text)) steady.output.write(piece);
		},
		resize(columns: number, rows: number) {
			Object.assign(terminal, {columns, rows});
			terminal.emit('resize');
		},
	};
}

test('is a terminal of the real one’s size that hands on what is written', async () => {
	const {steady, take, resize} = openTerminal();
	const written = new Promise<void>(resolve => {
		steady.output.write('one', () => resolve());
	});
	steady.output.write('two');
	await written;
	expect(take()).toBe('onetwo');
	expect([steady.output.isTTY, steady.output.columns, steady.output.rows]).toEqual([true, 20, 4]);
	resize(30, 5);
	expect([steady.output.columns, steady.output.rows]).toEqual([30, 5]);
});

test('from a resize until the view is laid out for the new size nothing is drawn, then that frame on a clear screen', async () => {
	const {steady, take, resize, draw} = openTerminal();
	draw('before');
	take();
	const calls: string[] = [];
	steady.output.on('resize', () => calls.push('resize'));

	resize(10, 4);
	draw('laid out for the old size');
	const written = new Promise<void>(resolve => {
		steady.output.write('', () => resolve());
	});
	// Who writes is not kept waiting.
	await written;
	expect([take(), calls]).toEqual(['', ['resize']]);

	draw('laid out for the new size');
	steady.laidOut({columns: 10, rows: 4});
	expect(take()).toBe(redrawn('laid out for the new size'));
	expect(calls).toEqual(['resize', 'resize']);

	draw('next');
	expect(take()).toBe(frameOf('next').join(''));
});

test('a frame that is owed until the view is laid out is drawn, not the one before', () => {
	const {steady, take, resize, draw} = openTerminal();
	let owed = 'old layout';
	steady.output.on('resize', () => draw(owed));
	resize(10, 4);
	owed = 'new layout';
	steady.laidOut({columns: 10, rows: 4});
	expect(take()).toBe(redrawn('new layout'));
});

test('of several resizes in a row only the last one’s layout is shown', () => {
	const {steady, take, resize, draw} = openTerminal();
	resize(10, 4);
	resize(14, 6);
	draw('for 10×4');
	steady.laidOut({columns: 10, rows: 4});
	expect(take()).toBe('');
	draw('for 14×6');
	steady.laidOut({columns: 14, rows: 6});
	expect(take()).toBe(redrawn('for 14×6'));
});

test('being laid out without a resize draws nothing', () => {
	const {steady, take, draw} = openTerminal();
	draw('frame');
	take();
	steady.laidOut({columns: 20, rows: 4});
	expect(take()).toBe('');
});

test('redraw shows the last whole frame on a clear screen, but not one of the old size', () => {
	const {steady, take, resize, draw} = openTerminal();
	draw('first');
	draw('second');
	steady.output.write('\u001B[?2026hhalf of a third');
	take();
	steady.redraw();
	expect(take()).toBe(redrawn('second'));
	resize(10, 4);
	steady.redraw();
	expect(take()).toBe('');
});

test('a listener that was taken off hears nothing', () => {
	const {steady, resize} = openTerminal();
	let calls = 0;
	const count = () => {
		calls += 1;
	};
	steady.output.on('resize', count);
	resize(10, 4);
	steady.output.off('resize', count);
	resize(11, 4);
	expect(calls).toBe(1);
});

test('after close it neither listens nor holds back', () => {
	const {terminal, steady, take, resize} = openTerminal();
	resize(10, 4);
	steady.close();
	steady.output.write('leave');
	resize(12, 4);
	steady.output.write(' now');
	expect(take()).toBe('leave now');
	expect(terminal.listenerCount('resize')).toBe(0);
});

/** Fills each row but the last with the size that it was laid out for. */
function Sizes({laidOut}: {readonly laidOut: (size: {columns: number; rows: number}) => void}) {
	const {columns, rows} = useWindowSize();
	useEffect(() => laidOut({columns, rows}), [laidOut, columns, rows]);
	const row = `${columns}x${rows} `.repeat(40).slice(0, columns);
	return createElement(Text, null, Array.from({length: rows - 1}, () => row).join('\n'));
}

test('no frame of the old size reaches the terminal when Ink draws on it', async () => {
	const {terminal, steady, take, resize} = openTerminal();
	const app = render(createElement(Sizes, {laidOut: steady.laidOut}), {
		stdout: steady.output as NodeJS.WriteStream,
		interactive: true,
		patchConsole: false,
	});
	await app.waitUntilRenderFlush();
	expect(take()).toContain('20x4 20x4');

	let before = '20x4';
	for (const [columns, rows] of [
		[12, 4],
		[30, 6],
		[30, 3],
		[9, 5],
	] as const) {
		resize(columns, rows);
		for (let turn = 0; turn < 3; turn++) await setImmediate();
		await app.waitUntilRenderFlush();
		const bytes = take();
		expect(bytes).toContain(clearScreen);
		expect(bytes).toContain(`${columns}x${rows}`);
		expect(bytes).not.toContain(before);
		before = `${columns}x${rows}`;
	}

	app.unmount();
	steady.close();
	expect(terminal.listenerCount('resize')).toBe(0);
});
