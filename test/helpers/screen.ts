import xterm from '@xterm/headless';

/** The terminal's own, one of its 256 palette entries, or `#rrggbb`. */
export type Color = 'default' | number | `#${string}`;

export type Cell = {
	/** Empty for the right half of a wide character. */
	readonly text: string;
	/** 0 (right half), 1 or 2. */
	readonly width: number;
	readonly foreground: Color;
	readonly background: Color;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly strikethrough: boolean;
	readonly inverse: boolean;
};

/** What a terminal of this size shows after the bytes that were written to it. Rows and columns count from 0. */
export type Screen = {
	readonly columns: number;
	readonly rows: number;
	/** Settles when the bytes have been interpreted. */
	write(data: string | Uint8Array): Promise<void>;
	resize(columns: number, rows: number): void;
	/** One text per row, without the blanks at its end; inside a synchronized update what was shown before it. */
	text(): string[];
	cell(row: number, column: number): Cell;
	cursor(): {readonly row: number; readonly column: number; readonly visible: boolean};
	/** Whether the alternate screen is shown. */
	alternate(): boolean;
	/** Called with what the terminal answers to queries. */
	onAnswer(listener: (data: string) => void): void;
};

export function createScreen(columns: number, rows: number): Screen {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 1000});

	// The cursor's visibility is not part of the public interface.
	let cursorVisible = true;
	for (const [final, visible] of [
		['h', true],
		['l', false],
	] as const) {
		terminal.parser.registerCsiHandler({prefix: '?', final}, parameters => {
			if (parameters.includes(25)) cursorVisible = visible;
			return false;
		});
	}

	let whole: string[] = [];
	const read = () => Array.from({length: terminal.rows}, (_, row) => line(row)?.translateToString().trimEnd() ?? '');
	terminal.parser.registerCsiHandler({prefix: '?', final: 'h'}, parameters => {
		if (parameters.includes(2026)) whole = read();
		return false;
	});

	const line = (row: number) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);

	return {
		get columns() {
			return terminal.cols;
		},
		get rows() {
			return terminal.rows;
		},
		write: data => new Promise(resolve => terminal.write(data, resolve)),
		resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
		text: () => (terminal.modes.synchronizedOutputMode ? whole : read()),
		cell(row, column) {
			const cell = line(row)?.getCell(column);
			if (!cell) throw new RangeError(`No cell at row ${row}, column ${column}`);
			return {
				text: cell.getChars(),
				width: cell.getWidth(),
				foreground: color(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
				background: color(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
				bold: cell.isBold() !== 0,
				dim: cell.isDim() !== 0,
				italic: cell.isItalic() !== 0,
				underline: cell.isUnderline() !== 0,
				strikethrough: cell.isStrikethrough() !== 0,
				inverse: cell.isInverse() !== 0,
			};
		},
		cursor: () => ({
			row: terminal.buffer.active.cursorY,
			column: terminal.buffer.active.cursorX,
			visible: cursorVisible,
		}),
		alternate: () => terminal.buffer.active.type === 'alternate',
		onAnswer(listener) {
			terminal.onData(listener);
		},
	};
}

function color(isDefault: boolean, isRgb: boolean, value: number): Color {
	if (isDefault) return 'default';
	return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
}
