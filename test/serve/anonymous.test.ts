// @module-tag ssh
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createKeys, type Doors, openDoors} from './doors.ts';

const keys = createKeys();
/** Where there are keys too, and where there are none. */
let [both, open]: Doors[] = [];

const onViewer: Parameters<typeof openDoors>[0]['onViewer'] = ({key, command, output, leave, end}) => {
	output.write(`${key?.comment ?? 'nobody'}\n`);
	leave.addEventListener('abort', () => {
		output.write(`${leave.reason}\n`);
		void end(0);
	});
	if (command === 'who') void end(0);
};

beforeAll(async () => {
	const limits = {viewers: 3, viewersPerAddress: 2, connectingPerAddress: 4};
	[both, open] = await Promise.all([
		openDoors({folder: keys.folder, anonymous: true, onViewer, limits}),
		openDoors({folder: keys.folder, anonymous: true, onViewer, limits, authorizedKeys: undefined}),
	]);
});
afterAll(async () => {
	await Promise.all([both?.close(), open?.close()]);
	keys.remove();
});

const served = (who: string) => ({status: 0, stdout: `${who}\n`});
const denied = {status: 255, stdout: '', stderr: expect.stringContaining('Permission denied (publickey)')};

describe('without keys', () => {
	test('everybody is let in, under any name, and no key counts', async () => {
		const calls = [open?.call(['who']), open?.call(['who'], {key: 'stranger', name: 'anonymous'})];
		expect(await Promise.all(calls)).toMatchObject([served('nobody'), served('nobody')]);
	});
});

describe('with keys', () => {
	test('everybody is let in as anonymous, and keys keep what they open', async () => {
		const calls = [
			both?.call(['who']),
			both?.call(['who'], {key: 'stranger', name: 'anonymous', options: ['-b', '127.0.0.2']}),
			both?.call(['who'], {key: 'stranger', options: ['-b', '127.0.0.3']}),
		];
		expect(await Promise.all(calls)).toMatchObject([served('user'), served('nobody'), denied]);
	});
});

describe('with as many viewers as there may be', () => {
	const from = (address: string) => ({options: ['-b', address], input: 'open' as const});

	test('one too many of an address, and one too many of all, are told so and let go; those who are there stay', async () => {
		const staying = [open?.start(['stay'], from('127.0.0.1')), open?.start(['stay'], from('127.0.0.1'))];
		await expect.poll(() => open?.server.viewers).toBe(2);
		expect(await open?.call(['who'])).toMatchObject({
			status: 255,
			stderr: expect.stringMatching(/Received disconnect .*: your address already has the maximum of 2 viewers/),
		});
		staying.push(open?.start(['stay'], from('127.0.0.2')));
		await expect.poll(() => open?.server.viewers).toBe(3);
		expect(await open?.call(['who'], from('127.0.0.3'))).toMatchObject({
			status: 255,
			stderr: expect.stringMatching(/Received disconnect .*: the server is full \(3 viewers\); try again later/),
		});
		await expect.poll(() => staying.map(each => each?.stdout())).toEqual(Array(3).fill('nobody\n'));
		await open?.server.close('the server stops');
		expect(await Promise.all(staying.map(each => each?.ended))).toMatchObject(
			Array(3).fill({status: 0, stdout: 'nobody\nthe server stops\n'}),
		);
	});
});
