import {describe, expect, test} from 'vitest';
import {type Finding, findingsOf, verdictOf} from '../../../source/cli/commands/doctor-findings.ts';
import type {Inspection, OperationReport} from '../../../source/client/inspect/reports.ts';
import type {Deviation} from '../../../source/client/inspect/shape.ts';

const report = (source: 'v1' | 'v2', operation: OperationReport['operation']): OperationReport => ({
	...{operation, interface: source, requests: 5, failures: 0, status: 200, p50Ms: 20, p95Ms: 40},
	...{sentBytes: 900, bytes: 4000, encoding: 'gzip', entries: 100, dropped: 0, deviations: []},
});

const healthy: Inspection = {
	symbol: 'BTCUSDT',
	requests: 70,
	operations: [
		...(['info', 'markets', 'ticker', 'summary', 'depth', 'trades', 'candles'] as const).map(name =>
			report('v2', name),
		),
		...(['ticker', 'depth', 'trades'] as const).map(name => report('v1', name)),
	],
	v2Bids: false,
	clocks: [{interface: 'v2', skewMs: 1500, uncertaintyMs: 10}],
	limits: [],
	rangeUnit: 's',
	tickerDelays: [{interface: 'v2', operation: 'ticker', samples: 5, behind: 5, atLeastMs: 30_000}],
	agreement: {},
	connections: [{interface: 'v2', requests: 70, opened: 2}],
	rateLimit: {refusals: 0, allowed: 5, headers: []},
};

/** The report with changes to some operations, by interface and name. */
const changed = (changes: Readonly<Record<string, Partial<OperationReport>>>): Inspection => ({
	...healthy,
	operations: healthy.operations.map(each => ({...each, ...changes[`${each.interface} ${each.operation}`]})),
});

/** An inspection in which `operation` (interface and name) deviates from the specification. */
const deviating = (operation: string, deviation: Deviation) => changed({[operation]: {deviations: [deviation]}});

const failing = {failures: 5, error: {brief: 'timed out', message: '', advice: ''}};
const allAgree = {compared: 100, agreeing: 100};
const candleLimit = {interface: 'v2', operation: 'candles', standard: 500} as const;

test('there are no findings for an exchange that meets the specification', () => {
	expect(findingsOf(healthy)).toEqual([]);
	expect(verdictOf([])).toBe('healthy');
});

