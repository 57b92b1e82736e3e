/** Where the next character goes. Rows and columns count from 0. */
export type Position = {
	readonly row: number;
	/** Absent after the last column and after characters of disputed width: terminals differ in where they are then. */
	readonly column: number | undefined;
};

const csi = (count: number, final: string) => `\u001B[${count === 1 ? '' : count}${final}`;

const shorter = (first: string, second: string): string => (second.length < first.length ? second : first);

/** A function of whole numbers from 0, computed once for each. */
function table(text: (count: number) => string): (count: number) => string {
	const known: string[] = [];
	return count => {
		known[count] ??= text(count);
		return known[count];
	};
}

const right = table(count => (count === 0 ? '' : csi(count, 'C')));
const left = table(count => shorter('\b'.repeat(count), csi(count, 'D')));
// A vertical tab moves down as a line feed does, but no line discipline puts a carriage return before it.
const down = table(count => shorter('\v'.repeat(count), csi(count, 'B')));
const up = table(count => shorter('\u001BM'.repeat(count), csi(count, 'A')));
const toRow = table(row => csi(row + 1, 'd'));
const toColumn = table(column => shorter(`\r${right(column)}`, csi(column + 1, 'G')));
const toRowStart = table(row => csi(row + 1, 'H'));

/** The shortest sequence that moves the cursor; it writes nothing and never scrolls. */
export function cursorMove(from: Position, row: number, column: number): string {
	const across = horizontal(from, column);
	const along = vertical(from, row);
	if (across.length + along.length <= absoluteLength(row, column)) return across + along;
	return column === 0 ? toRowStart(row) : `\u001B[${row === 0 ? '' : row + 1};${column + 1}H`;
}

/** How long `cursorMove` is. */
export const moveLength = (from: Position, row: number, column: number): number =>
	Math.min(horizontal(from, column).length + vertical(from, row).length, absoluteLength(row, column));

function horizontal(from: Position, column: number): string {
	if (from.column === undefined) return toColumn(column);
	if (from.column === column) return '';
	return shorter(column < from.column ? left(from.column - column) : right(column - from.column), toColumn(column));
}

function vertical(from: Position, row: number): string {
	if (from.row === row) return '';
	return shorter(row < from.row ? up(from.row - row) : down(row - from.row), toRow(row));
}

function absoluteLength(row: number, column: number): number {
	if (column === 0) return toRowStart(row).length;
	return 4 + (row === 0 ? 0 : digits(row + 1)) + digits(column + 1);
}

const digits = (count: number): number => (count < 10 ? 1 : count < 100 ? 2 : count < 1000 ? 3 : 4);
