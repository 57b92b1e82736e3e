/** Where the next character goes. Rows and columns count from 0. */
export type Position = {
	readonly row: number;
	/** Undefined after the last column and after characters of disputed width, where terminals differ. */
	readonly column: number | undefined;
};

const csi = (count: number, final: string) => `\u001B[${count === 1 ? '' : count}${final}`;

const shorter = (first: string, second: string): string => (second.length < first.length ? second : first);

/** The shortest sequence that moves the cursor; it writes nothing and never scrolls. */
export function cursorMove(from: Position, row: number, column: number): string {
	const steps = horizontal(from.column, column) + vertical(from.row, row);
	if (steps.length <= 3) return steps;
	const target = column === 0 ? csi(row + 1, 'H') : `\u001B[${row === 0 ? '' : row + 1};${column + 1}H`;
	return shorter(steps, target);
}

function horizontal(from: number | undefined, to: number): string {
	if (from === to) return '';
	const absolute = shorter(`\r${to === 0 ? '' : csi(to, 'C')}`, csi(to + 1, 'G'));
	if (from === undefined) return absolute;
	const relative = to < from ? shorter('\b'.repeat(from - to), csi(from - to, 'D')) : csi(to - from, 'C');
	return shorter(relative, absolute);
}

function vertical(from: number, to: number): string {
	if (from === to) return '';
	// A vertical tab moves down like a line feed, but no line discipline adds a carriage return to it.
	const relative =
		to > from
			? shorter('\v'.repeat(to - from), csi(to - from, 'B'))
			: shorter('\u001BM'.repeat(from - to), csi(from - to, 'A'));
	return shorter(relative, csi(to + 1, 'd'));
}
