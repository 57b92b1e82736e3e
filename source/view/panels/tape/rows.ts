import {truncate} from '../../../format/cells.ts';
import {formatFixed, formatPrice} from '../../../format/number.ts';
import {formatClock, formatDateTime} from '../../../format/time.ts';
import type {Fills} from '../../../market/fills.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {medianQuantity, type SizeTier, sizeTier, tapeSums} from '../../../market/tape-sums.ts';
import type {Trade} from '../../../market/types.ts';
import {fitLine, type Line, type Size, type Tone} from '../../line.ts';
import {firstFitting, type Marks, marksFor, rule, sizeBar} from '../../marks.ts';
import {type TapeColumns, tapeColumns} from './columns.ts';
import {newCount, rowsFrom, scrolledTape, type TapeAnchor, type TapeView, tapeList, topTrade} from './list.ts';
import {sumsRow} from './sums-row.ts';

export type TapeInput = Partial<TapeView> & {
	readonly tape: Tape;
	readonly decimals: Decimals;
	readonly size: Size;
	readonly ascii: boolean;
	/** Epoch ms: where the newest trade is of another day (UTC) than now, the day stands above it. */
	readonly now: number;
};

/** Fewest cells that a bar is worth. */
const leastBar = 6;
/** A body this high has a row of sums above its trades. */
const sumsFrom = 10;

/** Rows that are left for the trades. */
const tradeRows = ({minimum = 0, merged, anchor}: Partial<TapeView>, rows: number): number =>
	Math.max(rows - (rows >= sumsFrom ? 1 : 0) - (minimum > 0 || merged || anchor ? 1 : 0), 0);

/** What a tape of `rows` has at its top after a scroll `by` rows, down or (negative) up; absent: it follows the newest trade. */
export function scrolledAnchor(
	input: Pick<TapeInput, 'tape' | 'now' | keyof TapeView>,
	rows: number,
	by: number,
): TapeAnchor | undefined {
	const list = tapeList(input.tape, input);
	// Once scrolled a row says what is new.
	const count = tradeRows({...input, anchor: anyAnchor}, rows);
	return scrolledTape(list, input.anchor, by, {count, now: input.now});
}

const anyAnchor: TapeAnchor = {top: {time: 0, id: ''}, newest: {time: 0, id: ''}};

/**
 * Newest first, exactly `size`: time (UTC), arrow of the taker's side, price and quantity, marked where it is large, with a bar
 * of it where there is room. Trades of an unknown side are neutral and keep the exchange's word for it. Above them what was
 * bought and sold, and what of the tape is not on the screen.
 */
