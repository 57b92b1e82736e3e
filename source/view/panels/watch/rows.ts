import type {Size} from '../../../format/cells.ts';
import {formatWaiting} from '../../../format/time.ts';
import {dayChange} from '../../../market/day.ts';
import {clamp} from '../../../market/numbers.ts';
import {longestWaitMs, type MarketState, selectedMarket} from '../../../store/state.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {fitLine, fitLines, fitParts, type Line, label, lineWidth, type Part, sideBySide} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {bookNote, droppedNote, isStale, panelStatuses, retryText} from '../../resource-panel.ts';
import {wrapped} from '../../wrap.ts';
import {sharedLadder} from '../book/model.ts';
import {ladderSkeleton} from '../book/rows.ts';
import {sharedTape} from '../tape/model.ts';
import {tapeSkeleton} from '../tape/rows.ts';
import {type TickerFacts, tickerFacts} from '../ticker/facts.ts';
import {rangeGauge} from '../ticker/gauge.ts';
import {bookReasons, oldDay} from '../ticker/header.ts';
import {type TickerInput, type TickerState, type TickerView, tickerInput, tickerParts} from '../ticker/model.ts';
import {curveSkeleton, priceCurve} from './price-curve.ts';

/** The parts of the market's state that a tile shows. */
export const tileParts = [...tickerParts, 'pending'] as const;
type TileState = TickerState & Pick<MarketState, 'pending'>;

export type TileView = TickerView & {
	readonly size: Size;
	/** Rows of the lowest tile of the page, which decide what all of them show above their trades. Default: its own. */
	readonly leastRows?: number | undefined;
	/** Default: it has no focus. */
	readonly focused?: boolean | undefined;
};

/**
 * A market in a frame, exactly `size`: name, interface and age in the border; inside price and change, with room the day's
 * range, spread and quotes, the trend of the price, as many of the newest trades as fit and, beside them, the best levels of
 * the book.
 */
export function tileLines(
	state: TileState,
	{size, leastRows = size.rows, focused = false, now, ascii, zone}: TileView,
): readonly Line[] {
	const {trades: tape, depth, tickers} = state;
	const input = tickerInput(state, {now, ascii, zone});
	const facts = tickerFacts(input);
	const inner = bodySize(size);
	const {columns} = inner;
	const {ellipsis} = marksFor(ascii);
	const least = bodySize({...size, rows: leastRows});
	const hasDayRow = least.rows >= dayRowFrom;
	const upper = [
		fitParts(
			priceParts(input, facts, {isLoading: tickers.status === 'waiting', hasDay: !hasDayRow}),
			columns,
			ellipsis,
		),
		...(hasDayRow ? [fitParts(dayParts(input, facts), columns, ellipsis)] : []),
		fitParts(quoteParts(state, {input, facts, columns, zone}), columns, ellipsis),
	];
	// What there is instead of trades needs the room.
	const curveRows = tape.status === 'failed' ? 0 : curveRowsOf(least.rows - upper.length);
	const tapeSize = {columns, rows: Math.max(inner.rows - upper.length - curveRows, 0)};
	const body = [
		...upper,
		...curve(state, {size: {columns, rows: curveRows}, now, ascii, zone}),
		...(tapeSize.rows > 0 ? activityLines(state, input, {size: tapeSize, now, ascii, zone}) : []),
	];
	// Where the market has a ticker, what is wrong in the list is about others.
	const footers = [droppedNote(input.ticker ? [tape, depth] : [tape, depth, tickers])];
	const statuses = tileStatuses(state, {now, ascii, zone});
	return framePanel({titles: [input.pair], statuses, footers, focused, ascii, size}, fitLines(body, inner));
}

/** How long the oldest request waits for its answer, then the interfaces of trades and book and the older age of both. */
function tileStatuses(state: TileState, {now, ascii, zone}: TickerView): readonly Line[] {
	const {trades: tape, depth} = state;
	const statuses = panelStatuses(tape, now, ascii, zone, [depth]);
	const waitMs = longestWaitMs(state, ['tickers', 'depth', 'trades'], now);
	if (waitMs === undefined || tape.status === 'failed' || isStale(tape)) return statuses;
	const wait: Line = [{text: formatWaiting(waitMs), tone: 'warn'}];
	if (tape.status === 'waiting') return [wait];
	return [...statuses.map(status => [...wait, label(` ${marksFor(ascii).separator} `), ...status]), ...statuses];
}

