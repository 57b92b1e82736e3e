import ssh2 from 'ssh2';
import {expect, onTestFinished, test} from 'vitest';
import {openHome} from '../helpers/folders.ts';
import {type Run, startTapewatch} from './tapewatch.ts';

/** Logs in, and resolves with what opens a session. */
function logIn(port: number): Promise<ssh2.Client> {
	const client = new ssh2.Client();
	const {promise, resolve, reject} = Promise.withResolvers<ssh2.Client>();
	client.once('ready', () => resolve(client)).on('error', reject);
	client.once('close', () => reject(new Error('the connection was closed')));
	client.connect({host: '127.0.0.1', port, username: 'viewer'});
	return promise;
}

/** Serves everybody until the test ends. */
async function openServer(): Promise<{readonly server: Run; readonly port: number}> {
	const {env} = openHome();
	const server = startTapewatch(['serve', '--anonymous', '--listen', '127.0.0.1:0', '--json'], {env});
	onTestFinished(async () => {
		server.kill('SIGKILL');
		await server.outcome;
	});
	let port = 0;
	await server.wrote(stdout => {
		port = Number(/"port":(\d+)/.exec(stdout)?.[1] ?? 0);
		return port > 0;
	});
	return {server, port};
}

test('a client that is cut off while it opens a session ends nobody else, and more screens than Node takes for a leak make it warn of nothing', async () => {
	const {server, port} = await openServer();
	for (let client = 0; client < 5; client++) {
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

	const clients = await Promise.all(Array.from({length: 12}, () => logIn(port)));
	await Promise.all(
		clients.map(client => {
			const {promise, resolve} = Promise.withResolvers<void>();
			client.shell({term: 'xterm'}, (_, channel) => void channel?.once('data', () => resolve()));
			return promise;
		}),
	);
	server.kill('SIGTERM');
	expect((await server.outcome).stderr.split('\n')).toEqual([
		'tapewatch: DEMO data of the embedded exchange',
		expect.stringMatching(/^tapewatch: created the host key /),
		'tapewatch: everybody who can reach the address is let in (--anonymous)',
		'',
	]);
});
