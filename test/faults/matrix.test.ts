import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {type FaultName, faultNames} from '../../source/demo/faults/table.ts';
import {type OperationName, operationNames} from '../../source/demo/operations.ts';
import {runCell} from './cell.ts';
import {type CellId, hitsAll} from './checks.ts';
import {outcomeOf} from './outcomes.ts';
import {runStandInCell, type Sources} from './stand-in-cell.ts';
import {createWorld, type World} from './world.ts';

/** Faults with large answers: their memory is measured at one operation of each interface. */
const heavyFaults: ReadonlySet<FaultName> = new Set(['endless-body', 'gzip-bomb', 'more-than-asked']);
const weighedOperations: ReadonlySet<OperationName> = new Set(['v2.depth', 'legacy.trades']);
/**
 * MiB in use while such an answer arrives: its 16 MiB in pieces and joined, at both ends of the connection, and the garbage
 * of both. Far below the 300 MiB that the bomb unpacks to.
 */
const mostInUse = 128;
/** MiB held at the end beyond those held before: compiled code and what the demo exchange prepares once. */
const mostHeld = 48;

// Seconds of work each; only a hang takes this long, however busy the machine is.
vi.setConfig({testTimeout: 900_000});

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
	unhandled.length = 0;
	process.on('unhandledRejection', onUnhandled);
});
afterEach(() => {
	process.off('unhandledRejection', onUnhandled);
});

/** Runs `run` for every fault on this operation. */
async function runFaults(operation: OperationName, world: World, run: (cell: CellId) => Promise<void>): Promise<void> {
	const before = await world.heldMegabytes();
	let inUse = 0;
	const failed: string[] = [];
	for (const fault of faultNames) {
		const cell = {fault, operation};
		const isWeighed = heavyFaults.has(fault) && weighedOperations.has(operation);
		try {
			if (isWeighed) inUse = Math.max(inUse, await world.weigh(() => run(cell)));
			else await run(cell);
		} catch (error) {
			failed.push(`${fault}: ${error instanceof Error ? error.message : error}`);
		}
	}

	const held = (await world.heldMegabytes()) - before;
	await world.close();
	expect(failed).toEqual([]);
	expect(unhandled).toEqual([]);
	expect(inUse).toBeLessThan(mostInUse);
	expect(held).toBeLessThan(mostHeld);
}

const isLegacy = (operation: OperationName): boolean => operation.startsWith('legacy.');

test.each(operationNames)(
	'with one interface, %s keeps good data under every fault, shows the failure, and recovers within one poll',
	async operation => {
		const world = await createWorld();
		await runFaults(operation, world, cell => runCell(world, cell, isLegacy(operation) ? 'v1' : 'v2'));
	},
);

/** What legacy offers too. */
const doubled: readonly OperationName[] = ['v2.markets', 'v2.summary', 'v2.ticker', 'v2.depth', 'v2.trades'];

/** Whether the fault makes reads fail that the other interface can answer. */
const isStoodInFor = (cell: CellId): boolean => 'says' in outcomeOf(cell.fault, cell.operation) && !hitsAll(cell);

function sourcesOf(cell: CellId): Sources | undefined {
	if (isLegacy(cell.operation)) return {usual: 'v2', during: 'v2'};
	return doubled.includes(cell.operation) && isStoodInFor(cell) ? {usual: 'v2', during: 'v1'} : undefined;
}

/** The port and the budget are shared by legacy and v2; the summary stands in for a ticker that legacy may answer as well. */
const isTried = (cell: CellId): boolean =>
	!hitsAll(cell) || (!isLegacy(cell.operation) && cell.operation !== 'v2.summary');

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

test('where v2 has no bids, its asks stand in for the legacy book', async () => {
	const world = await createWorld({v2Bids: false});
	await runFaults('legacy.depth', world, cell =>
		runWithBoth(world, cell, isStoodInFor(cell) ? {usual: 'v1', during: 'v2'} : undefined),
	);
});
