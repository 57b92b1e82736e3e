import type {Size} from '../../../format/cells.ts';
import {formatAge} from '../../../format/time.ts';
import {dayRange} from '../../../market/day.ts';
import {clamp} from '../../../market/numbers.ts';
import {pairName} from '../../../market/symbol.ts';
import {activeState, interfaceName} from '../../../market/types.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import type {MarketState} from '../../../store/state.ts';
import {selectedMarket, selectedTicker} from '../../../store/state.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {noKeyHint} from '../../keys.ts';
import {fitLine, type Line, label, lineText, lineWidth, type Span, type Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {bookNote, isStale, type PanelView, panelStatuses} from '../../resource-panel.ts';
import {type Quote, type TickerFacts, type TickerFactsInput, tickerFacts} from './facts.ts';

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
	// Most trades repeat the previous price; the arrow shows which way the price last moved.
	const previousTrade = trades.find(trade => trade.price !== lastTrade?.price);
	return {
		pair: market ? pairName(market) : (symbol ?? ''),
		base: market?.base,
		quote: market?.quote,
		state: market?.unreadable ? 'entry unreadable' : (market?.state ?? ticker?.state ?? activeState),
		lastTrade,
		previousTrade,
		ticker,
		range: dayRange(ticker, trades, exchangeTime(tape, now)),
		tickerReceivedAt: tickers.status === 'ready' ? tickers.receivedAt : undefined,
		book: depth.status === 'ready' ? depth.data : undefined,
		decimals,
		sources: headerSources(state, now, ascii),
		absences: {
			trades: whyAbsent(tape),
			book: whyAbsent(depth),
			ticker: whyAbsent(tickers) ?? (ticker ? undefined : 'not in the ticker list'),
		},
		tickerIsStale: isStale(tickers),
		bookIsStale: isStale(depth),
		// If the trades are stale, the whole header is dimmed and shows the time.
		bookNote: isStale(tape) ? [] : bookNote(depth),
		now,
		ascii,
	};
}

/** Why there is no answer yet; undefined: there is one. */
function whyAbsent(resource: Resource<unknown>): string | undefined {
	if (resource.status === 'waiting') return resource.held?.error.brief ?? 'still loading';
	return resource.status === 'failed' ? resource.failure.error.brief : undefined;
}

/** Interface and age of the trades, which the price comes from. If the book has another interface, both, with the older age. */
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
	// The header has no border to show the focus, so the name of its market is inverse instead.
	return lines.map(line => line.map(span => (span.tone === 'title' ? {...span, tone: 'focus', inverse: true} : span)));
}

/** The framed ticker panel. */
export function tickerPanel(state: TickerState, view: TickerView & PanelView): readonly Line[] {
	const {keyHint = noKeyHint, size, focused, ascii, now} = view;
	const input = tickerInput(state, view);
	const titles = [`Ticker ${input.pair}`, 'Ticker'];
	const frame = {key: keyHint('', 'go-to-ticker'), titles, statuses: panelStatuses(state.tape, now, ascii)};
	return framePanel({...frame, focused, ascii, size}, tickerBody({...input, size: bodySize(size)}));
}

export type TickerInput = TickerFactsInput & {
	/** `BTC/USDT`. */
	readonly pair: string;
	/** Source and age of the numbers, e.g. `v2 · 0.4 s`, from long to short, for the end of the last row. */
	readonly sources: readonly string[];
	/** Why bid, ask and spread are not current; empty if they are. */
	readonly bookNote: Line;
};

const gaugeColumns = 12;
const lead = ' ';

/** Shown in place of `24 h`. */
export const staleDay: Part = {spans: [{text: '24 h stale', tone: 'warn'}], rank: 2, gap: 2};

/**
 * The header, exactly `columns` wide. With one row, only the upper one. Where room is short, its parts are dropped in this
 * order. Upper row: `24 h`, turnover, gauge, volume, high and low, change, the mark of a price beyond bid or ask, percent,
 * stale note, state, price; the market stays. Lower row: the ticker's distance to the last trade, spread, the ticker's age,
 * its price, sizes, the ticker's change; then sizes and spread return, and are dropped before source, stale note, a crossed
 * spread and the ask; the bid stays.
 */
