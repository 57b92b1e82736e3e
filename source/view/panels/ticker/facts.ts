import {truncate} from '../../../format/cells.ts';
import {
	formatAmount,
	formatAtLeast,
	formatFixed,
	formatPercent,
	formatPrice,
	formatSigned,
} from '../../../format/number.ts';
import {formatAge, formatAgo} from '../../../format/time.ts';
import {type DayChange, type DayRange, dayChange} from '../../../market/day.ts';
import {spreadOf} from '../../../market/depth.ts';
import {activeState, type DepthBook, type Level} from '../../../market/types.ts';
import {changeTone, type Line, type Span, type Tone} from '../../line.ts';
import {type Marks, marksFor} from '../../marks.ts';
import type {TickerInput} from './model.ts';

/** The best price of one side and its quantity. */
export type Quote = {
	/** Whether it comes from the delayed ticker, as no book shows this side. */
	readonly fromTicker: boolean;
	readonly price: Span;
	readonly quantity: Span;
};

export type TickerFacts = ReturnType<typeof tickerFacts>;

/** Maximum cells of the state, which is the exchange's own text and of any length. */
const stateColumns = 16;

/** The texts of the ticker panel. Unknown numbers read `–`; other texts are empty if they do not apply. */
export function tickerFacts(input: TickerInput) {
	const {ticker, lastTrade, quietMs, ascii} = input;
	const marks = marksFor(ascii);
	const current = lastTrade?.price ?? ticker?.last;
	const day = dayChange(ticker, lastTrade?.price);
	// Beside a trade's price, the delayed ticker's change would look like its change.
	const change = day.ofTicker && lastTrade ? undefined : day.change;
	const warning = (text: string): Span => ({text, tone: 'warn'});
	return {
		/** The current price: that of the last trade, else the ticker's. */
		current,
		/** Price and arrow. A price from the ticker is marked as such. */
		price: currentPrice(input, marks),
		/** `2 h 24 min ago` and `2 h ago`, of the last trade; both empty if it is newer than a minute. */
		tradedAgo: warning(quietMs === undefined ? '' : formatAgo(quietMs)),
		tradedAgoBrief: warning(quietMs === undefined ? '' : `${formatAge(quietMs)} ago`),
		state: warning(stateText(input)),
		/** `· halted (list, 40 s ago)` where another source of the state contradicts it; else empty. */
		contradiction: warning(contradictionText(input)),
		/** What is wrong with the market's entry in the list, if anything. */
		entryNote: warning(input.entryFault ?? ''),
		/** From the opening price to the last trade's, else the ticker's own. */
		change: {text: changeText(change, input), tone: dayTone(change, input)},
		/** The ticker's own is marked as such beside a trade's price. */
		percent: percentLine(day, input),
		high: priceText(input.range.high, input),
		low: priceText(input.range.low, input),
		volume: volumeText(input),
		/** Volume at the current price, in quote asset. */
		turnover: turnoverText(input, current, marks),
		bid: quoteOf('bid', input),
		ask: quoteOf('ask', input),
		spread: spreadText(input, marks),
		/** `> ask` or `< bid` if the last trade is beyond the best ask or bid of a book that is no older, else as many blanks. */
		outside: warning(outsideText(input).padEnd(outsideColumns)),
		/** What the delayed ticker itself says; absent: no ticker. */
		own: ownTicker(input, day),
		/** The ticker's distance to the last trade; empty if either is unknown. */
		tickerLag: tickerLagText(input),
		open: ticker?.open === undefined ? '' : `open ${priceText(ticker.open, input)}`,
		/** The position of the current price in the day's range, in percent from the low; empty outside it. */
		position: positionText(input.range, current),
	};
}

function stateText({state, contradiction, ascii}: TickerInput): string {
	if (contradiction) return `${truncate(state, stateColumns, ascii)} (${contradiction.of})`;
	return state === activeState ? '' : truncate(state, stateColumns, ascii);
}

function contradictionText({contradiction, ascii}: TickerInput): string {
	if (!contradiction) return '';
	const {state, from, age} = contradiction;
	return `${marksFor(ascii).separator} ${truncate(state, stateColumns, ascii)} (${from}, ${age} ago)`;
}

const priceText = (value: number | undefined, {decimals, ascii}: TickerInput): string =>
	formatPrice(value, {decimals: decimals.price, ascii});

const dayTone = (change: number | undefined, {tickerIsStale}: TickerInput): Tone =>
	tickerIsStale ? 'muted' : changeTone(change);

function percentLine({percent, ofTicker}: DayChange, input: TickerInput): Line {
	const span: Span = {text: formatPercent(percent, {ascii: input.ascii}), tone: dayTone(percent, input)};
	return ofTicker && percent !== undefined && input.lastTrade ? [{text: 'ticker ', tone: 'muted'}, span] : [span];
}

function currentPrice(input: TickerInput, marks: Marks): Line {
	const {lastTrade, previousTrade, ticker} = input;
	if (!lastTrade) {
		const price: Span = {text: priceText(ticker?.last, input), tone: 'strong'};
		return ticker?.last === undefined ? [price] : [{text: 'ticker ', tone: 'muted'}, price];
	}

	const change = lastTrade.price - (previousTrade?.price ?? lastTrade.price);
	const arrow = change > 0 ? marks.up : change < 0 ? marks.down : ' ';
	return [
		{text: priceText(lastTrade.price, input), tone: 'strong'},
		{text: ` ${arrow}`, tone: changeTone(change)},
	];
}

