import {expect, test} from 'vitest';
import {isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
const start = '\u001B[200~';
const end = '\u001B[201~';
const bracketed = (text: string): string => start + text + end;

test('pasted text goes into the prompt that is open, without acting as keys, however late its end is; Ctrl-C quits during it, and after 500 kB of text and arrow keys', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.write(bracketed('q\rq'));
	monitor.write(`\u001B${bracketed('q\rq')}`);
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
	const text = 'market btcusdt '.repeat(33_000);
	monitor.write(text + bracketed(text) + '\u001B[B'.repeat(165_000) + start);
	await monitor.waitFor(/paste not finished; Ctrl-C quits/);
	monitor.press('<ctrl-c>');
	expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
});
