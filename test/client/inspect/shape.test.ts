import {describe, expect, test} from 'vitest';
import {parseJson} from '../../../source/client/body.ts';
import {
	createComparison,
	level,
	list,
	map,
	record,
	type Shape,
	timeIn,
	value,
	word,
} from '../../../source/client/inspect/shape.ts';

function deviations(shape: Shape, ...answers: readonly unknown[]) {
	const comparison = createComparison();
	for (const json of answers) comparison.add(json, shape);
	return comparison.deviations();
}

const trade = record({id: value('integer'), price: value('number'), side: word('text', 'buy')});
const answer = record({data: list(trade), success: value('true or false')});
const good = {id: 1, price: 1.5, side: 'buy'};

describe('a comparison with the specification', () => {
	test('finds no deviation in a matching answer', () => {
		expect(deviations(answer, {data: [good, {...good, id: 2}], success: true}, {data: [], success: false})).toEqual([]);
	});

	test('counts missing and unknown fields, of all records', () => {
		const {price, ...without} = good;
		const data = [good, without, {...good, fee: 0.1}, {...without, id: 2}];
		expect(deviations(answer, {data, success: true, code: null})).toEqual([
			{path: 'data[].price', problem: 'missing', expected: 'number', count: 2, of: 4},
			{path: 'data[].fee', problem: 'unknown', found: 'number', count: 1, of: 4},
			{path: 'code', problem: 'unknown', found: 'null', count: 1, of: 1},
		]);
	});

	test('distinguishes types, and adds up over several answers', () => {
		const first = {
			data: [
				{...good, price: '1.5'},
				{...good, id: 1.5},
			],
			success: 1,
		};
		const second = {
			data: [
				{...good, price: '1.5'},
				{...good, price: null},
			],
			success: true,
		};
		expect(deviations(answer, first, second)).toEqual([
			{path: 'data[].price', problem: 'mistyped', expected: 'number', found: 'text', example: '"1.5"', count: 2, of: 4},
			{path: 'data[].id', problem: 'mistyped', expected: 'integer', found: 'number', example: '1.5', count: 1, of: 4},
			{path: 'success', problem: 'mistyped', expected: 'true or false', found: 'number', example: '1', count: 1, of: 2},
			{path: 'data[].price', problem: 'mistyped', expected: 'number', found: 'null', example: 'null', count: 1, of: 4},
		]);
	});

	test('quotes values that are not documented, cut short', () => {
		const data = [
			{...good, side: 'sell'},
			{...good, side: 'x'.repeat(100)},
			{...good, id: 2, side: 'sell'},
		];
		expect(deviations(answer, {data, success: true})).toEqual([
			{path: 'data[].side', problem: 'undocumented', found: 'sell', count: 2, of: 3},
			{path: 'data[].side', problem: 'undocumented', found: 'x'.repeat(40), count: 1, of: 3},
		]);
	});

	test('checks maps and levels with any keys', () => {
		const book = map(record({asks: list(level)}));
		const asks = [[1, 2], ['1', 2], [1], 7];
		expect(deviations(book, {BTCUSDT: {asks}, ['__proto__']: {asks: {}}})).toEqual([
			{
				...{path: '[].asks[][0]', problem: 'mistyped', expected: 'number', found: 'text', example: '"1"'},
				...{count: 1, of: 2},
			},
			{
				...{path: '[].asks[]', problem: 'mistyped', expected: '[price, quantity]', found: 'list', example: '[1]'},
				...{count: 1, of: 4},
			},
			{
				path: '[].asks[]',
				problem: 'mistyped',
				expected: '[price, quantity]',
				found: 'number',
				example: '7',
				count: 1,
				of: 4,
			},
			{path: '[].asks', problem: 'mistyped', expected: 'list', found: 'object', count: 1, of: 2},
		]);
	});

	test('checks an optional field where it is present', () => {
		const book = record({asks: list(level)}, {bids: list(level)});
		expect(deviations(book, {asks: []}, {asks: [], bids: null})).toEqual([
			{path: 'bids', problem: 'mistyped', expected: 'list', found: 'null', example: 'null', count: 1, of: 1},
		]);
	});

	test.each([
		[null, 'null'],
		[[], 'list'],
		['<html>', 'text'],
		[true, 'true or false'],
	])('an answer of %j is not an object', (json, found) => {
		const example = JSON.stringify(json);
		expect(deviations(answer, json)).toEqual([
			{path: '', problem: 'mistyped', expected: 'object', found, example, count: 1, of: 1},
		]);
	});

	test('bounds the number of deviations', () => {
		const json = Object.fromEntries(Array.from({length: 5000}, (_, index) => [`field${index}`, 1]));
		expect(deviations(record({}), json)).toHaveLength(200);
	});

	const asOf = Date.UTC(2026, 10, 20);
	const problemsOf = (shape: Shape, json: unknown) => {
		const comparison = createComparison();
		comparison.add(json, shape, asOf);
		return comparison.deviations().map(({path, count, of, ...rest}) => rest);
	};

	test.each([
		['ms', 1_763_596_800_000, undefined],
		['ms', 1_763_596_800, {problem: 'unit', expected: 'ms', found: 's', example: '1763596800'}],
		['ms', 1_763_596_800_000_000, {problem: 'unit', expected: 'ms', found: 'µs', example: '1763596800000000'}],
		['ms', 0, {problem: 'implausible', expected: 'ms', example: '0'}],
		['ms', asOf + 59_000, undefined],
		['ms', asOf + 61_000, {problem: 'future', expected: 'ms', example: String(asOf + 61_000)}],
		['ms', '1763596800000', {problem: 'mistyped', expected: 'integer', found: 'text', example: '"1763596800000"'}],
		['s', 1_763_596_800, undefined],
		['s', 1_763_596_800_000, {problem: 'unit', expected: 's', found: 'ms', example: '1763596800000'}],
		['s', 1_863_596_800, {problem: 'future', expected: 's', example: '1863596800'}],
		['ISO 8601', '2025-11-20T00:00:00.1234567+00:00', undefined],
		['ISO 8601', '2025-11-20T00:00:00Z', undefined],
		['ISO 8601', '2025-11-20T00:00:00', {problem: 'offset', expected: 'ISO 8601', example: '"2025-11-20T00:00:00"'}],
		[
			'ISO 8601',
			'1970-01-01T00:00:00Z',
			{problem: 'implausible', expected: 'ISO 8601', example: '"1970-01-01T00:00:00Z"'},
		],
		['ISO 8601', 'yesterday', {problem: 'implausible', expected: 'ISO 8601', example: '"yesterday"'}],
		['ISO 8601', '1763596800000', {problem: 'unit', expected: 'ISO 8601', found: 'ms', example: '"1763596800000"'}],
		['ISO 8601', 1_763_596_800_000, {problem: 'unit', expected: 'ISO 8601', found: 'ms', example: '1763596800000'}],
	] as const)('a time in %s as %j deviates: %j', (unit, json, expected) => {
		expect(problemsOf(timeIn(unit), json)).toEqual(expected ? [expected] : []);
	});

	test('a time of the answer itself is compared with nothing later', () => {
		expect(problemsOf(timeIn('ms', true), asOf + 7_200_000)).toEqual([]);
		expect(problemsOf(timeIn('ms', true), 1_763_596_800)).toHaveLength(1);
	});

	test.each<[Shape, unknown, string, string]>([
		[value('number', 'above 0'), 0, 'above 0', '0'],
		[value('number', 'above 0'), -1.5, 'above 0', '-1.5'],
		[value('number', 'at least 0'), -1, 'at least 0', '-1'],
		[level, [0, 1], 'above 0', '0'],
		[level, [1, -1], 'at least 0', '-1'],
	])('finds the wrong sign: %j as %j', (shape, json, expected, example) => {
		expect(problemsOf(shape, json)).toEqual([{problem: 'sign', expected, example}]);
	});

	test.each([0, 1])('a quantity of %d is in order', quantity => {
		expect(problemsOf(value('number', 'at least 0'), quantity)).toEqual([]);
		expect(problemsOf(level, [1, quantity])).toEqual([]);
	});

	test('finds control characters in texts and symbols, and compares the words without them', () => {
		const tickers = map(record({state: word('text', 'active')}));
		expect(problemsOf(tickers, {'BTC\u001B[2JUSDT': {state: 'acti\u202Eve'}, ETHUSDT: {state: 'active'}})).toEqual([
			{problem: 'control', example: '"BTC\\u001b[2JUSDT"'},
			{problem: 'control', example: '"acti\u202Eve"'},
		]);
		expect(problemsOf(value('text'), 'a text\nof two lines')).toEqual([]);
	});

	test('finds a list in another order, and entries that come twice', () => {
		const asks = list(level, {order: {by: 0, direction: 'ascending'}});
		const candles = list(record({id: value('integer')}), {order: {by: 'id', direction: 'descending'}});
		expect(
			deviations(asks, [
				[1, 5],
				[2, 5],
				[2, 4],
			]),
		).toEqual([]);
		expect(
			deviations(asks, [
				[2, 5],
				[1, 5],
				[2, 5],
			]),
		).toEqual([
			{path: '', problem: 'unsorted', expected: 'ascending price', count: 1, of: 1},
			{path: '[]', problem: 'repeated', count: 1, of: 3},
		]);
		expect(deviations(candles, [{id: 1}, {id: 2}])).toEqual([
			{path: '', problem: 'unsorted', expected: 'descending id', count: 1, of: 1},
		]);
	});

	test('takes order and repetitions from the entries without faults', () => {
		const asks = list(level, {order: {by: 0, direction: 'ascending'}});
		expect(
			deviations(asks, [
				[1, 5],
				[-2, 5],
				['NaN', 'NaN'],
				['NaN', 'NaN'],
				[3, 5],
			]),
		).toEqual([
			{path: '[][0]', problem: 'sign', expected: 'above 0', example: '-2', count: 1, of: 5},
			...['[][0]', '[][1]'].map(path => ({
				...{path, problem: 'mistyped', expected: 'number', found: 'text', example: '"NaN"', count: 2, of: 5},
			})),
		]);
	});

	test('notes ids beyond 2^53, and counts prices and quantities apart that have more digits than a double holds', () => {
		expect(deviations(trade, {...good, id: 2 ** 53})).toEqual([{path: 'id', problem: 'long', count: 1, of: 1}]);
		expect(deviations(trade, parseJson('{"id": 9007199254740993, "price": 1, "side": "buy"}'))).toEqual([
			{path: 'id', problem: 'long', example: '9007199254740993', count: 1, of: 1},
		]);
		const levels = '[[1.000000000000000001, 0.1000000000000000055], [2, 0.1000000000000000055], [3, 1]]';
		expect(deviations(list(level), parseJson(levels))).toEqual([
			{path: '[][0]', problem: 'rounded', example: '1.000000000000000001', count: 1, of: 3},
			{path: '[][1]', problem: 'rounded', example: '0.1000000000000000055', count: 2, of: 3},
		]);
	});

	test('fills of an order may be equal, but not every entry twice', () => {
		const fills = list(value('integer'), {repeatable: true});
		expect(deviations(fills, [1, 1, 2])).toEqual([]);
		expect(deviations(fills, [1, 1, 2, 2])).toEqual([{path: '[]', problem: 'repeated', count: 2, of: 4}]);
	});
});
