import type {Canvas} from '../../plot/canvas.ts';
import {type PriceScale, rowOf} from '../../plot/price-scale.ts';
import {isRising} from './candle-cells.ts';
import type {Pane} from './draw-candles.ts';

/** OHLC bars of the candles in sight: the opening price to the left of an upright, the closing price to its right. */
export function drawBars(canvas: Canvas, {candles, timeScale, glyphs, forming}: Pane, scale: PriceScale): void {
	const {bar} = glyphs;
	const hasArms = timeScale.bodyReach > 0;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles.at(index);
		if (!candle) continue;
		const column = timeScale.columnOf(index);
		const tone = isRising(candle) ? 'up' : 'down';
		const high = scale.halfRowOf(candle.high);
		const low = scale.halfRowOf(candle.low);
		const whole = index === forming ? bar.forming : bar.upright.ww;
		for (let row = rowOf(high); row <= rowOf(low); row++) {
			const upper = row * 2 >= high;
			const lower = row * 2 + 1 <= low;
			canvas.write(row, column, upper && lower ? whole : bar.upright[upper ? 'w ' : ' w'], tone);
		}

		const open = rowOf(scale.halfRowOf(candle.open));
		const close = rowOf(scale.halfRowOf(candle.close));
		canvas.write(open, column, open === close ? bar.both : bar.open, tone);
		if (open !== close) canvas.write(close, column, bar.close, tone);
		if (hasArms) canvas.write(open, column - 1, bar.arm, tone);
		if (hasArms) canvas.write(close, column + 1, bar.arm, tone);
	}
}
