import type {Size} from '../../../format/cells.ts';
import {formatAge, formatWaiting} from '../../../format/time.ts';
import {dayChange} from '../../../market/day.ts';
import {longestWaitMs, type MarketState} from '../../../store/state.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {fitLine, fitLines, fitParts, type Line, label, lineWidth, type Part} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {priceTrend, sparkline} from '../../plot/sparkline.ts';
import {bookNote, droppedNote, isStale, panelStatuses, retryText} from '../../resource-panel.ts';
import {wrapped} from '../../wrap.ts';
import {tapeBody, tapeSkeleton} from '../tape/rows.ts';
import {type TickerFacts, tickerFacts} from '../ticker/facts.ts';
import {rangeGauge} from '../ticker/gauge.ts';
import {bookReasons, staleDay} from '../ticker/header.ts';
import {type TickerInput, type TickerState, tickerInput, tickerParts} from '../ticker/model.ts';

/** The parts of the market's state that a tile shows. */
export const tileParts = [...tickerParts, 'pending'] as const;
type TileState = TickerState & Pick<MarketState, 'pending'>;

export type TileView = {readonly size: Size; readonly now: number; readonly ascii: boolean};

/**
 * A market in a frame, exactly `size`: name, interface and age in the border; inside price and change, spread and quotes,
 * price trend, and as many of the newest trades as fit.
 */
export function tileLines(state: TileState, {size, now, ascii}: TileView): readonly Line[] {
	const {tape, depth, tickers} = state;
	const input = tickerInput(state, {now, ascii});
	const facts = tickerFacts(input);
	const inner = bodySize(size);
	const {ellipsis} = marksFor(ascii);
	const upper = [
		fitParts(priceParts(input, facts, tickers.status === 'waiting'), inner.columns, ellipsis),
		fitParts(quoteParts(state, {input, facts, columns: inner.columns}), inner.columns, ellipsis),
	];
	const sparkRows = inner.rows >= tallRows ? tallSparkRows : 1;
	const tapeSize = {columns: inner.columns, rows: Math.max(inner.rows - upper.length - sparkRows, 0)};
	const body = [
		...upper,
		...trendLines(tape, {size: {columns: inner.columns, rows: sparkRows}, ascii}),
		...tradeLines(state, {size: tapeSize, now, ascii}),
	];
	// Where the market has a ticker, what is wrong in the list is about others.
	const footers = [droppedNote(input.ticker ? [tape, depth] : [tape, depth, tickers])];
	const statuses = tileStatuses(state, now, ascii);
	return framePanel({titles: [input.pair], statuses, footers, focused: false, ascii, size}, fitLines(body, inner));
}

/** How long the oldest request waits for its answer, then source and age of the trades. */
function tileStatuses(state: TileState, now: number, ascii: boolean): readonly Line[] {
	const {tape} = state;
	const statuses = panelStatuses(tape, now, ascii);
	const waitMs = longestWaitMs(state, ['tickers', 'depth', 'tape'], now);
	if (waitMs === undefined || tape.status === 'failed' || isStale(tape)) return statuses;
	const wait: Line = [{text: formatWaiting(waitMs), tone: 'warn'}];
	if (tape.status === 'waiting') return [wait];
	return [...statuses.map(status => [...wait, label(` ${marksFor(ascii).separator} `), ...status]), ...statuses];
}

/** From this many rows inside a tile on, the sparkline has more than one. */
const tallRows = 12;
const tallSparkRows = 3;

const gaugeColumns = 14;
const lead = label(' ');

/** Where room is short, these are dropped first: gauge, volume, high and low, change and the fault of the entry in the list, state, percent. */
function priceParts(input: TickerInput, facts: TickerFacts, isLoading: boolean): readonly Part[] {
	const {ticker, range, ascii} = input;
	const price: Part = {spans: [lead, ...facts.price], rank: 0};
	const outside: Part = {spans: [facts.outside], rank: 4, gap: 1};
	const state: Part = {spans: facts.state.text ? [facts.state] : [], rank: 2, gap: 2};
	const entryNote: Part = {spans: [facts.entryNote], rank: 3, gap: 2};
	if (!ticker)
		return [price, outside, state, entryNote, {spans: [label(isLoading ? '' : 'no ticker')], rank: 1, gap: 2}];
	const {low, high} = range;
	const {change, percent, ofTicker} = dayChange(ticker, input.lastTrade?.price);
	const gauge = rangeGauge({low, high, price: facts.current, columns: gaugeColumns, ascii});
	return [
		price,
		outside,
		{spans: change === undefined || (ofTicker && input.lastTrade) ? [] : [facts.change], rank: 3, gap: 2},
		{spans: percent === undefined ? [label(`24 h ${marksFor(ascii).none}`)] : facts.percent, rank: 1, gap: 2},
		...(input.tickerIsStale ? [staleDay] : []),
		state,
		entryNote,
		{
			spans: low === undefined || high === undefined ? [] : [label(`H ${facts.high}  L ${facts.low}`)],
			rank: 4,
			gap: 3,
		},
		{spans: [label(gauge)], rank: 6, gap: 2},
		{spans: ticker.volume === undefined ? [] : [label(`vol ${facts.volume}`)], rank: 5, gap: 3},
	];
}

