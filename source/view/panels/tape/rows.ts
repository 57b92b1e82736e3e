import {alignPoints, type Size, truncate} from '../../../format/cells.ts';
import {
	formatAmount,
	formatAtLeast,
	formatCompact,
	formatExact,
	formatFixed,
	formatPrice,
} from '../../../format/number.ts';
import {formatClock, formatDateTime} from '../../../format/time.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Fills, Tape} from '../../../market/tape.ts';
import {medianQuantity, type SizeTier, sizeTier, type TapeSums, tapeSums} from '../../../market/tape-sums.ts';
import type {Trade} from '../../../market/types.ts';
import {fitLine, fitLines, type Line, type Tone} from '../../line.ts';
import {balanceRow, firstFitting, type Marks, marksFor, rule, sizeBar} from '../../marks.ts';
import {type PriceForm, priceTexts} from '../../price-texts.ts';
import {newCount, rowsFrom, scrolledTape, type TapeAnchor, type TapeView, tapeList, topTrade} from './list.ts';

export type TapeInput = Partial<TapeView> & {
	readonly tape: Tape;
	readonly decimals: Decimals;
	readonly size: Size;
	readonly ascii: boolean;
	/** Epoch ms. If the newest trade is of another day (UTC), its date is shown above it. */
	readonly now: number;
};

/** Minimum cells of a bar. */
const leastBar = 6;
/** From this height on, a body has a row of sums above its trades. */
const sumsFrom = 10;

/** Number of rows for trades in a body of `rows`. `isScrolled`: a row counts the new trades. */
function tradeRows({minSize = 0, merged = false}: Partial<TapeView>, isScrolled: boolean, rows: number): number {
	const hasSums = rows >= sumsFrom;
	const hasNote = isScrolled || minSize > 0 || merged;
	return Math.max(rows - Number(hasSums) - Number(hasNote), 0);
}

/** The anchor of a tape of `rows` after scrolling `by` rows down (negative: up); undefined: it follows the newest trade. */
export function scrolledAnchor(
	input: Pick<TapeInput, 'tape' | 'now' | keyof TapeView>,
	rows: number,
	by: number,
): TapeAnchor | undefined {
	const list = tapeList(input.tape, input);
	const count = tradeRows(input, true, rows);
	return scrolledTape(list, input.anchor, by, {count, now: input.now});
}

/**
 * The tape's trades, newest first: time (UTC), arrow of the taker's side, price, and quantity with a mark if it is large and
 * a bar if there is room. Above them: volumes bought and sold, and which trades are hidden. A trade of unknown side is neutral
 * and keeps the exchange's word for it. Exactly `size`.
 */
export function tapeBody(input: TapeInput): readonly Line[] {
	const {tape, decimals, size, ascii} = input;
	const marks = marksFor(ascii);
	const list = tapeList(tape, input);
	const count = tradeRows(input, input.anchor !== undefined, size.rows);
	const rows = rowsFrom(list, topTrade(list, input.anchor, count, input.now), count, input.now);
	const trades = rows.flatMap(row => (row.type === 'trade' ? row.trade : []));
	const texts = tradeTexts(trades, decimals, ascii);
	const style: TradeStyle = {
		texts,
		columns: tapeColumns(widthsOf(texts, decimals), size.columns),
		largest: trades.reduce((max, {quantity}) => Math.max(max, quantity), 0),
		fillsWidth: trades.reduce((width, trade) => Math.max(width, fillsText(trade, marks).length), 0),
		median: medianQuantity(tape.trades) ?? 0,
		ascii,
		marks,
	};

	const lines = rows.map(row => {
		if (row.type === 'trade') return tradeRow(row.trade, trades.indexOf(row.trade), style);
		if (row.type === 'gap') {
			return rule(['trades may be missing', 'missing trades?', 'gap'], size.columns, marks, 'warn');
		}

		const day = formatDateTime(row.time).slice(0, 10);
		return rule([day, day.slice(5)], size.columns, marks, 'muted');
	});
	if (lines.length === 0) {
		const none = list.hidden > 0 ? [' no trades this large', 'none'] : [' no trades yet', 'no trades'];
		lines.push([{text: firstFitting(none, size.columns), tone: 'muted'}]);
	}

	// When the last minute ends does not matter here.
	const sums = size.rows >= sumsFrom ? [sumsRow(tapeSums(tape, Number.POSITIVE_INFINITY), size.columns, marks)] : [];
	const notes = noteTexts(input, list, marks);
	const note = notes.length > 0 ? [rule(notes, size.columns, marks, 'accent', 'muted')] : [];
	return fitLines([...sums, ...note, ...lines], size);
}

