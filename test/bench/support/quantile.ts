/** The value below which that share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
	return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
