import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Trade} from '../../../../source/market/types.ts';
import {lineWidth} from '../../../../source/view/line.ts';
import {type TapeInput, tapeBody, tapeSkeleton} from '../../../../source/view/panels/tape/rows.ts';

const now = Date.UTC(2024, 7, 8, 23, 55);

const anyTape = fc
	.record({
		priceDecimals: fc.integer({min: 0, max: 12}),
		quantityDecimals: fc.integer({min: 0, max: 8}),
		trades: fc.array(
			fc.record({
				time: fc.integer({min: 0, max: 2e12}),
				price: fc.integer({min: 1, max: 600_000_000}),
				quantity: fc.integer({min: 1, max: 1e12}),
				side: fc.constantFrom('buy', 'sell', undefined),
				sideText: fc.option(fc.string(), {nil: undefined}),
				gap: fc.boolean(),
			}),
			{maxLength: 30},
		),
		minimum: fc.record({size: fc.constantFrom(0, 0, 5, 1000), unit: fc.constantFrom('base', 'quote')}),
		zoomed: fc.boolean(),
		assets: fc.constantFrom({}, {base: 'BTC', quote: 'USDT'}),
		merged: fc.boolean(),
		anchor: fc.option(
			fc.record({
				top: fc.record({time: fc.integer({min: 0, max: 2e12}), id: fc.constant('5')}),
				newest: fc.constant({time: 1e12, id: '1'}),
			}),
			{nil: undefined},
		),
		size: fc.record({columns: fc.integer({min: 1, max: 200}), rows: fc.integer({min: 1, max: 30})}),
		ascii: fc.boolean(),
	})
	.map(({priceDecimals, quantityDecimals, trades, ...rest}): TapeInput => {
		const newestFirst = trades.toSorted((a, b) => b.time - a.time);
		const listed = newestFirst.map(
			({price, quantity, gap, ...trade}, index): Trade => ({
				...trade,
				id: `${index}${gap ? 'gap' : ''}`,
				price: price / 10 ** priceDecimals,
				quantity: quantity / 10 ** quantityDecimals,
			}),
		);
		return {
			...rest,
			now,
			tape: {trades: listed, gaps: new Set(listed.map(({id}) => id).filter(id => id.endsWith('gap')))},
			decimals: {price: priceDecimals, quantity: quantityDecimals},
		};
	});

test('any tape is exactly its size', () => {
	fc.assert(
		fc.property(anyTape, tape => {
			for (const lines of [tapeBody(tape), tapeSkeleton(tape.size, tape.ascii)]) {
				expect(lines.map(lineWidth)).toEqual(Array(tape.size.rows).fill(tape.size.columns));
			}
		}),
	);
});
