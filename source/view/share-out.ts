/** One of several parts side by side, in cells. */
export type Share = {
	/** The least that it can be used with. */
	readonly least: number;
	/** What it gets by itself. Without a meaning for the main part, which takes the rest. */
	readonly wish: number;
	/** What the user gave to it or, below 0, took from it. */
	readonly extra: number;
};

const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
const ownLength = ({least, wish, extra}: Share): number => Math.max(Math.max(wish, least) + extra, least);

/** The places of the other parts in the order in which they give way to the main one: those after it, then those before it. */
const othersOf = (count: number, main: number): readonly number[] => [
	...Array.from({length: count - main - 1}, (_, place) => main + 1 + place),
	...Array.from({length: main}, (_, place) => main - 1 - place),
];

/**
 * The lengths of the parts, in their order: together exactly `total`, none below its least as long as `total` has room for
 * that. The part at `main` takes what the others leave.
 */
export function shareOut(shares: readonly Share[], main: number, total: number): readonly number[] {
	const lengths = shares.map((share, place) => (place === main ? 0 : ownLength(share)));
	const others = othersOf(shares.length, main);
	const {least = 0, extra = 0} = shares[main] ?? {};
	const take = (wanted: number): void => {
		let left = wanted;
		for (const place of others) {
			const given = Math.min(Math.max(left, 0), (lengths[place] ?? 0) - (shares[place]?.least ?? 0));
			lengths[place] = (lengths[place] ?? 0) - given;
			left -= given;
		}
	};
	take(sum(lengths) + least - total);
	take(extra);
	const [beside] = others;
	const rest = total - sum(lengths);
	const given = beside === undefined ? 0 : Math.min(Math.max(-extra, 0), Math.max(rest - least, 0));
	if (beside !== undefined) lengths[beside] = (lengths[beside] ?? 0) + given;
	lengths[main] = rest - given;
	return lengths;
}

/**
 * What the user gives to each part so that the one at `place` grows by `by` cells (below 0: shrinks): the main part gives
 * and takes them, or for the main part the others. The opposite restores the lengths. Undefined: there is no room.
 */
export function extended(
	shares: readonly Share[],
	main: number,
	{total, place, by}: {readonly total: number; readonly place: number; readonly by: number},
): readonly number[] | undefined {
	const withExtras = (extras: readonly number[]) =>
		shares.map((share, index) => ({...share, extra: extras[index] ?? 0}));
	const lengthsWith = (extras: readonly number[]) => shareOut(withExtras(extras), main, total);
	const extras = shares.map(({extra}) => extra);
	const before = shareOut(shares, main, total);
	const lengthOf = (lengths: readonly number[], index: number): number => lengths[index] ?? 0;
	// What a larger terminal had room for does not count.
	const settled =
		place === main
			? extras.with(main, lengthOf(before, main) - lengthOf(lengthsWith(extras.with(main, 0)), main))
			: shares.map(({least, wish}, index) => (index === main ? 0 : lengthOf(before, index) - Math.max(wish, least)));
	const wanted = settled.with(place, (settled[place] ?? 0) + by);
	const after = lengthsWith(wanted);
	const growth = (index: number): number => lengthOf(after, index) - lengthOf(before, index);
	// Cells that others gave way for would not come back to them.
	return growth(place) === by && (place === main || growth(main) === -by) ? wanted : undefined;
}
