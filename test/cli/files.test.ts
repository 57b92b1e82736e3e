import {statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {inTime, makeFolder} from '../../source/cli/files.ts';
import {fileFault} from '../../source/format/file-fault.ts';
import {hasStuckThread} from '../../source/terminal/ending.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {temporaryFolder} from '../helpers/folders.ts';

test('work that takes two seconds is given up, and is not waited for at the end of the process until it is done', async () => {
	const clock = createFakeClock();
	const {promise, resolve} = Promise.withResolvers<void>();
	let signal: AbortSignal | undefined;
	const settled = inTime(clock, given => {
		signal = given;
		return promise;
	}).catch(error => error.message);
	await clock.advance(1999);
	expect(signal?.aborted).toBe(false);
	await clock.advance(1);
	expect([await settled, signal?.aborted]).toEqual(['it took longer than 2 s', true]);
	expect([hasStuckThread(), clock.timers]).toEqual([true, 0]);
	resolve();
	await clock.advance(0);
	expect(hasStuckThread()).toBe(false);
});

test('work that is done in time settles at once', async () => {
	const clock = createFakeClock();
	expect(await inTime(clock, async () => 7)).toBe(7);
	await expect(inTime(clock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(clock.timers).toBe(0);
});

describe('a folder', () => {
	test('is made with those above it for the user alone, also by several at once, and stays if it is there', async () => {
		const path = join(temporaryFolder(), 'a', 'b', 'c');
		await Promise.all(Array.from({length: 5}, () => makeFolder(path)));
		await makeFolder(path);
		for (const made of [path, join(path, '..'), join(path, '..', '..')])
			expect(statSync(made).mode & 0o777).toBe(0o700);
	});

	const faultOf = (path: string): Promise<string | undefined> => makeFolder(path).then(() => undefined, fileFault);

	test('that cannot be made is refused with the reason', async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'file'), '');
		symlinkSync(join(folder, 'gone', 'away'), join(folder, 'link'));
		expect(await faultOf(join(folder, 'file', 'a', 'b'))).toBe('its folder is a file');
		const inTheWay = 'something else is in the place of its folder';
		expect(await faultOf(join(folder, 'file'))).toBe(inTheWay);
		expect(await faultOf(join(folder, 'link', 'a'))).toBe(inTheWay);
	});

	test.skipIf(process.platform !== 'linux')(
		'of the system is refused with the reason, and without a hang',
		async () => {
			expect(await faultOf('/sys/tapewatch/a')).toMatch(/^(permission denied|the file system is read-only)$/);
			expect(await faultOf('/proc/tapewatch/a')).toBe('its folder does not exist');
		},
	);
});
