import {expect, test} from 'vitest';
import {createTurns} from '../../../source/cli/serve/faults.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

function setUp() {
	const clock = createFakeClock(0);
	const queue: (() => void)[] = [];
	const turns = createTurns(clock, run => queue.push(run));
	const done: string[] = [];
	const turn = () => {
		queue.shift()?.();
		return done.splice(0);
	};
	return {clock, turns, turn, queue, done};
}

test('runs timers that are due at once one a turn, in their order', async () => {
	const {clock, turns, turn, queue, done} = setUp();
	for (const name of ['a', 'b', 'c']) turns.after(10, () => done.push(name));
	await clock.advance(10);
	expect(done).toEqual([]);
	expect([turn(), turn(), turn(), turn()]).toEqual([['a'], ['b'], ['c'], []]);
	expect(queue).toEqual([]);
});

test('does not run a timer that is cancelled while it waits for its turn', async () => {
	const {clock, turns, turn, done} = setUp();
	const cancel = turns.after(10, () => done.push('a'));
	turns.after(10, () => done.push('b'));
	await clock.advance(10);
	cancel();
	expect([turn(), turn()]).toEqual([[], ['b']]);
});
