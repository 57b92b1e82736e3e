import {existsSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test, vi} from 'vitest';
import {RecordingError} from '../../source/recording/recorded-columns.ts';
import {type Recording, type RecordingStatus, startRecording} from '../../source/recording/start-recording.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {book, timeout, trade} from '../store/samples.ts';
import {answered, exchange, query, recordSample, start, startedAt, temporaryFolder} from './recordings.ts';

async function setUp(path = join(temporaryFolder(), 'sample.twr'), keepMs?: number) {
	const clock = createFakeClock(startedAt);
	const recording = await startRecording({path, exchange, start: start(), clock, keepMs});
	onTestFinished(async () => void (await recording.end()));
	/** Lets seconds pass until what the thread says is so. */
	const flushed = async (isDone: (status: RecordingStatus) => boolean) => {
		for (let isSo = false; !isSo; isSo = isDone(recording.status.getSnapshot())) {
			const answer = answerOf(recording);
			await clock.advance(1000);
			await answer;
		}
	};
	return {clock, recording, path, flushed};
}

/** Settles when the thread answers next. */
const answerOf = ({status}: Recording): Promise<void> =>
	new Promise(resolve => {
		const unsubscribe = status.subscribe(() => {
			unsubscribe();
			resolve();
		});
	});

const reasonOf = ({status}: Recording): string | undefined => status.getSnapshot().ended?.reason;

test('writes what was added once a second, and the rest at its end', async () => {
	const {recording, path, flushed, clock} = await setUp();
	recording.add(answered.depth(book(100), startedAt));
	await flushed(({counts}) => counts.books === 1);
	expect(recording.status.getSnapshot()).toEqual({
		...{since: startedAt, bytes: expect.any(Number)},
		counts: {answers: 1, failures: 0, trades: 0, books: 1, gaps: 0},
	});
	expect(query(path, 'SELECT ask FROM best')).toEqual([{ask: 101}]);
	recording.add(answered.trades([trade(1, startedAt)], startedAt + 1000));
	recording.addAlert({time: startedAt, symbol: 'BTCUSDT', rule: 'last > 1', message: 'last 100'});
	expect(await recording.end()).toBe(true);
	expect(recording.status.getSnapshot().ended).toEqual({at: clock.now(), reason: undefined});
	expect(query(path, 'SELECT id FROM trades')).toEqual([{id: '1'}]);
	expect(query(path, 'SELECT message FROM alert')).toEqual([{message: 'last 100'}]);
	expect(query(path, 'SELECT process FROM session')).toEqual([{process: null}]);
	recording.add(answered.depth(book(100), startedAt));
	expect(await recording.end()).toBe(true);
});

test('the words of failures reach the file', async () => {
	const {recording, path} = await setUp();
	const error = timeout();
	recording.add(answered.depth({...book(1), bidsFailure: error}, startedAt, {preferredFailure: error}));
	recording.add({question: {ask: 'info'}, sentAt: startedAt, endedAt: startedAt, failure: error});
	await recording.end();
	const rows = query(path, 'SELECT notes FROM answer').map(({notes}) => JSON.parse(String(notes)));
	expect(rows).toMatchObject([
		{preferredFailure: {words: error.words}, bidsFailure: {words: error.words}},
		{words: error.words},
	]);
});

test('a file that cannot be recorded is refused in words', async () => {
	const path = join(temporaryFolder(), 'file');
	writeFileSync(path, 'a text');
	const refused = startRecording({path, exchange, start: start(), clock: createFakeClock(startedAt)});
	await expect(refused).rejects.toThrow(new RecordingError(`${path} is not a recording`));
});

test('a recording with damaged trades is not recorded on, and says how to save what can be read', async () => {
	const path = recordSample([answered.trades([trade(1, startedAt)], startedAt)]);
	const db = new DatabaseSync(path);
	db.exec("UPDATE trade SET times = '[1,'");
	db.close();
	const {recording} = await setUp(path);
	recording.add(answered.trades([trade(2, startedAt)], startedAt + 1000));
	await recording.end();
	expect(reasonOf(recording)).toBe(
		`${path} is damaged: choose another file. To save what can be read: sqlite3 FILE .recover | sqlite3 NEWFILE`,
	);
});

