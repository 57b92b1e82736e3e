import type {Canvas} from '../../plot/canvas.ts';
import {isRising} from './candle-cells.ts';
import type {Pane} from './draw-candles.ts';

/** The largest volume in sight, in base asset; 0 when nothing was traded. */
export function largestVolume({candles, timeScale}: Pane): number {
	let largest = 0;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		largest = Math.max(largest, candles.at(index)?.volume ?? 0);
	}

	return largest;
}

/** Bars that stand on the last of `rows` rows from `top` on; the largest volume fills them all, the least shows a sliver. */
export function drawVolume(canvas: Canvas, pane: Pane, {top, rows}: {top: number; rows: number}): void {
	const {candles, timeScale, glyphs} = pane;
	const largest = largestVolume(pane);
	const levels = glyphs.bars.length - 1;
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const candle = candles.at(index);
		if (!candle || candle.volume <= 0) continue;
		const filled = Math.max(Math.round((candle.volume / largest) * rows * levels), 1);
		const left = timeScale.columnOf(index) - timeScale.bodyReach;
		for (let row = 0; row * levels < filled; row++) {
			const bar = glyphs.bars[Math.min(filled - row * levels, levels)] ?? '';
			const text = bar.repeat(timeScale.bodyReach * 2 + 1);
			canvas.write(top + rows - 1 - row, left, text, isRising(candle) ? 'upBar' : 'downBar');
		}
	}
}
