/**
 * `npm run bench`: measures what each module of this folder measures, one after the other, and prints one table; fails when
 * a target is missed. `npm run bench -- decode bytes` runs only these; `--long` also waits for what takes ten minutes.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {parseArgs} from 'node:util';
import type {BenchRow} from './row.ts';
import {tableLines} from './support/table.ts';

type BenchModule = {bench(): Promise<readonly BenchRow[]>};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		long: {type: 'boolean', default: false},
		// Of one module, as JSON: what this program has its own child do.
		rows: {type: 'boolean', default: false},
	},
});
const others = ['main.ts', 'row.ts'];
const names = readdirSync(import.meta.dirname)
	.filter(name => name.endsWith('.ts') && !others.includes(name))
	.map(name => name.slice(0, -'.ts'.length))
	.filter(name => positionals.length === 0 || positionals.includes(name))
	.sort();

/** In a process of its own, which neither finds nor leaves compiled code, garbage or a hidden cursor. */
async function rowsOf(name: string): Promise<readonly BenchRow[]> {
	const args = ['--expose-gc', import.meta.filename, name, '--rows', ...(values.long ? ['--long'] : [])];
	const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe']});
	const ended = once(child, 'exit');
	const [rows, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	const [status] = await ended;
	if (status !== 0) throw new Error(`${name} ended with ${status}: ${errors}`);
	return JSON.parse(rows);
}

async function measure(): Promise<void> {
	const rows: BenchRow[] = [];
	for (const [index, name] of names.entries()) {
		process.stderr.write(`${index + 1} of ${names.length}: ${name} `);
		const start = performance.now();
		rows.push(...(await rowsOf(name)));
		process.stderr.write(`(${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
	}

	for (const line of tableLines(rows)) console.log(line);
	if (rows.some(({met}) => met === false)) process.exitCode = 1;
}

if (values.rows) {
	for (const name of names) {
		const {bench}: BenchModule = await import(new URL(`${name}.ts`, import.meta.url).href);
		console.log(JSON.stringify(await bench()));
	}
} else {
	await measure();
}
