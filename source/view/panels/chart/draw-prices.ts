import {drawCurves} from '../../plot/layers.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import type {ChartInput} from './chart-view.ts';
import {type Plot, plottedCurves} from './draw-panes.ts';
import {
	candlePictures,
	closingCurve,
	drawAsciiClosings,
	drawBars,
	drawCandles,
	drawLineEnd,
	type Series,
} from './draw-series.ts';
import type {Overlay} from './indicator-curves.ts';

/** Draws the candles in the chosen type, and the curves over the prices: behind bodies, before wicks, which would hide them. */
export function drawPrices(
	plot: Plot,
	series: Series,
	scale: PriceScale,
	overlays: readonly Overlay[],
	{type, zoom}: Pick<ChartInput, 'type' | 'zoom'>,
): void {
	const {layout, ascii} = plot;
	const canvas = plot.canvas.part(layout.priceTop, layout.priceRows, layout.plotColumns);
	const curves = plottedCurves(
		plot,
		overlays.flatMap(overlay => overlay.curves),
		scale,
	);
	if (type === 'line') {
		drawCurves(canvas, ascii ? curves : [...curves, closingCurve(series, scale, zoom.columns)], ascii);
		if (ascii) drawAsciiClosings(canvas, series, scale, zoom.columns);
		drawLineEnd(canvas, series, scale);
		return;
	}

	if (type === 'bars') {
		drawCurves(canvas, curves, ascii);
		drawBars(canvas, series, scale);
		return;
	}

	const pictures = candlePictures(series, scale);
	drawCandles(canvas, pictures, 'wicks');
	drawCurves(canvas, curves, ascii);
	drawCandles(canvas, pictures, 'bodies');
}