export function tickerLines(input: TickerInput & {readonly columns: number; readonly rows: 1 | 2}): readonly Line[] {
	const facts = tickerFacts(input);
	const upper = upperParts(input, facts);
	const rows = input.rows === 1 ? [upper] : [upper, lowerParts(input, facts, input.columns)];
	const {ellipsis} = marksFor(input.ascii);
	return rows.map(parts => fitParts(parts, input.columns, ellipsis));
}

function upperParts(input: TickerInput, facts: TickerFacts): readonly Part[] {
	const gauge = rangeGauge({...input.range, price: facts.current, columns: gaugeColumns, ascii: input.ascii});
	const day: Tone = input.tickerIsStale ? 'muted' : 'plain';
	return [
		{spans: [{text: lead + input.pair, tone: 'title'}], rank: 0},
		{spans: facts.state.text ? [facts.state] : [], rank: 2, gap: 2},
		{spans: facts.price, rank: 1, gap: 2},
		{spans: [facts.outside], rank: 4, gap: 1},
		{spans: [facts.change], rank: 5, gap: 2},
		{spans: facts.percent, rank: 3, gap: 2},
		...[input.tickerIsStale ? staleDay : {spans: [label('24 h')], rank: 10, gap: 1}],
		{
			spans: [label('H '), {text: facts.high, tone: day}, label('  L '), {text: facts.low, tone: day}],
			rank: 6,
			gap: 2,
		},
		{spans: [label(gauge)], rank: 8, gap: 2},
		{spans: [label('vol '), {text: facts.volume, tone: day}], rank: 7, gap: 2},
		{spans: [label(facts.turnover)], rank: 9, gap: 2},
	];
}

/** What the lower row shows besides prices and source. */
type LowerForm = {
	readonly hasSizes: boolean;
	readonly hasSpread: boolean;
	readonly ticker?: string;
	readonly lag?: string;
};

/** From long to short. Sizes and spread are in the ladder too, but the ticker's change in no other panel. */
function lowerForms({own, tickerLag}: TickerFacts): readonly LowerForm[] {
	const {price = '', change = '', percent = '', age = ''} = own ?? {};
	const text = (...parts: readonly string[]) => ['ticker', ...parts.filter(part => part !== '')].join(' ');
	const changes = percent ? [text(price, change, percent), text(percent)] : [];
	const forms = (tickers: readonly string[], hasSizes: boolean): readonly LowerForm[] =>
		tickers.flatMap(ticker => [true, false].map(hasSpread => ({hasSizes, hasSpread, ticker})));
	const longest = own ? [text(price, change, percent) + age] : [];
	return [
		...longest.map(ticker => ({hasSizes: true, hasSpread: true, ticker, lag: tickerLag})),
		...forms([...longest, ...changes], true),
		...forms(changes, false),
		...(own ? forms([text(price)], true) : []),
		{hasSizes: true, hasSpread: true},
	];
}

function lowerParts(input: TickerInput, facts: TickerFacts, columns: number): readonly Part[] {
	const name = (side: string, quote: Quote) => label(quote.fromTicker ? `ticker ${side} ` : `${side} `);
	const {bid, ask, spread} = facts;
	const isCrossed = spread.tone === 'warn';
	const row = ({hasSizes, hasSpread, ticker = '', lag = ''}: LowerForm, source = ''): readonly Part[] => [
		{spans: [{text: lead}, name('bid', bid), bid.price], rank: 0},
		{spans: hasSizes ? [bid.quantity] : [], rank: 6, gap: 1},
		{spans: [name('ask', ask), ask.price], rank: 1, gap: 2},
		{spans: hasSizes ? [ask.quantity] : [], rank: 6, gap: 1},
		{spans: hasSpread || isCrossed ? [label('spread '), spread] : [], rank: isCrossed ? 2 : 5, gap: 2},
		{spans: input.bookNote, rank: 3, gap: 2},
		{spans: [label(ticker)], rank: 7, gap: 2},
		{spans: [label(lag)], rank: 8, gap: 2},
		{spans: [label(source)], rank: 4, gap: 3, right: true},
	];
	const sources = input.sources.length > 0 ? input.sources : [''];
	const rows = lowerForms(facts).flatMap(form => sources.map(source => row(form, source)));
	return rows.find(parts => partsWidth(parts) <= columns) ?? rows.at(-1) ?? [];
}

