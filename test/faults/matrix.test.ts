import {test, vi} from 'vitest';
import {operationNames} from '../../source/demo/operations.ts';
import {runCell} from './cell.ts';
import {isLegacy, matrixTimeoutMs, runFaults, v2Only} from './run-faults.ts';
import {createWorld} from './world.ts';

vi.setConfig({testTimeout: matrixTimeoutMs});

test.each(operationNames.filter(operation => !v2Only.has(operation)))(
	'with one interface, %s keeps good data under every fault, shows the failure, and recovers within one poll',
	async operation => {
		const world = await createWorld();
		await runFaults(operation, world, cell => runCell(world, cell, isLegacy(operation) ? 'v1' : 'v2'));
	},
);
