import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FlowControl} from '../../source/terminal/flow-control.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {FarTerminal} from './far-terminal.ts';

const size = {columns: 80, rows: 24};
const minuteMs = 60_000;
const mostRoom = 16_384;

type Options = ConstructorParameters<typeof FarTerminal>[2] & {
	readonly frameBytes?: number;
	readonly framesPerSecond?: number;
};

/** A program that draws frames on a far terminal, each with its number in it, and leaves out those that have to wait. */
function open({frameBytes = 1100, framesPerSecond = 4, ...link}: Options = {}) {
	const clock = createFakeClock();
	const terminal = new FarTerminal(size, clock, link);
	const flow = new FlowControl({clock, write: text => terminal.write(text)});
	terminal.onAnswer = answer => flow.answered(answer);
	let newest = 0;
	let sent = 0;
	const send = () => {
		sent = newest;
		terminal.write(flow.withQuestion(`<${newest}>`.padEnd(frameBytes, '.')));
	};
	flow.onRoom(() => {
		if (sent < newest && !flow.behind) send();
	});
	const frameMs = 1000 / framesPerSecond;
	let most = 0;
	return {
		clock,
		terminal,
		flow,
		/** Draws for so long. */
		async run(ms: number, meanwhile = () => {}) {
			for (let passed = 0; passed < ms; passed += frameMs) {
				newest++;
				if (!flow.behind) send();
				most = Math.max(most, terminal.underWay);
				meanwhile();
				await clock.advance(frameMs);
			}
		},
		/** Numbers of the frames that were shown since `from`. */
		frames: (from = 0) => terminal.shown.slice(from).flatMap(text => (/<(\d+)>/.exec(text) ?? []).slice(1).map(Number)),
		newest: () => newest,
		/** Most bytes that were ever under way. */
		most: () => most,
	};
}

const question = (column: number) => `\u001B7\u001B[2;${column}H\u001B[6n\u001B8`;

test('asks before and after the first frame', async () => {
	const {terminal, run} = open({frameBytes: 4});
	await run(1000);
	expect(terminal.shown).toEqual([question(1), `<1>.${question(2)}`, `<2>.${question(3)}`, '<3>.', '<4>.']);
});

test.each([
	['frames of a kilobyte', 1100, 20],
	['small frames', 50, 6],
])('asks a fast link every few seconds: with %s', async (_, frameBytes, questions) => {
	const {terminal, run} = open({frameBytes, distanceMs: 40});
	await run(10_000);
	const before = terminal.questions;
	await run(minuteMs);
	expect(terminal.questions - before).toBeGreaterThanOrEqual(questions - 1);
	expect(terminal.questions - before).toBeLessThanOrEqual(questions + 1);
});

describe('delay alone', () => {
	test.each([50, 150, 300])('of %i ms costs no frame of four per second', async distanceMs => {
		const {flow, run, frames} = open({distanceMs});
		await run(2000);
		const [from, late] = [frames().length, new Set<boolean>()];
		await run(10_000, () => late.add(flow.late));
		expect(frames().length - from).toBeGreaterThanOrEqual(39);
		expect(late).toEqual(new Set([false]));
	});
});

describe('a slow link', () => {
	test('has one frame on its way, and lags by one frame', async () => {
		const {terminal, flow, run, frames, newest, most} = open({bytesPerSecond: 1000, distanceMs: 100});
		await run(10_000);
		let oldest = 0;
		const late = new Set<boolean>();
		await run(10 * minuteMs, () => {
			oldest = Math.max(oldest, newest() - (frames().at(-1) ?? 0));
			late.add(flow.late);
		});
		expect(terminal.underWay).toBeLessThanOrEqual(1100 + question(1).length + 1);
		// At the start, before it was known to be slow: two.
		expect(most()).toBeLessThan(2 * 1120);
		// A quarter of a second each: 1.2 s to come, and 1.2 s until the next one comes.
		expect(oldest).toBeLessThanOrEqual(11);
		expect(late).toContain(true);
		expect(frames().length).toBeGreaterThan(450);
	});

	test('that becomes fast is treated as fast', async () => {
		const {terminal, flow, run, frames} = open({bytesPerSecond: 1000, distanceMs: 300});
		await run(10_000);
		terminal.link = {distanceMs: 300};
		await run(3000);
		const from = frames().length;
		await run(5000);
		expect([frames().length - from, flow.late]).toEqual([20, false]);
	});
});

describe('a terminal that stops', () => {
	test('for ten minutes has 16 kB on their way and a few questions, then gets the current screen', async () => {
		const {terminal, run, frames, newest, most} = open();
		await run(10_000);
		terminal.stop();
		const [from, questions] = [frames().length, terminal.questions];
		const first = newest() + 1;
		await run(10 * minuteMs);
		expect(terminal.questions - questions).toBeLessThan(20);
		expect(most()).toBeLessThan(mostRoom + 1104 + 60);

		const present = newest() + 1;
		terminal.resume();
		await run(1000);
		const shown = frames().slice(from);
		const onTheirWay = shown.filter(frame => frame < present);
		expect(onTheirWay).toEqual(Array.from(onTheirWay, (_, index) => first + index));
		expect(shown.slice(onTheirWay.length)).toEqual([present, present + 1, present + 2, present + 3]);
	});

	test('gets a question again after 5, 10, 20, 40 and then every 60 s, and at once after a key', async () => {
		const {terminal, flow, run, clock} = open();
		await run(1000);
		terminal.stop();
		const gaps: number[] = [];
		let questions = terminal.questions + 1;
		const start = clock.now();
		await run(4 * minuteMs, () => {
			if (terminal.questions > questions) gaps.push(Math.round((clock.now() - start) / 1000));
			questions = Math.max(questions, terminal.questions);
		});
		expect(gaps).toEqual([5, 15, 35, 75, 135, 195]);

		flow.typed();
		flow.typed();
		expect(terminal.questions).toBe(questions + 1);
	});
});

