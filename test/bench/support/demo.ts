import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {built} from './program.ts';

/** The demo exchange in a process of its own, whose costs are not the monitor's. */
export async function openDemo(home: string): Promise<{readonly url: string; close(): Promise<void>}> {
	const demo = spawn(process.execPath, [built, 'demo', '--json'], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env: {PATH: process.env.PATH, HOME: home},
	});
	const [line] = await once(demo.stdout, 'data');
	return {
		url: JSON.parse(String(line)).url,
		async close() {
			demo.kill('SIGTERM');
			await once(demo, 'exit');
		},
	};
}
