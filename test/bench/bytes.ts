import type {Size} from '../../source/format/cells.ts';
import type {Run} from '../../source/format/style.ts';
import {systemClock} from '../../source/market/clock.ts';
import {cellDiff, type Shown} from '../../source/terminal/cell-diff.ts';
import type {Row} from '../../source/terminal/cell-row.ts';
import {FrameOutput} from '../../source/terminal/frame-output.ts';
import {type Picture, Surface} from '../../source/terminal/surface.ts';
import {SlowTerminal} from '../terminal/slow-terminal.ts';
import type {BenchRow} from './row.ts';
import {importBundled} from './support/bundle.ts';
import {plainBytes} from './support/yardstick.ts';

type LiveMonitorModule = typeof import('./support/live-monitor.tsx');

const updatesPerSecond = 4;
const warmUp = 8;
const updates = 60;
const rounds = 20;
const most = {ratio: 1, bytesPerSecond: 5000};

/**
 * Bytes a second of the monitor on the demo exchange, book and trades polled anew four times a second, against a plain way
 * to write the same, and how long it takes to find them.
 */
export async function bench(): Promise<readonly BenchRow[]> {
	return [
		...(await rowsAt({columns: 80, rows: 24})),
		...(await rowsAt({columns: 120, rows: 40}, 0.3)),
		...(await rowsAt({columns: 200, rows: 60}, 0.6)),
	];
}

async function rowsAt(size: Size, mostMs?: number): Promise<readonly BenchRow[]> {
	const name = `screen: ${size.columns}×${size.rows}, ${updatesPerSecond} updates a second`;
	const pictures = await record(size);
	const replays = Array.from({length: rounds}, () => replay(size, pictures));
	const {bytes = 0, ratio = 0} = replays[0] ?? {};
	// The least of each frame, as what else runs on the machine comes and goes.
	const least = pictures.map((_, frame) => Math.min(...replays.map(({times}) => times[frame] ?? 0)));
	const ms = least.slice(warmUp).reduce((sum, time) => sum + time, 0) / updates;
	const perSecond = bytes * updatesPerSecond;
	const limited = size.columns === 120;
	return [
		{
			name: `${name}, bytes`,
			measured: `${(perSecond / 1000).toFixed(2)} kB/s`,
			...(limited && {target: `< ${most.bytesPerSecond / 1000} kB/s`, met: perSecond < most.bytesPerSecond}),
		},
		{
			name: `${name}, bytes against each changed cell once`,
			measured: `${ratio.toFixed(3)} ×`,
			target: `≤ ${most.ratio}`,
			met: ratio <= most.ratio,
		},
		{
			name: `${name}, time from styled text to bytes`,
			measured: `${ms.toFixed(2)} ms a frame`,
			...(mostMs !== undefined && {target: `≤ ${mostMs} ms`, met: ms <= mostMs}),
		},
	];
}

/** What the monitor shows after each update, the first ones included. */
async function record(size: Size): Promise<readonly Picture[]> {
	const {openLiveMonitor} = await importBundled<LiveMonitorModule>('test/bench/support/live-monitor.tsx');
	const output = new FrameOutput(new SlowTerminal(size), {clock: systemClock});
	const monitor = await openLiveMonitor(output);
	const pictures: Picture[] = [];
	for (let update = 0; update < warmUp + updates; update++) {
		await monitor.update();
		pictures.push(output.surface.picture());
	}

	await monitor.close();
	output.close();
	return pictures;
}

function replay(size: Size, pictures: readonly Picture[]) {
	const surface = new Surface(size, () => {});
	const pane = {};
	const place = () => ({x: 0, y: 0, width: size.columns, height: size.rows});
	let shown: Shown | undefined;
	let [bytes, plain] = [0, 0];
	const times: number[] = [];
	for (const [index, picture] of pictures.entries()) {
		const lines = picture.rows.map(runsOf);
		const start = performance.now();
		surface.put(pane, place, lines);
		const next = cellDiff(shown, surface.picture());
		times.push(performance.now() - start);
		const before = shown?.picture;
		shown = next.shown;
		if (index < warmUp || !before) continue;
		bytes += Buffer.byteLength(next.text);
		plain += plainBytes(before, picture);
	}

	return {bytes: bytes / updates, ratio: bytes / plain, times};
}

function runsOf(row: Row): readonly Run[] {
	const runs: Run[] = [];
	for (const {text, style} of row) {
		const last = runs.at(-1);
		if (last?.style === style) runs[runs.length - 1] = {text: last.text + text, style};
		else runs.push({text, style});
	}

	return runs;
}

if (import.meta.main) {
	for (const {name, measured, target, met} of await bench()) {
		console.log(`${name}: ${measured}${target ? ` (${target}${met ? '' : ', MISSED'})` : ''}`);
	}
}
