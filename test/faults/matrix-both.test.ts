import {test, vi} from 'vitest';
import {operationNames} from '../../source/demo/operations.ts';
import {runCell} from './cell.ts';
import {type CellId, hitsAll} from './checks.ts';
import {outcomeOf} from './outcomes.ts';
import {heavyFaults, isLegacy, matrixTimeoutMs, runFaults, v2Only} from './run-faults.ts';
import {runStandInCell, type Sources} from './stand-in-cell.ts';
import {createWorld, type World} from './world.ts';

vi.setConfig({testTimeout: matrixTimeoutMs});

/** Whether the fault makes reads fail that the other interface can answer. */
const isStoodInFor = (cell: CellId): boolean => 'says' in outcomeOf(cell.fault, cell.operation) && !hitsAll(cell);

function sourcesOf(cell: CellId): Sources | undefined {
	if (isLegacy(cell.operation)) return {usual: 'v2', during: 'v2'};
	return !v2Only.has(cell.operation) && isStoodInFor(cell) ? {usual: 'v2', during: 'v1'} : undefined;
}

/**
 * Legacy is not requested at all while v2 answers, whatever the fault. The port and the budget are shared by both; the
 * summary stands in for a ticker that legacy may answer as well. Large answers fail as others do: matrix.test.ts tries them.
 */
function isTried(cell: CellId): boolean {
	if (isLegacy(cell.operation)) return cell.fault === 'status-503';
	if (v2Only.has(cell.operation)) return true;
	return !heavyFaults.has(cell.fault) && !(hitsAll(cell) && cell.operation === 'v2.summary');
}

async function runWithBoth(world: World, cell: CellId, sources: Sources | undefined): Promise<void> {
	if (sources) await runStandInCell(world, cell, sources);
	else await runCell(world, cell, 'both');
}

test.each(operationNames)(
	'with both interfaces, data survives every fault of %s and returns to its usual source',
	async operation => {
		const world = await createWorld();
		await runFaults(operation, world, async cell => {
			if (isTried(cell)) await runWithBoth(world, cell, sourcesOf(cell));
		});
	},
);

test('v2’s asks replace a failing legacy book', async () => {
	const world = await createWorld({v2Bids: false});
	await runFaults('legacy.depth', world, cell =>
		runWithBoth(world, cell, isStoodInFor(cell) ? {usual: 'v1', during: 'v2'} : undefined),
	);
});
