import type {Results} from '../../../market/follow.ts';
import type {Candle} from '../../../market/types.ts';
import type {Tone} from '../../line.ts';
import type {Canvas} from '../../plot/canvas.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import type {TimeScale} from '../../plot/time-scale.ts';
import {candleCells, isRising} from './candle-cells.ts';
import type {Glyphs} from './glyphs.ts';

export type Pane = {
	readonly candles: Results<Candle>;
	readonly timeScale: TimeScale;
	readonly glyphs: Glyphs;
	/** Index of the candle that is still forming, if one is. */
	readonly forming?: number | undefined;
};

/** Bodies and wicks of the candles in sight, in the rows of the scale from row 0 on: what is drawn between them shows. */
export type CandlePicture = {wicks(): void; bodies(): void};

export function pictureCandles(canvas: Canvas, pane: Pane, scale: PriceScale): CandlePicture {
	const {candles, timeScale, glyphs} = pane;
	const wicks: Array<() => void> = [];
	const bodies: Array<() => void> = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles.at(index);
		if (!candle) continue;
		const left = timeScale.columnOf(index) - timeScale.bodyReach;
		const tone: Tone = isRising(candle) ? 'up' : 'down';
		const style = timeScale.bodyReach > 0 ? glyphs.wide : glyphs.narrow;
		for (const {row, ink, isBody} of candleCells(candle, scale, style, index === pane.forming)) {
			(isBody ? bodies : wicks).push(() => canvas.write(row, left, ink.text, tone, ink.inverse));
		}
	}

	const drawAll = (cells: ReadonlyArray<() => void>): void => {
		for (const draw of cells) draw();
	};
	return {wicks: () => drawAll(wicks), bodies: () => drawAll(bodies)};
}

/** The same at once, where nothing comes between. */
export function drawCandles(canvas: Canvas, pane: Pane, scale: PriceScale): void {
	const {wicks, bodies} = pictureCandles(canvas, pane, scale);
	wicks();
	bodies();
}
