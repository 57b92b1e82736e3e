// @module-tag ssh
import {execFile as execFileWith} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import type {Viewer} from '../../source/serve/viewer.ts';
import {createKeys, type Doors, openDoors} from './doors.ts';

const execFile = promisify(execFileWith);
const keys = createKeys();
let doors: Doors;

beforeAll(async () => {
	doors = await openDoors({folder: keys.folder, onViewer: answer, limits: {viewersPerAddress: 100}});
});
afterAll(async () => {
	await doors.close();
	keys.remove();
});

/** What runs in place of the monitor. */
function answer({command = '', input, output, leave, end}: Viewer): void {
	const [name, size = 0] = command.split(' ');
	if (name === 'flood') {
		output.write('x'.repeat(Number(size)), () => void end(0));
	} else if (name === 'stay') {
		output.write('here\n');
		input.on('data', data => output.write(data));
		leave.addEventListener('abort', () => {
			output.write(`${leave.reason}\n`);
			void end(0);
		});
	} else {
		void end(0);
	}
}

describe('what is asked for one after another on a shared connection', () => {
	const sharing = () => {
		const path = join(keys.folder, 'shared');
		const options = ['ControlMaster=auto', 'ControlPersist=yes', `ControlPath=${path}`].flatMap(each => ['-o', each]);
		onTestFinished(async () => {
			await doors.call([], {options: [...options, '-O', 'exit']});
		});
		return options;
	};
	const isRefusal = ({type}: {readonly type: string}) => type === 'refusal';

	test('runs as long as it takes, also where a pipe closed early; 20 s after the last the connection ends', async () => {
		const options = sharing();
		const refusals = doors.events.filter(isRefusal).length;
		const first = await doors.call(['x'], {options});
		const head = execFile('sh', [
			'-c',
			'"$0" "$@" | head -c 1000 | wc -c',
			'ssh',
			...doors.arguments(['flood', '9000000'], {options}),
		]);
		expect([first.status, (await head).stdout.trim()]).toEqual([0, '1000']);
		await expect.poll(() => doors.viewers.size).toBe(0);
		const stay = doors.start(['stay'], {input: 'open', options});
		await expect.poll(stay.stdout).toBe('here\n');
		await doors.clock.advance(60_000);
		stay.write('still');
		await expect.poll(stay.stdout).toBe('here\nstill');
		stay.kill('SIGKILL');
		await expect.poll(() => doors.viewers.size).toBe(0);
		await doors.clock.advance(19_999);
		expect(doors.server.viewers).toBe(1);
		await doors.clock.advance(1);
		await expect.poll(() => doors.server.viewers).toBe(0);
		expect(doors.events.filter(isRefusal).length).toBe(refusals);
	});

	test('ends with the connection where the viewer has to leave', async () => {
		const options = sharing();
		const stay = doors.start(['stay'], {input: 'open', options});
		await expect.poll(stay.stdout).toBe('here\n');
		doors.authorize('guest');
		onTestFinished(() => doors.authorize('user'));
		await doors.server.rereadKeys();
		expect(await stay.ended).toMatchObject({status: 0, stdout: 'here\nyour key was removed\n'});
		await expect.poll(() => doors.server.viewers).toBe(0);
	});
});
