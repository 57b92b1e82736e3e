import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {findTool, freePort} from './tools.ts';

export type Nginx = {
	readonly url: string;
	/** Ends it, and resolves when it has gone. */
	stop(): Promise<void>;
};

/** Where a nginx stands: `folder` is its own, and it has to listen on 127.0.0.1 at `port`. */
type Place = {readonly folder: string; readonly port: number};

const binary = findTool('nginx');

/** Another program may take the port first. */
const mostTries = 3;

/** Starts a real nginx, as the user who runs the test. `http`: what stands in the block of that name. */
export async function startNginx(http: (place: Place) => string): Promise<Nginx> {
	if (binary === undefined) throw new Error('nginx is not installed');
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-nginx-'));
	for (let tries = 1; ; tries++) {
		const port = await freePort();
		const file = join(folder, 'nginx.conf');
		writeFileSync(file, configOf(folder, http({folder, port})));
		const child = spawn(binary, ['-p', folder, '-c', file], {stdio: ['ignore', 'ignore', 'pipe']});
		let errors = '';
		child.stderr.on('data', chunk => {
			errors += chunk;
		});
		const isListening = await listens(child, port);
		const stop = async () => {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill('SIGTERM');
				await once(child, 'exit');
			}

			rmSync(folder, {recursive: true, force: true});
		};
		if (isListening) return {url: `http://127.0.0.1:${port}`, stop};
		if (tries === mostTries || !errors.includes('bind()')) {
			await stop();
			throw new Error(`nginx does not start: ${errors}`);
		}
	}
}

/** Its temporary files stay in `folder`; a master that root has started would give them to another user's workers. */
const configOf = (folder: string, http: string): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events {}
http {
	access_log off;
	client_body_temp_path ${folder}/body;
	proxy_temp_path ${folder}/proxy;
	fastcgi_temp_path ${folder}/fastcgi;
	uwsgi_temp_path ${folder}/uwsgi;
	scgi_temp_path ${folder}/scgi;
	${http}
}
`;

/** Whether something listens there before the child ends. */
async function listens(child: ChildProcess, port: number): Promise<boolean> {
	while (child.exitCode === null && child.signalCode === null) {
		const socket = connect(port, '127.0.0.1');
		const isOpen = await Promise.race([
			once(socket, 'connect').then(
				() => true,
				() => false,
			),
			once(child, 'exit').then(() => false),
		]);
		socket.destroy();
		if (isOpen) return true;
		await sleep(20);
	}

	return false;
}
