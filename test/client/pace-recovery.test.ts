/** The budget after an exchange has refused for a while what it accepts again. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createPace} from '../../source/client/pace.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const operations = ['v2 depth', 'v2 trades', 'v2 ticker', 'v2 candles'] as const;
type Operation = (typeof operations)[number];
type Sent = {readonly at: number; readonly operation: Operation; readonly admitted: boolean};

const minute = 60_000;
/** When the refusals begin. */
const begin = 30_000;
const latencyMs = 50;

/** All promises of one request: nothing here waits for more than the clock. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 8; turn++) await undefined;
}

type Exchange = {
	/** Whether it refuses a request, `ms` after the refusals began. */
	readonly refuses: (operation: Operation, ms: number) => boolean;
	readonly lastsMs: number;
	readonly retryAfterMs?: number | undefined;
};

/** What panels that ask for every operation, again as soon as they are answered, send until three minutes after the refusals. */
async function run({refuses, lastsMs, retryAfterMs}: Exchange): Promise<readonly Sent[]> {
	const clock = createFakeClock(0, settle);
	const pace = createPace({rate: 5, maxRate: 5, clock, random: () => 0.5});
	const sent: Sent[] = [];
	async function panel(operation: Operation): Promise<never> {
		for (;;) {
			const at = await pace.start({operation, priority: 1});
			const ms = clock.now() - begin;
			const admitted = ms < 0 || ms >= lastsMs || !refuses(operation, ms);
			sent.push({at: clock.now(), operation, admitted});
			await new Promise<void>(resolve => clock.after(latencyMs, resolve));
			if (admitted) pace.accepted(operation, at);
			else pace.refused(operation, at, retryAfterMs);
			pace.ended(admitted);
		}
	}

	for (const operation of [...operations, ...operations]) void panel(operation);
	await clock.advance(begin + lastsMs + 3 * minute);
	return sent;
}

const answersIn = (sent: readonly Sent[], from: number, ms: number, operation: Operation): number =>
	sent.filter(one => one.admitted && one.operation === operation && one.at >= from && one.at < from + ms).length;

/** Whether every operation has as many answers in the 10 s from `from` as before the refusals, but one. */
function isNormal(sent: readonly Sent[], from: number): boolean {
	return operations.every(
		operation => answersIn(sent, from, 10_000, operation) >= answersIn(sent, begin - 10_000, 10_000, operation) - 2,
	);
}

/** Ms from the last refusal until everything is answered as often as before. */
function normalAfter(sent: readonly Sent[]): number {
	const last = sent.findLast(({admitted}) => !admitted)?.at ?? begin;
	for (let ms = 0; ; ms += 1000) if (isNormal(sent, last + ms)) return ms;
}

test('is back to normal within a minute, whatever is refused for up to a minute', async () => {
	let longest = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				lastsMs: fc.integer({min: 500, max: minute}),
				/** One in so many is refused. */
				oneIn: fc.constantFrom(1, 2, 3, 10),
				only: fc.subarray([...operations], {minLength: 1}),
				/** Refusals come and go. */
				everyMs: fc.option(fc.integer({min: 500, max: 8000}), {nil: undefined}),
				retryAfterMs: fc.option(fc.constantFrom(0, 1000, 3000), {nil: undefined}),
			}),
			async ({lastsMs, oneIn, only, everyMs, retryAfterMs}) => {
				let count = 0;
				const refuses = (operation: Operation, ms: number) =>
					only.includes(operation) &&
					(everyMs === undefined || Math.floor(ms / everyMs) % 2 === 0) &&
					count++ % oneIn === 0;
				const ms = normalAfter(await run({lastsMs, refuses, retryAfterMs}));
				longest = Math.max(longest, ms);
				expect(ms).toBeLessThan(minute);
			},
		),
		{numRuns: 15},
	);
	expect(longest).toBeGreaterThan(0);
});

test('slows one operation alone that alone is refused', async () => {
	const only = (operation: Operation) => operation === 'v2 trades';
	const sent = await run({refuses: only, lastsMs: minute, retryAfterMs: 1000});
	const before = answersIn(sent, 0, begin, 'v2 depth');
	// Once it is found out, the others are answered as before.
	expect(answersIn(sent, begin + 30_000, 30_000, 'v2 depth')).toBeGreaterThanOrEqual(before - 2);
	expect(sent.filter(({admitted}) => !admitted).length).toBeLessThan(20);
	expect(normalAfter(sent)).toBeLessThan(minute);
});

test('learns the limit of one operation, and leaves the others as they are', async () => {
	const admitted: number[] = [];
	const refuses = (operation: Operation, ms: number) => {
		if (operation !== 'v2 trades') return false;
		if (admitted.filter(at => at > ms - 2000).length >= 1) return true;
		admitted.push(ms);
		return false;
	};
	const lastsMs = 10 * minute;
	const sent = await run({refuses, lastsMs});
	const settled = sent.filter(({at}) => at >= begin + 2 * minute && at < begin + lastsMs);
	const trades = settled.filter(({operation}) => operation === 'v2 trades');
	expect(trades.filter(({admitted}) => !admitted).length).toBeLessThan(trades.length / 10);
	// One in two seconds is allowed.
	expect(trades.length).toBeGreaterThan((8 * 60 * 0.7) / 2);
	expect(settled.length).toBeGreaterThan(8 * 60 * 5 * 0.9);
});
