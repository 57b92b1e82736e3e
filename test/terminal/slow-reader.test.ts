import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {type IPty, spawn} from '@lydell/node-pty';
import {expect, onTestFinished, test} from 'vitest';
import {createScreen} from '../helpers/screen.ts';

const size = {columns: 100, rows: 30};
const restless = fileURLToPath(new URL('programs/restless.ts', import.meta.url));

type Notice = {
	readonly dropped?: number;
	/** Bytes that the program keeps for the terminal. */
	readonly waiting?: number;
	readonly heap?: number;
	readonly key?: string;
};

/** The program in a terminal that has begun to read and stopped, and what the program tells from then on. */
async function openStopped(): Promise<{pty: IPty; sent: () => string; next(): Promise<Notice>}> {
	const folder = mkdtempSync(join(tmpdir(), 'restless-'));
	const path = join(folder, 'socket');
	const server = createServer();
	server.listen(path);
	await once(server, 'listening');
	const pty = spawn(process.execPath, ['--expose-gc', restless, path], {cols: size.columns, rows: size.rows});
	onTestFinished(() => {
		pty.kill('SIGKILL');
		server.close();
		rmSync(folder, {recursive: true});
	});
	let sent = '';
	const begun = new Promise<void>(resolve => {
		pty.onData(data => {
			sent += data;
			resolve();
		});
	});
	const [socket]: Socket[] = await once(server, 'connection');
	if (!socket) throw new Error('nobody connected');
	const notices = createInterface(socket)[Symbol.asyncIterator]();
	await begun;
	pty.pause();
	return {pty, sent: () => sent, next: async () => JSON.parse((await notices.next()).value ?? '{}')};
}

const frameCount = (text: string): number => text.split('\u001B[?2026h').length - 1;

test('a terminal that stops reading costs no memory and holds up no key; then it is sent the present', async () => {
	const {pty, sent, next} = await openStopped();
	const first = await next();
	let last = first;
	for (let notice = 0; notice < 15; notice++) last = await next();
	expect(last.dropped).toBeGreaterThanOrEqual(1500);
	// One frame is on its way, however many were dropped meanwhile.
	expect(last.waiting).toBe(first.waiting);
	expect(last.heap).toBeLessThan((first.heap ?? 0) + 1e6);

	pty.write('k');
	let notice = await next();
	while (notice.key === undefined) notice = await next();
	expect(notice.key).toBe('k');

	const before = sent().length;
	const present = /0 present.*\u001B\[\?2026l/s;
	await new Promise<void>(resolve => {
		pty.onData(() => present.test(sent().slice(before)) && resolve());
		pty.resume();
	});
	const screen = createScreen(size.columns, size.rows);
	await screen.write(sent());
	expect(screen.text().map(row => row.slice(0, 18))).toEqual(
		Array.from({length: size.rows}, (_, row) => `${row} present ${row} present `.repeat(2).slice(0, 18).trimEnd()),
	);
	// The few that the system had taken, the one on its way, and the present.
	expect(frameCount(sent().slice(before))).toBeLessThan(40);
});

test('a program whose terminal does not read can be left', async () => {
	const {pty, next} = await openStopped();
	await next();
	const ended = new Promise<number>(resolve => pty.onExit(({exitCode}) => resolve(exitCode)));
	pty.write('q');
	let notice = await next();
	while (notice.key === undefined) notice = await next();
	expect(notice.key).toBe('q');
	// It closes its socket when it ends.
	expect(await next()).toEqual({});
	pty.resume();
	expect(await ended).toBe(0);
});