describe('answers that are lost', () => {
	test('hold up the screen for five seconds, and cause no wrong count', async () => {
		const {terminal, run, frames, most} = open({distanceMs: 40});
		await run(500);
		terminal.detached = true;
		await run(500);
		terminal.detached = false;
		const from = frames().length;
		await run(5000);
		await run(10_000);
		expect(frames().length - from).toBeGreaterThanOrEqual(40);
		expect(most()).toBeLessThan(mostRoom);
		expect(terminal.underWay).toBeLessThan(1110);
	});

	test('resume with the first key, however long the terminal was detached', async () => {
		const {terminal, flow, run, frames, newest} = open({distanceMs: 40});
		await run(1000);
		terminal.detached = true;
		await run(60 * minuteMs);
		terminal.detached = false;
		flow.typed();
		await run(1000);
		expect(frames().at(-1)).toBeGreaterThan(newest() - 2);
	});
});

describe('a terminal that does not answer', () => {
	test('is waited for once, for half a second, and gets few questions', async () => {
		const {terminal, run, frames} = open();
		terminal.answers = false;
		await run(500);
		expect(frames()).toEqual([1, 2]);
		await run(minuteMs);
		expect(frames()).toHaveLength(242);
		expect(terminal.questions).toBeLessThan(8);
	});
});

describe('settling', () => {
	test('asks once more, and waits for all answers', async () => {
		const {terminal, flow, clock, run} = open({distanceMs: 200});
		await run(1000);
		const {questions} = terminal;
		let settled = -1;
		const start = clock.now();
		void flow.settled(5000).then(() => {
			settled = clock.now() - start;
		});
		await clock.advance(10_000);
		expect(settled).toBe(200);
		expect([terminal.questions, clock.timers]).toEqual([questions + 1, 0]);
	});

	test('takes no time before the first frame, and with a terminal that does not answer', async () => {
		const {terminal, flow, run, clock} = open();
		await flow.settled(5000);
		flow.restart();
		terminal.answers = false;
		await run(1000);
		const {questions} = terminal;
		await flow.settled(5000);
		await clock.advance(1);
		expect([terminal.questions, clock.timers]).toEqual([questions, 0]);
	});

	test.each([
		['an answer that takes 1.2 s', 1200, 1200],
		['two seconds where none comes', 4000, 2000],
	])('before the first answer waits for %s', async (_, distanceMs, waitMs) => {
		const {flow, clock, run} = open({distanceMs});
		await run(250);
		let settled = -1;
		const start = clock.now();
		void flow.settled(5000).then(() => {
			settled = clock.now() - start;
		});
		await clock.advance(10_000);
		expect(settled).toBe(waitMs);
	});

	test('ends with the limit where no answer comes', async () => {
		const {terminal, flow, clock, run} = open();
		await run(1000);
		terminal.stop();
		await run(1000);
		let settled = false;
		void flow.settled(5000).then(() => {
			settled = true;
		});
		await clock.advance(4999);
		expect(settled).toBe(false);
		await clock.advance(1);
		expect(settled).toBe(true);
	});

	test('ends with a restart, which asks again', async () => {
		const {terminal, flow, run} = open({frameBytes: 4});
		await run(1000);
		void flow.settled(5000);
		flow.restart();
		const from = terminal.shown.length;
		await run(250);
		expect(terminal.shown.slice(from)).toEqual([question(4), question(5), `<5>.${question(6)}`]);
	});
});

const event = fc.oneof(
	{weight: 4, arbitrary: fc.record({type: fc.constant('run' as const), ms: fc.nat(20_000)})},
	fc.record({
		type: fc.constant('link' as const),
		bytesPerSecond: fc.constantFrom(500, 1000, 5000, 1e6),
		distanceMs: fc.nat(800),
	}),
	fc.constantFrom({type: 'stop'} as const, {type: 'resume'} as const, {type: 'type'} as const),
	fc.constantFrom({type: 'detach'} as const, {type: 'attach'} as const),
);

test('any link has little on its way, and its screen is current a minute after it recovers', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(event, {maxLength: 12}), async events => {
			const {terminal, flow, run, frames, newest, most} = open({distanceMs: 20});
			await run(1000);
			for (const next of events) {
				if (next.type === 'run') await run(next.ms);
				if (next.type === 'link') terminal.link = next;
				if (next.type === 'stop') terminal.stop();
				if (next.type === 'resume') terminal.resume();
				if (next.type === 'type') flow.typed();
				if (next.type === 'detach') terminal.detached = true;
				if (next.type === 'attach') terminal.detached = false;
			}

			terminal.resume();
			terminal.detached = false;
			terminal.link = {};
			await run(70_000);
			expect(newest() - (frames().at(-1) ?? 0)).toBeLessThanOrEqual(1);
			expect(most()).toBeLessThan(2 * mostRoom);
		}),
		{numRuns: Number(process.env.PROPERTY_RUNS ?? 30)},
	);
});
