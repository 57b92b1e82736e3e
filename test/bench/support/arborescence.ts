/** Costs of the edges between `size` nodes, that from i to j at `i * size + j`; Infinity: there is none. */
export type Costs = {readonly size: number; readonly edges: Float64Array};

/**
 * The cheapest tree in which every node can be reached from node 0: Chu, Liu and Edmonds. The answer is each node's
 * parent; -1 for node 0.
 */
export function arborescence({size, edges}: Costs): Int32Array {
	const parents = new Int32Array(size).fill(-1);
	const entries = new Float64Array(size).fill(Infinity);
	for (let from = 0; from < size; from++) {
		for (let to = 1; to < size; to++) {
			const cost = edges[from * size + to] ?? Infinity;
			if (from === to || cost >= (entries[to] ?? 0)) continue;
			entries[to] = cost;
			parents[to] = from;
		}
	}

	const {groups, count, cycles} = groupCycles(parents);
	if (cycles === 0) return parents;

	// A cycle becomes one node; to enter it somewhere spares the edge that led there within it.
	const inner = new Float64Array(count * count).fill(Infinity);
	const chosen = new Int32Array(count * count);
	for (let from = 0; from < size; from++) {
		const source = (groups[from] ?? 0) * count;
		for (let to = 1; to < size; to++) {
			const target = groups[to] ?? 0;
			const spared = target >= count - cycles ? (entries[to] ?? 0) : 0;
			const cost = (edges[from * size + to] ?? Infinity) - spared;
			if (source === target * count || cost >= (inner[source + target] ?? 0)) continue;
			inner[source + target] = cost;
			chosen[source + target] = from * size + to;
		}
	}

	for (const [target, source] of arborescence({size: count, edges: inner}).entries()) {
		if (source < 0) continue;
		const edge = chosen[source * count + target] ?? 0;
		parents[edge % size] = Math.floor(edge / size);
	}

	return parents;
}

/** A number for each node, the same for those of one cycle: 0 for node 0, the highest for the cycles. */
function groupCycles(parents: Int32Array): {groups: Int32Array; count: number; cycles: number} {
	const seen = new Int32Array(parents.length).fill(-1);
	const cycleOf = new Int32Array(parents.length).fill(-1);
	let [cycles, inCycles] = [0, 0];
	for (let start = 0; start < parents.length; start++) {
		let node = start;
		for (; node >= 0 && seen[node] === -1; node = parents[node] ?? -1) seen[node] = start;
		if (node < 0 || seen[node] !== start || cycleOf[node] !== -1) continue;
		for (; cycleOf[node] === -1; node = parents[node] ?? 0) {
			cycleOf[node] = cycles;
			inCycles++;
		}

		cycles++;
	}

	const alone = parents.length - inCycles;
	let next = 0;
	const groups = cycleOf.map(cycle => (cycle < 0 ? next++ : alone + cycle));
	return {groups, count: alone + cycles, cycles};
}
