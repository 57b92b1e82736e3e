import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createPace, type Priority} from '../../source/client/pace.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const start = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;

/** Never faster than `rate`. */
const openPace = (rate: number) => openGrowing(rate, rate);

function openGrowing(rate: number, maxRate?: number, random = () => 0) {
	const clock = createFakeClock(start);
	const pace = createPace({rate, maxRate, clock, random});
	const started: string[] = [];
	const ask = (name: string, priority: Priority = 1, signal?: AbortSignal) =>
		pace.start({operation: 'depth', priority, signal}).then(
			at => started.push(`${name} at ${at - start}`),
			(reason: unknown) => started.push(`${name} ${reason instanceof Error ? reason.name : reason}`),
		);
	return {clock, pace, started, ask};
}

test('starts requests at once until the rate is used up, then as the second frees them', async () => {
	const {clock, pace, started, ask} = openPace(2);
	for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
	await clock.advance(2000);
	expect(started).toEqual(['a at 0', 'b at 0', 'c at 1000', 'd at 1000', 'e at 2000']);
	expect(pace.budget()).toEqual({used: 5 / 3, allowed: 2});
	expect(clock.timers).toBe(0);
});

test('says until when a refusal holds requests back, in whole ms, and what the exchange asked for', async () => {
	const {clock, pace, ask} = openGrowing(2, 2, () => 1 / 3);
	await ask('a');
	pace.refused('depth', start, 5000);
	expect(pace.budget()).toMatchObject({freeAt: start + 5334, retryAfterMs: 5000});
	await clock.advance(6000);
	expect(pace.budget()).toMatchObject({freeAt: undefined, retryAfterMs: undefined});
});

test('counts the first requests, which open connections, from their answers', async () => {
	const {clock, pace, started, ask} = openPace(2);
	void ask('a');
	void ask('b');
	await clock.advance(80);
	pace.accepted('depth', start);
	for (const name of ['c', 'd', 'e']) void ask(name);
	await clock.advance(1000);
	pace.accepted('depth', start + 1080);
	await clock.advance(1000);
	expect(started).toEqual(['a at 0', 'b at 0', 'c at 1080', 'd at 1080', 'e at 2080']);
});

test('does not grow by requests that start at once', async () => {
	const clock = createFakeClock(start);
	// A millisecond passes whenever the time is read.
	let reads = 0;
	const pace = createPace({rate: 2, clock: {...clock, now: () => clock.now() + reads++}, random: () => 0});
	await pace.start({operation: 'depth', priority: 1});
	await pace.start({operation: 'depth', priority: 1});
	expect(pace.budget().allowed).toBe(2);
});

test('serves the focused panel first, then what is visible, then the background', async () => {
	const {clock, started, ask} = openPace(1);
	void ask('first');
	void ask('background', 2);
	void ask('visible', 1);
	void ask('focused', 0);
	void ask('focused too', 0);
	await clock.advance(4000);
	expect(started).toEqual([
		'first at 0',
		'focused at 1000',
		'focused too at 2000',
		'visible at 3000',
		'background at 4000',
	]);
});

test('has who wants little wait for no more than one request of who wants much, whatever its priority', async () => {
	const {clock, pace, started} = openPace(1);
	const [much, little] = [{}, {}];
	const ask = (name: string, owner: object, priority: Priority = 1) =>
		pace
			.start({operation: 'depth', priority, owners: () => [owner]})
			.then(at => started.push(`${name} at ${at - start}`));
	for (const name of ['a', 'b', 'c', 'd']) void ask(name, much, 0);
	await clock.advance(1000);
	void ask('x', little, 2);
	void ask('y', little);
	await clock.advance(4000);
	expect(started).toEqual(['a at 0', 'b at 1000', 'y at 2000', 'c at 3000', 'x at 4000', 'd at 5000']);
});

test('starts a background request behind a busy focused panel in time', async () => {
	const {clock, started, ask} = openPace(1);
	void ask('first');
	void ask('background', 2);
	for (let second = 0; second < 8; second++) {
		void ask(`focused ${second}`, 0);
		await clock.advance(1000);
	}

	expect(started.slice(4, 7)).toEqual(['focused 3 at 4000', 'background at 5000', 'focused 4 at 6000']);
});

