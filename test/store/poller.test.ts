import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ExchangeError} from '../../source/client/errors.ts';
import {createPoller} from '../../source/store/poller.ts';
import type {Failure} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {aborted, timeout, tooMany, unavailable} from './samples.ts';

type Run = {
	readonly at: number;
	readonly signal: AbortSignal;
	readonly newerThan: number;
	answer(value: string): void;
	fail(error: ExchangeError): void;
};

function setUp({
	intervalMs = 1000,
	reply = (_run: Run) => {},
	wantedMs = (_answer: string) => Infinity,
	answeredAt = (_answer: string): number | undefined => undefined,
	isCached = false,
	hasProbe = true,
	random = 0,
} = {}) {
	const clock = createFakeClock(0);
	const runs: Run[] = [];
	const answers: string[] = [];
	const failures: Failure[] = [];
	const poller = createPoller<string>({
		clock,
		operation: 'depth',
		intervalMs,
		wantedMs,
		dated: answer => {
			const receivedAt = answeredAt(answer);
			if (receivedAt === undefined) return undefined;
			return isCached
				? {receivedAt, cache: {isHit: true, isSaid: true, ageMs: clock.now() - receivedAt}}
				: {receivedAt};
		},
		hasProbe: () => hasProbe,
		random: () => random,
		run: call =>
			new Promise((resolve, reject) => {
				const run: Run = {...call, at: clock.now(), answer: resolve, fail: reject};
				runs.push(run);
				reply(run);
			}),
		onAnswer: answer => answers.push(answer),
		onFailure: failure => failures.push(failure),
	});
	const last = () => {
		const run = runs.at(-1);
		if (!run) throw new Error('never polled');
		return run;
	};

	return {clock, runs, answers, failures, poller, last, times: () => runs.map(run => run.at)};
}

type Poller = ReturnType<typeof setUp>['poller'];
const [start, stop, now] = (['start', 'stop', 'now'] as const).map(name => (poller: Poller) => poller[name]());

test.each([
	['polls at once and then every interval', 1000, [start, 3500], [0, 1000, 2000, 3000]],
	['polls once where one answer is enough', Number.POSITIVE_INFINITY, [start, 86_400_000], [0]],
	['polls at once when started again after its turn', 1000, [start, 500, stop, 5000, start], [0, 5500]],
	['waits for its turn when started again before it', 1000, [start, 200, stop, 200, start, 700], [0, 1000]],
	['counts the interval from a requested poll', 1000, [start, 400, now, 1000], [0, 400, 1400]],
])('%s', async (_name, intervalMs, steps, expected) => {
	const {clock, poller, times} = setUp({intervalMs, reply: run => run.answer('a')});
	for (const step of steps) {
		if (typeof step === 'number') await clock.advance(step);
		else step?.(poller);
	}

	expect(times()).toEqual(expected);
});

test('repeats a pending request within a second after a sleep', async () => {
	const {clock, runs, poller, answers, failures, times} = setUp();
	poller.start();
	await clock.advance(2500);
	expect([times(), runs[0]?.signal.aborted]).toEqual([[0], false]);
	clock.jump(8 * 3_600_000);
	await clock.advance(499);
	expect(runs).toHaveLength(1);
	await clock.advance(1);
	expect([times(), runs[0]?.signal.aborted]).toEqual([[0, 8 * 3_600_000 + 3000], true]);
	runs[0]?.answer('of the evening');
	runs[1]?.answer('of the morning');
	await clock.advance(0);
	expect([answers, failures]).toEqual([['of the morning'], []]);
	poller.stop();
	expect(clock.timers).toBe(0);
});

test('polls sooner where an answer needs it, and never later', async () => {
	const wanted = [300, 5000, 400];
	const {clock, poller, times} = setUp({reply: run => run.answer('a'), wantedMs: () => wanted.shift() ?? 1000});
	poller.start();
	await clock.advance(3000);
	expect(times()).toEqual([0, 300, 1300, 1700, 2700]);
});

test.each([
	['polls one interval after an answer that is older than its poll', [300, 600], [0, 700, 1100]],
	['leaves a seventh of the interval between two polls', [900, 2499], [0, 143, 286]],
	['keeps its interval where the answer is 2.5 intervals old', [2500, 5000], [0, 1000, 2000]],
])('%s', async (_name, ages, expected) => {
	const agesOfNext = [...ages];
	const {clock, poller, times} = setUp({
		reply: run => run.answer('a'),
		answeredAt: () => clock.now() - (agesOfNext.shift() ?? 0),
	});
	poller.start();
	await clock.advance(2000);
	expect(times().slice(0, 3)).toEqual(expected);
});

