import {expect, test} from 'vitest';
import {read} from '../../source/cli/commands.ts';
import {answered, recordSample, startedAt} from '../recording/recordings.ts';

test('a read of a recording leaves signals to the system, which ends it also while SQLite works', async () => {
	const counts = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => process.listenerCount(signal));
	const before = counts();
	let during: readonly number[] = [];
	const path = recordSample([answered.markets([], startedAt + 1000)]);
	const reading = read({recording: path}, () => {
		during = counts();
		return {ask: 'info'};
	});
	await expect(reading).rejects.toThrow();
	expect(during).toEqual(before);
});
