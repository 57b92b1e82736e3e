// @module-tag ssh
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {catchFaults, createTurns, type Faults} from '../../../source/cli/serve/faults.ts';
import type {Exchange, Read} from '../../../source/client/exchange.ts';
import {exchangeOf} from '../../../source/client/middleware.ts';
import type {Viewer} from '../../../source/serve/viewer.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTerminal} from '../../helpers/terminal.ts';
import {createKeys, type Doors, openDoors} from '../../serve/doors.ts';
import {book} from '../../store/samples.ts';

const events: readonly string[] = ['uncaughtException', 'unhandledRejection'];

const keys = createKeys();
let doors: Doors;
let faults: Faults;
/** What nobody caught and nobody's connection threw. */
const others: unknown[] = [];

beforeAll(async () => {
	// Vitest hears them, too.
	const heard = events.map(name => [name, process.rawListeners(name)] as const);
	for (const name of events) process.removeAllListeners(name);
	faults = catchFaults(error => others.push(error));
	restore = () => {
		faults.stop();
		for (const [name, listeners] of heard) for (const listener of listeners) process.on(name, listener as () => void);
	};
	doors = await openDoors({folder: keys.folder, onViewer: meet, contain: faults.run});
});
let restore = () => {};
afterAll(async () => {
	await doors.close();
	keys.remove();
	restore();
});

const exchangeReading = (read: Read): Exchange =>
	exchangeOf(read, {interfaces: [], budget: () => ({used: 0, allowed: 0}), retryNow() {}, close: async () => {}});

/** Runs a viewer that meets the defect that its command names. */
function meet(viewer: Viewer): void {
	const {command, input, output, leave, end} = viewer;
	const fail = () => {
		throw new TypeError(`defect: ${command}`);
	};
	const stay = () => output.write('here');
	leave.addEventListener('abort', () => output.write(`${leave.reason}`, () => void end(1)));
	if (command === 'start') fail();
	if (command === 'key') input.once('data', fail);
	if (command === 'gone') viewer.gone.addEventListener('abort', fail);
	if (command === 'resize') output.once('resize', fail);
	if (command === 'timer') setTimeout(fail);
	if (command === 'promise') void Promise.resolve().then(fail);
	if (command === 'taken') output.write('here', fail);
	else stay();
}

const defects = () => doors.events.flatMap(event => (event.type === 'defect' ? [`${event.error}`] : []));

test.each(['start', 'key', 'resize', 'timer', 'promise', 'taken'])(
	'a defect in a viewer ends its connection with a sentence and no other: %s',
	async command => {
		const args = (asked: string) => doors.arguments([asked], {options: ['-tt']});
		const open = (asked: string) => openTerminal({file: 'ssh', args: args(asked), columns: 80, rows: 24});
		const [other, own] = [open('stay'), open(command)];
		onTestFinished(() => other.kill('SIGKILL'));
		await other.waitFor(/here/);
		if (command === 'key' || command === 'resize') await own.waitFor(/here/);
		if (command === 'key') own.write('x');
		if (command === 'resize') own.resize(90, 30);
		const sentence = 'a defect of Tapewatch ends this connection; please tell the owner of the server';
		const {exitCode} = await own.exit;
		if (command !== 'start') expect([exitCode, own.raw()]).toEqual([1, expect.stringContaining(sentence)]);
		expect(defects().at(-1)).toBe(`TypeError: defect: ${command}`);
		expect([doors.viewers.size, others]).toEqual([1, []]);
	},
);

test('a defect in a timer is of who began it, in whosever turn it runs, and the other timers go on', async () => {
	const clock = createFakeClock();
	const queue: (() => void)[] = [];
	const turns = createTurns(clock, run => queue.push(run));
	const told: string[] = [];
	for (const name of ['ann', 'bob']) {
		faults.run(
			error => told.push(`${name}: ${error}`),
			() => {
				turns.after(10, () => {
					if (name === 'ann') throw new TypeError('own');
					told.push(name);
				});
			},
		);
	}

	await faults.run(
		() => told.push('caller'),
		async () => {
			await clock.advance(10);
			for (let run = queue.shift(); run; run = queue.shift()) run();
		},
	);
	await expect.poll(() => told).toEqual(['bob', 'ann: TypeError: own']);
	expect(others).toEqual([]);
});

test('a defect in what all share is nobody’s, whoever reads', async () => {
	const failing = exchangeReading(
		() =>
			new Promise(() => {
				setTimeout(() => {
					throw new TypeError('shared');
				});
			}),
	);
	const own: unknown[] = [];
	const shared = faults.exchangeOfAll(failing);
	faults.run(
		error => own.push(error),
		() => void shared.depth('BTCUSDT'),
	);
	await expect.poll(() => others.splice(0)).toEqual([new TypeError('shared')]);
	expect(own).toEqual([]);
});

test('a defect in what a reader does when its read is sent is the reader’s', async () => {
	const own: unknown[] = [];
	const answer = {data: book(7), interface: 'v2', receivedAt: 0, dropped: 0} as const;
	const sending = exchangeReading(async (_, call) => {
		call?.onSent?.();
		return answer as never;
	});
	const shared = faults.exchangeOfAll(sending);
	const onSent = () => {
		throw new TypeError('own');
	};
	const read = faults.run(
		error => own.push(error),
		() => shared.depth('BTCUSDT', {onSent}),
	);
	expect(await read).toBe(answer);
	await expect.poll(() => own).toEqual([new TypeError('own')]);
	expect(others).toEqual([]);
});

test('a defect at the end of a connection ends no other', async () => {
	const gone = doors.start(['gone'], {input: 'open'});
	await expect.poll(gone.stdout).toBe('here');
	gone.kill('SIGKILL');
	await expect.poll(() => defects().at(-1)).toBe('TypeError: defect: gone');
	expect(others).toEqual([]);
});