describe('findings', () => {
	test.each<readonly [severity: Finding['severity'], text: string, inspection: Inspection]>([
		[
			'warning',
			'v2 depth: 2 of 5 requests failed, last error: timed out',
			changed({'v2 depth': {...failing, failures: 2}}),
		],
		['warning', 'v2 trades: dropped 3 of 100 entries as invalid', changed({'v2 trades': {dropped: 3}})],
		[
			'warning',
			'v2 info: data.name is missing, 5 of 5 times',
			deviating('v2 info', {path: 'data.name', problem: 'missing', expected: 'text', count: 5, of: 5}),
		],
		[
			'warning',
			'v2 info: the answer is list, not object, 1 of 5 times',
			deviating('v2 info', {path: '', problem: 'mistyped', expected: 'object', found: 'list', count: 1, of: 5}),
		],
		[
			'note',
			'v2 info: data.age (number) is not in the specification, 5 of 5 times; ignored',
			deviating('v2 info', {path: 'data.age', problem: 'unknown', found: 'number', count: 5, of: 5}),
		],
		[
			'note',
			'v2 markets: data[].state has the undocumented value "halted", 2 of 500 times; shown as is',
			deviating('v2 markets', {path: 'data[].state', problem: 'undocumented', found: 'halted', count: 2, of: 500}),
		],
		[
			'note',
			'v2 trades: data[].id is beyond 2^53, 9 of 9 times; all digits are kept',
			deviating('v2 trades', {path: 'data[].id', problem: 'long', count: 9, of: 9}),
		],
		['warning', 'v2 depth: median latency 1.4 s; the screen lags by as much', changed({'v2 depth': {p50Ms: 1400}})],
		['note', 'v2 ticker: 190 kB sent uncompressed', changed({'v2 ticker': {encoding: undefined, sentBytes: 190_234}})],
		[
			'warning',
			"legacy: clock is 2 h behind this computer's; set this computer's clock if it is wrong",
			{...healthy, clocks: [{interface: 'v1', skewMs: -7_200_000, uncertaintyMs: 400}]},
		],
		[
			'warning',
			'legacy ticker: at least 4 min behind the trades',
			{...healthy, tickerDelays: [{interface: 'v1', operation: 'ticker', samples: 5, behind: 1, atLeastMs: 240_000}]},
		],
		[
			'warning',
			'v2 and legacy differ in 20 of 100 last prices that did not change meanwhile',
			{...healthy, agreement: {tickers: {last: {compared: 100, agreeing: 80}, bid: allAgree, ask: allAgree}}},
		],
		[
			'note',
			'v2 and legacy differ in 1 of 100 asks of the order book that did not change meanwhile',
			{...healthy, agreement: {book: {asks: {compared: 100, agreeing: 99}}}},
		],
		[
			'warning',
			'v2 candles: refuses the documented limit of 1000; gaps are harder to close',
			{...healthy, limits: [{...candleLimit, answers: [{limit: 1000, outcome: 'refused', status: 400}]}]},
		],
		[
			'warning',
			'v2 candles: ignores startTime and endTime; older candles cannot be loaded',
			{...healthy, rangeUnit: 'neither'},
		],
		[
			'warning',
			'no keep-alive: 40 connections for 40 requests, each costs a round trip or more',
			{...healthy, connections: [{interface: 'v2', requests: 40, opened: 40}]},
		],
		[
			'warning',
			'3 of 70 requests were rate-limited (429); settled at 1.2 per second',
			{...healthy, rateLimit: {refusals: 3, allowed: 1.23, headers: []}},
		],
		[
			'note',
			'only v2: there is no fallback for failures',
			{...healthy, v2Bids: true, operations: healthy.operations.filter(each => each.interface === 'v2')},
		],
		[
			'warning',
			'only legacy: trades have no sides, and candles are built from the trades received so far',
			{...healthy, operations: healthy.operations.filter(each => each.interface === 'v1')},
		],
	])('%s: %s', (severity, text, inspection) => {
		const findings = findingsOf(inspection);
		expect(findings).toEqual([{severity, text}]);
		expect(verdictOf(findings)).toBe(severity === 'note' ? 'healthy' : 'warnings');
	});
});

test('a v2 book without bids is a finding only without a legacy book', () => {
	expect(findingsOf(changed({'v1 depth': failing})).map(({text}) => text)).toEqual([
		'legacy depth: all 5 requests failed, last error: timed out',
		'the v2 order book has no bids, and there is no legacy order book: the ladder shows only asks',
	]);
});

test('an interface on which every operation fails is one finding', () => {
	const operations = healthy.operations.map(each => (each.interface === 'v1' ? {...each, ...failing} : each));
	expect(findingsOf({...healthy, v2Bids: true, operations})).toEqual([
		{severity: 'warning', text: 'legacy: no operation answers (timed out)'},
	]);
});

test('what neither interface offers is the first warning, while there is something else to watch', () => {
	const findings = findingsOf(changed({'v2 depth': failing, 'v1 depth': failing}));
	expect(findings[0]).toEqual({
		severity: 'warning',
		text: 'no order book (v2 depth: timed out; legacy depth: timed out)',
	});
	expect(verdictOf(findings)).toBe('warnings');
});

test('an exchange is unusable when it shows no market: neither ticker, book, trades nor candles', () => {
	const watched = ['ticker', 'summary', 'depth', 'trades', 'candles'];
	const without = (kept: string) =>
		healthy.operations.map(each =>
			watched.includes(each.operation) && each.operation !== kept ? {...each, ...failing} : each,
		);
	const verdictWith = (kept: string) => verdictOf(findingsOf({...healthy, operations: without(kept)}));
	expect(watched.map(verdictWith)).toEqual(watched.map(() => 'warnings'));
	const findings = findingsOf({...healthy, operations: without('nothing of these')});
	expect(findings.filter(({severity}) => severity === 'failure').map(({text}) => text)).toEqual([
		'no order book (v2 depth: timed out; legacy depth: timed out)',
		'no trades (v2 trades: timed out; legacy trades: timed out)',
	]);
	expect(verdictOf(findings)).toBe('unusable');
});

test('warnings come before notes', () => {
	const deviations = [{path: 'data.age', problem: 'unknown', found: 'number', count: 5, of: 5}] as const;
	const findings = findingsOf({...changed({'v2 info': {deviations}}), rangeUnit: 'neither'});
	expect(findings.map(({severity}) => severity)).toEqual(['warning', 'note']);
});
