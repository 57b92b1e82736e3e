/** From the start of the built program to what can be seen, beside a Node that does nothing. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {frameFault, isLive} from '../e2e/frame.ts';
import {createScreen} from '../helpers/screen.ts';
import type {BenchRow} from './row.ts';
import {built, openFile, openNode, type Program, size} from './support/program.ts';
import {median} from './support/quantile.ts';

const runs = 15;
const mostRatio = {byte: 1.5, frame: 4, coldFrame: 6};
const mostDataMs = 400;

type Start = {readonly byte: number; readonly frame: number; readonly data: number};

/** Ms from the start of the monitor on the embedded exchange to each of its first signs of life; default: the built program. */
export async function startMonitor(home: string, file = process.execPath, args = [built]): Promise<Start> {
	const monitor = openFile(file, args, home);
	await monitor.until(rows => isLive(rows) && frameFault(rows, size) === undefined);
	monitor.write('q');
	await monitor.ended;
	const [byte = Number.NaN] = monitor.pieces.map(({at}) => at);
	return {byte, frame: await shownAt(monitor, isLaidOut), data: await shownAt(monitor, hasPrice)};
}

const isLaidOut = (rows: readonly string[]): boolean => frameFault(rows, size) === undefined;
/** Of the market that is shown: the demo exchange's BTC/USDT. */
const hasPrice = (rows: readonly string[]): boolean => /\d\d,\d{3}\.\d\d/.test(rows.join('\n'));

/** When the piece of output came after which the screen showed that. */
async function shownAt({pieces}: Program, shows: (rows: readonly string[]) => boolean): Promise<number> {
	const screen = createScreen(size.columns, size.rows);
	for (const {at, data} of pieces) {
		await screen.write(data);
		if (shows(screen.text())) return at;
	}

	throw new Error(`never shown:\n${screen.text().join('\n')}`);
}

export async function bench(): Promise<readonly BenchRow[]> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const empty: number[] = [];
	const version: number[] = [];
	const starts: Start[] = [];
	const cold: Start[] = [];
	try {
		// The first start compiles what the others find compiled.
		await startMonitor(home);
		// In turns, so that a busy moment of the machine meets all four.
		for (let run = 0; run < runs; run++) {
			empty.push(await openNode(['--eval', '0'], home).ended);
			version.push(await openNode([built, '--version'], home).ended);
			starts.push(await startMonitor(home));
			cold.push(await startMonitor(mkdtempSync(join(home, 'cold-'))));
		}
	} finally {
		rmSync(home, {recursive: true, force: true});
	}

	const idle = median(empty);
	const ratio = (name: string, ms: number, most?: number): BenchRow => ({
		name: `start: ${name}`,
		measured: `${(ms / idle).toFixed(2)} × node (${ms.toFixed(0)} ms)`,
		...(most !== undefined && {target: `≤ ${most}`, met: ms <= most * idle}),
	});
	const medianOf = (value: (start: Start) => number) => median(starts.map(value));
	const dataMs = medianOf(({frame, data}) => data - frame);
	return [
		{name: 'start: node with nothing to do', measured: `${idle.toFixed(0)} ms`},
		ratio('tapewatch --version', median(version)),
		ratio(
			'monitor, first byte',
			medianOf(({byte}) => byte),
			mostRatio.byte,
		),
		ratio(
			'monitor, first frame with the layout',
			medianOf(({frame}) => frame),
			mostRatio.frame,
		),
		ratio(
			'monitor, first frame with no compiled code cached',
			median(cold.map(({frame}) => frame)),
			mostRatio.coldFrame,
		),
		{
			name: 'start: monitor, from there to the first price',
			measured: `${dataMs.toFixed(0)} ms`,
			target: `≤ ${mostDataMs} ms`,
			met: dataMs <= mostDataMs,
		},
	];
}

if (import.meta.main) console.table(await bench());
