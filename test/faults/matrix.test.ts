import {expect, test} from 'vitest';
import {faultNames} from '../../source/demo/faults/table.ts';
import {operationNames} from '../../source/demo/operations.ts';
import {type CellId, runCell} from './cell.ts';
import {createWorld} from './world.ts';

/** Beside what is in use before the first fault: less than one gzip bomb unpacks to. */
const mostMegabytes = 300;

const cells: readonly CellId[] = operationNames.flatMap(operation => faultNames.map(fault => ({fault, operation})));

test('under every fault of every operation: good data stays, what failed is said, all is bounded, and it recovers', async () => {
	const unhandled: unknown[] = [];
	const onUnhandled = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', onUnhandled);
	const world = await createWorld();
	const before = world.peakMegabytes();
	const failed: string[] = [];
	for (const cell of cells) {
		await runCell(world, cell).catch((error: Error) =>
			failed.push(`${cell.operation}=${cell.fault}: ${error.message}`),
		);
	}

	const more = world.peakMegabytes() - before;
	await world.close();
	process.off('unhandledRejection', onUnhandled);
	const ofInterface = (source: string) => operationNames.filter(name => name.startsWith(source)).length;
	console.info(
		`matrix: ${faultNames.length} faults × (${ofInterface('v2')} v2 + ${ofInterface('legacy')} legacy operations) = ` +
			`${cells.length} cells, ${cells.length - failed.length} passed; ` +
			`${unhandled.length} unhandled rejections, at most ${Math.round(more)} MiB more in use`,
	);
	expect(failed).toEqual([]);
	expect(unhandled).toEqual([]);
	expect(more).toBeLessThan(mostMegabytes);
}, 300_000);