/** The header's shape before the first answer: the pair, and dots in place of its numbers. */
function tickerSkeleton(input: {
	readonly pair: string;
	readonly columns: number;
	readonly rows: 1 | 2;
	readonly ascii: boolean;
}): readonly Line[] {
	const {pair, columns, rows, ascii} = input;
	const {skeleton, ellipsis} = marksFor(ascii);
	const dots = (count: number, rank: number): Part => ({
		spans: [{text: skeleton.repeat(count), tone: 'muted'}],
		rank,
		gap: 2,
	});
	const title: Part = {spans: [{text: lead + pair, tone: 'title'}], rank: 0};
	const upper = [title, dots(9, 1), dots(8, 2), dots(7, 3), dots(11, 4), dots(11, 5), dots(gaugeColumns, 6)];
	const lower = [
		{...dots(16, 0), spans: [{text: lead + skeleton.repeat(16), tone: 'muted' as const}]},
		dots(16, 1),
		dots(11, 2),
	];
	return [upper, lower].slice(0, rows).map(parts => fitParts(parts, columns, ellipsis));
}

/** Columns for the labels of `tickerBody`. */
const labelColumns = 9;
const widestGauge = 40;

/**
 * The ticker as a panel of its own, one fact per row, exactly `size`: last and state, 24 h, low and high, bid, ask, spread,
 * volume, ticker. Short panels leave out the last rows, narrow ones the facts at the right.
 */
export function tickerBody(input: TickerFactsInput & {readonly size: Size}): readonly Line[] {
	const rows = bodyRows(input, tickerFacts(input));
	const {ellipsis} = marksFor(input.ascii);
	return Array.from({length: input.size.rows}, (_, row) => fitParts(rows[row] ?? [], input.size.columns, ellipsis));
}

/** A row of facts, the most important first. */
const factRow = (name: string, ...facts: readonly Line[]): readonly Part[] => [
	{spans: [label(` ${name}`.padEnd(labelColumns)), ...(facts[0] ?? [])], rank: 0},
	...facts.slice(1).map((spans, index) => ({spans, rank: index + 1, gap: 2})),
];

const quoteRow = (name: string, {price, quantity, fromTicker}: Quote, why: Line): readonly Part[] => [
	...factRow(name, [price, label(fromTicker ? ' (ticker)' : '')]),
	{spans: [quantity], rank: 1, gap: 1},
	{spans: why, rank: 2, gap: 2},
];

function bodyRows(input: TickerFactsInput & {readonly size: Size}, facts: TickerFacts): ReadonlyArray<readonly Part[]> {
	const room = input.size.columns - labelColumns - facts.low.length - facts.high.length - 5;
	const columns = Math.min(room, widestGauge);
	const gauge = room < 5 ? '' : rangeGauge({...input.range, price: facts.current, columns, ascii: input.ascii});
	const {trades, book, ticker = 'not given'} = input.absences ?? {};
	const {none} = marksFor(input.ascii);
	/** The reason beside texts that are all unknown. */
	const why = (reason: string, ...texts: readonly string[]): Line =>
		texts.every(text => text.trim() === none) ? [label(reason)] : [];
	const quote = (side: 'bid' | 'ask') => {
		const isShown = side === 'ask' || input.book?.bids !== undefined;
		const reason = book ?? (isShown ? `no ${side}s received` : 'not shown by this interface');
		return quoteRow(side, facts[side], why(reason, facts[side].price.text));
	};
	const change = [facts.change.text, lineText(facts.percent)];
	const own = facts.own ?? {price: none, age: '', change: '', percent: ''};
	const ownChange = [own.change, own.percent].filter(text => text !== '').join('  ');
	return [
		factRow('last', facts.price, why(trades ?? 'no trades yet', lineText(facts.price)), [facts.state], [facts.outside]),
		factRow('24 h', [facts.change], facts.percent, [label(facts.open)], why(ticker, ...change)),
		factRow(
			'range',
			...[[{text: facts.low}], [label(gauge)], [{text: facts.high}], [label(facts.position)]],
			why(ticker, facts.low, facts.high),
		),
		quote('bid'),
		quote('ask'),
		factRow('spread', [facts.spread], why(book ?? 'needs bid and ask', facts.spread.text)),
		factRow('volume', [{text: facts.volume}], [label(facts.turnover)], why(ticker, facts.volume)),
		factRow(
			'ticker',
			...[[label(own.price + own.age)], [label(facts.tickerLag)], [label(ownChange && `24 h ${ownChange}`)]],
			why(ticker, own.price),
		),
	];
}

