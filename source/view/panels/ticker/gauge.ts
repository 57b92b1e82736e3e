import {clamp} from '../../../market/numbers.ts';

type GaugeInput = {
	readonly low?: number | undefined;
	readonly high?: number | undefined;
	readonly price: number | undefined;
	/** Cells including the ends; at least 3. */
	readonly columns: number;
	readonly ascii: boolean;
};

const unicodeGauge = {left: '▕', right: '▏', rail: '─', point: '●', below: '◀', above: '▶'};
const asciiGauge = {left: '[', right: ']', rail: '-', point: 'o', below: '<', above: '>'};

/** Where the price is between low (0) and high (1), outside of which it can be too; undefined if a number is unknown. */
export function shareOfRange(
	low: number | undefined,
	high: number | undefined,
	price: number | undefined,
): number | undefined {
	if (low === undefined || high === undefined || price === undefined) return undefined;
	return high > low ? (price - low) / (high - low) : 0.5;
}

/**
 * `▕────●───▏`: the position of the price in the day's range. A price outside the range, of a trade more than a day
 * old, is an arrow at that end. Empty if a number is unknown; in the middle if the range is a single price.
 */
export function rangeGauge({low, high, price, columns, ascii}: GaugeInput): string {
	if (low === undefined || high === undefined || price === undefined) return '';
	const glyphs = ascii ? asciiGauge : unicodeGauge;
	const rail = Math.max(columns - 2, 1);
	const at = Math.round(clamp(shareOfRange(low, high, price) ?? 0, 0, 1) * (rail - 1));
	const point = price < low ? glyphs.below : price > high ? glyphs.above : glyphs.point;
	return glyphs.left + glyphs.rail.repeat(at) + point + glyphs.rail.repeat(rail - 1 - at) + glyphs.right;
}
