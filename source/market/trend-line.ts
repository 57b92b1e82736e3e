/** A place in time, epoch ms, and price, above 0. */
export type LinePoint = {readonly time: number; readonly price: number};

/** A line that begins at one point and goes on through a later one without end. */
export type TrendLine = {
	readonly from: LinePoint;
	readonly to: LinePoint;
	/** Straight in the logarithm of the price, not in the price. */
	readonly log: boolean;
};

/** The line through two points, in either order; undefined: both have the same time. */
export function lineThrough(one: LinePoint, other: LinePoint, log: boolean): TrendLine | undefined {
	if (one.time === other.time) return undefined;
	const [from, to] = one.time < other.time ? [one, other] : [other, one];
	return {from, to, log};
}

/** The price of the line at a time; undefined before it begins, and where it would be at no price: at 0 or below, or beyond all numbers. */
export function linePriceAt({from, to, log}: TrendLine, time: number): number | undefined {
	if (!(time >= from.time)) return undefined;
	const isBefore = time < to.time;
	// Counted from a point, so that the line passes exactly through both.
	const start = isBefore ? from : to;
	const share = (time - start.time) / (to.time - from.time);
	const price = log
		? start.price * Math.exp((Math.log(to.price) - Math.log(from.price)) * share)
		: start.price + (to.price - from.price) * share;
	if (!(price > 0 && price < Infinity)) return undefined;
	// Rounding does not lead past the next point.
	return isBefore && price > to.price === to.price > from.price ? to.price : price;
}
