import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {createRewindRecorder} from '../../../source/cli/commands/monitor-rewind.ts';
import type {Context} from '../../../source/cli/context.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {temporaryFolder} from '../../recording/recordings.ts';

function contextOf(): Context {
	const clock = createFakeClock(0);
	const context: Partial<Context> = {clock, exchange: createFakeExchange(clock), exchangeName: 'demo'};
	return {...context, options: {}} as Context;
}

afterEach(() => vi.unstubAllEnvs());

test('keeps what is read in a folder that others cannot read, in place of those of programs that were killed', async () => {
	const folder = temporaryFolder();
	vi.stubEnv('TMPDIR', folder);
	const killed = spawnSync('true').pid;
	const others = [`tapewatch-rewind-${process.ppid}-abc`, 'tapewatch-rewind-notes', 'tapewatch-other'];
	for (const name of [...others, `tapewatch-rewind-${killed}-abc`]) mkdirSync(join(folder, name));
	const rewind = createRewindRecorder(contextOf(), 60_000);
	const own = readdirSync(folder).filter(name => !others.includes(name));
	expect(own).toEqual([expect.stringMatching(`^tapewatch-rewind-${process.pid}-`)]);
	expect(statSync(join(folder, own[0] ?? '')).mode & 0o777).toBe(0o700);
	await rewind.stop();
	expect(readdirSync(folder).sort()).toEqual(others.toSorted());
});

test('keeps nothing, and goes on, where no folder can be created', async () => {
	vi.stubEnv('TMPDIR', join(temporaryFolder(), 'missing'));
	const context = contextOf();
	const rewind = createRewindRecorder(context, 60_000);
	expect(rewind.exchange).toBe(context.exchange);
	await rewind.stop();
});
