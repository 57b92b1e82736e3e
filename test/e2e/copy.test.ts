// @module-tag tmux
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {hostname, tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {isLive} from './frame.ts';
import {command, openScript} from './program.ts';

test('y and Y put text into the buffer of tmux, and its pane is titled with market and price until the end', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-tmux-'));
	const tmux = (...args: readonly string[]) =>
		spawnSync('tmux', ['-u', '-S', join(folder, 'socket'), ...args], {encoding: 'utf8'}).stdout;
	onTestFinished(() => {
		tmux('kill-server');
		rmSync(folder, {recursive: true, force: true});
	});
	const start = `tmux -u -S ${join(folder, 'socket')} -f /dev/null new-session '${command}; exec cat' ';' set -s set-clipboard on`;
	const monitor = openScript(start, {columns: 120, rows: 41});
	const title = () => tmux('display-message', '-p', '#{pane_title}').trim();
	const before = hostname();
	await monitor.waitFor(isLive);
	await expect.poll(title).toMatch(/^[A-Z]+\/[A-Z]+ [\d,.]+ · DEMO$/);
	monitor.press('y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^[A-Z]+\/[A-Z]+$/);
	monitor.write('?Y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^\? Keys and commands\n Markets[^╭╮╰╯┏┓┗┛┃]*$/);
	monitor.press('q');
	await expect.poll(title).toBe(before);
});
