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
 * Each fault that makes reads fail, at one operation. Summary and ticker have one each, as tickers are kept for so long that a
 * fault of theirs takes the time of four others.
 */
const replaced = {
	'v2.markets': ['hang', 'status-400', 'status-500', 'redirect-host'],
	'v2.summary': ['garbage'],
	'v2.ticker': ['success-false'],
	'v2.depth': ['drip', 'vanished', 'redirect-loop', 'null-data'],
	'v2.trades': ['reset', 'status-422', 'status-503', 'cut-off', 'wrong-types'],
} as const satisfies Partial<Record<OperationName, readonly FaultName[]>>;
const operations = Object.keys(replaced) as ReadonlyArray<keyof typeof replaced>;
const cellsOf = (operation: keyof typeof replaced): readonly CellId[] =>
	replaced[operation].map(fault => ({fault, operation}));

test.each(operations)('the other interface stands in for a failing %s until it is back', async operation => {
	const world = await createWorld();
	await runFaults(cellsOf(operation), world, cell => runStandInCell(world, cell, {usual: 'v2', during: 'legacy'}));
});

test('v2’s asks replace a failing legacy book', async () => {
	const world = await createWorld({v2Bids: false});
	const cells = (['reset', 'status-422'] as const).map(fault => ({fault, operation: 'legacy.depth'}) as const);
	await runFaults(cells, world, cell => runStandInCell(world, cell, {usual: 'legacy', during: 'v2'}));
});

test('every fault that makes reads fail is stood in for, but those that hit both interfaces or take much memory', () => {
	const tried = new Set(operations.flatMap(cellsOf).map(({fault}) => fault));
	const failing = faultNames.filter(fault =>
		operations.some(operation => 'says' in outcomeOf(fault, operation) && !hitsAll({fault, operation})),
	);
	expect(failing.filter(fault => !heavyFaults.has(fault) && !tried.has(fault))).toEqual([]);
});

test('data survives what hits both interfaces, and returns to its usual source', async () => {
	const world = await createWorld();
	const cells = faultNames.map(fault => ({fault, operation: 'v2.depth'}) as const).filter(hitsAll);
	await runFaults(cells, world, cell => runCell(world, cell, 'both'));
});

test('legacy is not requested while v2 answers', async () => {
	const world = await createWorld();
	const idle = ['legacy.ticker', 'legacy.depth', 'legacy.trades'] as const;
	const cells = idle.map(operation => ({operation, fault: 'status-503'}) as const);
	await runFaults(cells, world, cell => runStandInCell(world, cell, {usual: 'v2', during: 'v2'}));
});
