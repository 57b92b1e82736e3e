import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {emptyTape} from '../../../../source/market/tape.ts';
import type {TapeSums} from '../../../../source/market/tape-sums.ts';
import type {Trade} from '../../../../source/market/types.ts';
import {type Line, lineText, lineWidth} from '../../../../source/view/line.ts';
import {marksFor} from '../../../../source/view/marks.ts';
import {tapeList} from '../../../../source/view/panels/tape/list.ts';
import {paceTexts} from '../../../../source/view/panels/tape/model.ts';
import {
	scrolledAnchor,
	sumsRow,
	type TapeInput,
	tapeBody,
	tapeSkeleton,
} from '../../../../source/view/panels/tape/rows.ts';
import {boxed, isAmount, readNumber} from '../../../helpers/boxed.ts';
import {makeTape} from './tapes.ts';

const standard = {columns: 34, rows: 10};
const now = Date.UTC(2024, 7, 8, 23, 55);

const input = (change: Partial<TapeInput> = {}): TapeInput => ({
	tape: makeTape(),
	decimals: {price: 2, quantity: 5},
	size: standard,
	ascii: false,
	now,
	...change,
});

/** A tape of these trades, whose numbers have no decimals. */
const wholeNumbers = (trades: readonly Trade[], change: Partial<TapeInput> = {}): TapeInput =>
	input({tape: {trades, gaps: new Set()}, decimals: {price: 0, quantity: 0}, ...change});

const golden = (name: string) => `../../../frames/tape/${name}.txt`;

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
		'sums-with-gap': {tape: makeTape({gapAfter: 2}), size: {columns: 40, rows: 12}},
		'sums-without-sides': {tape: makeTape({sides: [undefined]}), size: {columns: 40, rows: 12}},
		'filtered-merged': {minSize: 0.5, merged: true, size: {columns: 40, rows: 12}},
		'filtered-ascii-narrow': {minSize: 0.5, ascii: true, size: {columns: 20, rows: 12}},
		'all-hidden': {minSize: 50},
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

test('buys rise, sells fall, and an unknown side is neutral and keeps the exchange’s word', () => {
	const trade: Trade = {id: '3', time: now, price: 2, quantity: 1, side: 'buy'};
	const trades: Trade[] = [
		trade,
		{...trade, id: '2', side: 'sell'},
		{...trade, id: '1', side: undefined, sideText: 'auction'},
	];

	expect(tapeBody(wholeNumbers(trades, {size: {columns: 26, rows: 3}}))).toEqual([
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '▲  2', tone: 'up'},
			{text: '    1'},
			{text: ' ', tone: 'upBar'},
			{text: '██████', tone: 'upBar'},
		],
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '▼  2', tone: 'down'},
			{text: '    1'},
			{text: ' ', tone: 'downBar'},
			{text: '██████', tone: 'downBar'},
		],
		[
			{text: ' 23:55:00 ', tone: 'muted'},
			{text: '·  2', tone: 'plain'},
			{text: '    1'},
			{text: ' ', tone: 'muted'},
			{text: 'aucti…', tone: 'muted'},
		],
	]);
});

