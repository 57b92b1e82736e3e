/** Cells of each column, without the blank before it; 0: not shown. */
export type PickerColumns = {
	readonly name: number;
	readonly price: number;
	readonly change: number;
	/** Volume in quote asset, or in a unit that is not said. */
	readonly volume: number;
	/** In basis points. */
	readonly spread: number;
	/** The course of the price since the start. */
	readonly course: number;
};

/** The signs of the selected market and of a favourite. */
export const signColumns = 2;
/** Names that are longer give way to columns that only a wide picker has. */
const usualName = 12;
const leastCourse = 6;
const mostCourse = 64;
const volumeColumns = 8;
const spreadColumns = 9;

/** What fits beside the price and the change, the most telling first. */
export function pickerColumns(price: number, change: number, columns: number): PickerColumns {
	let left = columns - signColumns - price - change - 2 - usualName;
	const take = (wanted: number): number => {
		if (left < wanted + 1) return 0;
		left -= wanted + 1;
		return wanted;
	};
	const least = take(leastCourse);
	const volume = least > 0 ? take(volumeColumns) : 0;
	const spread = volume > 0 ? take(spreadColumns) : 0;
	// A name takes what it may need before the course grows.
	const more = spread > 0 ? Math.min(Math.max(left - usualName, 0), mostCourse - leastCourse) : 0;
	return {name: usualName + left - more, price, change, volume, spread, course: least + more};
}
