/** From the start of the built program to its first answer, beside a Node that does nothing. */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {openTerminal} from '../helpers/terminal.ts';
import type {BenchRow} from './row.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const runs = 15;

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function processMs(args: readonly string[]): number {
	const start = performance.now();
	const {status, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8'});
	if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
	return performance.now() - start;
}

/** From the start of the monitor on the embedded exchange to the first text on the screen. */
async function firstFrameMs(configHome: string): Promise<number> {
	const start = performance.now();
	const terminal = openTerminal({
		file: process.execPath,
		args: [program],
		columns: 120,
		rows: 40,
		env: {XDG_CONFIG_HOME: configHome},
	});
	await terminal.waitFor(rows => terminal.alternate() && rows.some(row => row.trim() !== ''));
	const elapsed = performance.now() - start;
	terminal.kill('SIGTERM');
	await terminal.exit;
	return elapsed;
}

export async function bench(): Promise<readonly BenchRow[]> {
	const configHome = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const empty: number[] = [];
	const version: number[] = [];
	const frame: number[] = [];
	try {
		// In turns, so that a busy moment of the machine meets all three.
		for (let run = 0; run < runs; run++) {
			empty.push(processMs(['--eval', '0']));
			version.push(processMs([program, '--version']));
			frame.push(await firstFrameMs(configHome));
		}
	} finally {
		rmSync(configHome, {recursive: true, force: true});
	}

	const ms = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;
	return [
		{name: 'start: node with nothing to do', measured: ms(empty)},
		{name: 'start: tapewatch --version', measured: ms(version)},
		{name: 'start: monitor, first text on the screen', measured: ms(frame)},
	];
}

if (import.meta.main) console.table(await bench());
