import {expect} from 'vitest';
import {type FaultName, faultNames} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import type {CellId} from './checks.ts';
import type {World} from './world.ts';

/** Faults with large answers: their memory is measured at one operation of each interface. */
export const heavyFaults: ReadonlySet<FaultName> = new Set(['endless-body', 'gzip-bomb', 'more-than-asked']);
const weighedOperations: ReadonlySet<OperationName> = new Set(['v2.depth', 'legacy.trades']);
/**
 * MiB in use while such an answer arrives: its 16 MiB in pieces and joined, at both ends of the connection, and the garbage
 * of both. Far below the 300 MiB that the bomb unpacks to.
 */
const mostInUse = 128;
/** MiB held at the end beyond those held before: compiled code and what the demo exchange prepares once. */
const mostHeld = 48;

/** Seconds of work each; only a hang takes this long, however busy the machine is. */
export const matrixTimeoutMs = 900_000;

/** What legacy does not offer: with both interfaces nothing stands in for it either. */
export const v2Only: ReadonlySet<OperationName> = new Set(['v2.info', 'v2.candles']);
export const isLegacy = (operation: OperationName): boolean => operation.startsWith('legacy.');

/** Runs `run` for every fault on this operation. */
export async function runFaults(
	operation: OperationName,
	world: World,
	run: (cell: CellId) => Promise<void>,
): Promise<void> {
	const unhandled: unknown[] = [];
	const onUnhandled = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', onUnhandled);
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
	process.off('unhandledRejection', onUnhandled);
	expect(failed).toEqual([]);
	expect(unhandled).toEqual([]);
	expect(inUse).toBeLessThan(mostInUse);
	expect(held).toBeLessThan(mostHeld);
}
