import {expect} from 'vitest';
import {printTable} from '../../../source/cli/output.ts';
import {textWidth} from '../../../source/format/cells.ts';
import type {Table} from '../../../source/view/kit/table.ts';
import type {Outcome} from '../../e2e/tapewatch.ts';

const widths = [80, 100, 120, 200] as const;

/** Asserts what a command prints on terminals of these widths, which no line of its table is wider than, with what it says of hidden columns. */
export async function expectAtWidths(
	name: string,
	print: (columns: number) => Promise<Pick<Outcome, 'stdout' | 'stderr'>>,
): Promise<void> {
	const parts: string[] = [];
	for (const columns of widths) {
		const {stdout, stderr} = await print(columns);
		expect(stdout.split('\n').filter(line => textWidth(line) > columns)).toEqual([]);
		parts.push(`${columns} `.padEnd(columns, '-'), `\n${stdout}${stderr}`);
	}

	await expect(parts.join('')).toMatchFileSnapshot(`../../frames/tables/${name}.txt`);
}

/** What a table prints. */
export async function printed(table: Table): Promise<Pick<Outcome, 'stdout' | 'stderr'>> {
	let [stdout, stderr] = ['', ''];
	await printTable(table, {
		async print(text) {
			stdout += text;
		},
		note(text) {
			stderr += `tapewatch: ${text}\n`;
		},
	});
	return {stdout, stderr};
}
