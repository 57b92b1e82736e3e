import {test, vi} from 'vitest';
import {faultNames} from '../../source/demo/faults/table.ts';
import {type OperationName, operationNames} from '../../source/demo/operations.ts';
import type {Interface} from '../../source/market/types.ts';
import {runCell} from './cell.ts';
import type {CellId} from './checks.ts';
import {outcomeOf, resourcesOf} from './outcomes.ts';
import {matrixTimeoutMs, runFaults, weighedOperations} from './run-faults.ts';
import {createWorld} from './world.ts';

vi.setConfig({testTimeout: matrixTimeoutMs});

/** `more-than-asked` changes answers of these alone. */
const hasManyEntries = (operation: OperationName): boolean =>
	resourcesOf[operation].some(name => ['depth', 'tape', 'candles'].includes(name));

/** Without what costs seconds and tries nothing new: `endless-body` tries the limit of every operation. */
function isTried({fault, operation}: CellId): boolean {
	if (fault === 'gzip-bomb') return weighedOperations.has(operation);
	return fault !== 'more-than-asked' || hasManyEntries(operation);
}

/** What legacy does not offer: nothing stands in for it. */
const v2Only: ReadonlySet<OperationName> = new Set(['v2.info', 'v2.candles']);

/**
 * With both interfaces wherever nothing may replace the faulty one: it does not offer the operation, or the data goes on.
 * Where the fault fails reads, with the faulty interface alone: matrix-both.test.ts tries what stands in for it. While
 * all is well, legacy answers with both interfaces for its book alone.
 */
function sourcesOf({fault, operation}: CellId): Interface | 'both' {
	const goesOn = 'shows' in outcomeOf(fault, operation);
	const isPreferred = operation.startsWith('v2.') || operation === 'legacy.depth';
	if (v2Only.has(operation) || (goesOn && isPreferred)) return 'both';
	return operation.startsWith('v2.') ? 'v2' : 'v1';
}

test.each(operationNames)(
	'%s keeps good data under every fault, shows the failure, and recovers within one poll',
	async operation => {
		const world = await createWorld({v2Bids: operation !== 'legacy.depth'});
		const cells = faultNames.map(fault => ({fault, operation})).filter(isTried);
		await runFaults(cells, world, cell => runCell(world, cell, sourcesOf(cell)));
	},
);