/** The change, as wide as the widest one that the day's range allows, so that what follows does not move. */
function changeText(change: number | undefined, {range, decimals, ascii}: TickerInput): string {
	const text = (value: number | undefined) => formatSigned(value, decimals.price, {ascii});
	const {high, low} = range;
	const widest = high === undefined || low === undefined ? '' : text(high - low);
	return text(change).padStart(widest.length);
}

function volumeText({base, ticker, ascii}: TickerInput): string {
	const {volume, quoteVolume} = ticker ?? {};
	if (volume === undefined && quoteVolume !== undefined) {
		return `${formatAmount(quoteVolume, {ascii})} (unit unknown)`;
	}

	const amount = formatAmount(volume, {ascii});
	return volume !== undefined && base ? `${amount} ${base}` : amount;
}

function turnoverText({quote, ticker, ascii}: TickerInput, current: number | undefined, marks: Marks): string {
	if (ticker?.volume === undefined || current === undefined) return '';
	const amount = `${marks.about} ${formatAmount(ticker.volume * current, {ascii})}`;
	return quote ? `${amount} ${quote}` : amount;
}

function quoteOf(side: 'bid' | 'ask', input: TickerInput): Quote {
	const {book, ticker} = input;
	const shown = side === 'bid' ? book?.bids : book?.asks;
	const best: Partial<Level> = shown?.[0] ?? [];
	// Book and ticker are two snapshots: the ticker is used only for a side that no book shows, and marked.
	const delayed = side === 'bid' ? [ticker?.bid, ticker?.bidQuantity] : [ticker?.ask, ticker?.askQuantity];
	const [price, quantity] = shown ? best : delayed;
	const isStale = shown ? input.bookIsStale : input.tickerIsStale;
	const tone: Tone = isStale ? 'muted' : side === 'bid' ? 'up' : 'down';
	return {
		fromTicker: !shown && price !== undefined,
		price: {text: priceText(price, input), tone},
		quantity: {text: quantityText(quantity, input), tone: isStale ? 'muted' : 'plain'},
	};
}

/** How the read failed that would have given the book its bids, from long to short; undefined: it did not. */
export function missingBids({bids, bidsFailure}: DepthBook): readonly string[] | undefined {
	if (bids || !bidsFailure) return undefined;
	const {interface: source, brief} = bidsFailure;
	return [`bids missing: ${source} ${brief}`, `bids missing: ${brief}`, `no bids: ${brief}`];
}

/** A quantity with room for two digits before the point, so that what follows does not move when it passes 10. */
function quantityText(quantity: number | undefined, {decimals, ascii}: TickerInput): string {
	if (quantity === undefined) return '';
	const text = (value: number) => `${marksFor(ascii).times} ${formatAtLeast(value, decimals.quantity, {ascii})}`;
	return text(quantity).padEnd(text(10).length);
}

function spreadText({book, bookIsStale, decimals, ascii}: TickerInput, marks: Marks): Span {
	const spread = book && spreadOf(book);
	if (!spread) return {text: marks.none};
	const size = formatAtLeast(Math.abs(spread.spread), decimals.price, {ascii});
	if (spread.state === 'locked') return {text: `${size} LOCKED`, tone: 'warn'};
	return spread.state === 'crossed'
		? {text: `CROSSED by ${size}`, tone: 'warn'}
		: {text: size, tone: bookIsStale ? 'muted' : 'plain'};
}

const outsideColumns = 5;

function outsideText({lastTrade, book, bookIsStale, bookIsOlder}: TickerInput): string {
	const bid = book?.bids?.[0]?.[0];
	const ask = book?.asks[0]?.[0];
	// A new trade cannot be compared with an old book.
	if (!lastTrade || bookIsStale || bookIsOlder) return '';
	if (ask !== undefined && lastTrade.price > ask) return '> ask';
	return bid !== undefined && lastTrade.price < bid ? '< bid' : '';
}

/** The ticker's distance to the last trade. How long the exchange delays its ticker is unknown. */
function tickerLagText({ticker, lastTrade, decimals, ascii}: TickerInput): string {
	if (ticker?.last === undefined || !lastTrade) return '';
	const away = ticker.last - lastTrade.price;
	return away === 0 ? 'same as last trade' : `${formatSigned(away, decimals.price, {ascii})} vs last trade`;
}

function positionText({low, high}: DayRange, current: number | undefined): string {
	if (low === undefined || high === undefined || current === undefined) return '';
	return high > low && current >= low && current <= high
		? `at ${formatFixed(((current - low) / (high - low)) * 100, 0)} %`
		: '';
}

/** The delayed ticker's own numbers. Change and percent are empty if unknown, or if they are those beside the current price. */
function ownTicker(input: TickerInput, day: DayChange) {
	const {ticker, lastTrade, tickerReceivedAt, decimals, ascii, now} = input;
	if (!ticker) return undefined;
	const {last, change, changePercent} = ticker;
	const hasAge = last !== undefined && tickerReceivedAt !== undefined;
	const shortAge = hasAge ? `, answer ${formatAge(now - tickerReceivedAt)}` : '';
	return {
		price: priceText(last, input),
		change: change === undefined || !lastTrade ? '' : formatSigned(change, decimals.price, {ascii}),
		percent: changePercent === undefined || day.ofTicker ? '' : formatPercent(changePercent, {ascii}),
		/** `, answer 4.0 s old`, and without the word; empty if unknown. */
		age: shortAge && `${shortAge} old`,
		shortAge,
	};
}
