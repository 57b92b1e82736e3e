import {execFileSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {noState, type State} from '../../../source/cli/state/saved-state.ts';
import {openStateFile, statePath} from '../../../source/cli/state/state-file.ts';
import {type Clock, systemClock} from '../../../source/market/clock.ts';
import {programEnvironment} from '../../helpers/environment.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tapewatch-state-'));
	path = join(folder, 'tapewatch', 'state.json');
});
// A save that was given up may still be at work.
afterEach(() => rmSync(folder, {recursive: true, maxRetries: 20}));

const open = () => openStateFile(path, systemClock);
const favourites = (...symbols: readonly string[]): State => ({
	...noState,
	exchanges: {demo: {favourites: [...symbols]}},
});
const written = (): unknown => JSON.parse(readFileSync(path, 'utf8'));
const put = (text: string) => {
	mkdirSync(join(folder, 'tapewatch'));
	writeFileSync(path, text);
};

function leaveBehind(name: string): void {
	if (!existsSync(name)) writeFileSync(name, '');
	const longAgo = new Date(Date.now() - 61_000);
	utimesSync(name, longAgo, longAgo);
}

test('is never the one of the person who runs the tests', () => {
	expect(statePath(programEnvironment())).not.toBe(statePath({HOME: process.env.HOME}));
});

test('restores what was saved, and leaves no other file', async () => {
	const file = await open();
	expect(file.state).toEqual(noState);
	await file.save(noState, favourites('BTCUSDT'));
	expect((await open()).state).toEqual(favourites('BTCUSDT'));
	expect(readdirSync(join(folder, 'tapewatch'))).toEqual(['state.json']);
	expect(file.notices()).toEqual([]);
});

test('is not created when there is nothing to save', async () => {
	await (await open()).save(noState, noState);
	expect(readdirSync(folder)).toEqual([]);
});

test('instances that write at the same time keep all changes', async () => {
	const symbols = Array.from({length: 12}, (_, index) => `M${index}USDT`);
	await Promise.all(symbols.map(async symbol => (await open()).save(noState, favourites(symbol))));
	const {exchanges} = (await open()).state;
	expect(exchanges.demo?.favourites?.toSorted()).toEqual(symbols.toSorted());
});

test('keeps fields of a later version', async () => {
	put(JSON.stringify({...noState, view: {period: 60, mood: 'calm'}, exchanges: {other: {notes: ['x']}}}));
	await (await open()).save(noState, {...noState, view: {period: 15}});
	expect(written()).toEqual({
		version: 1,
		view: {period: 15, mood: 'calm'},
		exchanges: {other: {notes: ['x']}},
	});
});

