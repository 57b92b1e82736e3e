import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {built} from './program.ts';

export type Server = {
	readonly pid: number;
	readonly port: number;
	/** Of the inspector, for those that were started with `--inspect`. */
	readonly inspector: string | undefined;
	close(): Promise<void>;
};

/** `tapewatch serve` in a process of its own, with a frame a second, for an exchange that takes all requests. */
export async function openServer(home: string, url: string, nodeFlags: readonly string[] = []): Promise<Server> {
	const args = ['serve', '--anonymous', '--listen', '127.0.0.1:0', '--fps', '1', '--json', '--max-viewers', '1000'];
	const addresses = ['--base-url', url, '--legacy-base-url', url];
	const child = spawn(process.execPath, [...nodeFlags, built, ...args, ...addresses], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home},
	});
	let inspector: string | undefined;
	createInterface(child.stderr).on('line', line => {
		inspector ??= /^Debugger listening on (ws:\S+)/.exec(line)?.[1];
	});
	const [line] = await once(child.stdout, 'data');
	return {
		pid: child.pid ?? Number.NaN,
		port: JSON.parse(String(line)).port,
		inspector,
		async close() {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}