/** From this many rows inside a tile on, the day's range and volume have a row of their own. */
const dayRowFrom = 10;
const leastCurveRows = 2;
const mostCurveRows = 20;

/** How many of the rows below the numbers the curve takes: two, and of many rows two fifths. */
const curveRowsOf = (rows: number): number =>
	Math.min(Math.max(Math.floor(rows * 0.4), leastCurveRows), mostCurveRows, Math.max(rows, 0));

const gaugeColumns = 14;
const lead = label(' ');

/** Where room is short, these are dropped first: gauge, volume, high and low, change and the fault of the entry in the list, state, percent, the time since the last trade. */
function priceParts(
	input: TickerInput,
	facts: TickerFacts,
	{isLoading, hasDay}: {readonly isLoading: boolean; readonly hasDay: boolean},
): readonly Part[] {
	const {ticker, range, ascii} = input;
	const price: Part = {spans: [lead, ...facts.price], rank: 0};
	const tradedAgo: Part = {spans: facts.tradedAgo.text ? [facts.tradedAgo] : [], rank: 0.5, gap: 1};
	const outside: Part = {spans: [facts.outside], rank: 4, gap: facts.tradedAgo.text ? 2 : 1};
	const state: Part = {spans: facts.state.text ? [facts.state] : [], rank: 2, gap: 2};
	const entryNote: Part = {spans: [facts.entryNote], rank: 3, gap: 2};
	if (!ticker)
		return [
			price,
			tradedAgo,
			outside,
			state,
			entryNote,
			{spans: [label(isLoading ? '' : 'no ticker')], rank: 1, gap: 2},
		];
	const {low, high} = range;
	const {change, percent, ofTicker} = dayChange(ticker, input.lastTrade?.price);
	const gauge = rangeGauge({low, high, price: facts.current, columns: gaugeColumns, ascii});
	const old = oldDay(input);
	return [
		price,
		tradedAgo,
		outside,
		{spans: change === undefined || (ofTicker && input.lastTrade) ? [] : [facts.change], rank: 3, gap: 2},
		{spans: percent === undefined ? [label(`24 h ${marksFor(ascii).none}`)] : facts.percent, rank: 1, gap: 2},
		...(old ? [old] : []),
		state,
		{spans: [facts.contradiction], rank: 3, gap: 1},
		entryNote,
		...(hasDay
			? [
					{
						spans: low === undefined || high === undefined ? [] : [label(`H ${facts.high}  L ${facts.low}`)],
						rank: 4,
						gap: 3,
					},
					{spans: [label(gauge)], rank: 6, gap: 2},
					{spans: ticker.volume === undefined ? [] : [label(`vol ${facts.volume}`)], rank: 5, gap: 3},
				]
			: []),
	];
}

/** The range of 24 hours with the place of the price in it, then the volume. Where room is short, turnover, volume and gauge are dropped. */
function dayParts({ticker, range, ascii}: TickerInput, facts: TickerFacts): readonly Part[] {
	const {low, high} = range;
	if (!ticker || low === undefined || high === undefined) return [];
	const gauge = (columns: number) => label(rangeGauge({low, high, price: facts.current, columns, ascii}));
	return [
		{spans: [lead, label(`24 h  L ${facts.low}`)], rank: 0},
		{spans: [gauge(gaugeColumns)], rank: 1, gap: 1},
		{spans: [label(`H ${facts.high}`)], rank: 0, gap: 1},
		{spans: ticker.volume === undefined ? [] : [label(`vol ${facts.volume}`)], rank: 2, gap: 3},
		{spans: facts.turnover ? [label(facts.turnover)] : [], rank: 3, gap: 2},
	];
}

type QuoteRow = {readonly input: TickerInput; readonly facts: TickerFacts; readonly columns: number} & Pick<
	TickerView,
	'zone'
>;

