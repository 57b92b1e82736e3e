import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatFixed, formatPrice} from '../../../../source/format/number.ts';
import {groupLevels, stepAt, stepDecimals} from '../../../../source/market/depth.ts';
import type {DepthBook, Level} from '../../../../source/market/types.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type LadderInput, ladderBody, ladderSkeleton} from '../../../../source/view/panels/book/rows.ts';
import {ladderStep} from '../../../../source/view/panels/book/rungs.ts';

const anyLadder = fc
	.record({
		priceDecimals: fc.integer({min: 0, max: 10}),
		quantityDecimals: fc.integer({min: 0, max: 8}),
		asks: fc.array(fc.tuple(fc.integer({min: 1, max: 600_000_000}), fc.integer({min: 1, max: 1e12})), {maxLength: 40}),
		bids: fc.option(
			fc.array(fc.tuple(fc.integer({min: 1, max: 600_000_000}), fc.integer({min: 1, max: 1e12})), {maxLength: 40}),
			{nil: undefined},
		),
		tickerBid: fc.option(fc.integer({min: 1, max: 600_000_000}), {nil: undefined}),
		grouping: fc.option(fc.nat(12), {nil: undefined}),
		anchor: fc.option(
			fc.record({side: fc.constantFrom('ask', 'bid'), price: fc.double({min: 0, max: 1e9, noNaN: true})}),
			{nil: undefined},
		),
		total: fc.constantFrom('total', 'value'),
		fill: fc.option(fc.record({text: fc.constantFrom('2', '5000 usdt', 'x', ''), editing: fc.boolean()}), {
			nil: undefined,
		}),
		size: fc.record({columns: fc.integer({min: 1, max: 90}), rows: fc.integer({min: 1, max: 40})}),
		ascii: fc.boolean(),
	})
	.map(({priceDecimals, quantityDecimals, asks, bids, tickerBid, grouping, ...rest}): LadderInput => {
		const levels = (units: ReadonlyArray<readonly [number, number]>, sign: 1 | -1): readonly Level[] =>
			[...new Map(units)]
				.map(([price, quantity]): Level => [price / 10 ** priceDecimals, quantity / 10 ** quantityDecimals])
				.sort(([a], [b]) => sign * (a - b));
		return {
			...rest,
			grouping: grouping === undefined ? undefined : stepAt(priceDecimals, grouping),
			book: {asks: levels(asks, 1), bids: bids && levels(bids, -1)},
			tickerBid: tickerBid === undefined ? undefined : tickerBid / 10 ** priceDecimals,
			decimals: {price: priceDecimals, quantity: quantityDecimals},
		};
	});

test('any ladder is exactly its size', () => {
	fc.assert(
		fc.property(anyLadder, ladder => {
			for (const lines of [ladderBody(ladder), ladderSkeleton(ladder.size, ladder.ascii)]) {
				expect(lines.map(lineWidth)).toEqual(Array(ladder.size.rows).fill(ladder.size.columns));
			}
		}),
	);
});

test('decimal points are aligned on any ladder that is wide enough', () => {
	const pointOf = (text: string) => (text.includes('.') ? text.indexOf('.') : text.trimEnd().length);
	fc.assert(
		fc.property(anyLadder, ladder => {
			const {asks, bids = []} = ladder.book;
			const step = ladderStep(ladder.book, ladder.decimals, ladder.grouping);
			const groups = [...groupLevels(asks, 'ask', step), ...groupLevels(bids, 'bid', step)];
			const prices = groups.map(([price]) => formatPrice(price, {decimals: stepDecimals(step)}));
			const quantities = [10, ...groups.map(([, size]) => size)].map(size =>
				formatFixed(size, ladder.decimals.quantity),
			);
			const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length));
			// In less room, where sums of up to 14 cells do not fit, numbers take short forms, and no column of points is left.
			fc.pre(Math.max(widest(prices), 5) + Math.max(widest(quantities), 4) + 18 <= ladder.size.columns);
			const rungs = ladderBody(ladder).filter(([price]) => /^ *[\d,]+(\.\d+)? *$/.test(price?.text ?? ''));
			const shown = rungs.map(([price]) => price?.text ?? '').filter(text => !/[₀-₉(]/.test(text));
			expect(new Set(shown.map(pointOf)).size).toBeLessThanOrEqual(1);
			const sizes = rungs.map(([, size]) => size?.text ?? '').filter(text => /\d/.test(text));
			expect(new Set(sizes.map(pointOf)).size).toBeLessThanOrEqual(1);
		}),
	);
});

test('changes since the book before move no level of any ladder', () => {
	const withoutSigns = (ladder: LadderInput) =>
		ladderBody(ladder).map(line => lineText(line).replaceAll(/[+▲▼×]/g, ' '));
	fc.assert(
		fc.property(anyLadder, anyLadder, (ladder, {book: other}) => {
			// Some levels of the book itself, so that not all are others.
			const kept = ({asks, bids}: DepthBook): DepthBook => ({
				asks: asks.filter((_, index) => index % 3 > 0),
				bids: bids?.filter((_, index) => index % 3 > 0),
			});
			for (const previous of [other, kept(ladder.book)]) {
				const shown = {...ladder, ascii: false};
				expect(withoutSigns({...shown, previous})).toEqual(withoutSigns(shown));
			}
		}),
	);
});

test('cumulative sizes stay in their column while they pass 0.01 and 10', () => {
	const headers = [0.004, 0.5, 12].map(size => {
		const book = {asks: [[61_824.01, size]], bids: [[61_824, size]]} as const;
		const ladder = {book, decimals: {price: 2, quantity: 5}, size: {columns: 32, rows: 20}, ascii: false};
		return ladderBody(ladder)[0]
			?.map(({text}) => text)
			.join('')
			.trimEnd();
	});
	expect(headers).toEqual(Array(3).fill('     price     size   cum'));
});
