import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseJson} from '../../source/client/body.ts';

test('keeps ids beyond 2^53 digit for digit, and rounds nothing else to text', () => {
	expect(
		parseJson(
			'{"a":[{"id": 90071992547409931234,"price":0.12345678901234567890},{"tradeId":9007199254740993,"id":1}]}',
		),
	).toEqual({
		a: [
			{id: '90071992547409931234', price: 0.12345678901234568},
			{tradeId: '9007199254740993', id: 1},
		],
	});
});

test('keeps any id', () => {
	fc.assert(
		fc.property(fc.bigInt({min: 0n, max: 10n ** 40n}), id => {
			const value: unknown = parseJson(`{"id":${id}}`);
			expect(value).toEqual({id: id <= Number.MAX_SAFE_INTEGER ? Number(id) : String(id)});
		}),
	);
});

test('is JSON.parse for everything without long ids', () => {
	fc.assert(
		fc.property(fc.json(), text => {
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
	);
});
