import {describe, expect, test} from 'vitest';
import {judge} from '../../../source/cli/commands/doctor-checks.ts';
import type {Deviation, Finding, Flaw} from '../../../source/client/inspect/inspection.ts';
import {changed, deviating} from './inspection.ts';

describe('findings about one operation', () => {
	const field = {path: 'data[].time', count: 5, of: 9} as const;

	test.each<readonly [severity: Finding['severity'], text: string, deviation: Deviation]>([
		['warning', 'is missing, 5 of 9 times', {...field, problem: 'missing', expected: 'text'}],
		[
			'warning',
			'is list, not object, 5 of 9 times',
			{...field, problem: 'mistyped', expected: 'object', found: 'list'},
		],
		['warning', 'is not above 0, 5 of 9 times: -3', {...field, problem: 'sign', expected: 'above 0', example: '-3'}],
		[
			'warning',
			'is epoch s, not epoch ms, 5 of 9 times: 1763596800, read as 1970-01-21 09:53:16',
			{...field, problem: 'unit', expected: 'ms', found: 's', example: '1763596800'},
		],
		[
			'note',
			'is epoch ms, not epoch s, 5 of 9 times: 1763596800000, understood',
			{...field, problem: 'unit', expected: 's', found: 'ms', example: '1763596800000'},
		],
		[
			'warning',
			'is epoch s, not ISO 8601, 5 of 9 times: "1763596800"',
			{...field, problem: 'unit', expected: 'ISO 8601', found: 's', example: '"1763596800"'},
		],
		['warning', 'is not a plausible time, 5 of 9 times: 0', {...field, problem: 'implausible', example: '0'}],
		['warning', 'is later than the answer, 5 of 9 times: 9', {...field, problem: 'future', example: '9'}],
		['warning', 'has no UTC offset, 5 of 9 times: "x", read as UTC', {...field, problem: 'offset', example: '"x"'}],
		['warning', 'contains control characters, 5 of 9 times', {...field, problem: 'control', example: '"x"'}],
		['warning', 'repeats an earlier entry, 5 of 9 times', {...field, problem: 'repeated'}],
		[
			'note',
			'is not in order of ascending price, 5 of 9 times; sorted here',
			{...field, problem: 'unsorted', expected: 'ascending price'},
		],
		[
			'note',
			'(number) is not in the specification, 5 of 9 times; ignored',
			{...field, problem: 'unknown', found: 'number'},
		],
		[
			'note',
			'has the undocumented value "halted", 5 of 9 times; shown as is',
			{...field, problem: 'undocumented', found: 'halted'},
		],
		[
			'note',
			'has more digits than a number holds, 5 of 9 times: 1.000000000000000001',
			{...field, problem: 'rounded', example: '1.000000000000000001'},
		],
		['note', 'is beyond 2^53, 5 of 9 times; all digits are kept', {...field, problem: 'long'}],
	])('%s: a field %s', (severity, text, deviation) => {
		const {problem, found, example} = deviation;
		expect(judge(deviating('v2 trades', deviation)).findings).toEqual([
			{
				...{severity, code: problem, interface: 'v2', operation: 'trades', field: 'data[].time'},
				...{example: problem === 'undocumented' ? found : example, text: `v2 trades: data[].time ${text}`},
			},
		]);
	});

	test.each<readonly [text: string, flaw: Flaw]>([
		['no asks', {kind: 'empty', part: 'asks', count: 1, of: 1}],
		['no readable entry for BTCUSDT', {kind: 'absent', part: 'tickers', example: 'BTCUSDT', count: 1, of: 9}],
		[
			'state of the inspected market is "halted", not active',
			{kind: 'inactive', part: 'tickers', example: 'halted', count: 1, of: 1},
		],
		['bid above ask in 3 of 9 tickers: AAA', {kind: 'crossed', part: 'tickers', example: 'AAA', count: 3, of: 9}],
		['bids reach asks: bid 2, ask 1', {kind: 'crossed', part: 'book', example: 'bid 2, ask 1', count: 1, of: 1}],
		[
			'no last price, but volume, in 3 of 9 tickers: AAA',
			{kind: 'unpriced', part: 'tickers', example: 'AAA', count: 3, of: 9},
		],
		[
			'2 of 9 candles do not follow at multiples of 60 min: 1 min',
			{kind: 'spacing', part: 'candles', example: '1 min', count: 2, of: 9},
		],
		['side unknown in 3 of 9 trades', {kind: 'sideless', part: 'trades', count: 3, of: 9}],
	])('warning: %s', (text, flaw) => {
		const {findings} = judge(changed({'v2 depth': {flaws: [flaw]}}));
		expect(findings).toEqual([
			{
				...{severity: 'warning', code: flaw.kind, interface: 'v2', operation: 'depth'},
				...{example: flaw.example, text: `v2 depth: ${text}`},
			},
		]);
	});
});
