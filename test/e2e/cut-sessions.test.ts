import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import ssh2 from 'ssh2';
import {expect, onTestFinished, test} from 'vitest';
import {startTapewatch} from './tapewatch.ts';

/** Logs in, and resolves with what opens a session. */
function logIn(port: number): Promise<ssh2.Client> {
	const client = new ssh2.Client();
	const {promise, resolve, reject} = Promise.withResolvers<ssh2.Client>();
	client.once('ready', () => resolve(client)).on('error', reject);
	client.once('close', () => reject(new Error('the connection was closed')));
	client.connect({host: '127.0.0.1', port, username: 'viewer'});
	return promise;
}

test('a client that is cut off while it opens a session ends nobody else', async () => {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-e2e-'));
	const env = {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home};
	const server = startTapewatch(['serve', '--anonymous', '--listen', '127.0.0.1:0', '--json'], {env});
	onTestFinished(async () => {
		server.kill('SIGKILL');
		await server.outcome;
		rmSync(home, {recursive: true});
	});
	let port = 0;
	await server.wrote(stdout => {
		port = Number(/"port":(\d+)/.exec(stdout)?.[1] ?? 0);
		return port > 0;
	});
	for (let client = 0; client < 10; client++) {
		const cut = await logIn(port);
		cut.exec('info', () => {});
		await new Promise<void>(resolve => cut.once('close', () => resolve()).destroy());
	}

	const last = await logIn(port);
	onTestFinished(() => void last.end());
	const {promise: answer, resolve} = Promise.withResolvers<string>();
	last.exec('info', (_, channel) => channel?.once('data', (data: Buffer) => resolve(String(data))));
	const ended = server.outcome.then(({stderr}) => `the server ended: ${stderr}`);
	expect(await Promise.race([answer, ended])).toContain('Tapewatch Demo');
});
