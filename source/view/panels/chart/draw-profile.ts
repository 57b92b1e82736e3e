import {type VolumeProfile, volumeProfile} from '../../../market/volume-profile.ts';
import type {Tone} from '../../line.ts';
import type {PriceScale} from '../../plot/price-scale.ts';
import type {Axes} from './draw-axes.ts';
import type {Series} from './draw-series.ts';
import type {Glyphs} from './glyphs.ts';

/** Draws the volume of the visible candles by price, an estimate, as bars that begin at the price axis: one for each row. */
export function drawProfile({canvas, layout, glyphs}: Axes, series: Series, scale: PriceScale): void {
	const {profileColumns, plotColumns, priceTop} = layout;
	if (profileColumns === 0) return;
	const edges = Array.from({length: scale.rows + 1}, (_, row) => scale.priceAt(row));
	const profile = volumeProfile(visibleCandles(series), edges);
	const largest = profile.volumes[profile.control ?? 0] ?? 0;
	for (const [row, volume] of profile.volumes.entries()) {
		if (volume === 0) continue;
		const cells = Math.max(Math.round((volume / largest) * profileColumns), 1);
		const {text, tone} = inkOf(row, profile, glyphs);
		canvas.write(priceTop + row, plotColumns - cells, text.repeat(cells), tone);
	}
}

function* visibleCandles({candles, timeScale: {first, last}}: Series) {
	for (let index = first; index <= last; index++) {
		const candle = candles.at(index);
		if (candle) yield candle;
	}
}

/** The glyph of a row's bar says where the row lies, so that colour is not needed for it. */
function inkOf(row: number, {control, area}: VolumeProfile, {profile}: Glyphs): {text: string; tone: Tone} {
	if (row === control) return {text: profile.control, tone: 'accent'};
	const isInside = area !== undefined && row >= area.first && row <= area.last;
	return isInside ? {text: profile.area, tone: 'series5'} : {text: profile.outside, tone: 'muted'};
}
