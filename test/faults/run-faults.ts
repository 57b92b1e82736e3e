import {afterAll, beforeAll, expect} from 'vitest';
import type {FaultName} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import {type CellId, demand} from './checks.ts';
import {heldMegabytes, type World} from './world.ts';

/**
 * Faults with large answers, and where their memory is measured: at one operation of each interface that reads them to
 * their end.
 */
export const heavyFaults: ReadonlyMap<FaultName, readonly OperationName[]> = new Map([
	['endless-body', ['legacy.trades']],
	['gzip-bomb', ['v2.depth']],
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

/** All tests of the file together hold no more memory at its end. */
export function expectNothingHeld(): void {
	let before = 0;
	beforeAll(async () => {
		before = await heldMegabytes();
	});
	afterAll(async () => {
		expect((await heldMegabytes()) - before).toBeLessThan(mostHeld);
	});
}

/** Runs `run` for every cell, one after the other. */
export async function runFaults(
	cells: readonly CellId[],
	world: World,
	run: (cell: CellId) => Promise<void>,
): Promise<void> {
	const unhandled: unknown[] = [];
	const onUnhandled = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', onUnhandled);
	const timers = world.timers();
	let inUse = 0;
	const failed: string[] = [];
	for (const cell of cells) {
		const {fault, operation} = cell;
		const isWeighed = heavyFaults.get(fault)?.includes(operation);
		try {
			if (isWeighed) inUse = Math.max(inUse, await world.weigh(() => run(cell)));
			else await run(cell);
			// A timer of a program that has ended would keep all of it in memory.
			demand(world.timers() === timers, `${world.timers() - timers} timers are left`);
		} catch (error) {
			failed.push(`${operation}=${fault}: ${error instanceof Error ? error.message : error}`);
		}
	}

	await world.close();
	process.off('unhandledRejection', onUnhandled);
	expect(failed).toEqual([]);
	expect(unhandled).toEqual([]);
	expect(inUse).toBeLessThan(mostInUse);
}
