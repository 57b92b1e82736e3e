import type {Size} from '../format/cells.ts';
import {clamp} from '../market/numbers.ts';

/** What a terminal has that does not tell, such as a serial console. */
const usualSize: Size = {columns: 80, rows: 24};
/** Beyond it nothing is drawn. Larger than any screen, and drawn fast enough to answer keys. */
const largestSize: Size = {columns: 1000, rows: 300};

/** The size to draw for: that of the terminal, unless it is unknown (absent or 0) or absurd. */
export function drawnSize({columns, rows}: Partial<Size>): Size {
	return {
		columns: clamp(columns || usualSize.columns, 1, largestSize.columns),
		rows: clamp(rows || usualSize.rows, 1, largestSize.rows),
	};
}
