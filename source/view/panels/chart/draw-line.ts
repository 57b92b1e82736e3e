import type {Canvas} from '../../plot/canvas.ts';
import {plotLine} from '../../plot/plot-line.ts';
import {type PriceScale, rowOf} from '../../plot/price-scale.ts';
import type {Pane} from './draw-candles.ts';

/** The closing prices as a line, `zoom` columns a candle, interrupted where candles are missing. */
export function drawLine(canvas: Canvas, pane: Pane, scale: PriceScale, zoom: number): void {
	const {candles, timeScale, glyphs} = pane;
	const height = rowOf(scale.halfRows - 1);
	for (const {column, rows} of closingRuns(pane, scale, zoom)) {
		plotLine(canvas, {rows, column, height, tone: 'plain'}, glyphs);
	}

	const newest = candles.at(timeScale.last);
	if (newest && timeScale.last === pane.forming) {
		canvas.write(rowOf(scale.halfRowOf(newest.close)), timeScale.columnOf(timeScale.last), glyphs.lineEnd, 'accent');
	}
}

type Run = {readonly column: number; readonly rows: number[]};

/** The rows of the closing prices, column by column, of candles without a gap between them. */
function closingRuns({candles, timeScale}: Pane, scale: PriceScale, zoom: number): readonly Run[] {
	const runs: Run[] = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles.at(index);
		if (!candle) continue;
		const column = timeScale.columnOf(index);
		const row = rowOf(scale.halfRowOf(candle.close));
		const run = runs.at(-1);
		const last = run?.rows.at(-1);
		// A line reaches from the middle of one candle to the middle of the next, and no further.
		if (run && last !== undefined && column === run.column + run.rows.length - 1 + zoom) {
			run.rows.push(...Array.from({length: zoom - 1}, () => last), row);
		} else {
			runs.push({column, rows: [row]});
		}
	}

	return runs;
}
