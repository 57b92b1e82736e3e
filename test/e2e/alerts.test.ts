import {spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {formatExact} from '../../source/format/number.ts';
import {isLive} from './frame.ts';
import {command, openProgram, openScript, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};

/** A folder that goes with the test. */
function folder(): string {
	const path = mkdtempSync(join(tmpdir(), 'tapewatch-alerts-'));
	onTestFinished(() => rmSync(path, {recursive: true}));
	return path;
}

/** An executable file of these lines of shell. */
function program(path: string, ...lines: readonly string[]): string {
	writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
	chmodSync(path, 0o755);
	return path;
}

const read = (path: string): string => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
};

/** Settles when the terminal was sent what fits; its output as a whole is too long for a report. */
const sent = (session: Session, pattern: RegExp) => expect.poll(() => pattern.test(session.raw())).toBe(true);

test('the tiles of watch ring the bell, notify, and run a program with the alert, whose failure is said', async () => {
	const path = folder();
	const hook = program(
		join(path, 'hook'),
		`env | grep '^TAPEWATCH_ALERT_' | sort > ${path}/variables`,
		`cat > ${path}/alert`,
		'exit 3',
	);
	const rule = 'ETHUSDT last > 1 note a "note"\u0007';
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--alert', rule, '--on-alert', hook], size);
	await sent(
		watch,
		/\u0007\u001B\]9;! ETHUSDT last > 1: last [\d,.]+ \(trades [^)]*\), a "note"[^\u0007\u001B]*\u0007/,
	);
	await expect.poll(() => read(join(path, 'alert'))).toMatch(/\n$/);
	const alert = JSON.parse(read(join(path, 'alert')));
	expect(alert).toMatchObject({
		...{type: 'alert', symbol: 'ETHUSDT', rule, note: 'a "note"\u0007', demo: true},
		values: {last: expect.any(Number)},
	});
	const variables = read(join(path, 'variables')).split('\n');
	expect(variables).toContain('TAPEWATCH_ALERT_MARKET=ETHUSDT');
	expect(variables.find(each => each.startsWith('TAPEWATCH_ALERT_MESSAGE='))).toContain(
		`last ${formatExact(alert.values.last)}`,
	);
	await watch.waitFor(text => text.length === size.rows);
	watch.press('q');
	expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
	expect(watch.screen().join('\n')).toContain(`${hook}: ended with status 3`);
});

test('inside tmux the bell and the notification reach the terminal around it', async () => {
	const path = folder();
	const socket = `tapewatch-${randomUUID()}`;
	const configuration = join(path, 'tmux.conf');
	writeFileSync(configuration, 'set -g allow-passthrough on\nset -g bell-action any\n');
	const watch = `${command} watch BTCUSDT ETHUSDT --alert "ETHUSDT last > 1"`;
	const tmux = `tmux -L ${socket} -u -f ${configuration}`;
	const outer = openScript(`${tmux} new-session '${watch}'`, size);
	onTestFinished(() => {
		spawnSync('tmux', ['-L', socket, 'kill-server']);
	});
	await sent(outer, /\u001B\]9;! ETHUSDT last > 1: last [\d.]+[^\u0007\u001B]*\u0007/);
	const isRung = () =>
		outer
			.raw()
			.replaceAll(/\u001B\][^\u0007]*\u0007/g, '')
			.includes('\u0007');
	await expect.poll(isRung).toBe(true);
	outer.press('q');
	expect(await outer.exit).toEqual({exitCode: 0, signal: undefined});
});

test('the monitor calls by a rule that is typed, and shows it until it is acknowledged', async () => {
	const monitor = openProgram([], size);
	await monitor.waitFor(isLive);
	monitor.press(':alert ETHUSDT last > 1<enter>');
	await sent(monitor, /\u0007\u001B\]9;! ETHUSDT last > 1: last [\d.]+[^\u0007\u001B]*\u0007/);
	await monitor.waitFor(text => /ETHUSDT last > 1.*esc/i.test(text.slice(-2).join('')));
	monitor.press('<esc>');
	await monitor.waitFor(text => isLive(text) && !text.slice(-2).join('').includes('ETHUSDT last > 1'));
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});