test.each([
	['removed', (path: string) => rmSync(path)],
	[
		'replaced',
		(path: string) => {
			renameSync(path, `${path}.old`);
			writeFileSync(path, '');
		},
	],
])('a file that is %s while it is recorded ends the recording, with a reason', async (_, change) => {
	const {recording, path, flushed} = await setUp();
	await flushed(({bytes}) => bytes > 0);
	change(path);
	await flushed(({ended}) => ended !== undefined);
	expect(reasonOf(recording)).toBe(`${path} was moved, removed or replaced`);
	expect(await recording.end()).toBe(true);
});

test('a program that was upgraded while it ran asks to be restarted, and writes no file', async () => {
	vi.stubEnv('TAPEWATCH_VERSION', '9.9.9');
	onTestFinished(() => void vi.unstubAllEnvs());
	const path = join(temporaryFolder(), 'sample.twr');
	const started = startRecording({path, exchange, start: start(), clock: createFakeClock(startedAt)});
	await expect(started).rejects.toThrow(new RecordingError('Tapewatch was upgraded while it ran; restart it'));
	expect(existsSync(path)).toBe(false);
});

test('after the end of a recording, another one of the same process appends a session', async () => {
	const first = await setUp();
	first.recording.add(answered.depth(book(1), startedAt));
	await first.recording.end();
	const second = await setUp(first.path);
	second.recording.add(answered.depth(book(2), startedAt));
	await second.recording.end();
	expect(query(first.path, 'SELECT ask FROM best')).toEqual([{ask: 2}, {ask: 3}]);
});

test('a program that writes the file for a while only delays the recording, and what is removed from it', async () => {
	const {recording, path, flushed, clock} = await setUp(undefined, 8000);
	const other = new DatabaseSync(path, {timeout: 5000});
	other.exec('BEGIN IMMEDIATE');
	recording.add(answered.depth(book(1), startedAt));
	// In each of these seconds the thread writes, answers and removes, and waits for two seconds before it gives up either.
	for (let second = 1; second <= 2; second++) {
		const answer = answerOf(recording);
		await clock.advance(1000);
		await answer;
	}

	expect(reasonOf(recording)).toBeUndefined();
	other.exec('COMMIT');
	other.close();
	await flushed(({counts}) => counts.books === 1);
});

test('an end that takes longer than two seconds is not waited for', async () => {
	const {recording, path, clock} = await setUp();
	const other = new DatabaseSync(path, {timeout: 5000});
	other.exec('BEGIN IMMEDIATE');
	const ending = recording.end();
	await clock.advance(2000);
	expect(await ending).toBe(false);
	expect(reasonOf(recording)).toBe(`${path}: its disk does not answer`);
	other.exec('COMMIT');
	other.close();
});

test('a disk that does not answer for 30 s ends the recording, whatever time passes while the program is stopped', async () => {
	const {recording, path, clock} = await setUp();
	const other = new DatabaseSync(path, {timeout: 5000});
	other.exec('BEGIN IMMEDIATE');
	clock.jump(3_600_000);
	// The thread has no time to answer between these.
	const ticks = clock.advance(40_000);
	await vi.waitFor(() => expect(reasonOf(recording)).toBe(`${path}: its disk does not answer`), 30_000);
	await ticks;
	expect(await recording.end()).toBe(false);
	other.exec('COMMIT');
	other.close();
});

test('what is older than is kept is removed at the start and once an hour', async () => {
	const path = recordSample([answered.depth(book(1), startedAt - 120_000)], undefined, startedAt - 120_000);
	const {recording, flushed, clock} = await setUp(path, 60_000);
	const asks = () => query(path, 'SELECT ask FROM best').map(({ask}) => ask);
	recording.add(answered.depth(book(2), startedAt));
	await flushed(({counts}) => counts.books === 1 && asks().length === 1);
	expect(asks()).toEqual([3]);
	recording.add(answered.depth(book(3), startedAt));
	await clock.advance(1000);
	clock.jump(3_600_000);
	recording.add(answered.depth(book(4), clock.now()));
	await flushed(({counts}) => counts.books === 3 && asks().length === 2);
	// The last one before the time stays.
	expect(asks()).toEqual([4, 5]);
});

test('a short time is kept without waiting for an hour', async () => {
	const {recording, path, flushed} = await setUp(undefined, 8000);
	for (const second of [0, 1, 2]) recording.add(answered.depth(book(second), startedAt + second * 1000));
	const asks = () => query(path, 'SELECT ask FROM best').map(({ask}) => ask);
	await flushed(({counts}) => counts.books === 3);
	expect(asks()).toEqual([1, 2, 3]);
	await flushed(() => asks().length < 3);
	expect(asks()).toEqual([2, 3]);
});