type QuoteRow = {readonly input: TickerInput; readonly facts: TickerFacts; readonly columns: number};

/** The spread and, if there is room, why it is old or unknown, then the quotes, then the quantities. */
function quoteParts(state: TileState, {input, facts, columns}: QuoteRow): readonly Part[] {
	const {depth} = state;
	const {spread, bid, ask} = facts;
	const name = (side: string, fromTicker: boolean) => label(fromTicker ? `ticker ${side} ` : `${side} `);
	const first: Part = {spans: [lead, label('spread '), spread], rank: 0};
	const quotes: Line = [
		...[name('bid', bid.fromTicker), bid.price, label('  ')],
		...[name('ask', ask.fromTicker), ask.price],
	];
	// Without its label, a price from the ticker would look like the book's.
	const bare: Line = bid.fromTicker || ask.fromTicker ? [] : [bid.price, label(' / '), ask.price];
	const isKnown = depth.status === 'ready' || bid.fromTicker || ask.fromTicker;
	const fits = (spans: Line) => lineWidth(first.spans) + 2 + lineWidth(spans) <= columns;
	const reasons = [staleReason(state), bookNote(depth), ...bookReasons(input, facts)].filter(({length}) => length > 0);
	const beside = (reason: Line, spans: Line): Line => [...reason, label('  '), ...spans];
	const reason = reasons.find(line => fits(beside(line, bare))) ?? reasons.find(fits) ?? [];
	return [
		first,
		{spans: reason, rank: 1, gap: 2},
		{
			spans: isKnown ? (fits(reason.length > 0 ? beside(reason, quotes) : quotes) ? quotes : bare) : [],
			rank: 2,
			gap: 2,
		},
	];
}

/** Why the trades are stale, beside the border that says since when; empty if they are not. */
function staleReason({tape, depth}: TileState): Line {
	if (tape.status !== 'ready' || !tape.failure || depth.status !== 'ready') return [];
	const {brief} = tape.failure.error;
	return [{text: depth.failure ? brief : `trades: ${brief}`, tone: 'warn'}];
}

const spanColumns = 7;

/** The sparkline, and how much time it covers. */
function trendLines(tape: TickerState['tape'], {size, ascii}: Omit<TileView, 'now'>): readonly Line[] {
	const room = {columns: Math.max(size.columns - spanColumns - 2, 0), rows: size.rows};
	if (tape.status !== 'ready') {
		const dots = marksFor(ascii).skeleton.repeat(room.columns);
		const skeleton: Line = [label(' '.repeat(spanColumns + 1) + dots)];
		return Array.from({length: size.rows}, (_, row) => (row === size.rows - 1 ? skeleton : []));
	}

	const {prices, stepMs} = priceTrend(tape.data, room.columns);
	const span = formatAge(prices.length * stepMs).replace(/\.0(?= s)/, '');
	return sparkline(prices, room, ascii).map((line, row) => {
		const text = row === size.rows - 1 && prices.length > 0 ? span : '';
		return [label(`${text.padStart(spanColumns)} `), ...line];
	});
}

function tradeLines({tape, decimals}: TickerState, {size, now, ascii}: TileView): readonly Line[] {
	if (tape.status === 'ready') return tapeBody({tape: tape.data, decimals, size, ascii, now});
	if (tape.status === 'waiting') return tapeSkeleton(size, ascii);
	const retry = retryText(tape.failure, now);
	return [
		...wrapped(tape.failure.error.brief, size.columns - 2).map((text): Line => [{text: ` ${text}`, tone: 'error'}]),
		...(retry ? [[label(` ${retry}`)]] : []),
	].map(line => fitLine(line, size.columns));
}
