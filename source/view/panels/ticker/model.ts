import {formatAge} from '../../../format/time.ts';
import {pairName} from '../../../market/symbol.ts';
import {activeState, interfaceName} from '../../../market/types.ts';
import type {MarketState} from '../../../store/state.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {type Line, lineText, type Size} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {bookNote, isStale, panelStatuses} from '../../resource-panel.ts';
import {selectedMarket, selectedTicker} from '../../selected.ts';
import {type TickerInput, tickerBody, tickerLines, tickerSkeleton} from './rows.ts';

type TickerView = {readonly now: number; readonly ascii: boolean};

/** The parts of the market's state that the ticker panel shows. */
export const tickerParts = ['symbol', 'markets', 'tickers', 'depth', 'tape', 'decimals'] as const;
export type TickerState = Pick<MarketState, (typeof tickerParts)[number]>;

/** The input of the ticker panel for the selected market. */
export function tickerInput(state: TickerState, {now, ascii}: TickerView): TickerInput {
	const {symbol, tape, depth, tickers, decimals} = state;
	const market = selectedMarket(state);
	const ticker = selectedTicker(state);
	const trades = tape.status === 'ready' ? tape.data.trades : [];
	const [lastTrade] = trades;
	// Most trades repeat the price before them; the arrow shows which way the price last moved.
	const previousTrade = trades.find(trade => trade.price !== lastTrade?.price);
	return {
		pair: market ? pairName(market) : (symbol ?? ''),
		base: market?.base,
		quote: market?.quote,
		state: market?.state ?? ticker?.state ?? activeState,
		lastTrade,
		previousTrade,
		ticker,
		tickerReceivedAt: tickers.status === 'ready' ? tickers.receivedAt : undefined,
		book: depth.status === 'ready' ? depth.data : undefined,
		decimals,
		sources: headerSources(state, now, ascii),
		tickerIsStale: isStale(tickers),
		bookIsStale: isStale(depth),
		// Where the trades are stale the whole header is dimmed and names the time.
		bookNote: isStale(tape) ? [] : bookNote(depth),
		now,
		ascii,
	};
}

/** Interface and age of the trades, which the price is of; both interfaces and the older age where the book has another one. */
function headerSources({tape, depth}: TickerState, now: number, ascii: boolean): readonly string[] {
	const statuses = panelStatuses(tape, now, ascii).map(lineText);
	if (tape.status !== 'ready') return statuses;
	const withReason = statuses.filter(text => text.includes(` ${marksFor(ascii).separator} `));
	if (tape.failure) return withReason;
	// An age alone would not name its source.
	const ofTrades = statuses.slice(0, -1);
	if (depth.status !== 'ready' || depth.failure) return ofTrades;
	if (tape.interface === depth.interface) return ofTrades;
	const names = [tape.interface, depth.interface].map(interfaceName).join('+');
	const age = formatAge(now - Math.min(tape.receivedAt, depth.receivedAt));
	return [`${names} ${marksFor(ascii).separator} ${age}`, ...ofTrades];
}

/** The rows above the other panels. */
export function tickerHeader(
	state: TickerState,
	view: TickerView & {readonly columns: number; readonly rows: 1 | 2; readonly focused: boolean},
): readonly Line[] {
	const isLoading = [state.tape, state.tickers, state.depth].every(({status}) => status === 'waiting');
	const input = {...tickerInput(state, view), ...view};
	const lines = isLoading ? tickerSkeleton(input) : tickerLines(input);
	if (!view.focused) return lines;
	// The header has no border to show the focus: the name of its market is inverse instead.
	return lines.map(line => line.map(span => (span.tone === 'title' ? {...span, tone: 'focus', inverse: true} : span)));
}

/** The framed ticker panel. */
export function tickerPanel(
	state: TickerState,
	view: TickerView & {readonly size: Size; readonly focused: boolean},
): readonly Line[] {
	const {size, focused, ascii, now} = view;
	const input = tickerInput(state, view);
	const frame = {key: '5', titles: [`Ticker ${input.pair}`, 'Ticker'], statuses: panelStatuses(state.tape, now, ascii)};
	return framePanel({...frame, focused, ascii, size}, tickerBody({...input, size: bodySize(size)}));
}