export function tapeBody(input: TapeInput): readonly Line[] {
	const {tape, decimals, size, ascii} = input;
	const marks = marksFor(ascii);
	const list = tapeList(tape, input);
	const count = tradeRows(input, size.rows);
	const visible = rowsFrom(list, topTrade(list, input.anchor, count, input.now), count, input.now);
	const trades = visible.flatMap(row => (row.type === 'trade' ? row.trade : []));
	const text = tradeTexts(decimals, ascii);
	const style: TradeStyle = {
		text,
		columns: tapeColumns(widthsOf(trades, text, decimals), size.columns),
		largest: trades.reduce((max, {quantity}) => Math.max(max, quantity), 0),
		fillsWidth: trades.reduce((width, trade) => Math.max(width, fillsText(trade, marks).length), 0),
		median: medianQuantity(tape.trades) ?? 0,
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
	if (lines.length === 0) {
		const nothing = list.hidden > 0 ? [' no trade as large as that', 'none'] : [' no trades yet', 'no trades'];
		lines.push([{text: firstFitting(nothing, size.columns), tone: 'muted'}]);
	}

	const sums = size.rows >= sumsFrom ? [sumsRow(tapeSums(tape, input.now), size.columns, marks)] : [];
	const noted = noteTexts(input, list, marks);
	const note = noted.length > 0 ? [rule(noted, size.columns, marks, 'accent', 'muted')] : [];
	const all = [...sums, ...note, ...lines];
	return Array.from({length: size.rows}, (_, row) => fitLine(all[row] ?? [], size.columns));
}

/** What of the tape is not on the screen, from long to short; none where all is. */
function noteTexts(
	{minimum = 0, merged, anchor, ascii}: TapeInput,
	list: ReturnType<typeof tapeList>,
	marks: Marks,
): readonly string[] {
	const news = anchor ? [`${newCount(list, anchor)} new`] : [];
	const least = formatPrice(minimum, {decimals: 0, ascii});
	const hides = minimum > 0 ? [`hides ${list.hidden}`] : [];
	const below = minimum > 0 ? [`hides ${list.hidden} below ${least}`] : [];
	const fills = merged ? ['fills merged'] : [];
	const short = merged ? ['merged'] : [];
	const forms = [
		[...news, ...below, ...fills],
		[...news, ...below, ...short],
		[...news, ...hides, ...short],
		[...news, ...hides],
		news.length > 0 ? news : [...hides, ...short],
	];
	return forms.map(parts => parts.join(` ${marks.separator} `)).filter(text => text !== '');
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
	/** Of the widest number of fills: all bars begin beside it, to be compared. */
	readonly fillsWidth: number;
	readonly median: number;
	readonly ascii: boolean;
	readonly marks: Marks;
};

const sideLooks = {
	buy: {arrow: 'up', tone: 'up', barTone: 'upBar'},
	sell: {arrow: 'down', tone: 'down', barTone: 'downBar'},
	unknown: {arrow: 'neutral', tone: 'plain', barTone: 'muted'},
} as const satisfies Record<string, {arrow: keyof Marks; tone: Tone; barTone: Tone}>;

const tierMarks = {usual: undefined, large: 'large', huge: 'huge'} as const satisfies Record<
	SizeTier,
	keyof Marks | undefined
>;

function tradeRow(trade: Fills, {text, columns, median, ascii, marks, ...style}: TradeStyle): Line {
	const look = sideLooks[trade.side ?? 'unknown'];
	const price = text[columns.priceForm](trade);
	const shown = price.length > columns.price ? marks.ellipsis : price;
	const tier = columns.quantity ? tierMarks[sizeTier(trade.quantity, median)] : undefined;
	const gap = columns.quantity ? ' '.repeat(columns.quantityGap) : '';
	const quantity = columns.quantity ? gap + text.quantity(trade).padStart(columns.quantity) : '';
	return [
		{text: ' '.repeat(columns.lead) + (columns.time ? `${formatClock(trade.time)} ` : ''), tone: 'muted'},
		{text: marks[look.arrow] + ' '.repeat(columns.priceGap) + shown.padStart(columns.price), tone: look.tone},
		tier ? {text: quantity, tone: 'strong'} : {text: quantity},
		...(columns.rest > 0 ? [{text: tier ? marks[tier] : ' ', tone: look.barTone}] : []),
		{text: restOf(trade, columns.rest - 1, {...style, ascii, marks}), tone: look.barTone},
	];
}

const fillsText = ({fills}: Fills, marks: Marks): string => (fills ? `${marks.times}${fills} ` : '');

/** How many fills, then the exchange's word for an unknown side or a bar of the quantity. */
function restOf(
	trade: Fills,
	columns: number,
	{largest, fillsWidth, ascii, marks}: Pick<TradeStyle, 'largest' | 'fillsWidth' | 'ascii' | 'marks'>,
): string {
	const count = fillsText(trade, marks);
	const fills = count.trimEnd().length <= columns ? count.padEnd(fillsWidth) : '';
	const left = columns - fills.length;
	if (trade.side === undefined && trade.sideText) return fills + truncate(trade.sideText, Math.max(left, 0), ascii);
	return fills + (left >= leastBar ? sizeBar(trade.quantity / largest, left, marks) : '');
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
