import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createScreen} from '../../helpers/screen.ts';
import {arborescence} from './arborescence.ts';
import {gridOf, leastBytes} from './least-bytes.ts';

const start = {row: 0, column: 0};

async function least(before: string, after: string, known: number) {
	const screen = createScreen(20, 4);
	await screen.write(before);
	const grid = gridOf(screen);
	await screen.write(after);
	return leastBytes(grid, gridOf(screen), start, known);
}

test.each([
	['nothing', 'abc', '', 0],
	['one character at the cursor', 'abc\u001B[H', 'x', 16 + 1],
	['one in the next row', 'abc\u001B[H', '\vx', 16 + 2],
	['one further on, by writing what is there', 'abc\u001B[H', 'abx', 16 + 3],
	['two styles beside each other', '', 'a\u001B[31mb', 16 + 1 + 5 + 1],
	['two rows of one column', '', 'a\b\vb', 16 + 4],
	['blanks on both sides of one that was there', 'abc def\u001B[H', '\u001B[K', 16 + 3],
	['the end of a row', 'abcdefghij\u001B[H', '\u001B[K', 16 + 3],
])('knows the least that it takes to change %s', async (_, before, after, bytes) => {
	expect(await least(before, after, bytes + 20)).toBeCloseTo(bytes, 1);
});

const text = fc.stringMatching(/^[a-c ]{0,12}$/);
const piece = fc.tuple(fc.nat(3), fc.nat(7), fc.constantFrom('', '\u001B[31m', '\u001B[m'), text);
const pieces = fc.array(piece, {maxLength: 8});
const draw = (from: readonly [number, number, string, string][]) =>
	from.map(([row, column, style, content]) => `\u001B[${row + 1};${column + 1}H${style}${content}`).join('');

test('is never more than what some update takes', async () => {
	await fc.assert(
		fc.asyncProperty(pieces, pieces, async (before, after) => {
			const update = draw(after);
			const known = 16 + update.length;
			expect(await least(`${draw(before)}\u001B[m\u001B[H`, update, known)).toBeLessThanOrEqual(known + 0.01);
		}),
	);
});

/** All ways to give each node but the first a parent, of those that are trees. */
function cheapestTree(costs: readonly (readonly number[])[]): number {
	const size = costs.length;
	let best = Infinity;
	for (let choice = 0; choice < size ** (size - 1); choice++) {
		const parents = Array.from({length: size}, (_, node) =>
			node === 0 ? 0 : Math.floor(choice / size ** (node - 1)) % size,
		);
		const rooted = parents.every((_, node) => {
			let at = node;
			for (let step = 0; step < size; step++) at = parents[at] ?? 0;
			return at === 0;
		});
		const cost = parents.reduce((sum, from, to) => sum + (to === 0 ? 0 : (costs[from]?.[to] ?? 0)), 0);
		if (rooted) best = Math.min(best, cost);
	}

	return best;
}

test('finds the cheapest tree', () => {
	const table = fc.array(fc.array(fc.nat(20), {minLength: 5, maxLength: 5}), {minLength: 5, maxLength: 5});
	fc.assert(
		fc.property(table, costs => {
			const parents = arborescence({size: 5, edges: Float64Array.from(costs.flat())});
			const cost = [...parents].reduce((sum, from, to) => sum + (from < 0 ? 0 : (costs[from]?.[to] ?? 0)), 0);
			expect(cost).toBe(cheapestTree(costs));
		}),
		{numRuns: 50},
	);
});
