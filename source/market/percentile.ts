/** The smallest of `values` (in any order) that `share` (0 to 1) of them do not exceed; undefined if there are none. */
export function percentile(values: readonly number[], share: number): number | undefined {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1];
}