/** Minimum cells of the bar in the row of sums. */
const leastSumsBar = 6;

/**
 * `buy 4.31 ██████▒▒▒▒ 3.20 sell`: the volumes that takers bought and sold, at most `columns` wide. If trades may be missing
 * or sides are unknown, the sums are lower bounds (`≥`) and the share is approximate (`≈`).
 */
export function sumsRow({bought, sold, unknown, hasGaps}: TapeSums, columns: number, marks: Marks): Line {
	const total = bought + sold;
	const partial = hasGaps || (total > 0 && unknown > 0);
	const amount = (value: number) => (partial ? marks.atLeast : '') + formatAmount(value, {padded: true});
	if (total === 0) {
		if (unknown === 0) return [];
		const texts = [` ${amount(unknown)} traded, sides unknown`, ' sides unknown'];
		return [{text: firstFitting(texts, columns), tone: 'muted'}];
	}

	const share = bought / total;
	const percent = `${partial ? marks.about : ''}${formatFixed(share * 100, 0)} %`;
	const labels = [
		[`buy ${amount(bought)}`, `${amount(sold)} sell`],
		[`buy ${percent}`, 'sell'],
		[percent, ''],
	] as const;
	return balanceRow({share, labels, leastBar: leastSumsBar}, columns, marks);
}

/** Which trades are not shown, from long to short; empty if all are. */
function noteTexts(
	{minSize = 0, merged, anchor, ascii}: TapeInput,
	list: ReturnType<typeof tapeList>,
	marks: Marks,
): readonly string[] {
	const fresh = anchor ? [`${formatExact(newCount(list, anchor))} new`] : [];
	const hides = minSize > 0 ? [`hides ${formatExact(list.hidden)}`] : [];
	const below = hides.map(text => `${text} below ${formatPrice(minSize, {decimals: 0, ascii})}`);
	const short = merged ? ['merged'] : [];
	const forms = [
		[...fresh, ...below, ...short.map(text => `fills ${text}`)],
		[...fresh, ...below, ...short],
		[...fresh, ...hides, ...short],
		[...fresh, ...hides],
		fresh.length > 0 ? fresh : [...hides, ...short],
	];
	return forms.map(parts => parts.join(` ${marks.separator} `)).filter(text => text !== '');
}

type QuantityForm = 'quantity' | 'compactQuantity';

/** Cells of the widest number of each column, for each of its forms. */
type TapeWidths = Readonly<Record<PriceForm | QuantityForm, number>>;

/** Blanks and cells of each column, in order: time, arrow, price, quantity, rest. 0: not shown. */
type TapeColumns = {
	readonly lead: number;
	readonly time: boolean;
	readonly priceGap: number;
	readonly price: number;
	readonly priceForm: PriceForm;
	readonly quantityGap: number;
	readonly quantity: number;
	readonly quantityForm: QuantityForm;
	/** Cells left at the right. */
	readonly rest: number;
};

type Candidate = {
	readonly gaps: readonly [lead: number, price: number, quantity: number];
	readonly without?: readonly ('time' | 'quantity')[];
	readonly priceForm?: PriceForm;
	readonly quantityForm?: QuantityForm;
};

const [short, compact, shortest] = [
	{priceForm: 'shortPrice'},
	{priceForm: 'shortPrice', quantityForm: 'compactQuantity'},
	{priceForm: 'shortestPrice', quantityForm: 'compactQuantity'},
] as const;

/** From the widest to the narrowest: numbers take short forms, then time is dropped, then quantity. No number is ever cut. */
const candidates: readonly Candidate[] = [
	{gaps: [1, 2, 3]},
	{gaps: [1, 2, 2]},
	{gaps: [0, 1, 1]},
	{gaps: [0, 1, 1], ...short},
	{gaps: [0, 1, 1], ...compact},
	{gaps: [0, 1, 1], ...shortest},
	{gaps: [0, 0, 1], ...shortest},
	{gaps: [0, 1, 1], without: ['time']},
	{gaps: [0, 1, 1], without: ['time'], ...short},
	{gaps: [0, 1, 1], without: ['time'], ...compact},
	{gaps: [0, 1, 1], without: ['time'], ...shortest},
	{gaps: [0, 1, 0], without: ['time', 'quantity']},
	{gaps: [0, 1, 0], without: ['time', 'quantity'], ...shortest},
];

const clockWidth = '00:00:00 '.length;
const arrowWidth = 1;