test('a gap is a warning below the trade after which trades may be missing', () => {
	const lines = tapeBody(input({tape: makeTape({gapAfter: 0}), size: {columns: 34, rows: 2}}));

	expect(lines[1]).toEqual([
		{text: '── ', tone: 'warn'},
		{text: 'trades may be missing', tone: 'warn'},
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

describe('a scrolled tape', () => {
	const long = {columns: 34, rows: 9};
	const firstTime = (lines: readonly Line[]) => /\d\d:\d\d:\d\d/.exec(texts(lines)[1] ?? '')?.[0];
	const trade = (id: number): Trade => ({id: String(id), time: now - 60_000 + id * 1000, price: 1, quantity: 1});
	const newestFirst = (newest: number): readonly Trade[] =>
		Array.from({length: newest}, (_, index) => trade(newest - index));

	test('ends at the oldest trade, its gap rows counted', () => {
		const tape = makeTape({trades: 30, gapAfter: 2});
		const anchor = scrolledAnchor(input({tape}), long.rows, 1000);

		const lines = tapeBody(input({tape, anchor, size: long}));

		expect(texts(lines)[0]).toBe('── 0 new ─────────────────────────');
		expect(readNumber(texts(lines).at(-1)?.split(/\s+/)[3] ?? '')).toBe(tape.trades.at(-1)?.price);
		expect(scrolledAnchor(input({tape, anchor}), long.rows, 5)).toEqual(anchor);
	});

	test('keeps its rows while new trades arrive and counts those', () => {
		const tape = {trades: newestFirst(40), gaps: new Set<string>()};
		const anchor = scrolledAnchor(input({tape}), long.rows, 4);
		const before = tapeBody(input({tape, anchor, size: long}));

		const after = tapeBody(input({tape: {...tape, trades: newestFirst(52)}, anchor, size: long}));

		expect([texts(before)[0], texts(after)[0]].map(line => line?.split(' ').slice(1, 3).join(' '))).toEqual([
			'0 new',
			'12 new',
		]);
		expect(after.slice(1)).toEqual(before.slice(1));
		expect(firstTime(after)).toBe('23:54:36');
	});

	test('skips the rows of gaps and days in both directions', () => {
		const tape = {trades: newestFirst(40), gaps: new Set(['38'])};
		const down = (from: TapeInput['anchor'], by: number) => scrolledAnchor(input({tape, anchor: from}), long.rows, by);
		const third = down(undefined, 3);

		expect([third?.top.id, down(third, 1)?.top.id, down(third, -1)?.top.id, down(down(third, -1), -1)?.top.id]).toEqual(
			['37', '36', '38', '39'],
		);
	});

	test('follows the newest trade again once back at it', () => {
		const tape = {trades: newestFirst(40), gaps: new Set<string>()};
		const anchor = scrolledAnchor(input({tape}), long.rows, 4);

		expect(scrolledAnchor(input({tape, anchor}), long.rows, -4)).toBeUndefined();
	});

	test('does not exist where all trades fit', () => {
		expect(scrolledAnchor(input({tape: makeTape({trades: 3})}), 9, 1)).toBeUndefined();
	});
});

test('the min size hides smaller trades, counts them, and leaves them out of the new ones', () => {
	const trades = [9, 1, 5, 1, 1, 7].map(
		(quantity, index): Trade => ({id: String(9 - index), time: now - index, price: 2, quantity}),
	);
	const anchor = {top: {time: now - 2, id: '7'}, newest: {time: now - 5, id: '4'}};

	const tape = {trades, gaps: new Set(['8'])};
	const lines = tapeBody(wholeNumbers(trades, {tape, minSize: 5, anchor, size: {columns: 40, rows: 4}}));

	expect(texts(lines)).toEqual([
		'── 2 new · hides 3 below 5 ─────────────',
		'── trades may be missing ───────────────',
		' 23:54:59 ·  2    5○██████████████▎',
		' 23:54:59 ·  2    7○████████████████████',
	]);
});

test('merged fills are one row with their number, and all bars start in one column', () => {
	const fill = (id: string, time: number, quantity: number): Trade => ({id, time, price: 2, quantity, side: 'buy'});
	const trades = [fill('3', now, 8), fill('2', now - 9, 3), fill('1', now - 9, 5)];

	const lines = tapeBody(wholeNumbers(trades, {merged: true, size: {columns: 40, rows: 4}}));

	expect(texts(lines)).toEqual([
		'── fills merged ────────────────────────',
		' 23:55:00 ▲  2    8    █████████████████',
		' 23:54:59 ▲  2    8 ×2 █████████████████',
		'',
	]);
});

test('trades that are large against the recent median are marked', () => {
	const trades = [2, 10, 40, 2, 2].map(
		(quantity, index): Trade => ({id: String(9 - index), time: now - index, price: 2, quantity, side: 'buy'}),
	);

	const lines = tapeBody(wholeNumbers(trades, {size: {columns: 24, rows: 3}}));

	expect(lines.map(line => [line[2], line[3]])).toEqual([
		[{text: '    2'}, {text: ' ', tone: 'upBar'}],
		[
			{text: '   10', tone: 'strong'},
			{text: '○', tone: 'upBar'},
		],
		[
			{text: '   40', tone: 'strong'},
			{text: '●', tone: 'upBar'},
		],
	]);
});

describe('sums', () => {
	const since = Date.UTC(2024, 7, 8, 23, 50);
	const whole: TapeSums = {
		...{bought: 3, sold: 1, unknown: 0, delta: 2, since},
		...{hasGaps: false, perMinute: 40, perMinutePartial: false},
	};
	const gap: TapeSums = {...whole, hasGaps: true};
	const noSides: TapeSums = {...whole, bought: 0, sold: 0, unknown: 4, delta: 0};

	test.each([
		[
			'are exact on a whole tape',
			whole,
			false,
			[' buy 3.0000 ███████▒▒ 1.0000 sell', ' buy 75 % ██████▒▒ sell', ' 75 % █████▒▒'],
		],
		[
			'are lower bounds across a gap',
			gap,
			false,
			[' buy ≥3.0000 █████▒▒ ≥1.0000 sell', ' buy ≈75 % █████▒▒ sell', ' ≈75 % █████▒'],
		],
		[
			'are lower bounds where sides are unknown',
			{...whole, unknown: 2},
			false,
			[' buy ≥3.0000 █████▒▒ ≥1.0000 sell', ' buy ≈75 % █████▒▒ sell', ' ≈75 % █████▒'],
		],
		[
			'keep their marks in ASCII',
			gap,
			true,
			[' buy ~75 % #############==== sell', ' buy ~75 % #####== sell', ' ~75 % #####='],
		],
		[
			'name no sides where none is known',
			noSides,
			false,
			[' 4.0000 traded, sides unknown', ' sides unknown', ' sides unknown'],
		],
		[
			'name a lower bound of the volume without sides',
			{...noSides, hasGaps: true},
			false,
			[' ≥4.0000 traded, sides unknown', ' sides unknown', ' sides unknown'],
		],
	])('%s', (_, sums, ascii, rows) => {
		expect([34, 24, 14].map(columns => lineText(sumsRow(sums, columns, marksFor(ascii))).trimEnd())).toEqual(rows);
	});

	test.each([
		['whole', whole, false, ['Δ +2.00 · 40/min · since 23:50:00', 'Δ +2.00 · 40/min', '40/min']],
		['old', whole, false, ['Δ +2.00 · 40/min at 23:55:00', 'Δ +2.00 · since 23:50:00', 'Δ +2.00'], now],
		[
			'partial across a gap',
			gap,
			false,
			['partial · Δ +2.00 · 40/min · since 23:50:00', 'partial · Δ +2.00 · 40/min', 'partial · 40/min'],
		],
		[
			'lower bounds where the gap lies in the last minute',
			{...gap, perMinute: 1234, perMinutePartial: true},
			true,
			[
				'partial - delta +2.00 - >=1,234/min - since 23:50:00',
				'partial - delta +2.00 - >=1,234/min',
				'partial - >=1,234/min',
			],
		],
	])('delta and pace are %s', (_, sums, ascii, pace, at?: number) => {
		expect(paceTexts(sums, 2, ascii, at)).toEqual(pace);
	});
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
		minSize: fc.constantFrom(0, 0, 5, 1000),
		merged: fc.boolean(),
		anchor: fc.option(
			fc.record({
				top: fc.record({time: fc.integer({min: 0, max: 2e12}), id: fc.constant('5')}),
				newest: fc.constant({time: 1e12, id: '1'}),
			}),
			{nil: undefined},
		),
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
				/^[▲▼·^v.][ \d]/.test(line.find(span => span.tone !== 'muted')?.text ?? ''),
			);
			const shown = rows.map(line => {
				const [price, quantity] = line.filter(span => !span.tone?.endsWith('Bar') && span.tone !== 'muted');
				return {price: price?.text.slice(1).trim() ?? '', quantity: quantity?.text.trim() ?? ''};
			});
			const trades = tapeList(tape.tape, tape).trades;
			const first = trades.findIndex((_, start) =>
				shown.every(({price, quantity}, index) => {
					const trade = trades[start + index];
					if (!trade) return false;
					// In a narrow tape the shortest price has twelve digits.
					const prices = [trade.price, Number(trade.price.toPrecision(12))];
					const wholePrice = ['', '…', '~'].includes(price) || prices.includes(readNumber(price));
					return wholePrice && (quantity === '' || isAmount(quantity, trade.quantity));
				}),
			);
			expect(shown.length === 0 || first >= 0).toBe(true);
		}),
	);
});
