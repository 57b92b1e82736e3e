// @module-tag tmux
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {hostname, tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {isLive} from './frame.ts';
import {command, openScript} from './program.ts';

test('inside tmux y and Y put text into its buffer, its pane is titled with market and price until the end, and bell and notification reach the terminal around it', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-tmux-'));
	const tmux = (...args: readonly string[]) =>
		spawnSync('tmux', ['-u', '-S', join(folder, 'socket'), ...args], {encoding: 'utf8'}).stdout;
	onTestFinished(() => {
		tmux('kill-server');
		rmSync(folder, {recursive: true, force: true});
	});
	const configuration = join(folder, 'tmux.conf');
	writeFileSync(configuration, 'set -s set-clipboard on\nset -g allow-passthrough on\nset -g bell-action any\n');
	const start = `tmux -u -S ${join(folder, 'socket')} -f ${configuration} new-session '${command}; exec cat'`;
	const monitor = openScript(start, {columns: 120, rows: 41});
	const title = () => tmux('display-message', '-p', '#{pane_title}').trim();
	const before = hostname();
	await monitor.waitFor(isLive);
	await expect.poll(title).toMatch(/^[A-Z]+\/[A-Z]+ [\d,.]+ · DEMO$/);
	monitor.press('y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^[A-Z]+\/[A-Z]+$/);
	monitor.write('?Y');
	await expect.poll(() => tmux('show-buffer')).toMatch(/^\? Keys and commands\n Markets[^╭╮╰╯┏┓┗┛┃]*$/);
	monitor.press('<esc>:alert ETHUSDT last > 1<enter>');
	const notification = /\u001B\]9;! ETHUSDT last > 1: last [\d,.]+[^\u0007\u001B]*\u0007/;
	await monitor.waitFor(() => notification.test(monitor.raw()));
	await monitor.waitFor(() =>
		monitor
			.raw()
			.replaceAll(/\u001B\][^\u0007]*\u0007/g, '')
			.includes('\u0007'),
	);
	monitor.press('q');
	await expect.poll(title).toBe(before);
});
