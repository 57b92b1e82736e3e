import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
const start = '\u001B[200~';
const end = '\u001B[201~';
const bracketed = (text: string): string => start + text + end;

test('pasted text goes into the prompt that is open, without acting as keys, however late its end is', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.write(bracketed('q\rq'));
	monitor.write(`\u001B${bracketed('q\rq')}`);
	for (const gapMs of [5, 50]) {
		monitor.write('\u001B');
		await setTimeout(gapMs);
		monitor.write(bracketed('q\rq').slice(1));
	}

	monitor.write('quit\r'.repeat(100));
	monitor.write(`${start}q`);
	await monitor.waitFor(/paste not finished; Ctrl-C quits/);
	monitor.write(`q${end}`);
	monitor.press(':');
	await monitor.waitFor(/^ :/m);
	monitor.write(`${start}market eth\r\n`);
	await monitor.waitFor(/paste not finished; Ctrl-C quits/);
	monitor.write(`usdt\u001B[A\u0003${end}`);
	await monitor.waitFor(/^ :market eth usdt \[A/m);
	monitor.press('<esc>');
	await monitor.waitFor(isLive);
	monitor.write(start);
	await monitor.waitFor(/paste not finished; Ctrl-C quits/);
	monitor.press('<ctrl-c>');
	expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
});

test('Ctrl-C quits after 500 kB of text, marked or not, and of arrow keys in a prompt', async () => {
	const text = 'market btcusdt '.repeat(33_000);
	const exits = [text, bracketed(text) + '\u001B[B'.repeat(165_000)].map(async (input, index) => {
		// In CI the terminal is not asked how much it has processed.
		const monitor = openProgram([], {...size, env: index === 0 ? {CI: 'true'} : {}});
		await monitor.waitFor(isLive);
		monitor.press(':');
		await monitor.waitFor(/^ :/m);
		monitor.write(input);
		monitor.press('<ctrl-c>');
		return monitor.exit;
	});
	expect(await Promise.all(exits)).toEqual(Array(2).fill({exitCode: 130, signal: undefined}));
});
