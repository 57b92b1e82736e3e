import fc from 'fast-check';
import {expect, test} from 'vitest';
import {textWidth} from '../../../../source/format/cells.ts';
import {rangeGauge} from '../../../../source/view/panels/ticker/gauge.ts';

const gauge = (low: number | undefined, price: number | undefined, high: number | undefined, ascii = false) =>
	rangeGauge({low, price, high, columns: 9, ascii});

test('points at the place of the price in the range', () => {
	expect([10, 15, 20].map(price => gauge(10, price, 20))).toEqual(['▕●──────▏', '▕───●───▏', '▕──────●▏']);
});

test('points out of the range where the price has left it', () => {
	expect([9, 21].map(price => gauge(10, price, 20))).toEqual(['▕◀──────▏', '▕──────▶▏']);
});

test('points at the middle of a range of one price', () => {
	expect(gauge(10, 10, 10)).toBe('▕───●───▏');
});

test('is plain with ASCII', () => {
	expect([9, 15, 21].map(price => gauge(10, price, 20, true))).toEqual(['[<------]', '[---o---]', '[------>]']);
});

test('is nothing where a number is unknown', () => {
	expect([gauge(undefined, 1, 2), gauge(1, undefined, 2), gauge(1, 2, undefined)]).toEqual(['', '', '']);
});

test('is as wide as asked for, whatever the prices', () => {
	const price = fc.double({min: 1e-12, max: 1e9, noNaN: true});
	fc.assert(
		fc.property(price, price, price, fc.integer({min: 3, max: 60}), fc.boolean(), (low, at, high, columns, ascii) => {
			expect(textWidth(rangeGauge({low, price: at, high, columns, ascii}))).toBe(columns);
		}),
	);
});
