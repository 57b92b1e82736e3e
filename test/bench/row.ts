/** One line of the table that `npm run bench` prints. */
export type BenchRow = {
	readonly name: string;
	/** Measured figure as text with its unit, e.g. `1.21 × JSON.parse`. */
	readonly measured: string;
	/** The bound it is held against, e.g. `≤ 1.5`; absent: none is set. */
	readonly target?: string | undefined;
	/** Absent where there is no target. */
	readonly met?: boolean | undefined;
};