function tapeColumns(widths: TapeWidths, columns: number): TapeColumns {
	for (const {gaps, without = [], priceForm = 'price', quantityForm = 'quantity'} of candidates) {
		const [lead, priceGap, quantityGap] = gaps;
		const time = !without.includes('time');
		const price = widths[priceForm];
		const quantity = without.includes('quantity') ? 0 : widths[quantityForm];
		const rest = columns - (lead + (time ? clockWidth : 0) + arrowWidth + priceGap + price + quantityGap + quantity);
		if (rest >= 0) return {lead, time, priceGap, price, priceForm, quantityGap, quantity, quantityForm, rest};
	}

	const price = Math.max(columns - arrowWidth - 1, 0);
	const none = {lead: 0, time: false, quantityGap: 0, quantity: 0, rest: 0};
	return {...none, priceGap: 1, price, priceForm: 'shortestPrice', quantityForm: 'quantity'};
}

/** Columns of numbers as texts with aligned points, one per trade. */
type TradeTexts = Readonly<Record<PriceForm | QuantityForm, readonly string[]>>;

function tradeTexts(trades: readonly Trade[], decimals: Decimals, ascii: boolean): TradeTexts {
	const prices = trades.map(({price}) => price);
	return {
		...priceTexts(prices, decimals.price, ascii),
		quantity: alignPoints(trades.map(({quantity}) => formatAtLeast(quantity, decimals.quantity))),
		compactQuantity: trades.map(({quantity}) => formatCompact(quantity, {ascii})),
	};
}

/** Widths with room for two digits before the point, so that columns do not move when quantities pass 10. */
function widthsOf(texts: TradeTexts, decimals: Decimals): TapeWidths {
	const widest = (name: keyof TradeTexts, least = 0) =>
		texts[name].reduce((width, text) => Math.max(width, text.length), least);
	return {
		price: widest('price'),
		shortPrice: widest('shortPrice'),
		shortestPrice: widest('shortestPrice'),
		quantity: widest('quantity', formatFixed(10, decimals.quantity).length),
		compactQuantity: widest('compactQuantity', '1.00 k'.length),
	};
}

type TradeStyle = {
	readonly texts: TradeTexts;
	readonly columns: TapeColumns;
	/** The quantity that fills the whole bar. */
	readonly largest: number;
	/** Cells of the widest number of fills. All bars begin after it, so that they can be compared. */
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

/** The row of the trade that is the `index`th of the texts. */
function tradeRow(trade: Fills, index: number, {texts, columns, median, ascii, marks, ...style}: TradeStyle): Line {
	const look = sideLooks[trade.side ?? 'unknown'];
	const price = texts[columns.priceForm][index] ?? '';
	const shown = price.length > columns.price ? marks.ellipsis : price;
	const tier = columns.quantity ? tierMarks[sizeTier(trade.quantity, median)] : undefined;
	const quantity = columns.quantity
		? ' '.repeat(columns.quantityGap) + (texts[columns.quantityForm][index] ?? '').padStart(columns.quantity)
		: '';
	return [
		{text: ' '.repeat(columns.lead) + (columns.time ? `${formatClock(trade.time)} ` : ''), tone: 'muted'},
		{text: marks[look.arrow] + ' '.repeat(columns.priceGap) + shown.padStart(columns.price), tone: look.tone},
		tier ? {text: quantity, tone: 'strong'} : {text: quantity},
		...(columns.rest > 0 ? [{text: tier ? marks[tier] : ' ', tone: look.barTone}] : []),
		{text: restOf(trade, columns.rest - 1, {...style, ascii, marks}), tone: look.barTone},
	];
}

const fillsText = ({fills}: Fills, marks: Marks): string => (fills ? `${marks.times}${fills} ` : '');

/** The number of fills, then the exchange's word for an unknown side or a bar of the quantity. */
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

const skeletonWidths: TapeWidths = {price: 9, shortPrice: 9, shortestPrice: 9, quantity: 8, compactQuantity: 6};

/** The tape's shape while its first trades are loading. */
export function tapeSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const marks = marksFor(ascii);
	const dots = (length: number) => marks.skeleton.repeat(length);
	const columns = tapeColumns(skeletonWidths, size.columns);
	const {lead, time, priceGap, price, quantityGap, quantity} = columns;
	const text = [
		' '.repeat(lead) + (time ? '··:··:·· '.replaceAll('·', marks.skeleton) : ''),
		marks.skeleton + ' '.repeat(priceGap) + dots(price),
		' '.repeat(quantity ? quantityGap : 0) + dots(quantity),
	].join('');
	const row = fitLine([{text, tone: 'muted'}], size.columns);
	return Array.from({length: size.rows}, () => row);
}
