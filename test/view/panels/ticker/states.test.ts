/** The state of a market comes from the list and from the ticker, which are read at different times. */
import {expect, test} from 'vitest';
import type {Market, Ticker} from '../../../../source/market/types.ts';
import type {MarketState} from '../../../../source/store/state.ts';
import {lineText} from '../../../../source/view/line.ts';
import {entryState} from '../../../../source/view/panels/markets/entries.ts';
import {pickerListOf} from '../../../../source/view/panels/markets/list.ts';
import {tickerHeader} from '../../../../source/view/panels/ticker/header.ts';
import {tickerPanel} from '../../../../source/view/panels/ticker/panel.ts';
import {tileLines} from '../../../../source/view/panels/watch/rows.ts';
import {initialUi} from '../../../../source/view/ui-state.ts';
import {failure, marketState, received} from '../../../helpers/market-state.ts';
import {makeTape} from '../tape/tapes.ts';
import {bitcoinTicker, now} from './tickers.ts';

type Source = {readonly state: string; readonly age: number};

const minute = 60_000;
const market: Market = {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'};

const known = (
	list: Source | undefined,
	ticker: Source | undefined,
	change: Partial<MarketState> = {},
): MarketState => {
	const tickers: Ticker[] = ticker ? [{...bitcoinTicker, state: ticker.state}] : [];
	const waiting = {status: 'waiting'} as const;
	return marketState({
		decimals: {price: 2, quantity: 5},
		markets: list ? received([{...market, state: list.state}], now - list.age) : waiting,
		tickers: ticker ? received(new Map(tickers.map(each => [each.symbol, each])), now - ticker.age) : waiting,
		depth: received({asks: [[61_824.01, 6.67]], bids: [[61_824, 0.94]]}, now - 800),
		trades: received(makeTape(), now - 400),
		...change,
	});
};

/** The words between the pair and the price in the header. */
const headerState = (state: MarketState, columns = 160): string | undefined =>
	/BTC(?:\/|)USDT(.*?) {2}61,/
		.exec(lineText(tickerHeader(state, {columns, rows: 2, focused: false, now, ascii: false})[0] ?? []))?.[1]
		?.trim();

const [active, halted] = [
	(age: number): Source => ({state: 'active', age}),
	(age: number): Source => ({state: 'halted', age}),
];

test('the state is that of the newer source, and what contradicts it is said with its age', () => {
	const shown = (list: Source | undefined, ticker: Source | undefined) => headerState(known(list, ticker));
	expect(shown(halted(40_000), active(3000))).toBe('active (ticker) · halted (list, 40 s ago)');
	expect(shown(active(40_000), halted(3000))).toBe('halted (ticker) · active (list, 40 s ago)');
	expect(shown(active(1000), halted(12_000))).toBe('active (list) · halted (ticker, 12 s ago)');
	expect(shown(halted(1000), active(12_000))).toBe('halted (list) · active (ticker, 12 s ago)');
	expect(shown(halted(1000), halted(12_000))).toBe('halted');
	expect(shown(halted(1000), undefined)).toBe('halted');
	expect(shown(undefined, halted(1000))).toBe('halted');
	expect(shown(active(40_000), active(3000))).toBe('');
});

test('a state that is not current contradicts nothing', () => {
	const ticker = active(3000);
	const failing = known(halted(40_000), ticker);
	const stale = {...failing.markets, failure: failure(now - 5000)} as MarketState['markets'];
	expect([
		headerState(known(halted(9 * minute), ticker)),
		headerState(known(halted(11 * minute), ticker)),
		headerState({...failing, markets: stale}),
	]).toEqual(['active (ticker) · halted (list, 9 min ago)', '', '']);
});

test('a header without room keeps the newer state with its source', () => {
	const state = known(active(40_000), halted(3000));
	expect([160, 60].map(columns => headerState(state, columns))).toEqual([
		'halted (ticker) · active (list, 40 s ago)',
		'halted (ticker)',
	]);
});

test('the ticker panel and a tile say the contradiction too, and the picker shows the newer state', () => {
	const state = known(halted(40_000), active(3000));
	const said = 'active (ticker) · halted (list, 40 s ago)';
	const panels = [
		{columns: 160, rows: 40},
		{columns: 100, rows: 10},
	].map(size => tickerPanel(state, {size, focused: true, now, ascii: false}).map(lineText));
	const tile = tileLines(state, {size: {columns: 100, rows: 8}, now, ascii: false}).map(lineText);
	expect([...panels, tile].map(lines => lines.filter(line => line.includes(said)).length)).toEqual([1, 1, 1]);
	const {picker} = initialUi('standard');
	const listed = (list: Source, ticker: Source) => pickerListOf(known(list, ticker), picker).map(entryState);
	expect([listed(halted(40_000), active(3000)), listed(halted(1000), active(3000))]).toEqual([['active'], ['halted']]);
});
