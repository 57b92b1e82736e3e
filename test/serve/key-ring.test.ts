import {chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseAuthorizedKeys} from '../../source/serve/authorized-keys.ts';
import {type KeyFileReport, openKeyRing} from '../../source/serve/key-ring.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {newEd25519} from './key-files.ts';

const [one, other] = [newEd25519(), newEd25519()];
const blobOf = (key: string): Buffer => Buffer.from(key.split(' ')[1] ?? '', 'base64');

function prepare(text: string): string {
	const folder = temporaryFolder();
	const path = join(folder, 'authorized_keys');
	writeFileSync(path, text, {mode: 0o600});
	return path;
}

async function open(path: string) {
	const reports: KeyFileReport[] = [];
	const clock = createFakeClock();
	const ring = await openKeyRing({path, clock, onRead: report => reports.push(report), onSettled() {}});
	onTestFinished(ring.close);
	return {
		ring,
		reports,
		clock,
		has: (...keys: readonly string[]) => keys.map(key => ring.find(blobOf(key)) !== undefined),
	};
}

test('the keys are those of the file, as it is at each try', async () => {
	const path = prepare(`${one}\ncommand="x" ${other}\n`);
	const {ring, reports, has} = await open(path);
	expect(has(one, other)).toEqual([true, false]);
	writeFileSync(path, other);
	await ring.refresh();
	expect(has(one, other)).toEqual([false, true]);
	await ring.refresh();
	expect(reports).toEqual([
		{keys: 1, refused: [{line: 2, reason: 'option command is not supported'}], fault: undefined},
		{keys: 1, refused: [], fault: undefined},
	]);
});

test('a reading on demand is reported once, also of a file that is as it was', async () => {
	const path = prepare(one);
	const {ring, reports, has} = await open(path);
	await ring.reread();
	writeFileSync(path, `${one}\n${other}`);
	await ring.reread();
	rmSync(path);
	await ring.reread();
	await ring.reread();
	const none = {keys: 0, refused: [], fault: 'it does not exist'};
	expect(reports.slice(1)).toEqual([
		{keys: 1, refused: [], fault: undefined, isSame: true},
		{keys: 2, refused: [], fault: undefined},
		none,
		{...none, isSame: true},
	]);
	expect(has(one)).toEqual([false]);
});

test('another file of the same size and age is read too', async () => {
	const path = prepare(one);
	const {ring, has} = await open(path);
	writeFileSync(`${path}.new`, other, {mode: 0o600});
	renameSync(`${path}.new`, path);
	await ring.refresh();
	expect(has(one, other)).toEqual([false, true]);
});

test.each([
	['is gone', (path: string) => rmSync(path), 'it does not exist'],
	['may be written by its group', (path: string) => chmodSync(path, 0o620), 'others can write to it; run chmod go-w'],
	[
		'is a folder',
		(path: string) => {
			rmSync(path);
			mkdirSync(path);
		},
		'it is not a regular file',
	],
	['is too large', (path: string) => writeFileSync(path, '#'.repeat(1_000_001)), 'it is larger than a megabyte'],
	[
		'is in a folder that others may write',
		(path: string) => {
			chmodSync(join(path, '..'), 0o777);
			writeFileSync(path, one);
		},
		'others can write to its folder FOLDER; run chmod go-w',
	],
])('while the file %s, no key opens; then they open again', async (_, spoil, fault) => {
	const path = prepare(one);
	const {ring, reports, has} = await open(path);
	const key = ring.find(blobOf(one));
	if (!key) throw new Error('no key');
	spoil(path);
	await ring.refresh();
	await ring.refresh();
	expect([has(one), ring.objection(key, '127.0.0.1')]).toEqual([[false], 'the server cannot read its keys']);
	expect(reports.slice(1)).toEqual([{keys: 0, refused: [], fault: fault.replace('FOLDER', join(path, '..'))}]);
	rmSync(path, {recursive: true, force: true});
	chmodSync(join(path, '..'), 0o700);
	writeFileSync(path, one, {mode: 0o600});
	await ring.refresh();
	expect([has(one), ring.objection(key, '127.0.0.1')]).toEqual([[true], undefined]);
	await expect(
		openKeyRing({path: `${path}x`, clock: createFakeClock(), onRead() {}, onSettled() {}}),
	).rejects.toThrow();
});

test.skipIf(process.getuid?.() !== 0)('a file of another user opens nothing', async () => {
	const path = prepare(one);
	const {ring, has} = await open(path);
	chownSync(path, 12_345, 12_345);
	await ring.refresh();
	expect(has(one)).toEqual([false]);
});

test('it does not open without a file, and then reports none', async () => {
	const path = `${prepare(one)}.missing`;
	const reports: KeyFileReport[] = [];
	const opening = openKeyRing({path, clock: createFakeClock(), onRead: report => reports.push(report), onSettled() {}});
	await expect(opening).rejects.toThrow('it does not exist');
	expect(reports).toEqual([]);
	const beyond = {path: join(prepare(one), 'keys'), clock: createFakeClock(), onRead() {}, onSettled() {}};
	await expect(openKeyRing(beyond)).rejects.toThrow('its folder is a file');
});

test('a link is followed, and what it leads to must be trusted', async () => {
	const path = prepare(one);
	symlinkSync(path, `${path}.link`);
	const {ring, has} = await open(`${path}.link`);
	expect(has(one)).toEqual([true]);
	chmodSync(path, 0o602);
	await ring.refresh();
	expect(has(one)).toEqual([false]);
});

test('says what became of a key', async () => {
	const path = prepare(`${one}\n${other}\n`);
	const {ring, clock} = await open(path);
	const [mine, theirs] = parseAuthorizedKeys(`${one}\n${other}\n`).keys;
	if (!mine || !theirs) throw new Error('no key');
	writeFileSync(path, `watch-only ${one}\n`);
	await ring.refresh();
	expect([mine, theirs].map(key => ring.objection(key, '127.0.0.1'))).toEqual([
		'your key was changed; log in again',
		'your key was removed',
	]);
	const soon = `expiry-time="20260101000100Z" ${one}`;
	writeFileSync(path, soon);
	await ring.refresh();
	const [expiring] = parseAuthorizedKeys(soon).keys;
	const objection = () => expiring && ring.objection(expiring, '127.0.0.1');
	expect(objection()).toBe(undefined);
	clock.jump(61_000);
	expect(objection()).toBe('the key expired on 2026-01-01 00:01:00 UTC');
});
