import {glyphs} from './glyphs.ts';
import {type DrawnRow, drawLine} from './line-cells.ts';
import {blankRow, type Picture, type Row, resizePicture, type Size} from './picture.ts';
import {applySgr, defaultStyle, type Style} from './style.ts';

/** CSI, OSC and other strings, a shorter escape sequence, text, or one control character. */
const tokens =
	/\u001B\[([?>=<]?)([\d;:]*)([ -/]*[@-~])|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]|[^\p{Cc}]+|./suy;

/**
 * The screen that Ink writes to, as a terminal would have it: cells instead of bytes. It knows what Ink 8 writes in its
 * default mode. The rest it takes for something that does not move the cursor.
 */
export class InkScreen {
	#columns: number;
	#rows: Row[];
	#row = 0;
	/** `#columns` after a character in the last one: the next one goes to the next row. */
	#column = 0;
	#pen: Style = defaultStyle;
	#visible = true;
	#understood = true;
	/** Lines of the last two writes: most lines of a frame are those of the one before. */
	#lines = new Map<string, DrawnRow | undefined>();
	#olderLines = new Map<string, DrawnRow | undefined>();

	/** Blank, the cursor in the first cell. */
	constructor({columns, rows}: Size) {
		this.#columns = columns;
		this.#rows = Array.from({length: rows}, () => blankRow(columns));
	}

	get picture(): Picture {
		const column = Math.min(this.#column, this.#columns - 1);
		return {
			columns: this.#columns,
			rows: [...this.#rows],
			cursor: {row: this.#row, column, visible: this.#visible},
		};
	}

	resize(size: Size): void {
		const {rows, cursor} = resizePicture(this.picture, size);
		this.#rows = [...rows];
		[this.#row, this.#column] = [cursor.row, cursor.column];
		if (size.columns === this.#columns) return;
		this.#columns = size.columns;
		this.#lines.clear();
		this.#olderLines.clear();
	}

	/** Interprets what Ink wrote. False when there was something in it that may show otherwise than `picture` says. */
	write(text: string): boolean {
		this.#understood = true;
		if (this.#lines.size > 0) [this.#olderLines, this.#lines] = [this.#lines, new Map()];
		for (let at = 0; at < text.length; ) {
			const length = this.#drawWholeLine(text, at);
			at += length > 0 ? length : this.#interpret(text, at);
		}

		return this.#understood;
	}

	/** Draws up to the end of the line at once, on a blank row; 0 where it has to be interpreted piece by piece. */
	#drawWholeLine(text: string, at: number): number {
		const blank = blankRow(this.#columns);
		if (this.#column > 0 || this.#pen !== defaultStyle || this.#rows[this.#row] !== blank) return 0;
		const feed = text.indexOf('\n', at);
		const line = text.slice(at, feed < 0 ? undefined : feed);
		if (line === '') return 0;
		const known = this.#lines.has(line) || this.#olderLines.has(line);
		const drawn = known ? (this.#lines.get(line) ?? this.#olderLines.get(line)) : drawLine(line, this.#columns);
		this.#lines.set(line, drawn);
		if (!drawn) return 0;
		this.#rows[this.#row] = drawn.row;
		this.#column = drawn.end;
		return line.length;
	}

	/** Acts on the token at `at`; its length. */
	#interpret(text: string, at: number): number {
		tokens.lastIndex = at;
		const [token = '', prefix = '', parameters = '', final] = tokens.exec(text) ?? [];
		if (final !== undefined) this.#control(prefix, parameters, final);
		else if (token === '\n') this.#lineFeed();
		else if (token === '\r') this.#column = 0;
		else if (/^\p{Cc}/u.test(token)) this.#understood = false;
		else this.#print(token);
		return token.length;
	}

	#control(prefix: string, parameters: string, final: string): void {
		const [first = 0, second = 0] = parameters.split(/[;:]/).map(Number);
		const count = Math.max(1, first);
		const lastRow = this.#rows.length - 1;
		switch (prefix + final) {
			case 'm':
				this.#pen = this.#orUnknown(applySgr(this.#pen, parameters)) ?? this.#pen;
				break;
			case 'A':
				this.#row = Math.max(0, this.#row - count);
				break;
			case 'B':
				this.#row = Math.min(lastRow, this.#row + count);
				break;
			case 'G':
				this.#column = Math.min(count, this.#columns) - 1;
				break;
			case 'H':
				this.#row = Math.min(count - 1, lastRow);
				this.#column = Math.min(Math.max(1, second), this.#columns) - 1;
				break;
			case 'J':
				this.#orUnknown(first === 0 && this.#column === 0 ? true : undefined);
				for (let row = this.#row; row <= lastRow; row++) this.#rows[row] = blankRow(this.#columns);
				break;
			case 'K':
				this.#orUnknown(first === 2 && this.#pen.background === undefined ? true : undefined);
				this.#rows[this.#row] = blankRow(this.#columns);
				break;
			case '?h':
			case '?l':
				if (parameters === '25') this.#visible = final === 'h';
				else if (parameters !== '2026') this.#understood = false;
				break;
			default:
				this.#understood = false;
		}
	}

	#orUnknown<Result>(result: Result | undefined): Result | undefined {
		this.#understood &&= result !== undefined;
		return result;
	}

	#lineFeed(): void {
		this.#column = 0;
		this.#row++;
		if (this.#row < this.#rows.length) return;
		this.#row--;
		this.#rows.shift();
		this.#rows.push(blankRow(this.#columns));
	}

	#print(text: string): void {
		for (const {text: character, width} of glyphs(text)) {
			if (this.#column === this.#columns) this.#lineFeed();
			const before = this.#rows[this.#row];
			const next = this.#column + (width ?? 1);
			const fits = width !== undefined && next <= this.#columns;
			// Terminals differ in what a wide character leaves behind that is overwritten by half.
			const clean = before?.cells[this.#column]?.width !== 0 && before?.cells[next]?.width !== 0;
			if (!before || before.source !== undefined || !fits || !clean) {
				this.#understood = false;
				continue;
			}

			const cells = before.cells.slice();
			cells[this.#column] = {text: character, width, style: this.#pen};
			if (width === 2) cells[this.#column + 1] = {text: '', width: 0, style: this.#pen};
			this.#rows[this.#row] = {cells};
			this.#column = next;
		}
	}
}
