import {measureFor, type Price} from './price-scale.ts';

export type PriceRange = {readonly low: Price; readonly high: Price};

/** The range to draw so that `wanted` fits, with some air. `what` names what is drawn: a new name begins anew. */
export type RangeFitter = (wanted: PriceRange, what: {readonly name: string; readonly log: boolean}) => PriceRange;

/** Air above and below, as a share of what is wanted. */
const air = 0.04;
/** A range is given up when less of it is used. */
const leastUse = 0.6;

/**
 * Remembers the last range and stays with it while the prices fit into it and fill most of it: so the scale and its round
 * prices stand still while the price moves.
 */
export function createRangeFitter(): RangeFitter {
	let last: {range: PriceRange; name: string} | undefined;
	return (wanted, {name, log}) => {
		const {of, back} = measureFor(log && wanted.low > 0);
		const span = ({low, high}: PriceRange): number => of(high) - of(low);
		if (last?.name === name) {
			const {range} = last;
			const fits = range.low <= wanted.low && wanted.high <= range.high;
			if (fits && span(wanted) >= span(range) * leastUse) return range;
		}

		const margin = span(wanted) * air;
		const low = back(of(wanted.low) - margin);
		// No price is below nothing.
		const range = {low: wanted.low > 0 ? Math.max(low, wanted.low / 2) : low, high: back(of(wanted.high) + margin)};
		last = {range, name};
		return margin > 0 ? range : wanted;
	};
}
