import {type PriceTrail, withPrices} from '../../source/market/price-trail.ts';
import type {Market, Ticker} from '../../source/market/types.ts';
import {cellsOf} from '../../source/terminal/cell-row.ts';
import {sortNames} from '../../source/view/panels/markets/entries.ts';
import {pickerListOf} from '../../source/view/panels/markets/list.ts';
import {pickerPanel} from '../../source/view/panels/markets/model.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {initialUi, type UiState} from '../../source/view/ui-state.ts';
import {marketState, received} from '../helpers/market-state.ts';
import type {BenchRow} from './row.ts';

const count = 5000;
const targetMs = 16;
const rounds = 20;
/** What is typed, a key at a time: it ends in a market, a gap between letters, and nothing. */
const typed = ['a3g_usdt', 'busd', 'a9t', 'zzzz'];
const quotes = ['USDT', 'BTC', 'EUR'];
const size = {columns: 38, rows: 57};
const theme = createTheme({palette: 'classic', color: 3});

const markets = Array.from({length: count}, (_, index): Market => {
	const base = `A${index.toString(36).toUpperCase()}`;
	const quote = quotes[index % quotes.length] ?? '';
	return {symbol: base + quote, base, quote, state: 'active'};
});

/** A poll later every price is another. */
function tickersOf(poll: number): ReadonlyMap<string, Ticker> {
	return new Map(
		markets.map(({symbol, state}, index) => {
			const last = 1 + ((index * 31 + poll) % 700) / 7;
			const volume = (index * 7919 + poll) % 5003;
			return [symbol, {symbol, state, last, volume, bid: last * 0.999, ask: last, changePercent: (index % 41) - 20}];
		}),
	);
}

/** What a key in the filter, a new order and a poll of the tickers cost until the picker is painted, of 5,000 markets. */
export async function bench(): Promise<readonly BenchRow[]> {
	const picker: UiState['picker'] = {...initialUi('wide').picker, favourites: new Set(['A3GUSDT'])};
	const words = typed.flatMap(word => Array.from(word, (_, index) => word.slice(0, index + 1)));
	const keys = words.map(filter => ({...picker, filter, editing: true}));
	const orders = sortNames.map(sort => ({...picker, sort}));
	const same = stateOf(0);
	let poll = 0;
	return [
		row('a key in the filter', keys, () => same),
		row('a key in the filter after a poll', keys, () => stateOf(++poll)),
		row('another order after a poll', orders, () => stateOf(++poll)),
	];
}

let priceTrails: ReadonlyMap<string, PriceTrail> = new Map();

function stateOf(poll: number) {
	const tickers = tickersOf(poll);
	priceTrails = withPrices(priceTrails, tickers, poll);
	return marketState({markets: received(markets, 0), tickers: received(tickers, 0), priceTrails, symbol: 'A3GUSDT'});
}

function row(
	name: string,
	pickers: ReadonlyArray<UiState['picker']>,
	current: () => ReturnType<typeof stateOf>,
): BenchRow {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		for (const picker of pickers) {
			const state = current();
			const start = performance.now();
			const list = pickerListOf(state, picker);
			const lines = pickerPanel({state, list, picker, focused: true, size, ascii: false}, 0);
			for (const line of lines) cellsOf(theme.paint(line), size.columns);
			times.push(performance.now() - start);
		}
	}

	times.sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(times.length * share)] ?? Infinity;
	return {
		name: `picker: ${name} to painted rows, ${count.toLocaleString('en')} markets`,
		measured: `${at(0.5).toFixed(2)} ms median, ${at(0.95).toFixed(2)} ms p95`,
		target: `median < ${targetMs} ms`,
		met: at(0.5) < targetMs,
	};
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
