import {describe, expect, test} from 'vitest';
import {
	createComparison,
	level,
	list,
	map,
	record,
	type Shape,
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
		expect(deviations(answer, {data: [good, good], success: true}, {data: [], success: false})).toEqual([]);
	});

	test('counts missing and unknown fields, of all records', () => {
		const {price, ...without} = good;
		const data = [good, without, {...good, fee: 0.1}, without];
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
			{path: 'data[].price', problem: 'mistyped', expected: 'number', found: 'text', count: 2, of: 4},
			{path: 'data[].id', problem: 'mistyped', expected: 'integer', found: 'number', count: 1, of: 4},
			{path: 'success', problem: 'mistyped', expected: 'true or false', found: 'number', count: 1, of: 2},
			{path: 'data[].price', problem: 'mistyped', expected: 'number', found: 'null', count: 1, of: 4},
		]);
	});

	test('quotes values that are not documented, cut short', () => {
		const data = [
			{...good, side: 'sell'},
			{...good, side: 'x'.repeat(100)},
			{...good, side: 'sell'},
		];
		expect(deviations(answer, {data, success: true})).toEqual([
			{path: 'data[].side', problem: 'undocumented', found: 'sell', count: 2, of: 3},
			{path: 'data[].side', problem: 'undocumented', found: 'x'.repeat(40), count: 1, of: 3},
		]);
	});

	test('reports integers beyond 2^53', () => {
		expect(deviations(trade, {...good, id: 2 ** 53})).toEqual([{path: 'id', problem: 'long', count: 1, of: 1}]);
	});

	test('checks maps and levels with any keys', () => {
		const book = map(record({asks: list(level)}));
		const asks = [[1, 2], ['1', 2], [1], 7];
		expect(deviations(book, {BTCUSDT: {asks}, ['__proto__']: {asks: {}}})).toEqual([
			{path: '[].asks[]', problem: 'mistyped', expected: '[price, quantity]', found: 'list', count: 2, of: 4},
			{path: '[].asks[]', problem: 'mistyped', expected: '[price, quantity]', found: 'number', count: 1, of: 4},
			{path: '[].asks', problem: 'mistyped', expected: 'list', found: 'object', count: 1, of: 2},
		]);
	});

	test('checks an optional field where it is present', () => {
		const book = record({asks: list(level)}, {bids: list(level)});
		expect(deviations(book, {asks: []}, {asks: [], bids: null})).toEqual([
			{path: 'bids', problem: 'mistyped', expected: 'list', found: 'null', count: 1, of: 1},
		]);
	});

	test.each([
		[null, 'null'],
		[[], 'list'],
		['<html>', 'text'],
		[true, 'true or false'],
	])('an answer of %j is not an object', (json, found) => {
		expect(deviations(answer, json)).toEqual([
			{path: '', problem: 'mistyped', expected: 'object', found, count: 1, of: 1},
		]);
	});

	test('bounds the number of deviations', () => {
		const json = Object.fromEntries(Array.from({length: 5000}, (_, index) => [`field${index}`, 1]));
		expect(deviations(record({}), json)).toHaveLength(200);
	});
});
