import {expect} from 'vitest';
import type {FaultName} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import type {CellId} from './checks.ts';
import type {World} from './world.ts';

/**
 * Faults with large answers, and where their memory is measured: at one operation of each interface that reads them to
 * their end.
 */
export const heavyFaults: ReadonlyMap<FaultName, readonly OperationName[]> = new Map([
	['endless-body', ['legacy.trades']],
	['gzip-bomb', ['v2.depth']],
	['more-than-asked', ['v2.depth', 'legacy.trades']],
]);
/**
 * MiB in use while such an answer arrives: its 16 MiB in pieces and joined, at both ends of the connection, and the garbage
 * of both. Far below the 300 MiB that the bomb unpacks to.
 */
const mostInUse = 128;
/** MiB held at the end beyond those held before: compiled code and what the demo exchange prepares once. */
const mostHeld = 48;

/** Seconds of work each; only a hang takes this long, however busy the machine is. */
export const matrixTimeoutMs = 900_000;

/** Runs `run` for every cell, one after the other. */
export async function runFaults(
	cells: readonly CellId[],
	world: World,
	run: (cell: CellId) => Promise<void>,
): Promise<void> {
	const unhandled: unknown[] = [];
	const onUnhandled = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', onUnhandled);
	const before = await world.heldMegabytes();
	let inUse = 0;
	const failed: string[] = [];
	for (const cell of cells) {
		const {fault, operation} = cell;
		const isWeighed = heavyFaults.get(fault)?.includes(operation);
		try {
			if (isWeighed) inUse = Math.max(inUse, await world.weigh(() => run(cell)));
			else await run(cell);
		} catch (error) {
			failed.push(`${operation}=${fault}: ${error instanceof Error ? error.message : error}`);
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
