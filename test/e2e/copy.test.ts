import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {isLive} from './frame.ts';
import {command, openScript} from './program.ts';

test('y and Y put text into the buffer of tmux, of the view after the keys before them', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-tmux-'));
	const tmux = (...args: readonly string[]) =>
		spawnSync('tmux', ['-S', join(folder, 'socket'), ...args], {encoding: 'utf8'}).stdout;
	onTestFinished(() => {
		tmux('kill-server');
		rmSync(folder, {recursive: true, force: true});
	});
	const start = `tmux -u -S ${join(folder, 'socket')} -f /dev/null new-session '${command}' ';' set -s set-clipboard on`;
	const monitor = openScript(start, {columns: 120, rows: 41});
	await monitor.waitFor(isLive);
	monitor.press('y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^[A-Z]+\/[A-Z]+$/);
	monitor.write('?Y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^\? Keys\n Markets[^╭╮╰╯┏┓┗┛┃]*$/);
});
