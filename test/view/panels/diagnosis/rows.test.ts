import {describe, expect, test} from 'vitest';
import type {Outcome} from '../../../../source/client/exchange.ts';
import type {Diagnosis} from '../../../../source/store/diagnosis.ts';
import {lineText} from '../../../../source/view/line.ts';
import {diagnosisBody} from '../../../../source/view/panels/diagnosis/rows.ts';
import {timeout} from '../../../store/samples.ts';
import {openMonitor} from '../../monitor.tsx';

const now = Date.UTC(2026, 0, 1, 12);
const budget = {used: 2.94, allowed: 5, freeAt: undefined};
const health = {
	operation: 'depth',
	interface: 'v2',
	requests: 12_310,
	failures: 0,
	failing: false,
	dropped: 0,
} as const;
const diagnosis: Diagnosis = [
	{...health, lastMs: 11.6, p50Ms: 12, p95Ms: 1400, bytes: 1061},
	{...health, operation: 'ticker', requests: 46, dropped: 3, lastMs: 20, p50Ms: 21, p95Ms: 22, bytes: 1_190_200},
	{
		...{...health, interface: 'legacy', operation: 'trades', requests: 7, failures: 7, failing: true},
		lastError: {text: 'rate-limited (429)', at: now - 3000},
	},
];

describe('the diagnosis', () => {
	test('shows the budget, every operation and the last errors', () => {
		const body = diagnosisBody({diagnosis, budget, now}, {columns: 78, rows: 20}, false);
		expect(body.map(lineText)).toEqual([
			' requests       2.9 of 5.0 req/s',
			'',
			' operation        sent  failed  last ms  p50 ms  p95 ms  kB/answer  dropped',
			' v2 depth       12,310       0       12      12   1,400        1.1        0',
			' v2 ticker          46       0       20      21      22    1,190.2        3',
			' legacy trades       7       7        –       –       –          –        0',
			'',
			' Last errors',
			' legacy trades  11:59:57 rate-limited (429)',
		]);
		expect(body.slice(3, 6).map(([span]) => span?.tone)).toEqual([undefined, 'warn', 'error']);
	});

	test('keeps the main columns where room is short, in ASCII', () => {
		const waiting = {...budget, freeAt: now + 2500};
		const body = diagnosisBody({diagnosis, budget: waiting, now}, {columns: 38, rows: 10}, true);
		expect(body.map(lineText)).toEqual([
			' requests       2.9 of 5.0 req/s, next',
			'                request in 2.5 s',
			'',
			' operation        sent  failed  p95 ms',
			' v2 depth       12,310       0   1,400',
			' v2 ticker          46       0      22',
			' legacy trades       7       7       -',
			'',
			' Last errors',
			' legacy trades  11:59:57 rate-limited',
			'                (429)',
		]);
	});

	test('shows below the budget which answers came from a cache, and how old the last of them was', () => {
		const cached: Diagnosis = [
			{...health, failures: 10, cache: {hits: 8120, lastAgeMs: 1450}},
			{...health, operation: 'trades'},
			{...health, operation: 'ticker', requests: 46, interface: 'legacy', cache: {hits: 0, lastAgeMs: 0}},
		];
		const body = diagnosisBody({diagnosis: cached, budget, now}, {columns: 70, rows: 20}, false);
		expect(body.slice(0, 4).map(lineText)).toEqual([
			' requests       2.9 of 5.0 req/s',
			' from cache     v2 depth: 8,120 of 12,300 answers, the last 1.4 s old',
			'                legacy ticker: 0 of 46 answers, the last 0.0 s old',
			'',
		]);
	});

	test('shows below the budget how far the exchange’s clock is off, with advice', () => {
		const body = diagnosisBody({diagnosis, budget, skewMs: 7_200_000, now}, {columns: 70, rows: 20}, false);
		expect(body.slice(0, 4).map(lineText)).toEqual([
			' requests       2.9 of 5.0 req/s',
			" clock          exchange clock 2 h ahead; set this computer's clock if",
			'                it is wrong',
			'',
		]);
	});

	test('shows how far the exchange’s clock is off its trades', () => {
		const body = diagnosisBody({diagnosis, budget, stampsAheadMs: -9000, now}, {columns: 100, rows: 20}, false);
		expect(body.slice(1, 2).map(lineText)).toEqual([
			' clock          exchange clock 9 s behind its trades; candles, windows and rates follow the trades',
		]);
	});

	test('shows budget and headings before the first request', () => {
		const body = diagnosisBody({diagnosis: [], budget: {used: 0, allowed: 5}, now}, {columns: 78, rows: 20}, false);
		expect(body.map(lineText)).toEqual([
			' requests       0.0 of 5.0 req/s',
			'',
			' operation  sent  failed  last ms  p50 ms  p95 ms  kB/answer  dropped',
		]);
	});
});

describe('in the monitor', () => {
	const request = {operation: 'depth', interface: 'v2', url: '', startedAt: 0, durationMs: 12, dropped: 0} as const;
	const answered: Outcome = {...request, status: 200, bytes: 2000};

	test('d opens and closes the diagnosis, which follows the requests once a second', async () => {
		const monitor = await openMonitor({size: {columns: 80, rows: 24}});
		const row = () => monitor.rows().find(text => text.includes('v2 depth'));
		monitor.diagnosis.observe(answered);
		await monitor.press('d');
		expect(monitor.frame()).toContain('d Diagnosis since start');
		expect(row()).toMatch(/^┃ v2 depth +1 +0 +12 +12 +12 +2\.0 +0 +┃$/);
		monitor.diagnosis.observe({...answered, durationMs: 5000, error: timeout('depth')});
		await monitor.clock.advance(1000);
		expect(row()).toMatch(/^┃ v2 depth +2 +1 +12 +12 +12 +2\.0 +0 +┃$/);
		expect(monitor.frame()).toContain('Last errors');
		await monitor.press('d');
		expect(monitor.frame()).not.toContain('Diagnosis');
		expect(monitor.frame()).toContain('3 Book');
	});

	test('a diagnosis longer than the screen scrolls to its end and no further', async () => {
		const monitor = await openMonitor({size: {columns: 40, rows: 12}});
		for (const operation of ['info', 'markets', 'ticker', 'depth', 'trades', 'candles'] as const) {
			monitor.diagnosis.observe({...answered, operation, error: timeout(operation)});
		}

		await monitor.press('d', 'G');
		const panel = () => monitor.rows().slice(0, -1).join('\n');
		const atEnd = panel();
		expect(atEnd).toMatch(/v2 candles +\d\d:\d\d:\d\d timed out/);
		await monitor.press('down');
		expect(panel()).toBe(atEnd);
	});
});
