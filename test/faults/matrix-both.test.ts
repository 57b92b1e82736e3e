import {expect, test, vi} from 'vitest';
import {type FaultName, faultNames} from '../../source/demo/faults/table.ts';
import type {OperationName} from '../../source/demo/operations.ts';
import {runCell} from './cell.ts';
import {type CellId, hitsAll} from './checks.ts';
import {outcomeOf} from './outcomes.ts';
import {expectNothingHeld, heavyFaults, matrixTimeoutMs, runFaults} from './run-faults.ts';
import {runStandInCell} from './stand-in-cell.ts';
import {createWorld} from './world.ts';

vi.setConfig({testTimeout: matrixTimeoutMs});
expectNothingHeld();

/**
 * Faults that make reads fail, by what the client tells apart when it turns to the other interface: a deadline that passes,
 * a connection that breaks, a refusal of the one market, another status, an answer that cannot be read.
 */
const kinds: ReadonlyArray<readonly FaultName[]> = [
	['hang', 'drip'],
	['reset'],
	['status-400', 'status-422', 'success-false', 'vanished'],
	['status-500', 'status-503', 'redirect-host', 'redirect-loop'],
	['cut-off', 'garbage', 'wrong-types', 'null-data'],
];
const replaced: readonly OperationName[] = ['v2.markets', 'v2.summary', 'v2.ticker', 'v2.depth', 'v2.trades'];

/** Each kind of fault at each operation, each fault at one operation at least. */
const cellsOf = (operation: OperationName): readonly CellId[] =>
	kinds.flatMap(faults => {
		const fault = faults[replaced.indexOf(operation) % faults.length];
		return fault ? [{fault, operation}] : [];
	});

test.each(replaced)('the other interface stands in for a failing %s until it is back', async operation => {
	const world = await createWorld();
	await runFaults(cellsOf(operation), world, cell => runStandInCell(world, cell, {usual: 'v2', during: 'legacy'}));
});

test('v2’s asks replace a failing legacy book', async () => {
	const world = await createWorld({v2Bids: false});
	const cells = kinds.flatMap(([fault]) => (fault ? [{fault, operation: 'legacy.depth'} as const] : []));
	await runFaults(cells, world, cell => runStandInCell(world, cell, {usual: 'legacy', during: 'v2'}));
});

test('every fault that makes reads fail is stood in for, but those that hit both interfaces or take much memory', () => {
	const tried = new Set(replaced.flatMap(cellsOf).map(({fault}) => fault));
	const failing = faultNames.filter(fault =>
		replaced.some(operation => 'says' in outcomeOf(fault, operation) && !hitsAll({fault, operation})),
	);
	expect(failing.filter(fault => !heavyFaults.has(fault) && !tried.has(fault))).toEqual([]);
});

test.each(['v2.ticker', 'v2.depth'] as const)(
	'data survives what hits both interfaces from %s on, and returns to its usual source',
	async operation => {
		const world = await createWorld();
		const cells = faultNames.map(fault => ({fault, operation})).filter(hitsAll);
		await runFaults(cells, world, cell => runCell(world, cell, 'both'));
	},
);

test('legacy is not requested while v2 answers', async () => {
	const world = await createWorld();
	const operations = ['legacy.ticker', 'legacy.depth', 'legacy.trades'] as const;
	const cells = operations.map(operation => ({operation, fault: 'status-503'}) as const);
	await runFaults(cells, world, cell => runStandInCell(world, cell, {usual: 'v2', during: 'v2'}));
});
