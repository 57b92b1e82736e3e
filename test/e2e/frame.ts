import type {Size} from './program.ts';

/** Rows above the panels and below them, by the layouts of the program. */
function framing({columns, rows}: Size): {readonly header: number; readonly status: number} {
	if (columns >= 112 && rows >= 30) return {header: 2, status: 2};
	if (columns >= 80 && rows >= 24) return {header: 2, status: 1};
	return {header: 1, status: 1};
}

const leastSize: Size = {columns: 40, rows: 12};

/**
 * What keeps `text` from being a whole frame of the monitor at this size, undefined when nothing does: the ticker's rows,
 * panels from the first column to the last one, then the status line with the clock at its right end. A frame that is
 * too wide, too high, scrolled or laid out for another size breaks at least one of these.
 */
export function frameFault(text: readonly string[], size: Size): string | undefined {
	if (text.length !== size.rows) return `${text.length} rows instead of ${size.rows}`;
	const [first = '', ...rest] = text;
	if (size.columns < leastSize.columns || size.rows < leastSize.rows) {
		if (!/40×12/.test(first)) return `no word about the size needed: ${first}`;
		return rest.some(row => row !== '') ? 'more than one row on a terminal that is too small' : undefined;
	}

	const {header, status} = framing(size);
	const panels = text.slice(header, -status);
	const clock = text[size.rows - status] ?? '';
	if (text.slice(0, header).some(row => !row.startsWith(' '))) return 'a ticker row does not begin with its margin';
	const wrong = panels.find(row => Array.from(row).length !== size.columns || !/^[╭┏│┃╰┗+|#].*[╮┓│┃╯┛+|#]$/u.test(row));
	if (wrong !== undefined) return `a row of panels does not reach from edge to edge: ${wrong}`;
	if (!/^[╭┏+#]/.test(panels[0] ?? '')) return 'no top border below the ticker';
	if (!/^[╰┗+#]/.test(panels.at(-1) ?? '')) return 'no bottom border above the status line';
	// The command line stands in its place while it is open.
	if (clock.startsWith(' :')) return undefined;
	if (!/UTC \d\d:\d\d:\d\d$/.test(clock)) return `no clock in the status line: ${clock}`;
	return clock.length === size.columns - 1 ? undefined : `the clock is not at the right end: ${clock}`;
}

/** All panels have data, and what was asked for last is there. */
export const isLive = (text: readonly string[]): boolean =>
	/^ (live|PAUSED)\b/m.test(text.join('\n')) &&
	!text.some(row => row.includes('waiting')) &&
	!(text[0] ?? '').startsWith('  ');