/** The spread and, if there is room, why it is old or unknown, then the quotes, then the quantities. */
function quoteParts(state: TileState, {input, facts, columns, zone}: QuoteRow): readonly Part[] {
	const {depth} = state;
	const {spread, bid, ask} = facts;
	const name = (side: string, fromTicker: boolean) => label(fromTicker ? `ticker ${side} ` : `${side} `);
	const first: Part = {spans: [lead, label('spread '), spread], rank: 0};
	const quotes: Line = [
		...[name('bid', bid.fromTicker), bid.price, label('  ')],
		...[name('ask', ask.fromTicker), ask.price],
	];
	const sized: Line = [
		...[name('bid', bid.fromTicker), bid.price, label(' '), bid.quantity, label('  ')],
		...[name('ask', ask.fromTicker), ask.price, label(' '), ask.quantity],
	];
	// Without its label, a price from the ticker would look like the book's.
	const bare: Line = bid.fromTicker || ask.fromTicker ? [] : [bid.price, label(' / '), ask.price];
	const isKnown = depth.status === 'ready' || bid.fromTicker || ask.fromTicker;
	const fits = (spans: Line) => lineWidth(first.spans) + 2 + lineWidth(spans) <= columns;
	const reasons = [staleReason(state), bookNote(depth, zone), ...bookReasons(input, facts)].filter(
		({length}) => length > 0,
	);
	const beside = (reason: Line, spans: Line): Line => [...reason, label('  '), ...spans];
	const reason = reasons.find(line => fits(beside(line, bare))) ?? reasons.find(fits) ?? [];
	const shown = [sized, quotes].find(spans => fits(reason.length > 0 ? beside(reason, spans) : spans)) ?? bare;
	return [first, {spans: reason, rank: 1, gap: 2}, {spans: isKnown ? shown : [], rank: 2, gap: 2}];
}

/** Why the trades are stale, beside the border that says since when; empty if they are not. */
function staleReason({trades: tape, depth}: TileState): Line {
	if (tape.status !== 'ready' || !tape.failure || depth.status !== 'ready') return [];
	const {brief} = tape.failure.error;
	return [{text: depth.failure ? brief : `trades: ${brief}`, tone: 'warn'}];
}

/** The trend of the price, as far as the trades go back. */
function curve({trades: tape, decimals}: TickerState, {size, ascii, zone}: TileView): readonly Line[] {
	if (tape.status !== 'ready') return curveSkeleton(size, ascii);
	return priceCurve({tape: tape.data, decimals: decimals.price, size, ascii, zone});
}

/** From this size on, the trades leave the best levels of the book room beside them. */
const leastShared: Size = {columns: 84, rows: 5};
const [leastLadder, mostLadder] = [40, 60];
const betweenColumns = 2;

/** The newest trades and, with room, the best levels of the book at their right. Exactly `size`. */
function activityLines(state: TileState, {ticker}: TickerInput, view: TileView): readonly Line[] {
	const {depth, decimals} = state;
	const {size, ascii} = view;
	const hasRoom = size.columns >= leastShared.columns && size.rows >= leastShared.rows;
	if (!hasRoom || depth.status === 'failed') return fitLines(tradeLines(state, view), size);
	const columns = clamp(Math.floor(size.columns * 0.4), leastLadder, mostLadder);
	const ladderSize = {columns, rows: size.rows};
	const tickerQuotes = {tickerBid: ticker?.bid, tickerBidQuantity: ticker?.bidQuantity};
	const levels =
		depth.status === 'ready'
			? sharedLadder({book: depth.data, ...tickerQuotes, decimals, size: ladderSize, ascii})
			: ladderSkeleton(ladderSize, ascii);
	const tradeSize = {columns: size.columns - columns - betweenColumns, rows: size.rows};
	const trades = {width: tradeSize.columns, lines: tradeLines(state, {...view, size: tradeSize})};
	// The tile is dimmed only with its trades.
	const beside = {width: columns, lines: isStale(depth) ? levels.map(muted) : levels};
	return sideBySide([trades, beside], betweenColumns);
}

const muted = (line: Line): Line => line.map(span => ({...span, tone: 'muted'}));

function tradeLines(state: TickerState, {size, now, ascii, zone}: TileView): readonly Line[] {
	const {trades: tape, decimals} = state;
	const assets = selectedMarket(state);
	if (tape.status === 'ready') return sharedTape({tape: tape.data, decimals, assets, size, ascii, now, zone});
	if (tape.status === 'waiting') return tapeSkeleton(size, ascii);
	const retry = retryText(tape.failure, now);
	return [
		...wrapped(tape.failure.error.brief, size.columns - 2).map((text): Line => [{text: ` ${text}`, tone: 'error'}]),
		...(retry ? [[label(` ${retry}`)]] : []),
	].map(line => fitLine(line, size.columns));
}
