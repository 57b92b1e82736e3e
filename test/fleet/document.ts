/** The files and commands of docs/fleet.md. */
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect} from 'vitest';
import {documents} from '../helpers/documents.ts';
import {freePort} from '../helpers/tools.ts';

const text = documents.find(({name}) => name === 'docs/fleet.md')?.text ?? '';
const files = [...text.matchAll(/^`([\w.]+)`:\n\n```\w+\n(.*?)^```/gms)].map(([, name = '', content = '']) => ({
	name,
	content,
}));
export const commands = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
	block.trim().split('\n'),
);

export const env = {...process.env, PATH: `${process.env.PATH}:/usr/sbin`};

/** The files of the document in a folder, with the port of an exchange and ports that are free. */
export type Place = {
	readonly folder: string;
	readonly nginx: number;
	readonly varnish: number;
	/** The one command of the document that begins so, as it is here. */
	command(start: string): string;
	/** Starts nginx, and waits until it listens. */
	startNginx(): Promise<void>;
	stopNginx(): Promise<void>;
	/** Starts Varnish until the returned function is called. */
	startVarnish(): Promise<() => Promise<void>>;
	remove(): void;
};

export async function openPlace(exchangePort: number): Promise<Place> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-fleet-'));
	// Varnish works as a user of its own.
	chmodSync(folder, 0o755);
	const [nginx, varnish] = [await freePort(), await freePort()];
	const here = (written: string): string =>
		written
			.replaceAll('8787', String(exchangePort))
			.replaceAll('8080', String(nginx))
			.replaceAll('8081', String(varnish));
	// The workers of a master that root has started belong to a user who cannot write here.
	const own = process.getuid?.() === 0 ? 'user root;\n' : '';
	for (const {name, content} of files) {
		writeFileSync(join(folder, name), (name === 'nginx.conf' ? own : '') + here(content));
	}

	function command(start: string): string {
		const found = commands.map(here).filter(each => each.startsWith(start));
		expect(found).toHaveLength(1);
		return found.join();
	}

	return {
		...{folder, nginx, varnish, command},
		async startNginx() {
			// It stays, and would keep a pipe open.
			execFileSync('sh', ['-c', command('nginx')], {cwd: folder, env, stdio: 'ignore'});
			await listens(nginx, true);
		},
		async stopNginx() {
			execFileSync('nginx', ['-p', '.', '-c', 'nginx.conf', '-s', 'stop'], {cwd: folder, env, stdio: 'ignore'});
			await listens(nginx, false);
		},
		async startVarnish() {
			const child = spawn('sh', ['-c', `exec ${command('varnishd')}`], {cwd: folder, env, stdio: 'ignore'});
			await listens(varnish, true);
			return async () => {
				child.kill('SIGTERM');
				if (child.exitCode === null) await once(child, 'exit');
			};
		},
		remove: () => rmSync(folder, {recursive: true, force: true}),
	};
}

async function listens(port: number, wanted: boolean): Promise<void> {
	const ask = async () => {
		const socket = connect(port, '127.0.0.1').on('error', () => {});
		const isOpen = Promise.race([
			once(socket, 'connect').then(() => true),
			once(socket, 'close').then(() => false),
		]).catch(() => false);
		return isOpen.finally(() => socket.destroy());
	};
	await expect.poll(ask).toBe(wanted);
}
