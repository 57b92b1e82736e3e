/** The budget against servers of an unknown limit. */
import {describe, expect, test} from 'vitest';
import {createPace} from '../../source/client/pace.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {type Counting, createLimitedServer, demandSteadily, type Sent} from '../helpers/limited-server.ts';

const minute = 60_000;
/** Until then it may learn. */
const settledAfter = 2 * minute;
/** Where more is sent, it settles sooner. */
const endFor = (limit: number): number => (limit < 10 ? 12 : 6) * minute;

/** Numbers in [0, 1) that look like chance and are the same in every run. */
function chance(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

type Trial = {
	readonly limit: number;
	readonly counting: Counting;
	readonly instances: readonly (() => number)[];
	readonly retryAfterMs?: number | undefined;
};

/** More where a request more or less is a larger share. */
const seedsFor = (limit: number): readonly number[] =>
	Array.from({length: limit > 2 ? 1 : limit > 1 ? 2 : 4}, (_, index) => 7 + index * 7919);

/** All promises of one request: nothing here waits for more than the clock. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 8; turn++) await undefined;
}

/** What each instance sent in the settled time. */
async function run({limit, counting, instances, retryAfterMs}: Trial): Promise<readonly (readonly Sent[])[]> {
	const clock = createFakeClock(0, settle);
	const server = createLimitedServer(clock, limit, counting);
	const sent = instances.map(random => {
		const pace = createPace({rate: 5, clock, random});
		return demandSteadily({clock, pace, server, panels: Math.ceil(limit / 10) + 6, latencyMs: 50, retryAfterMs});
	});
	await clock.advance(endFor(limit));
	return sent.map(all => all.filter(({at}) => at >= settledAfter));
}

/** Of the limit. */
const admittedShare = (sent: readonly Sent[], limit: number) =>
	(sent.filter(({admitted}) => admitted).length * 1000) / (endFor(limit) - settledAfter) / limit;

/** Limits, each counted in both ways, with and without Retry-After. */
const trialsOf = (...limits: readonly number[]) =>
	limits.flatMap(limit =>
		(['bucket', 'window'] as const).flatMap(counting => [
			[limit, counting, undefined] as const,
			[limit, counting, 2000] as const,
		]),
	);

/** Requests for each refusal. */
const requestsPerRefusal = (sent: readonly Sent[]) => sent.length / sent.filter(({admitted}) => !admitted).length;

describe('settles within 15 % below the limit, and at most one request in 50 is then refused', () => {
	test.for([...trialsOf(1, 10), [50, 'window'] as const])(
		'%s a second, counted by %s, Retry-After %s ms',
		async ([limit, counting, retryAfterMs]) => {
			for (const seed of seedsFor(limit)) {
				const [sent = []] = await run({limit, counting, instances: [chance(seed)], retryAfterMs});
				const share = admittedShare(sent, limit);
				expect(share, `seed ${seed}`).toBeGreaterThan(0.85);
				expect(share, `seed ${seed}`).toBeLessThanOrEqual(1.001);
				expect(requestsPerRefusal(sent), `seed ${seed}`).toBeGreaterThanOrEqual(50);
			}
		},
	);
});

describe('two instances share what is allowed, and few of their requests are then refused', () => {
	test.for(trialsOf(2, 10))(
		'%s a second, counted by %s, Retry-After %s ms',
		async ([limit, counting, retryAfterMs]) => {
			for (const seed of seedsFor(limit)) {
				const instances = [chance(seed), chance(seed + 104_729)];
				const both = await run({limit, counting, instances, retryAfterMs});
				const share = admittedShare(both.flat(), limit);
				expect(share, `seed ${seed}`).toBeGreaterThan(0.75);
				expect(share, `seed ${seed}`).toBeLessThanOrEqual(1.001);
				expect(requestsPerRefusal(both.flat()), `seed ${seed}`).toBeGreaterThanOrEqual(30);
			}
		},
	);

	// There the exchange has room for one request at a time, and nothing but a refusal tells that somebody else was first.
	test('share one request in two seconds with a few refusals a minute', async () => {
		for (const seed of seedsFor(0.5)) {
			const both = await run({limit: 0.5, counting: 'bucket', instances: [chance(seed), chance(seed + 104_729)]});
			const share = admittedShare(both.flat(), 0.5);
			expect(share, `seed ${seed}`).toBeGreaterThan(0.4);
			expect(share, `seed ${seed}`).toBeLessThanOrEqual(1.001);
			for (const sent of both) {
				const refusals = sent.filter(({admitted}) => !admitted).length;
				expect((refusals * minute) / (endFor(0.5) - settledAfter), `seed ${seed}`).toBeLessThanOrEqual(5);
			}
		}
	});
});

describe('two instances that start at the same time', () => {
	/** The share of the first one's requests that start within 10 ms of one of the other's. */
	function inStep([first = [], second = []]: readonly (readonly Sent[])[]): number {
		const near = first.filter(({at}) => second.some(other => Math.abs(other.at - at) <= 10));
		return near.length / first.length;
	}

	test('get out of step', async () => {
		const limit = 2;
		const both = await run({limit, counting: 'window', instances: [chance(7), chance(8)]});
		// By chance alone one in fifty.
		expect(inStep(both)).toBeLessThan(0.06);
		expect(admittedShare(both.flat(), limit)).toBeGreaterThan(0.85);
	});
});

test('an outage of refusals is not mistaken for a low limit', async () => {
	const clock = createFakeClock(0);
	const pace = createPace({rate: 5, clock, random: chance(7)});
	const server = {admit: () => clock.now() > 5 * minute};
	const sent = demandSteadily({clock, pace, server, panels: 6, latencyMs: 50});
	await clock.advance(6 * minute);
	const from = (ms: number) => sent.filter(({at}) => at >= 5 * minute + ms);
	// Tried seldom while it lasts, but often enough to see its end.
	expect(sent.filter(({at}) => at >= minute && at < 2 * minute).length).toBeLessThanOrEqual(8);
	expect(from(0)[0]?.at).toBeLessThan(5 * minute + 9000);
	expect(from(20_000).filter(({at}) => at < 5 * minute + 30_000).length).toBeGreaterThan(40);
});
