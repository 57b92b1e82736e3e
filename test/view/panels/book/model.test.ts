import {describe, expect, test} from 'vitest';
import {emptyHistory, remember} from '../../../../source/market/liquidity.ts';
import type {Tape} from '../../../../source/market/tape.ts';
import type {Resource} from '../../../../source/store/resource.ts';
import {lineText} from '../../../../source/view/line.ts';
import {type BookPanelInput, bookPanel} from '../../../../source/view/panels/book/model.ts';
import {initialUi} from '../../../../source/view/ui-state.ts';
import {timeout} from '../../../store/samples.ts';

const now = Date.UTC(2024, 7, 8, 23, 55);
const answer = {status: 'ready', interface: 'v2', receivedAt: now, dropped: 0} as const;
const trades = [
	{id: '2', time: now, price: 101, quantity: 2},
	{id: '1', time: now, price: 101, quantity: 1},
];
const whole: Resource<Tape> = {...answer, data: {trades, gaps: new Set()}};
const failing: Resource<Tape> = {...whole, failure: {error: timeout('trades'), since: now}};
const broken: Resource<Tape> = {...answer, data: {trades, gaps: new Set(['2'])}};

const book = {asks: [[101, 4]], bids: [[100, 5]]} as const;

const inputOf = (change: Partial<BookPanelInput>): BookPanelInput => ({
	...initialUi('wide').book,
	depth: {...answer, data: book},
	...{history: emptyHistory, flashes: false, ticker: undefined, market: undefined, tape: undefined},
	...{decimals: {price: 0, quantity: 0}, focused: false, size: {columns: 62, rows: 16}, ascii: false},
	...change,
});

function rowsOf(tape: Resource<Tape>, rows: number): readonly string[] {
	const input = inputOf({tape, size: {columns: 62, rows}});
	const lines = bookPanel(input, now);
	return lines.map(lineText).filter(text => /price|101/.test(text));
}

describe('traded sizes beside the book', () => {
	test('are those of the tape', () => {
		expect(rowsOf(whole, 16)).toMatchInlineSnapshot(`
			[
			  "│ price   size   cum   cum val   traded                      │",
			  "│   101      4     4    404.00        3  ████████████████    │",
			]
		`);
	});

	test('are lower bounds across a gap and while the tape fails', () => {
		expect(rowsOf(broken, 16)).toMatchInlineSnapshot(`
			[
			  "│ price   size   cum   cum val   ≥traded                     │",
			  "│   101      4     4    404.00         3  ███████████████▎   │",
			]
		`);
		expect(rowsOf(failing, 16)).toEqual(rowsOf(broken, 16));
	});

	test('that are lower bounds need column names', () => {
		expect([rowsOf(whole, 9), rowsOf(broken, 9)]).toMatchInlineSnapshot(`
			[
			  [
			    "│ 101    4    4    404.00    3  ███████████████████████▎     │",
			  ],
			  [
			    "│ 101    4    4  ███████████████████████████████████▎        │",
			  ],
			]
		`);
	});
});

describe('the title', () => {
	const stale = {...answer, data: book, failure: {error: timeout('depth'), since: now}};
	const history = remember(emptyHistory, book, now);

	test.each([
		['ladder', 'Book 5', '5'],
		['curve', 'Depth curve ±0.498 %', '±0.498 %'],
		['heatmap', 'Heatmap 1', '1'],
	] as const)('of the %s names its step or range at every width', (view, wide, narrow) => {
		const grouping = {mantissa: 5, exponent: 0} as const;
		const titleAt = (columns: number, depth: BookPanelInput['depth']) => {
			const input = inputOf({view, history, grouping, depth, size: {columns, rows: 16}});
			return lineText(bookPanel(input, now)[0] ?? []).replaceAll(/^╭─ | ─.*$/g, '');
		};
		const widths = Array.from({length: 100}, (_, index) => 20 + index);
		for (const depth of [stale, {...answer, data: book}]) {
			const titles = widths.map(columns => titleAt(columns, depth));
			expect(titles.filter(title => !title.endsWith(narrow))).toEqual([]);
			expect(titles.at(-1)).toBe(wide);
		}
	});
});

describe('screens that show the same book', () => {
	const drawn: readonly Partial<BookPanelInput>[] = [
		{},
		{levels: [100]},
		{levels: [101]},
		{drawnLevels: [{price: 101}]},
		{fill: {text: '3', editing: false}},
		{fill: {text: '3', editing: true}},
		{grouping: {mantissa: 5, exponent: 0}},
		{total: 'value'},
		{anchor: {side: 'ask', price: 101}, focused: true},
		{anchor: {side: 'ask', price: 101}},
		{decimals: {price: 2, quantity: 0}},
		{decimals: {price: 0, quantity: 2}},
		{size: {columns: 62, rows: 14}},
		{size: {columns: 50, rows: 16}},
		{ascii: true},
		{tape: whole},
		{tape: broken},
		{tape: failing},
		{flashes: true, history: remember(remember(emptyHistory, {asks: [[101, 3]], bids: []}, now), book, now)},
		{market: {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'}, fill: {text: '2 btc', editing: false}},
		{depth: {...answer, data: book, cut: 7}, fill: {text: '99', editing: false}},
	];

	test('draw its ladder once where nothing differs', () => {
		const [one, other] = [bookPanel(inputOf({}), now), bookPanel(inputOf({}), now + 5000)];
		expect(one.length).toBe(other.length);
		expect(one.slice(1, -1).every((line, row) => line === other[row + 1])).toBe(true);
	});

	test('show nothing of what another one is drawn from', () => {
		const textsOf = (input: BookPanelInput) => bookPanel(input, now).map(line => JSON.stringify(line));
		const alone = drawn.map(change => {
			const input = inputOf(change);
			const {depth} = input;
			return textsOf({
				...input,
				depth: depth.status === 'ready' ? {...depth, data: structuredClone(depth.data)} : depth,
			});
		});
		for (let round = 0; round < 2; round++) expect(drawn.map(change => textsOf(inputOf(change)))).toEqual(alone);
		expect(new Set(alone.map(lines => lines.join('\n'))).size).toBeGreaterThan(drawn.length - 3);
	});
});
