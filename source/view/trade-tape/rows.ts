import {truncate} from '../../format/cells.ts';
import {formatFixed, formatPrice} from '../../format/number.ts';
import {formatClock, formatDateTime} from '../../format/time.ts';
import type {Decimals} from '../../market/precision.ts';
import type {Tape} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';
import {fitLine, type Line, type Size, type Tone} from '../line.ts';
import {firstFitting, type Marks, marksFor, rule, sizeBar} from '../marks.ts';
import {type TapeColumns, tapeColumns} from './columns.ts';

export type TapeInput = {
	readonly tape: Tape;
	readonly decimals: Decimals;
	/** Rows down from the newest trade. Held between 0 and `tapeMaxScroll`. */
	readonly scroll: number;
	readonly size: Size;
	readonly ascii: boolean;
	/** Epoch ms: where the newest trade is of another day (UTC) than now, the day stands above it. */
	readonly now: number;
};

type Row =
	| {readonly type: 'trade'; readonly trade: Trade}
	/** Trades may be missing between the rows above and below. */
	| {readonly type: 'gap'}
	/** The UTC day of the rows below. */
	| {readonly type: 'day'; readonly time: number};

const dayMs = 24 * 60 * 60 * 1000;

/** Fewest cells that a bar is worth. */
const leastBar = 6;

function rowsOf(tape: Tape, now: number): readonly Row[] {
	const rows: Row[] = [];
	let day = Math.floor(now / dayMs);
	for (const trade of tape.trades) {
		const tradeDay = Math.floor(trade.time / dayMs);
		if (tradeDay !== day) rows.push({type: 'day', time: trade.time});
		day = tradeDay;
		rows.push({type: 'trade', trade});
		if (tape.gaps.has(trade.id)) rows.push({type: 'gap'});
	}

	return rows;
}

/** How far a tape of `rows` scrolls down to its oldest trade. */
export function tapeMaxScroll({tape, now}: Pick<TapeInput, 'tape' | 'now'>, rows: number): number {
	return Math.max(rowsOf(tape, now).length - rows, 0);
}

/**
 * Newest first, exactly `size`: time (UTC), arrow of the taker's side, price and quantity, with a bar of the quantity where
 * there is room. Trades of an unknown side are neutral and keep the exchange's word for it.
 */
export function tapeBody(input: TapeInput): readonly Line[] {
	const {tape, decimals, size, ascii} = input;
	const marks = marksFor(ascii);
	const rows = rowsOf(tape, input.now);
	const first = Math.min(Math.max(input.scroll, 0), Math.max(rows.length - size.rows, 0));
	const visible = rows.slice(first, first + size.rows);
	const trades = visible.flatMap(row => (row.type === 'trade' ? row.trade : []));
	const text = tradeTexts(decimals, ascii);
	const style: TradeStyle = {
		text,
		columns: tapeColumns(widthsOf(trades, text, decimals), size.columns),
		largest: trades.reduce((max, {quantity}) => Math.max(max, quantity), 0),
		ascii,
		marks,
	};

	const lines = visible.map(row => {
		if (row.type === 'trade') return tradeRow(row.trade, style);
		if (row.type === 'gap')
			return rule(['may be missing trades', 'missing trades?', 'gap'], size.columns, marks, 'warn');
		const day = formatDateTime(row.time).slice(0, 10);
		return rule([day, day.slice(5)], size.columns, marks, 'muted');
	});
	if (lines.length === 0)
		lines.push([{text: firstFitting([' no trades yet', 'no trades'], size.columns), tone: 'muted'}]);
	return Array.from({length: size.rows}, (_, row) => fitLine(lines[row] ?? [], size.columns));
}

type TradeTexts = Record<'price' | 'shortPrice' | 'quantity', (trade: Trade) => string>;

function tradeTexts(decimals: Decimals, ascii: boolean): TradeTexts {
	const full = (trade: Trade) => formatPrice(trade.price, {decimals: decimals.price, ascii});
	return {
		price: full,
		shortPrice: trade => formatPrice(trade.price, {decimals: decimals.price, ascii, width: full(trade).length - 1}),
		quantity: trade => formatFixed(trade.quantity, decimals.quantity),
	};
}

/** Room for two digits before the point is kept, so that the columns stay where they are when quantities pass 10. */
function widthsOf(trades: readonly Trade[], text: TradeTexts, decimals: Decimals) {
	const widest = (form: keyof TradeTexts, least = 0) =>
		trades.reduce((width, trade) => Math.max(width, text[form](trade).length), least);
	return {
		price: widest('price'),
		shortPrice: widest('shortPrice'),
		quantity: widest('quantity', formatFixed(10, decimals.quantity).length),
	};
}

type TradeStyle = {
	readonly text: TradeTexts;
	readonly columns: TapeColumns;
	/** The quantity that fills the whole bar. */
	readonly largest: number;
	readonly ascii: boolean;
	readonly marks: Marks;
};

const sideLooks = {
	buy: {arrow: 'up', tone: 'up', barTone: 'upBar'},
	sell: {arrow: 'down', tone: 'down', barTone: 'downBar'},
	unknown: {arrow: 'neutral', tone: 'plain', barTone: 'muted'},
} as const satisfies Record<string, {arrow: keyof Marks; tone: Tone; barTone: Tone}>;

function tradeRow(trade: Trade, {text, columns, largest, ascii, marks}: TradeStyle): Line {
	const look = sideLooks[trade.side ?? 'unknown'];
	const price = text[columns.priceForm](trade);
	const shown = price.length > columns.price ? marks.ellipsis : price;
	return [
		{text: ' '.repeat(columns.lead) + (columns.time ? `${formatClock(trade.time)} ` : ''), tone: 'muted'},
		{text: marks[look.arrow] + ' '.repeat(columns.priceGap) + shown.padStart(columns.price), tone: look.tone},
		{text: columns.quantity ? ' '.repeat(columns.quantityGap) + text.quantity(trade).padStart(columns.quantity) : ''},
		{text: restOf(trade, columns.rest, {largest, ascii, marks}), tone: look.barTone},
	];
}

function restOf(
	trade: Trade,
	rest: number,
	{largest, ascii, marks}: Pick<TradeStyle, 'largest' | 'ascii' | 'marks'>,
): string {
	const columns = rest - 1;
	if (trade.side === undefined && trade.sideText) return ` ${truncate(trade.sideText, columns, ascii)}`;
	return columns >= leastBar ? ` ${sizeBar(trade.quantity / largest, columns, marks)}` : '';
}

/** The tape's shape while its first trades are awaited. */
export function tapeSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const marks = marksFor(ascii);
	const dots = (length: number) => marks.skeleton.repeat(length);
	const columns = tapeColumns({price: 9, shortPrice: 9, quantity: 8}, size.columns);
	const {lead, time, priceGap, price, quantityGap, quantity} = columns;
	const text = [
		' '.repeat(lead) + (time ? '··:··:·· '.replaceAll('·', marks.skeleton) : ''),
		marks.skeleton + ' '.repeat(priceGap) + dots(price),
		' '.repeat(quantity ? quantityGap : 0) + dots(quantity),
	].join('');
	return Array.from({length: size.rows}, () => fitLine([{text, tone: 'muted'}], size.columns));
}