test.each([
	['no JSON', '{\n"version": 1,', /JSON at position 15 \(line 2 column 14\)|JSON/],
	['another version', '{"version": 2, "exchanges": {}, "view": {}}', /version: Invalid input: expected 1/],
	[
		'a wrong field',
		'{"version": 1, "exchanges": {}, "view": {"period": "often"}}',
		/view\.period: Invalid input: expected number, received string/,
	],
	['no state', 'null', /Invalid input: expected object, received null/],
])('a file with %s is backed up, with a notice', async (_, text, why) => {
	put(text);
	const file = await open();
	expect(file.state).toEqual(noState);
	await file.save(noState, favourites('BTCUSDT'));

	const [aside = '', ...others] = readdirSync(join(folder, 'tapewatch')).filter(name => name !== 'state.json');
	expect(aside).toMatch(/^state\.json\.broken-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
	expect(others).toEqual([]);
	expect(readFileSync(join(folder, 'tapewatch', aside), 'utf8')).toBe(text);
	expect(written()).toEqual(favourites('BTCUSDT'));
	const [notice = '', ...more] = file.notices();
	expect(more).toEqual([]);
	expect(notice).toMatch(why);
	expect(notice).toContain(`the state file ${path} is broken (`);
	expect(notice).toContain(`; backed up as ${join(folder, 'tapewatch', aside)}`);
	expect(notice).not.toContain('\n');
});

test('a file that cannot be read is left alone, with one notice', async () => {
	mkdirSync(path, {recursive: true});
	const file = await open();
	await file.save(noState, favourites('BTCUSDT'));
	expect(file.notices()).toEqual([
		`cannot use the state file ${path}: it is a folder; favourites, layout and alerts are not saved`,
	]);
	expect(readdirSync(join(folder, 'tapewatch'))).toEqual(['state.json']);
});

test('a file that cannot be written gives a notice, not a failure', async () => {
	writeFileSync(join(folder, 'tapewatch'), 'a file where the folder would be');
	const file = await openStateFile(join(folder, 'tapewatch', 'deeper', 'state.json'), systemClock).catch(
		error => error,
	);
	expect(file.notices()).toHaveLength(1);
});

test('says at once whether anything can be saved, and creates nothing but the folder', async () => {
	expect(await (await open()).check()).toBeUndefined();
	expect(readdirSync(join(folder, 'tapewatch'))).toEqual([]);
	const file = await openStateFile(join(folder, 'tapewatch', 'state.json', 'deeper', 'state.json'), systemClock);
	writeFileSync(path, '{}');
	expect(await file.check()).toBe('its folder is a file');
	expect(file.notices()).toEqual([
		expect.stringMatching(/: its folder is a file; favourites, layout and alerts are not saved$/),
	]);
});

test.skipIf(process.platform !== 'linux')('names the permission that is missing', async () => {
	const file = await openStateFile('/sys/tapewatch/state.json', systemClock);
	expect(await file.check()).toMatch(/^(permission denied|the file system is read-only)$/);
});

test('a link to the file stays a link', async () => {
	const target = join(folder, 'elsewhere.json');
	put('{}');
	rmSync(path);
	writeFileSync(target, JSON.stringify(noState));
	symlinkSync(target, path);
	await (await open()).save(noState, favourites('BTCUSDT'));
	expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(favourites('BTCUSDT'));
	expect(written()).toEqual(favourites('BTCUSDT'));
});

test('a link that leads nowhere is followed', async () => {
	const target = join(folder, 'new', 'elsewhere.json');
	mkdirSync(join(folder, 'tapewatch'));
	symlinkSync(join('..', 'new', 'elsewhere.json'), path);
	await (await open()).save(noState, favourites('BTCUSDT'));
	expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual(favourites('BTCUSDT'));
	expect(readlinkSync(path)).toBe(join('..', 'new', 'elsewhere.json'));
});

test.each([
	['a pipe', () => execFileSync('mkfifo', [path])],
	['a device', () => symlinkSync('/dev/zero', path)],
])('%s is not read, with one notice', async (_, create) => {
	mkdirSync(join(folder, 'tapewatch'));
	create();
	const file = await open();
	await file.save(noState, favourites('BTCUSDT'));
	expect(file.notices()).toEqual([
		`cannot use the state file ${path}: it is not a regular file; favourites, layout and alerts are not saved`,
	]);
});

test('a save gives up after two seconds, with one notice', async () => {
	put(JSON.stringify(noState));
	const held = `${path}.lock`;
	writeFileSync(held, '');
	const clock = createFakeClock();
	const file = await openStateFile(path, clock);
	const saved = file.save(noState, favourites('BTCUSDT'));
	await clock.advance(2000);
	await saved;
	expect(file.notices()).toEqual([
		`cannot use the state file ${path}: it took longer than 2 s; favourites, layout and alerts are not saved`,
	]);
	expect(written()).toEqual(noState);
});

test('a save after one that hangs gives up in its own two seconds', async () => {
	put(JSON.stringify(noState));
	writeFileSync(`${path}.lock`, '');
	const clock = createFakeClock();
	const file = await openStateFile(path, clock);
	const saves = [file.save(noState, favourites('BTCUSDT'))];
	await clock.advance(1500);
	saves.push(file.save(noState, favourites('ETHUSDT')));
	await clock.advance(2000);
	await Promise.all(saves);
	expect(file.notices()).toHaveLength(1);
});

test('the two seconds of a save do not pass while the process is stopped', async () => {
	put(JSON.stringify(noState));
	let isOverdue = false;
	const clock: Clock = {
		...systemClock,
		after(ms, callback) {
			if (!isOverdue) return systemClock.after(ms, callback);
			isOverdue = false;
			queueMicrotask(callback);
			return () => {};
		},
	};
	const file = await openStateFile(path, clock);
	isOverdue = true;
	await file.save(noState, favourites('BTCUSDT'));
	expect([file.notices(), written()]).toEqual([[], favourites('BTCUSDT')]);
});

test('reports each save that fails and the first that works again, and has no notice of it at the end', async () => {
	put(JSON.stringify(noState));
	const lock = `${path}.lock`;
	mkdirSync(lock);
	const file = await open();
	const faults: (string | undefined)[] = [];
	file.onFault(fault => faults.push(fault));
	const save = () => file.save(noState, favourites('BTCUSDT'));
	expect([await save(), await save()]).toEqual([false, false]);
	rmSync(lock, {recursive: true});
	expect([await save(), await save()]).toEqual([true, true]);
	const fault = `${lock} is a folder`;
	expect([faults, file.notices(), written()]).toEqual([[fault, fault, undefined], [], favourites('BTCUSDT')]);
});

test('what killed instances left behind is removed, and nothing else', async () => {
	put(JSON.stringify(noState));
	const oldFolder = `${path}.19.tmp`;
	mkdirSync(oldFolder);
	for (const name of [oldFolder, `${path}.17.tmp`, `${path}.lock.17`, `${path}.17.bak`]) leaveBehind(name);
	writeFileSync(`${path}.18.tmp`, '');
	await (await open()).save(noState, favourites('BTCUSDT'));
	expect(readdirSync(join(folder, 'tapewatch')).sort()).toEqual([
		'state.json',
		'state.json.17.bak',
		'state.json.18.tmp',
		'state.json.19.tmp',
	]);
});

test('a lock that a killed instance left behind is taken over', async () => {
	put(JSON.stringify(noState));
	leaveBehind(`${path}.lock`);
	await (await open()).save(noState, favourites('BTCUSDT'));
	expect(written()).toEqual(favourites('BTCUSDT'));
	expect(readdirSync(join(folder, 'tapewatch'))).toEqual(['state.json']);
});