test('an aborted wait makes room and leaves no timer', async () => {
	const {clock, started, ask} = openPace(1);
	const controller = new AbortController();
	void ask('first');
	void ask('second', 1, controller.signal);
	void ask('third');
	controller.abort();
	void ask('fourth', 1, AbortSignal.abort());
	await clock.advance(1000);
	expect(started).toEqual(['first at 0', 'second AbortError', 'fourth AbortError', 'third at 1000']);
	const last = new AbortController();
	void ask('last', 1, last.signal);
	expect(clock.timers).toBe(1);
	last.abort();
	expect(clock.timers).toBe(0);
});

describe('after a refusal', () => {
	test('waits twice as long with each refusal in a row, up to 8 s, or as long as Retry-After asks', async () => {
		const {clock, pace, ask} = openPace(8);
		const waits: number[] = [];
		const waitMs = () => (pace.budget().freeAt ?? 0) - clock.now();
		for (let count = 0; count < 6; count++) {
			await clock.advance(10_000);
			void ask('a');
			pace.refused('depth', clock.now());
			waits.push(waitMs());
		}

		expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
		await clock.advance(60_000);
		pace.refused('depth', clock.now(), 45_000);
		expect(waitMs()).toBe(45_000);
		await clock.advance(60_000);
		pace.accepted('depth', clock.now());
		pace.refused('depth', clock.now());
		expect(waitMs()).toBe(1000);
	});

	test('sends one request after five minutes of a longer wait, and the others after its answer', async () => {
		const {clock, pace, started, ask} = openGrowing(8, 8, () => 0.9);
		pace.refused('depth', start, hourMs);
		for (const name of ['a', 'b', 'c']) void ask(name);
		await clock.advance(299_999);
		expect([started, pace.budget().retryAfterMs]).toEqual([[], hourMs]);
		await clock.advance(301);
		expect([started, pace.budget().retryAfterMs]).toEqual([['a at 300000'], hourMs]);
		pace.accepted('depth', start + 300_000);
		expect(pace.budget().retryAfterMs).toBeUndefined();
		await clock.advance(1000);
		expect(started.slice(1)).toEqual(['b at 300548', 'c at 300786']);
	});

	test('waits five minutes more when that request is refused, and 5 s when it is not answered', async () => {
		const {clock, pace, started, ask} = openPace(8);
		pace.refused('depth', start, hourMs);
		for (const name of ['a', 'b', 'c']) void ask(name);
		await clock.advance(300_100);
		pace.refused('depth', start + 300_000, hourMs);
		await clock.advance(300_000 + 4999);
		expect(started).toEqual(['a at 300000', 'b at 600100']);
		await clock.advance(1);
		expect(started).toEqual(['a at 300000', 'b at 600100', 'c at 605100']);
	});

	test('sends one request at once when the pause is ended, whatever the rate has become', async () => {
		const {clock, pace, started, ask} = openPace(1);
		for (let count = 0; count < 9; count++) pace.refused('depth', clock.now(), hourMs);
		void ask('a');
		void ask('b');
		await clock.advance(1000);
		pace.endPause();
		await clock.advance(100);
		expect([started, pace.budget().retryAfterMs]).toEqual([['a at 1000'], hourMs]);
		pace.refused('depth', start + 1000, hourMs);
		pace.endPause();
		await clock.advance(100);
		expect(started).toEqual(['a at 1000', 'b at 1100']);
		expect(clock.timers).toBe(0);
	});

	test('halves once for requests that were under way together', async () => {
		const {clock, pace, ask} = openPace(8);
		await Promise.all([ask('a'), ask('b')]);
		await clock.advance(10);
		pace.refused('depth', start, 0);
		pace.refused('depth', start, 0);
		expect(pace.budget().allowed).toBe(4);
		pace.refused('depth', start + 10, 0);
		expect(pace.budget().allowed).toBe(2);
	});

	test('starts requests one by one, evenly spaced', async () => {
		const {clock, pace, started, ask} = openPace(4);
		pace.refused('depth', start, 0);
		await clock.advance(20_000);
		for (const name of ['a', 'b', 'c']) void ask(name);
		await clock.advance(1000);
		// At 0.91 of the rate that was refused.
		expect(started).toEqual(['a at 20000', 'b at 20275', 'c at 20550']);
	});

	test('never falls below one request in fifty seconds', () => {
		const {clock, pace} = openPace(1);
		for (let count = 0; count < 9; count++) pace.refused('depth', clock.now(), 0);
		expect(pace.budget().allowed).toBe(0.02);
	});

	test('is just below the refused rate ten seconds after the wait, and where it was 30 seconds later', async () => {
		const {clock, pace} = openPace(6);
		pace.refused('depth', start, 20_000);
		const allowed: number[] = [];
		for (const ms of [20_000, 1000, 9000, 15_000, 7500, 7500, 3_600_000]) {
			await clock.advance(ms);
			allowed.push(Number(pace.budget().allowed.toFixed(2)));
		}

		expect(allowed).toEqual([3, 3.55, 5.46, 5.46, 5.72, 6, 6]);
	});

	test('stays twice as long below a limit that is met again and again, up to 15 minutes', async () => {
		const {clock, pace, ask} = openGrowing(6, 6);
		const stays: number[] = [];
		for (let count = 0; count < 10; count++) {
			pace.refused('depth', clock.now(), 0);
			pace.accepted('depth', clock.now());
			const {freeAt = clock.now()} = pace.budget();
			await clock.advance(freeAt - clock.now() + 10_000);
			const aim = pace.budget().allowed;
			for (let ms = 0; ; ms += 1000, await clock.advance(1000)) {
				void ask('a');
				if (pace.budget().allowed === aim) continue;
				stays.push(Math.round(ms / 5000) * 5);
				break;
			}
		}

		expect(stays).toEqual([15, 15, 15, 30, 60, 120, 240, 480, 900, 900]);
	});
});

