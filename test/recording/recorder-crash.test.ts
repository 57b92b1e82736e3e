import {join} from 'node:path';
import type {Worker} from 'node:worker_threads';
import {expect, test, vi} from 'vitest';
import {startRecording} from '../../source/recording/start-recording.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {book} from '../store/samples.ts';
import {answered, exchange, query, start, startedAt, temporaryFolder} from './recordings.ts';

const threads: Worker[] = vi.hoisted(() => []);

vi.mock('node:worker_threads', async original => {
	const actual = await original<typeof import('node:worker_threads')>();
	class Observed extends actual.Worker {
		constructor(...options: ConstructorParameters<typeof Worker>) {
			super(...options);
			threads.push(this);
		}
	}

	return {...actual, Worker: Observed};
});

test('a recorder whose thread dies says so, and what was written stays', async () => {
	const clock = createFakeClock(startedAt);
	const path = join(temporaryFolder(), 'sample.twr');
	const recording = await startRecording({path, exchange, start: start(), clock});
	recording.add(answered.depth(book(100), startedAt));
	await clock.advance(1000);
	await vi.waitFor(() => expect(recording.status.getSnapshot().counts.books).toBe(1), {timeout: 10_000});
	await threads[0]?.terminate();
	expect(recording.status.getSnapshot().ended).toEqual({at: clock.now(), reason: `${path}: the recorder stopped`});
	expect(await recording.end()).toBe(true);
	expect(query(path, 'SELECT ask FROM best')).toEqual([{ask: 101}]);
});
