/** The smallest of `values` (in any order) that `share` (0 to 1) of them do not exceed; undefined if there are none. */
export function percentile(values: readonly number[], share: number): number | undefined {
	const sorted = new Float64Array(values).sort();
	return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1];
}

/** The nearest value to `value` between `least` and `most`; `most` where the two cross. */
export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** The value; undefined where there is none, or where no number says it. */
export const finite = (value: number | null | undefined): number | undefined =>
	Number.isFinite(value) ? (value ?? undefined) : undefined;

/** The least whole number from `low` to `high` at which `holds`, as it does at all larger ones; `high`: at none below it. */
export function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
	let [from, to] = [low, high];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		if (holds(middle)) to = middle;
		else from = middle + 1;
	}

	return from;
}