test('joins readers of one answer in one rhythm, one interval after it', async () => {
	let answeredAt = 0;
	const {clock, poller, times} = setUp({reply: run => run.answer('a'), answeredAt: () => answeredAt});
	const share = () => {
		answeredAt = clock.now();
		clock.after(1000, share);
	};
	share();
	await clock.advance(730);
	poller.start();
	await clock.advance(5000);
	expect(times()).toEqual([730, 1000, 2000, 3000, 4000, 5000]);
});

test('never stacks polls when answers are slow, and skips the turns that they missed', async () => {
	const {clock, poller, runs, answers, last, times} = setUp();
	poller.start();
	await clock.advance(3200);
	expect(runs).toHaveLength(1);
	last().answer('slow');
	await clock.advance(799);
	expect(runs).toHaveLength(1);
	await clock.advance(1);
	expect(times()).toEqual([0, 4000]);
	expect(answers).toEqual(['slow']);
});

test('has one request at a time, whatever is called and however slow the answers are', async () => {
	const step = fc.oneof(
		fc.constantFrom('start', 'stop', 'now', 'reset', 'catchUp', 'retry', 'answer', 'fail'),
		fc.nat({max: 4000}),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, {maxLength: 40}), async steps => {
			const {clock, poller, runs} = setUp();
			const settled = new Set<Run>();
			for (const next of steps) {
				const oldest = runs.find(run => !settled.has(run));
				if (typeof next === 'number') await clock.advance(next);
				else if (next !== 'answer' && next !== 'fail') poller[next]();
				else if (oldest) {
					settled.add(oldest);
					if (next === 'answer') oldest.answer('a');
					else oldest.fail(timeout());
				}

				await clock.advance(0);
				expect(runs.filter(run => !run.signal.aborted && !settled.has(run)).length).toBeLessThanOrEqual(1);
			}

			poller.stop();
			poller.reset();
			expect(clock.timers).toBe(0);
			expect(runs.every(run => run.signal.aborted || settled.has(run))).toBe(true);
		}),
	);
});

test('doubles its wait after each failure, reports since and until when, and returns to its interval', async () => {
	const error = timeout();
	let failing = true;
	const {clock, poller, failures, times} = setUp({reply: run => (failing ? run.fail(error) : run.answer('a'))});
	poller.start();
	await clock.advance(3000);
	failing = false;
	await clock.advance(6000);
	expect(times()).toEqual([0, 1000, 3000, 7000, 8000, 9000]);
	expect(failures).toEqual([
		{error, since: 0, retryAt: 1000},
		{error, since: 0, retryAt: 3000},
		{error, since: 0, retryAt: 7000},
	]);
});

test('counts a new run of failures from its own first one', async () => {
	const {clock, poller, failures, last} = setUp();
	poller.start();
	last().fail(timeout());
	await clock.advance(1000);
	last().answer('a');
	await clock.advance(1000);
	last().fail(timeout());
	await clock.advance(0);
	expect(failures.map(({since, retryAt}) => [since, retryAt])).toEqual([
		[0, 1000],
		[2000, 3000],
	]);
});

test('retries what the exchange does not offer only on request', async () => {
	const error = unavailable('info');
	const {clock, poller, failures, times} = setUp({reply: run => run.fail(error)});
	poller.start();
	await clock.advance(3_600_000);
	expect(times()).toEqual([0]);
	expect(failures).toEqual([{error, since: 0, retryAt: undefined}]);
	poller.now();
	expect(times()).toEqual([0, 3_600_000]);
});

test('reports no aborted request, and keeps polling', async () => {
	const {clock, poller, failures, times} = setUp({reply: run => run.fail(aborted())});
	poller.start();
	await clock.advance(1000);
	expect(times()).toEqual([0, 1000]);
	expect(failures).toEqual([]);
});

test('aborts and stays silent when stopped', async () => {
	const {clock, poller, answers, last, times} = setUp();
	poller.start();
	poller.stop();
	expect(last().signal.aborted).toBe(true);
	last().answer('late');
	await clock.advance(60_000);
	expect({answers, times: times(), timers: clock.timers}).toEqual({answers: [], times: [0], timers: 0});
});

test('polls once on request while stopped, and announces no retry', async () => {
	const {clock, poller, failures, times} = setUp({reply: run => run.fail(timeout())});
	poller.now();
	await clock.advance(60_000);
	expect(times()).toEqual([0]);
	expect(failures.map(failure => failure.retryAt)).toEqual([undefined]);
});

test('catches up on a poll that was due during a sleep', async () => {
	const {clock, poller, times} = setUp({intervalMs: 300_000, reply: run => run.answer('a')});
	poller.start();
	await clock.advance(1000);
	poller.catchUp();
	expect(times()).toEqual([0]);
	clock.jump(8 * 3_600_000);
	poller.catchUp();
	expect(times()).toEqual([0, 1000 + 8 * 3_600_000]);
});

