import {Writable} from 'node:stream';
import {systemClock} from '../../source/market/clock.ts';
import {cellDiff, type Shown} from '../../source/terminal/cell-diff.ts';
import {InkScreen} from '../../source/terminal/ink-screen.ts';
import {Receipts} from '../../source/terminal/receipts.ts';
import {createScreen} from '../helpers/screen.ts';
import {throughLineDiscipline} from '../terminal/same-screen.ts';
import type {BenchRow} from './row.ts';
import {importBundled} from './support/bundle.ts';
import {gridOf, leastBytes} from './support/least-bytes.ts';

type LiveMonitorModule = typeof import('../terminal/live-monitor.tsx');

type Size = {readonly columns: number; readonly rows: number};
/** What Ink wrote for one update of the data. */
type Update = readonly string[];

const updatesPerSecond = 4;
const warmUp = 8;
const updates = 60;
const endOfFrame = '\u001B[?2026l';
const mostRatio = 1.1;
const mostBytes = 5000;
/** The bound takes long: only some updates are held against it. */
const judged = {80: 4, 120: 4, 200: 10};

/**
 * Bytes a second of the monitor on the demo exchange, book and trades polled anew four times a second, against the least
 * that any program could do with, and against what Ink writes by itself.
 */
export async function bench(): Promise<readonly BenchRow[]> {
	return [
		...(await rowsAt({columns: 80, rows: 24}, judged[80], false)),
		...(await rowsAt({columns: 120, rows: 40}, judged[120], true)),
		...(await rowsAt({columns: 200, rows: 60}, judged[200], true)),
	];
}

async function rowsAt(size: Size, every: number, bound: boolean): Promise<readonly BenchRow[]> {
	const name = `screen: ${size.columns}×${size.rows}, ${updatesPerSecond} updates a second`;
	const drawn = await record(size, {});
	const incremental = await record(size, {incrementalRendering: true});
	const {bytes, ratio, ms} = await replay(size, drawn, every);
	const limited = size.columns === 120;
	const perSecond = bytes * updatesPerSecond;
	const times = (others: readonly Update[]) => (mean(others.slice(warmUp).map(sizeOf)) / bytes).toFixed(1);
	return [
		{
			name: `${name}, bytes`,
			measured: `${(perSecond / 1000).toFixed(2)} kB/s`,
			...(limited && {target: `< ${mostBytes / 1000} kB/s`, met: perSecond < mostBytes}),
		},
		{
			name: `${name}, bytes against the least possible`,
			measured: `${ratio.toFixed(3)} ×`,
			...(bound && {target: `≤ ${mostRatio}`, met: ratio <= mostRatio}),
		},
		{
			name: `${name}, Ink by itself`,
			measured: `default ${times(drawn)} ×, incremental ${times(incremental)} × as many`,
		},
		{name: `${name}, time to find the bytes`, measured: `${ms.toFixed(2)} ms a frame`},
	];
}

/** What Ink writes for each update, the first ones included. */
async function record(size: Size, options: {readonly incrementalRendering?: boolean}): Promise<readonly Update[]> {
	const {openLiveMonitor} = await importBundled<LiveMonitorModule>('test/terminal/live-monitor.tsx');
	let written: string[] = [];
	const stdout = new Writable({
		decodeStrings: false,
		write(text: string, _encoding, done) {
			written.push(text);
			done();
		},
	});
	const monitor = await openLiveMonitor(Object.assign(stdout, size, {isTTY: true}), options);
	const all: Update[] = [];
	for (let update = 0; update < warmUp + updates; update++) {
		await monitor.update();
		all.push(written);
		written = [];
	}

	await monitor.close();
	return all;
}

const sizeOf = (update: Update): number => Buffer.byteLength(throughLineDiscipline(update.join('')));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The program's own bytes for the same frames, with the question of each to a terminal that answers at once; every so many of them
 * are held against the least possible.
 */
async function replay(size: Size, drawn: readonly Update[], every: number) {
	const ink = new InkScreen(size);
	const screen = createScreen(size.columns, size.rows);
	const receipts = new Receipts({clock: systemClock, write() {}});
	let shown: Shown | undefined;
	let [bytes, judgedBytes, least, ms, frames] = [0, 0, 0, 0, 0];
	for (const [index, update] of drawn.entries()) {
		for (const text of update) {
			const start = performance.now();
			ink.write(text);
			const counts = index >= warmUp;
			if (text !== endOfFrame) {
				if (counts) ms += performance.now() - start;
				continue;
			}

			const next = cellDiff(shown, ink.picture);
			if (counts) ms += performance.now() - start;
			shown = next.shown;
			const sent = next.text && receipts.withQuestion(next.text);
			receipts.answered('status');
			const judge = counts && frames % every === 0;
			const before = judge ? gridOf(screen) : [];
			const {row, column} = screen.cursor();
			await screen.write(next.text);
			if (!counts) continue;
			const length = Buffer.byteLength(sent);
			frames++;
			bytes += length;
			if (!judge) continue;
			judgedBytes += length;
			const from = {row, column: column < size.columns - 1 ? column : undefined};
			least += leastBytes(before, gridOf(screen), from, length);
		}
	}

	receipts.restart();
	return {bytes: bytes / updates, ratio: judgedBytes / least, ms: ms / frames};
}

if (import.meta.main) {
	for (const {name, measured, target, met} of await bench()) {
		console.log(`${name}: ${measured}${target ? ` (${target}${met ? '' : ', MISSED'})` : ''}`);
	}
}
