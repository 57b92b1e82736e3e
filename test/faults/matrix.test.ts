import {expect, onTestFinished, test, vi} from 'vitest';
import {type FaultName, faultNames} from '../../source/demo/faults/table.ts';
import {type OperationName, operationNames, operationPaths} from '../../source/demo/operations.ts';
import type {Interface} from '../../source/market/types.ts';
import {runCell} from './cell.ts';
import type {CellId} from './checks.ts';
import {outcomeOf} from './outcomes.ts';
import {expectNothingHeld, heavyFaults, matrixTimeoutMs, runFaults} from './run-faults.ts';
import {createWorld, market} from './world.ts';

vi.setConfig({testTimeout: matrixTimeoutMs});
expectNothingHeld();

/** Faults that leave the answers of these operations as they are, to the byte. */
const unchanged: Partial<Record<FaultName, readonly OperationName[]>> = {
	'empty-list': ['v2.info'],
	'unknown-enums': ['v2.info', 'v2.depth', 'v2.candles', 'legacy.depth', 'legacy.trades'],
	'long-ids': ['v2.info', 'v2.summary', 'v2.ticker', 'v2.depth', 'v2.candles', 'legacy.ticker', 'legacy.depth'],
	duplicates: ['v2.info', 'v2.depth', 'legacy.ticker', 'legacy.depth'],
	'more-than-asked': ['v2.info', 'v2.markets', 'v2.summary', 'v2.ticker', 'legacy.ticker'],
	unsorted: ['v2.info'],
	'crossed-book': ['v2.info', 'v2.markets', 'v2.trades', 'v2.candles', 'legacy.trades'],
	'negative-prices': ['v2.info', 'v2.markets'],
	'zero-prices': ['v2.info', 'v2.markets'],
	'nan-text': ['v2.info'],
	'control-characters': ['v2.depth', 'v2.candles', 'legacy.depth'],
	'bidi-overrides': ['v2.depth', 'v2.candles', 'legacy.depth'],
	vanished: ['v2.info'],
};

/** What the client meets before it looks at what an operation answers: each at one operation of each interface, in turn. */
const early: readonly FaultName[] = [
	...(['hang', 'drip', 'reset', 'refuse', 'status-429', 'status-429-wait', 'status-400', 'status-422'] as const),
	...(['status-500', 'status-503', 'redirect-host', 'redirect-loop', 'cut-off', 'garbage', 'endless-body'] as const),
];

/** Faults of answers by what the client makes of them: each operation has one of a kind, in turn. */
const kinds: ReadonlyArray<readonly FaultName[]> = [
	['success-false', 'wrong-types', 'null-data'],
	['clock-ahead', 'clock-behind'],
	['missing-field', 'nan-text'],
	['negative-prices', 'zero-prices'],
	['duplicates', 'unsorted'],
];

/** Operations that answer the same: what data goes on under, each fault tries at one of them, in turn. */
const alike: ReadonlyArray<readonly OperationName[]> = [
	['v2.summary', 'v2.ticker', 'legacy.ticker'],
	['v2.depth', 'legacy.depth'],
	['legacy.trades', 'v2.trades'],
];

/** Without what costs seconds and tries nothing new. */
function isTried({fault, operation}: CellId): boolean {
	if (fault === 'gzip-bomb') return heavyFaults.get(fault)?.includes(operation) ?? false;
	if (unchanged[fault]?.includes(operation)) return false;
	const siblings = operationNames.filter(name => name.split('.')[0] === operation.split('.')[0]);
	const turn = siblings.indexOf(operation);
	// What another operation answers goes on all the same.
	if (early.includes(fault) && !('shows' in outcomeOf(fault, operation)))
		return early.indexOf(fault) % siblings.length === turn;
	const twins = alike
		.find(names => names.includes(operation))
		?.filter(name => !unchanged[fault]?.includes(name) && 'shows' in outcomeOf(fault, name));
	if (twins?.includes(operation) && !heavyFaults.has(fault))
		return twins[faultNames.indexOf(fault) % twins.length] === operation;
	const kind = kinds.find(faults => faults.includes(fault));
	return !kind || kind[turn % kind.length] === fault;
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
	return operation.startsWith('v2.') ? 'v2' : 'legacy';
}

test.each(operationNames)(
	'%s keeps good data under every kind of fault, shows the failure, and recovers within one poll',
	async operation => {
		const world = await createWorld({v2Bids: operation !== 'legacy.depth'});
		const cells = faultNames.map(fault => ({fault, operation})).filter(isTried);
		await runFaults(cells, world, cell => runCell(world, cell, sourcesOf(cell)));
	},
);

test('every fault is tried at an operation of each interface, but the one that takes longest and what one operation shows', () => {
	const interfaces = (fault: FaultName) =>
		new Set(operationNames.filter(operation => isTried({fault, operation})).map(name => name.split('.')[0]));
	expect(faultNames.filter(fault => interfaces(fault).size < 2)).toEqual(['gzip-bomb', 'long-ids', 'crossed-book']);
});

test('faults that are not tried at an operation leave its answer as it is', async () => {
	const {demo, close} = await createWorld();
	onTestFinished(close);
	const answerOf = async (operation: OperationName) => {
		const response = await fetch(`${demo.url}${operationPaths[operation]}?symbol=${market}&period=60`);
		return `${response.status} ${await response.text()}`;
	};
	for (const fault of faultNames) {
		for (const operation of unchanged[fault] ?? []) {
			const usual = await answerOf(operation);
			demo.faults.add({on: operation, fault});
			expect(await answerOf(operation), `${operation}=${fault}`).toBe(usual);
			expect(demo.faults.list()[0]?.requests).toBe(1);
			demo.faults.clear();
		}
	}
});