type GaugeInput = {
	readonly low?: number | undefined;
	readonly high?: number | undefined;
	readonly price: number | undefined;
	/** Cells including the ends; at least 3. */
	readonly columns: number;
	readonly ascii: boolean;
};

const unicodeGauge = {left: '▕', right: '▏', rail: '─', point: '●', below: '◀', above: '▶'};
const asciiGauge = {left: '[', right: ']', rail: '-', point: 'o', below: '<', above: '>'};

/**
 * `▕────●───▏`: the position of the price in the day's range. A price outside the range, of a trade more than a day
 * old, is an arrow at that end. Empty if a number is unknown; in the middle if the range is a single price.
 */
export function rangeGauge({low, high, price, columns, ascii}: GaugeInput): string {
	if (low === undefined || high === undefined || price === undefined) return '';
	const glyphs = ascii ? asciiGauge : unicodeGauge;
	const rail = Math.max(columns - 2, 1);
	const share = high > low ? clamp((price - low) / (high - low), 0, 1) : 0.5;
	const at = Math.round(share * (rail - 1));
	const point = price < low ? glyphs.below : price > high ? glyphs.above : glyphs.point;
	return glyphs.left + glyphs.rail.repeat(at) + point + glyphs.rail.repeat(rail - 1 - at) + glyphs.right;
}

/** A piece of a line that is shown whole or not at all. */
export type Part = {
	readonly spans: Line;
	/** Where room is short, parts with the highest rank are dropped first; those of rank 0 stay. */
	readonly rank: number;
	/** Blanks before it, unless it is the first. */
	readonly gap?: number;
	/** Aligned to the right end of the line. */
	readonly right?: true;
};

const blanks = (count: number): Span => ({text: ' '.repeat(count)});

/** The width of parts with the gaps between them. Parts without text do not count. */
const partsWidth = (parts: readonly Part[]): number =>
	parts
		.filter(({spans}) => lineWidth(spans) > 0)
		.reduce((sum, part, index) => sum + (index > 0 ? (part.gap ?? 0) : 0) + lineWidth(part.spans), 0);

/**
 * The parts in order, `columns` wide, without those of the highest ranks that do not fit. If not even rank 0 fits, `ellipsis`
 * replaces it, so that no number is cut.
 */
export function fitParts(parts: readonly Part[], columns: number, ellipsis: string): Line {
	let kept = parts.filter(part => lineWidth(part.spans) > 0);
	while (kept.some(part => part.rank > 0) && partsWidth(kept) > columns) {
		const highest = Math.max(...kept.map(part => part.rank));
		kept = kept.filter(part => part.rank < highest);
	}

	if (kept.length > 0 && partsWidth(kept) > columns) return fitLine([{text: ellipsis}], columns);
	const spare = columns - partsWidth(kept);
	const line: Span[] = [];
	for (const [index, part] of kept.entries()) {
		const gap = (index > 0 ? (part.gap ?? 0) : 0) + (part.right ? spare : 0);
		if (gap > 0) line.push(blanks(gap));
		line.push(...part.spans);
	}

	return fitLine(line, columns);
}
