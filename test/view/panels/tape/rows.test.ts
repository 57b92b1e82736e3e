import {describe, expect, test} from 'vitest';
import {type Minimum, noMinimum} from '../../../../source/market/minimum.ts';
import {emptyTape, type Tape} from '../../../../source/market/tape.ts';
import type {Trade} from '../../../../source/market/types.ts';
import {hourMs} from '../../../../source/market/units.ts';
import {type Line, lineText} from '../../../../source/view/line.ts';
import {tapePanel} from '../../../../source/view/panels/tape/model.ts';
import {scrolledAnchor, type TapeInput, tapeBody, tapeSkeleton} from '../../../../source/view/panels/tape/rows.ts';
import {boxed, readNumber} from '../../../helpers/boxed.ts';
import {received} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';
import {makeTape} from './tapes.ts';

const standard = {columns: 34, rows: 10};
const inBase = (size: number): Minimum => ({size, unit: 'base'});
const assets = {base: 'BTC', quote: 'USDT'};
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
	const several = makeTape({sides: ['buy', undefined, 'liquidation', 'auction', 'late', 'a', '支持']});
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
		'unknown-sides-several': {tape: several, ascii: true},
		'unknown-sides-wide': {tape: sides, size: {columns: 50, rows: 6}},
		'quiet-market': {tape: makeTape({trades: 6, everyMs: 9 * 60 * 60 * 1000}), now: now + 86_400_000},
		'sums-with-gap': {tape: makeTape({gapAfter: 2}), size: {columns: 40, rows: 12}},
		'sums-without-sides': {tape: makeTape({sides: [undefined]}), size: {columns: 40, rows: 12}},
		'filtered-merged': {minimum: inBase(0.5), merged: true, size: {columns: 40, rows: 12}},
		'filtered-ascii-narrow': {minimum: inBase(0.5), ascii: true, size: {columns: 20, rows: 12}},
		'filtered-by-value': {minimum: {size: 10_000, unit: 'quote'}, assets, size: {columns: 58, rows: 14}},
		...Object.fromEntries(
			[
				[118, 34],
				[78, 19],
				[38, 8],
				[198, 54],
			].map(([columns = 0, rows = 0]) => [
				`zoomed-${columns}x${rows}`,
				{tape: sides, assets, zoomed: true, size: {columns, rows}},
			]),
		),
		'zoomed-gap': {tape: makeTape({gapAfter: 9, everyMs: 4000}), assets, zoomed: true, size: {columns: 78, rows: 19}},
		'zoomed-ascii': {tape: sides, assets, zoomed: true, ascii: true, size: {columns: 78, rows: 19}},
		'all-hidden': {minimum: inBase(50)},
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

describe('a scrolled tape', () => {
	const long = {columns: 34, rows: 9};
	const firstTime = (lines: readonly Line[]) => /\d\d:\d\d:\d\d/.exec(texts(lines)[1] ?? '')?.[0];
	const trade = (id: number): Trade => ({id: String(id), time: now - 60_000 + id * 1000, price: 1, quantity: 1});
	const newestFirst = (newest: number): readonly Trade[] =>
		Array.from({length: newest}, (_, index) => trade(newest - index));

	test('ends at the oldest trade, its gap rows counted', () => {
		const tape = makeTape({trades: 30, gapAfter: 2});
		const anchor = scrolledAnchor(input({tape, size: long}), 1000);

		const lines = tapeBody(input({tape, anchor, size: long}));

		expect(texts(lines)[0]).toBe('── 0 new ─────────────────────────');
		expect(readNumber(texts(lines).at(-1)?.split(/\s+/)[3] ?? '')).toBe(tape.trades.at(-1)?.price);
		expect(scrolledAnchor(input({tape, anchor, size: long}), 5)).toEqual(anchor);
	});

	test('keeps its rows while new trades arrive and counts those', () => {
		const tape = {trades: newestFirst(40), gaps: new Set<string>()};
		const anchor = scrolledAnchor(input({tape, size: long}), 4);
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
		const down = (from: TapeInput['anchor'], by: number) => scrolledAnchor(input({tape, anchor: from, size: long}), by);
		const third = down(undefined, 3);

		expect([third?.top.id, down(third, 1)?.top.id, down(third, -1)?.top.id, down(down(third, -1), -1)?.top.id]).toEqual(
			['37', '36', '38', '39'],
		);
	});

	test('follows the newest trade again once back at it', () => {
		const tape = {trades: newestFirst(40), gaps: new Set<string>()};
		const anchor = scrolledAnchor(input({tape, size: long}), 4);

		expect(scrolledAnchor(input({tape, anchor, size: long}), -4)).toBeUndefined();
	});

	test('counts the new trades from the first step on', () => {
		const before = {trades: newestFirst(40), gaps: new Set<string>()};
		const first = scrolledAnchor(input({tape: before, size: long}), 4);
		const [newest] = before.trades;
		const later = newest ? [{...newest, id: '999999', time: newest.time + 1000}] : [];
		const tape = {...before, trades: [...later, ...before.trades]};
		expect(scrolledAnchor(input({tape, anchor: first, size: long}), 2)?.newest).toEqual(first?.newest);
	});

	test('does not exist where all trades fit', () => {
		expect(scrolledAnchor(input({tape: makeTape({trades: 3}), size: long}), 1)).toBeUndefined();
	});
});

