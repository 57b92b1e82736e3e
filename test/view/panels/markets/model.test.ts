import {expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText} from '../../../../source/view/line.ts';
import {pickerListOf} from '../../../../source/view/panels/markets/list.ts';
import {pickerPanel} from '../../../../source/view/panels/markets/model.ts';
import {initialUi, type UiState} from '../../../../source/view/ui-state.ts';
import {marketState, received} from '../../../helpers/market-state.ts';

const markets = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC', 'OLD/BTC'].map((pair, index) => {
	const [base, quote] = pair.split('/');
	return {symbol: pair.replace('/', ''), base, quote, state: index === 3 ? 'halted' : 'active'};
});
const quiet = marketState({markets: received(markets, 0), tickers: received(new Map(), 0)});

/** Upper and lower border of the picker with these choices. */
function borders(
	change: Partial<UiState['picker']>,
	{columns = 40, ascii = false, state = quiet} = {},
): readonly string[] {
	const picker = {...initialUi('standard').picker, ...change};
	const list = pickerListOf(state, picker);
	const keyHint = keyHintOf(commands, ascii);
	const lines = pickerPanel({state, keyHint, list, picker, focused: false, size: {columns, rows: 6}, ascii}, 1000);
	return [lines.at(0), lines.at(-1)].map(line => lineText(line ?? []));
}

test.each([
	['the order', {}, ['╭─ 1 Markets 4 ────────────── v2 · 1.0 s ─╮', '╰─ by volume ↓ ───────────────────────────╯']],
	[
		'the order reversed',
		{sort: 'spread', reversed: true} as const,
		['╭─ 1 Markets 4 ────────────── v2 · 1.0 s ─╮', '╰─ by spread ↓ ───────────────────────────╯'],
	],
	[
		'what is excluded',
		{sort: 'name', quote: 'BTC', activeOnly: true} as const,
		['╭─ 1 Markets 1 of 4 ───────── v2 · 1.0 s ─╮', '╰─ by name ↑ · BTC · active ──────────────╯'],
	],
	[
		'the filter',
		{filter: 'eth'},
		['╭─ 1 Markets 2 of 4 ───────── v2 · 1.0 s ─╮', '╰─ by match ──────────────────────────────╯'],
	],
])('the border shows %s', (_, change, expected) => {
	expect(borders(change, {columns: 43})).toEqual(expected);
});

test('the body says that the exchange lists no markets yet', () => {
	const state = marketState({markets: received([], 0)});
	const input = {keyHint: keyHintOf(commands, false), list: [], picker: initialUi('standard').picker};
	const lines = pickerPanel({...input, state, focused: true, size: {columns: 24, rows: 3}, ascii: false}, 1000);
	expect(lines.map(lineText).slice(0, 2)).toEqual(['┏━ 1 Markets ━━ 1.0 s ━┓', '┃ no markets yet       ┃']);
});

test('the border is drawn in ASCII', () => {
	expect(borders({quote: 'USDT'}, {ascii: true})).toEqual([
		'+- 1 Markets 2 of 4 ------ v2 - 1.0 s -+',
		'+- by volume v - USDT -----------------+',
	]);
});

test('the border says that no market converts to the currency that was chosen', () => {
	expect(borders({currency: 'XYZ'}, {columns: 50})[1]).toBe('╰─ by volume ↓ · nothing converts to XYZ ────────╯');
	expect(borders({currency: 'BTC'}, {columns: 50})[1]).toBe('╰─ by volume ↓ ──────────────────────────────────╯');
});

test('the border names an unknown unit of the volumes', () => {
	const legacy = new Map([['BTCUSDT', {symbol: 'BTCUSDT', state: 'active', last: 60_000, quoteVolume: 31_138}]]);
	const state = marketState({markets: received(markets, 0), tickers: received(legacy, 0)});

	const footer = (columns: number, change: Partial<UiState['picker']> = {}) => borders(change, {columns, state})[1];
	expect(footer(43)).toBe('╰─ by volume ↓ · unit unknown ────────────╯');
	const ranked = new Map([...legacy].map(([symbol, ticker]) => [symbol, {...ticker, lastVolume: 9}]));
	const rankedState = marketState({markets: received(markets, 0), tickers: received(ranked, 0)});
	expect(borders({}, {columns: 43, state: rankedState})[1]).toBe('╰─ by last v2 volume ↓ ───────────────────╯');
	const lists = new Map([['favourite coins', new Set(['BTCUSDT'])]]);
	const narrowed = {lists, list: 'favourite coins', quote: 'USDT', activeOnly: true};
	expect([74, 62, 46, 40, 34, 32].map(columns => footer(columns, narrowed)?.replace(/ ─*╯$/, '').slice(3))).toEqual([
		'by volume ↓ · unit unknown · favourite coins · USDT · active',
		'volume ↓ · unit ? · favourite coins · USDT · active',
		'unit ? · favourite coins · USDT · active',
		'unit ? · favour… · USDT · active',
		'unit ? favour… USDT active',
		'unit ? favour… USDT active',
	]);
	expect(borders({sort: 'last'}, {columns: 43, state})[1]).toBe('╰─ by last ↓ ─────────────────────────────╯');
});