describe('while no limit is known', () => {
	test('grows by a tenth of the first rate for each second that requests wait', async () => {
		const {clock, pace, ask} = openGrowing(5);
		for (let count = 0; count < 100; count++) void ask('a');
		await clock.advance(10_000);
		expect(pace.budget().allowed).toBeGreaterThan(9);
		expect(pace.budget().allowed).toBeLessThan(11);
	});

	test('never starts or grows beyond the max rate', async () => {
		const {clock, pace, ask} = openGrowing(5, 6);
		for (let count = 0; count < 100; count++) void ask('a');
		await clock.advance(10_000);
		expect(pace.budget().allowed).toBe(6);
		expect(openGrowing(9, 6).pace.budget().allowed).toBe(6);
	});

	test('does not grow while requests fail', async () => {
		const {clock, pace, ask} = openGrowing(2);
		const allowedAfter = async (hasAnswer: boolean) => {
			pace.ended(hasAnswer);
			for (let count = 0; count < 6; count++) void ask('a');
			await clock.advance(3000);
			return pace.budget().allowed;
		};
		expect(await allowedAfter(false)).toBe(2);
		expect(await allowedAfter(true)).toBeGreaterThan(2);
	});

	test('does not grow for the background, which can wait, nor while nobody waits', async () => {
		const {clock, pace, ask} = openGrowing(2);
		for (let count = 0; count < 20; count++) void ask('a', 2);
		await clock.advance(10_000);
		for (let count = 0; count < 20; count++) {
			void ask('a');
			await clock.advance(500);
		}

		expect(pace.budget().allowed).toBe(2);
	});

	test('does not count sleep as waiting', async () => {
		const {clock, pace, ask} = openGrowing(2);
		for (let count = 0; count < 5; count++) void ask('a');
		clock.jump(8 * hourMs);
		await clock.advance(1000);
		expect(pace.budget().allowed).toBeLessThanOrEqual(2.2);
	});
});

test('continues after the clock is set back', async () => {
	const {clock, pace, started, ask} = openPace(1);
	void ask('before');
	await clock.advance(500);
	clock.jump(-3_600_000);
	void ask('after');
	await clock.advance(1000);
	// By the pace's own clock, which never goes back.
	expect(started).toEqual(['before at 0', 'after at 1000']);
	expect(pace.budget().freeAt).toBe(clock.now() + 1000);
});

test('never starts more than the rate in any second, whatever the order of requests', async () => {
	const request = fc.record({afterMs: fc.integer({min: 0, max: 700}), priority: fc.constantFrom<Priority[]>(0, 1, 2)});
	await fc.assert(
		fc.asyncProperty(fc.integer({min: 1, max: 8}), fc.array(request, {maxLength: 40}), async (rate, requests) => {
			const clock = createFakeClock(0);
			const pace = createPace({rate, maxRate: rate, clock, random: () => 0});
			const starts: number[] = [];
			for (const {afterMs, priority} of requests) {
				await clock.advance(afterMs);
				void pace.start({operation: 'depth', priority}).then(at => starts.push(at));
			}

			await clock.advance(60_000);
			expect(starts).toHaveLength(requests.length);
			for (const [index, first] of starts.entries()) {
				expect(starts.slice(index).filter(at => at < first + 1000).length).toBeLessThanOrEqual(rate);
			}
		}),
		{numRuns: 50},
	);
});