test('the min size hides smaller trades, counts them, and leaves them out of the new ones', () => {
	const trades = [9, 1, 5, 1, 1, 7].map(
		(quantity, index): Trade => ({id: String(9 - index), time: now - index, price: 2, quantity}),
	);
	const anchor = {top: {time: now - 2, id: '7'}, newest: {time: now - 5, id: '4'}};

	const tape = {trades, gaps: new Set(['8'])};
	const lines = tapeBody(wholeNumbers(trades, {tape, minimum: inBase(5), anchor, size: {columns: 40, rows: 4}}));

	expect(texts(lines)).toEqual([
		'── 2 new · hides 3 below 5 ─────────────',
		'── trades may be missing ───────────────',
		' 23:54:59 ·  2    5○█████████▎',
		' 23:54:59 ·  2    7○█████████████',
	]);
});

test('the title says the minimum with its unit', () => {
	const tape = received(makeTape(), now);
	const view = {tape, decimals: {price: 2, quantity: 5}, assets, merged: false, focused: false, ascii: false};
	const title = (minimum: Minimum) =>
		lineText(tapePanel({...view, minimum, size: {columns: 50, rows: 4}}, now)[0] ?? []);

	expect([inBase(0.5), {size: 10_000, unit: 'quote'} as const].map(title)).toEqual([
		'╭─ Tape · min 0.5 BTC ────────────── v2 · 0.0 s ─╮',
		'╭─ Tape · min 10,000 USDT ────────── v2 · 0.0 s ─╮',
	]);
});

test('the exchange’s words are cut in a column of their own', () => {
	const tape = makeTape({sides: ['LIQUIDATION_OF_A_POSITION']});

	const rows = texts(tapeBody(input({tape, zoomed: true, size: {columns: 78, rows: 12}})));

	expect(rows[2]?.trimEnd()).toBe(' 23:54:59.000 ·  61,793.10    0.14944       9,234.36  LIQUIDATION_OF_…  ▌');
});

test('merged fills are one row with their number, and all bars start in one column', () => {
	const fill = (id: string, time: number, quantity: number): Trade => ({id, time, price: 2, quantity, side: 'buy'});
	const trades = [fill('3', now, 8), fill('2', now - 9, 3), fill('1', now - 9, 5)];

	const lines = tapeBody(wholeNumbers(trades, {merged: true, size: {columns: 40, rows: 4}}));

	expect(texts(lines)).toEqual([
		'── fills merged ────────────────────────',
		' 23:55:00 ▲  2    8    █████████████',
		' 23:54:59 ▲  2    8 ×2 █████████████',
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

test('times and days are of the zone that the title names', () => {
	const zone = zoneOf('Europe/Berlin');
	const midnight = Date.UTC(2024, 7, 8, 22);
	const trades = [midnight + 5000, midnight - 5000].map(
		(time, index): Trade => ({id: String(9 - index), time, price: 2, quantity: 5}),
	);
	const shown = {trades, gaps: new Set<string>()};
	const view = {...wholeNumbers(trades, {zone, size: {columns: 40, rows: 5}}), merged: false, focused: false};
	const lines = texts(tapePanel({...view, minimum: inBase(0), tape: received(shown, now)}, midnight + 6000));
	expect(lines.map(line => line.slice(0, 22).trimEnd())).toEqual([
		'╭─ Tape +02:00 ───────',
		'│ 00:00:05 ·  2    5 █',
		'│── 2024-08-08 ───────',
		'│ 23:59:55 ·  2    5 █',
		expect.stringContaining('╰'),
	]);
});

test('the sums of today leave out the trades of yesterday', () => {
	const midnight = Date.UTC(2024, 7, 8);
	const tradeAt = (hour: number, quantity: number): Trade => ({
		...{id: String(10 + hour), time: midnight + hour * hourMs, price: 5, quantity, side: 'buy'},
	});
	const view = {zoomed: true, assets, size: {columns: 118, rows: 34}, now: midnight + 2 * hourMs};
	const rows = texts(tapeBody(wholeNumbers([tradeAt(1, 7), tradeAt(-1, 60)], view)));
	const sums = rows.flatMap(row => /(session|today) .* buy (\S+)/.exec(row)?.slice(1) ?? []);
	expect(sums).toEqual(['session', '67.000', 'today', '7.0000']);
});

test('a narrow tape without trades says so in fewer words', () => {
	expect(texts(tapeBody(input({tape: emptyTape, size: {columns: 12, rows: 1}})))).toEqual(['no trades']);
});

test('screens that show the same tape draw it once where nothing differs, and show nothing of another one', () => {
	const tape = makeTape();
	const at = tape.trades[3];
	if (!at) throw new Error('the tape is too short');
	const drawn: ReadonlyArray<Partial<Parameters<typeof tapePanel>[0]>> = [
		{},
		{minimum: inBase(0.7)},
		{minimum: {size: 0.7, unit: 'quote'}},
		{merged: true},
		{anchor: {top: at, newest: tape.trades[0] ?? at}},
		{zoomed: true},
		{decimals: {price: 3, quantity: 2}},
		{decimals: {price: 2, quantity: 3}},
		{assets},
		{ascii: true},
		{zone: zoneOf('Asia/Tokyo')},
		{size: {columns: 34, rows: 12}},
		{size: {columns: 60, rows: 10}},
	];
	const common = {...input(), focused: false, minimum: noMinimum, merged: false};
	const panelOf = (shown: Tape, change: (typeof drawn)[number]) =>
		tapePanel(
			{...common, focused: false, minimum: noMinimum, merged: false, tape: received(shown, now), ...change},
			now,
		);
	const alone = drawn.map(change => panelOf(structuredClone(tape), change));
	for (let round = 0; round < 2; round++) expect(drawn.map(change => panelOf(tape, change))).toEqual(alone);

	const [one, other] = [panelOf(tape, {}), panelOf(tape, {})];
	expect(one.slice(1, -1).every((line, row) => line === other[row + 1])).toBe(true);
});
