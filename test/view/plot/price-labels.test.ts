import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createPriceLabels} from '../../../source/view/plot/price-labels.ts';

const labelsOf = (price: number, decimals: number, ascii = false) =>
	createPriceLabels({
		candles: [{time: 0, open: price, high: price, low: price, close: price, volume: 1}],
		decimals,
		ascii,
	});

test('round prices have the decimals of their step and the decimal point of the last price', () => {
	const labels = labelsOf(61_824.01, 2);
	expect([labels.price(61_824.01), labels.tick(62_000, 0), labels.tick(61_999.5, 1)]).toEqual([
		'61,824.01',
		'62,000   ',
		'61,999.5 ',
	]);
});

test('the width stays while the price moves, until it gains or loses a digit', () => {
	expect([10_000, 55_555.55, 99_999.99, 100_000, 9999.99].map(price => labelsOf(price, 2).width)).toEqual([
		9, 9, 9, 10, 8,
	]);
});

test('a small price that would need a wide axis counts its zeros, in every label', () => {
	const labels = labelsOf(1.23e-10, 13);
	const ascii = labelsOf(1.23e-10, 13, true);
	expect([labels.width, labels.price(1.23e-10), labels.tick(1.2e-10, 11)]).toEqual([8, '0.0₉1230', '0.0₉1200']);
	expect([ascii.width, ascii.price(1.23e-10), ascii.tick(1.2e-10, 11)]).toEqual([10, '0.0(9)1230', '0.0(9)1200']);
});

test('a price with more digits than its decimals is not rounded and has room', () => {
	const labels = labelsOf(0.123456, 2);
	expect([labels.price(0.123456), labels.width]).toEqual(['0.123456', 8]);
});

test('from 1e-10 to 1e9 all labels have their point in one column and no exponent, and none is wider than the axis', () => {
	const anyPrice = fc.integer({min: 0, max: 10}).chain(decimals =>
		fc.record({
			decimals: fc.constant(decimals),
			price: fc
				.integer({min: 1, max: Math.min(10 ** (decimals + 9), 10 ** 15)})
				.map(steps => Number(`${steps}e-${decimals}`)),
		}),
	);
	fc.assert(
		fc.property(anyPrice, fc.boolean(), fc.nat(10), ({price, decimals}, ascii, coarser) => {
			const labels = labelsOf(price, decimals, ascii);
			const tickDecimals = Math.max(decimals - coarser, 0);
			const tick = Number(price.toFixed(tickDecimals));
			const [last, round] = [labels.price(price), labels.tick(tick, tickDecimals)].map(text =>
				text.padStart(labels.width),
			);
			expect(last?.length).toBe(labels.width);
			expect(`${last}${round}`).toMatch(/^[\d ,.()₀-₉]+$/);
			const isShort = /[₀-₉(]/.test(last ?? '');
			const pointOf = (text = '') => (text.includes('.') ? text.indexOf('.') : text.trimEnd().length);
			if (!isShort && tick <= price) expect(pointOf(round)).toBe(pointOf(last));
		}),
	);
});
