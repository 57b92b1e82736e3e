/** The files and commands of docs/fleet.md, with Debian's nginx, Varnish and systemd. */
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {documents} from '../helpers/documents.ts';
import {findTool, freePort} from '../helpers/tools.ts';

const text = documents.find(({name}) => name === 'docs/fleet.md')?.text ?? '';
const files = [...text.matchAll(/^`([\w.]+)`:\n\n```\w+\n(.*?)^```/gms)].map(([, name = '', content = '']) => ({
	name,
	content,
}));
const commands = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));

/** The one command that begins so. */
function commandOf(start: string): string {
	const found = commands.filter(command => command.startsWith(start));
	expect(found).toHaveLength(1);
	return found.join();
}

const folder = mkdtempSync(join(tmpdir(), 'tapewatch-fleet-'));
// Varnish works as a user of its own.
chmodSync(folder, 0o755);
let demo: Demo;
const ports = {nginx: 0, varnish: 0};
const env = {...process.env, PATH: `${process.env.PATH}:/usr/sbin`};
const missing = ['nginx', 'varnishd', 'systemd-analyze'].filter(name => findTool(name) === undefined);
const isSkipped = missing.length > 0 && !process.env.CI;
if (isSkipped) console.warn(`docs/fleet.md is not tried: there is no ${missing.join(', no ')} on this machine.`);

/** As the document says it, with an exchange and ports that are free. */
const here = (written: string): string =>
	written
		.replaceAll('8787', String(demo.port))
		.replaceAll('8080', String(ports.nginx))
		.replaceAll('8081', String(ports.varnish));

const run = (command: string) => spawnSync('sh', ['-c', here(command)], {cwd: folder, env, encoding: 'utf8'});

beforeAll(async () => {
	if (isSkipped) return;
	demo = await startDemo();
	[ports.nginx, ports.varnish] = [await freePort(), await freePort()];
	// The workers of a master that root has started belong to a user who cannot write here.
	const own = process.getuid?.() === 0 ? 'user root;\n' : '';
	for (const {name, content} of files) {
		writeFileSync(join(folder, name), (name === 'nginx.conf' ? own : '') + here(content));
	}
});

afterAll(async () => {
	if (!isSkipped) await demo.close();
	rmSync(folder, {recursive: true, force: true});
});

async function listens(port: number): Promise<void> {
	await expect
		.poll(async () => {
			const socket = connect(port, '127.0.0.1').on('error', () => {});
			const isOpen = Promise.race([
				once(socket, 'connect').then(() => true),
				once(socket, 'close').then(() => false),
			]).catch(() => false);
			return isOpen.finally(() => socket.destroy());
		})
		.toBe(true);
}

/** The status of an answer, and whether it came from the cache; asked for twice. */
async function twice(port: number, path: string): Promise<unknown> {
	const ask = async () => {
		const answer = await fetch(`http://127.0.0.1:${port}${path}`);
		await answer.arrayBuffer();
		return [answer.status, answer.headers.get('x-cache-status')];
	};
	return [await ask(), await ask()];
}

const tickers = '/engine/v2/public/ticker';
const kept = [
	[200, 'MISS'],
	[200, 'HIT'],
];
const notKept = [
	[404, 'MISS'],
	[404, 'MISS'],
];

describe.skipIf(isSkipped)('a fleet', () => {
	test('asks through nginx, which keeps answers and no errors', async () => {
		// It stays, and would keep a pipe open.
		execFileSync('sh', ['-c', here(commandOf('nginx'))], {cwd: folder, env, stdio: 'ignore'});
		try {
			await listens(ports.nginx);
			// Five seconds may end between the two.
			await expect.poll(() => twice(ports.nginx, tickers)).toEqual(kept);
			expect(await twice(ports.nginx, '/none')).toEqual(notKept);
		} finally {
			execFileSync('nginx', ['-p', '.', '-c', 'nginx.conf', '-s', 'stop'], {cwd: folder, env, stdio: 'ignore'});
		}
	});

	test('can use Varnish instead', async () => {
		const varnish = spawn('sh', ['-c', `exec ${here(commandOf('varnishd'))}`], {cwd: folder, env, stdio: 'ignore'});
		try {
			await listens(ports.varnish);
			expect(await twice(ports.varnish, tickers)).toEqual(kept);
			expect(await twice(ports.varnish, '/none')).toEqual(notKept);
		} finally {
			varnish.kill('SIGTERM');
			if (varnish.exitCode === null) await once(varnish, 'exit');
		}
	});

	test('is a hardened service', () => {
		// The program is not installed there.
		const unit = readFileSync(join(folder, 'tapewatch.service'), 'utf8').replace('/usr/bin/tapewatch', '/bin/true');
		writeFileSync(join(folder, 'tapewatch.service'), unit);
		expect(run(commandOf('systemd-analyze verify'))).toMatchObject({status: 0, stderr: ''});
		expect(run(commandOf('systemd-analyze security'))).toMatchObject({status: 0});
	});
});
