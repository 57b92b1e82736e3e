import {createPriceScale, type PriceScale, type RangeFitter} from '../../plot/price-scale.ts';
import {type ChartInput, type ChartView, drawnCandles} from './chart-view.ts';
import {overlaysOf} from './indicator-curves.ts';

/** How far overlays may widen the prices' range, as a share of it: a mean far away must not flatten the candles. */
const overlayShare = 0.5;

/**
 * The scale of the prices: it fits the visible candles, and overlays that are near enough. `fitRange` keeps it still; asked
 * twice for one input and view, it gives the same scale.
 */
export function chartScale(
	input: ChartInput,
	view: ChartView,
	fitRange: RangeFitter,
	drawn = drawnCandles(input, view),
	overlays = overlaysOf(input.series, input, input.complete ?? false),
): PriceScale {
	const {type, log, decimals} = input;
	const {period, layout, timeScale, endOf} = view;
	const {first, last} = timeScale;
	let low = Infinity;
	let high = -Infinity;
	for (let index = first; index <= last; index++) {
		const candle = drawn.at(index);
		if (!candle) continue;
		low = Math.min(low, type === 'line' ? candle.close : candle.low);
		high = Math.max(high, type === 'line' ? candle.close : candle.high);
	}

	const widest = {low: low - (high - low) * overlayShare, high: high + (high - low) * overlayShare};
	for (const {values} of overlays.flatMap(({curves}) => curves)) {
		for (let index = first; index <= last; index++) {
			const value = values.at(endOf(index));
			if (value === undefined) continue;
			low = Math.min(low, Math.max(value, widest.low));
			high = Math.max(high, Math.min(value, widest.high));
		}
	}

	const range = fitRange({low, high}, {name: `${period} ${type} ${log}`, log});
	return createPriceScale({...range, rows: layout.priceRows, decimals, log});
}
