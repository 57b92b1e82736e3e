import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
const bracketed = (text: string): string => `\u001B[200~${text}\u001B[201~`;

test('pasted text goes into the prompt that is open, without acting as keys', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.write(bracketed('q\rq'));
	monitor.press(':');
	await monitor.waitFor(/^ :/m);
	monitor.write(bracketed('market eth\r\nusdt\u001B[A\u0003'));
	await monitor.waitFor(/^ :market eth usdt \[A/m);
	monitor.press('<esc>');
	await monitor.waitFor(isLive);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('Ctrl-C quits after 100 kB of text, marked or not, or of arrow keys in a prompt', async () => {
	const text = 'market btcusdt '.repeat(7000);
	const exits = [text, bracketed(text), '\u001B[B'.repeat(33_000)].map(async input => {
		const monitor = openProgram([], size);
		await monitor.waitFor(isLive);
		monitor.press(':');
		await monitor.waitFor(/^ :/m);
		monitor.write(input);
		monitor.press('<ctrl-c>');
		return monitor.exit;
	});
	expect(await Promise.all(exits)).toEqual(Array(3).fill({exitCode: 130, signal: undefined}));
});
