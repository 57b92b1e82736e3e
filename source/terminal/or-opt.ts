const longestChain = 5;
const mostRounds = 4;

/**
 * A shorter way through `count` stops than 0, 1, 2, …, where there is one that can be had by moving up to five stops in
 * a row to somewhere else, again and again (Or-opt). `cost` is that of the step from one stop to another, below 65,536.
 * Stop 0 stays the first; the way may end anywhere.
 */
export function shortenTour(count: number, cost: (from: number, to: number) => number): readonly number[] {
	const costs = new Uint16Array(count * count);
	for (let from = 0; from < count; from++) {
		for (let to = 1; to < count; to++) if (from !== to) costs[from * count + to] = cost(from, to);
	}

	const step: Steps = (from = 0, to = 0) => costs[from * count + to] ?? 0;
	const tour = Array.from({length: count}, (_, stop) => stop);
	let improved = true;
	for (let round = 0; improved && round < mostRounds; round++) {
		improved = false;
		for (let length = 1; length <= longestChain; length++) {
			for (let at = 1; at + length <= count; at++) {
				const target = betterPlace(tour, at, length, step);
				if (target === undefined) continue;
				const chain = tour.splice(at, length);
				tour.splice(target < at ? target + 1 : target + 1 - length, 0, ...chain);
				improved = true;
			}
		}
	}

	return tour;
}

/** Of a step; one that begins or ends nowhere costs nothing. */
type Steps = (from: number | undefined, to: number | undefined) => number;

/** After which place the chain would stand better of the tour. */
function betterPlace(tour: readonly number[], at: number, length: number, step: Steps): number | undefined {
	const [before, first, last, behind] = [tour[at - 1], tour[at], tour[at + length - 1], tour[at + length]];
	let least = step(before, first) + step(last, behind) - step(before, behind);
	let place: number | undefined;
	for (let other = 0; other < tour.length && least > 0; other++) {
		if (other >= at - 1 && other < at + length) continue;
		const from = tour[other];
		const to = tour[other + 1];
		const added = step(from, first) + step(last, to) - step(from, to);
		if (added < least) [least, place] = [added, other];
	}

	return place;
}