test.each([
	['between two polls', 0, -3_600_000],
	['during a request', -3_600_500, 0],
])('polls within an interval after the clock is set back %s', async (_name, duringMs, afterMs) => {
	const {clock, poller, runs, last} = setUp();
	poller.start();
	clock.jump(duringMs);
	last().answer('a');
	await clock.advance(100);
	clock.jump(afterMs);
	poller.stop();
	poller.start();
	await clock.advance(1000);
	expect(runs).toHaveLength(2);
});

test.each([
	['refuses the answer', (run: Run | undefined) => run?.answer('old')],
	['refuses the failure', (run: Run | undefined) => run?.fail(timeout())],
])('%s of an aborted request', async (_name, settle) => {
	const {clock, poller, runs, answers, failures, last} = setUp();
	poller.start();
	poller.reset();
	expect(runs.map(run => run.signal.aborted)).toEqual([true, false]);
	last().answer('new');
	await clock.advance(0);
	settle(runs[0]);
	await clock.advance(0);
	expect({answers, failures}).toEqual({answers: ['new'], failures: []});
});

test.each([
	['retries a failed poll at once', (run: Run) => run.fail(timeout()), 10_000, [0, 1000, 3000, 7000, 10_000]],
	['keeps the turn of a healthy poller', (run: Run) => run.answer('a'), 500, [0]],
	['waits out Retry-After', (run: Run) => run.fail(tooMany(20_000)), 10_000, [0]],
])('%s when the exchange is back', async (_name, reply, afterMs, expected) => {
	const {clock, poller, times} = setUp({reply});
	poller.start();
	await clock.advance(afterMs);
	poller.retry();
	expect(times()).toEqual(expected);
});

test('says to each read when the last one ended, until it starts over', async () => {
	const {clock, runs, poller, last} = setUp();
	poller.start();
	await clock.advance(300);
	last().answer('a');
	await clock.advance(700);
	last().fail(timeout());
	await clock.advance(1000);
	poller.reset();
	expect(runs.map(({at, newerThan}) => [at, newerThan])).toEqual([
		[0, 0],
		[1000, 300],
		[2000, 1000],
		[2000, 0],
	]);
});

test.each([
	['a read', () => Promise.reject(new TypeError('no such field')), () => {}],
	[
		'a read that throws at once',
		() => {
			throw new TypeError('no such field');
		},
		() => {},
	],
	[
		'what is done with its answer',
		() => Promise.resolve('answer'),
		() => {
			throw new TypeError('no such field');
		},
	],
])('a defect in %s is a failure with a warning, and the next poll comes', async (_name, run, onAnswer) => {
	const clock = createFakeClock(0);
	const failures: string[] = [];
	const warnings: string[] = [];
	const onWarning = ({message}: Error) => void warnings.push(message.split('\n')[0] ?? '');
	process.on('warning', onWarning);
	const poller = createPoller<string>({
		...{clock, operation: 'depth', intervalMs: 1000, random: () => 0, run, onAnswer},
		onFailure: ({error}) => failures.push(`${clock.now()} ${error.operation} ${error.kind}: ${error.words.text}`),
	});
	poller.start();
	await clock.advance(1500);
	await new Promise(resolve => setImmediate(resolve));
	poller.stop();
	process.off('warning', onWarning);
	const failure = 'depth defect: defect of Tapewatch: TypeError: no such field';
	expect(failures).toEqual([`0 ${failure}`, `1000 ${failure}`]);
	expect(warnings).toEqual(['TypeError: no such field', 'TypeError: no such field']);
});

test('learns the rhythm of a cache anew after a reset', async () => {
	const {clock, poller, times} = setUp({
		...{intervalMs: 7000, isCached: true, answeredAt: () => -3000},
		reply: run => run.answer('a'),
	});
	poller.start();
	await clock.advance(100);
	poller.reset();
	await clock.advance(2800);
	// An answer that came again is asked for again a step later.
	expect(times()).toEqual([0, 100]);
});

test.each([
	['after an interval that is shorter than a second', {intervalMs: 400}, timeout(), [0, 400, 800]],
	['after a second', {intervalMs: 5000}, timeout(), [0, 1000, 2000]],
	['no later than it would else', {intervalMs: 1000, random: 0.8}, timeout(), [0, 800, 1800]],
	['not while the exchange does not offer it', {intervalMs: 1000}, unavailable('depth'), [0]],
])('polls again when the exchange is back, %s', async (_, options, error, expected) => {
	const {clock, poller, times} = setUp({...options, reply: run => run.fail(error)});
	poller.start();
	for (let failures = 0; failures < 2; failures++) {
		await clock.advance(1);
		poller.retry();
		await clock.advance((expected[failures + 1] ?? 1000 * (failures + 1)) - clock.now());
	}

	expect(times()).toEqual(expected);
});
