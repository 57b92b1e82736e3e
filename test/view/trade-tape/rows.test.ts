import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {emptyTape} from '../../../source/market/tape.ts';
import type {Trade} from '../../../source/market/types.ts';
import {type Line, lineText, lineWidth} from '../../../source/view/line.ts';
import {type TapeInput, tapeBody, tapeMaxScroll, tapeSkeleton} from '../../../source/view/trade-tape/rows.ts';
import {boxed, readNumber} from '../../helpers/boxed.ts';
import {makeTape} from './tapes.ts';

const standard = {columns: 34, rows: 10};
const now = Date.UTC(2024, 7, 8, 23, 55);

const input = (change: Partial<TapeInput> = {}): TapeInput => ({
	tape: makeTape(),
	decimals: {price: 2, quantity: 5},
	scroll: 0,
	size: standard,
	ascii: false,
	now,
	...change,
});

const golden = (name: string) => `../../frames/trade-tape/${name}.txt`;

const texts = (lines: readonly Line[]): string[] => lines.map(line => lineText(line).trimEnd());

describe('frames', () => {
	const sides = makeTape({sides: ['buy', undefined, 'LIQUIDATION', 'sell']});
	const frames: Record<string, Partial<TapeInput>> = {
		'bitcoin-standard': {},
		'bitcoin-wide': {size: {columns: 58, rows: 14}},
		'bitcoin-small': {size: {columns: 44, rows: 5}},
		'bitcoin-narrow': {size: {columns: 30, rows: 5}},
		'bitcoin-without-time': {size: {columns: 24, rows: 5}},
		'bitcoin-prices-only': {size: {columns: 14, rows: 5}},
		'bitcoin-too-narrow': {size: {columns: 7, rows: 3}},
		'bitcoin-ascii': {ascii: true, size: {columns: 44, rows: 6}},
		'shiba-standard': {
			tape: makeTape({price: 1371, priceDecimals: 8, quantityDecimals: 0, scale: 900_000_000}),
			decimals: {price: 8, quantity: 0},
		},
		'tiny-prices-standard': {
			tape: makeTape({price: 5012, priceDecimals: 12, quantityDecimals: 1, scale: 90_000_000}),
			decimals: {price: 12, quantity: 1},
		},
		gap: {tape: makeTape({gapAfter: 2})},
		'gap-ascii': {tape: makeTape({gapAfter: 2}), ascii: true},
		'unknown-sides': {tape: sides},
		'unknown-sides-wide': {tape: sides, size: {columns: 50, rows: 6}},
		'quiet-market': {tape: makeTape({trades: 6, everyMs: 9 * 60 * 60 * 1000}), now: now + 86_400_000},
		empty: {tape: emptyTape},
	};

	test.each(Object.entries(frames))('%s', async (name, change) => {
		await expect(boxed(tapeBody(input(change)))).toMatchFileSnapshot(golden(name));
	});

	test.each([
		['skeleton-standard', standard, false],
		['skeleton-ascii', {columns: 24, rows: 3}, true],
	] as const)('%s', async (name, size, ascii) => {
		await expect(boxed(tapeSkeleton(size, ascii))).toMatchFileSnapshot(golden(name));
	});
});

test('buys rise, sells fall, and a side that is not understood has no colour but keeps its word', () => {
	const trade: Trade = {id: '3', time: now, price: 2, quantity: 1, side: 'buy'};
	const trades: Trade[] = [
		trade,
		{...trade, id: '2', side: 'sell'},
		{...trade, id: '1', side: undefined, sideText: 'auction'},
	];

	const lines = tapeBody(
		input({tape: {trades, gaps: new Set()}, decimals: {price: 0, quantity: 0}, size: {columns: 26, rows: 3}}),
	);

	expect(lines).toEqual([
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '▲  2', tone: 'up'},
			{text: '    1'},
			{text: ' ██████', tone: 'upBar'},
		],
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '▼  2', tone: 'down'},
			{text: '    1'},
			{text: ' ██████', tone: 'downBar'},
		],
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '·  2', tone: 'plain'},
			{text: '    1'},
			{text: ' aucti…', tone: 'muted'},
		],
	]);
});

test('a gap is a warning below the trade after which trades may be missing', () => {
	const lines = tapeBody(input({tape: makeTape({gapAfter: 0}), size: {columns: 34, rows: 2}}));

	expect(lines[1]).toEqual([
		{text: '── ', tone: 'warn'},
		{text: 'may be missing trades', tone: 'warn'},
		{text: ' ─────────', tone: 'warn'},
	]);
});

test('trades of earlier days stand below their date', () => {
	const tape = makeTape({trades: 3, everyMs: 24 * 60 * 60 * 1000});

	const lines = texts(tapeBody(input({tape, size: {columns: 34, rows: 6}})));

	expect(lines.map(line => line.slice(0, 14).trim())).toEqual([
		'23:54:59 ▼  6',
		'── 2024-08-07',
		'23:54:59 ▼  6',
		'── 2024-08-06',
		'23:54:59 ▲  6',
		'',
	]);
});

test('scrolling ends at the oldest trade, its gap rows counted', () => {
	const tape = makeTape({trades: 30, gapAfter: 2});
	const end = tapeMaxScroll({tape, now}, standard.rows);

	const lines = tapeBody(input({tape, scroll: end}));

	expect(end).toBe(21);
	expect(lines).toEqual(tapeBody(input({tape, scroll: 1000})));
	expect(readNumber(texts(lines).at(-1)?.split(/\s+/)[3] ?? '')).toBe(tape.trades.at(-1)?.price);
});

test('a tape that fits does not scroll', () => {
	expect(tapeMaxScroll({tape: makeTape({trades: 3}), now}, 3)).toBe(0);
});

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
		scroll: fc.integer({min: -5, max: 60}),
		size: fc.record({columns: fc.integer({min: 1, max: 70}), rows: fc.integer({min: 1, max: 30})}),
		ascii: fc.boolean(),
	})
	.map(({priceDecimals, quantityDecimals, trades, ...rest}): TapeInput => {
		const listed = trades.map(
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

test('any tape shows whole prices and quantities, in the order of its trades', () => {
	fc.assert(
		fc.property(anyTape, tape => {
			const rows = tapeBody(tape).filter(line =>
				/^[▲▼·^v.] /.test(line.find(span => span.tone !== 'muted')?.text ?? ''),
			);
			const shown = rows.map(line => {
				const [price, quantity] = line.filter(span => !span.tone?.endsWith('Bar') && span.tone !== 'muted');
				return {price: price?.text.slice(1).trim() ?? '', quantity: quantity?.text.trim() ?? ''};
			});
			const {trades} = tape.tape;
			const first = trades.findIndex((_, start) =>
				shown.every(({price, quantity}, index) => {
					const trade = trades[start + index];
					if (!trade) return false;
					const wholePrice = ['', '…', '~'].includes(price) || readNumber(price) === trade.price;
					return wholePrice && (quantity === '' || readNumber(quantity) === trade.quantity);
				}),
			);
			expect(shown.length === 0 || first >= 0).toBe(true);
		}),
	);
});
