import {padEnd, padStart, type Size, textWidth, truncate} from '../../../format/cells.ts';
import {formatExact, formatPrice} from '../../../format/number.ts';
import {formatClock, formatClockMs, formatDateTime} from '../../../format/time.ts';
import {fromLocal, localDayOf, utc} from '../../../format/zone.ts';
import type {Assets} from '../../../market/fill.ts';
import {memo} from '../../../market/memo.ts';
import {type Minimum, noMinimum} from '../../../market/minimum.ts';
import {clamp} from '../../../market/numbers.ts';
import type {Fills, Tape} from '../../../market/tape.ts';
import {hasSides, medianQuantity, medianValue, type SizeTier, sideSums, sizeTier} from '../../../market/tape-sums.ts';
import type {Trade} from '../../../market/types.ts';
import {dayMs} from '../../../market/units.ts';
import {type Drawing, fitLine, fitLines, type Line, sideBySide, type Tone} from '../../line.ts';
import {firstFitting, type Marks, marksFor, rule, sizeBar} from '../../marks.ts';
import {priceAxis, priceRows} from '../../plot/tape-trend.ts';
import {cellText} from '../../price-texts.ts';
import {clockWidths, extraGap, skeletonNumbers, type TapeColumns, tapeColumns, tradeNumbers} from './columns.ts';
import {deltaAxis, deltaRows, type FlowInput, sumsRow, totalsRows} from './delta-rows.ts';
import {
	newCount,
	type Row,
	rowsFrom,
	scrolledTape,
	type TapeAnchor,
	type TapeView,
	tapeList,
	topTrade,
} from './list.ts';

export type TapeInput = Partial<TapeView> &
	Drawing &
	FlowInput & {
		/** The tape has the screen to itself. Default: it has not. */
		readonly zoomed?: boolean | undefined;
		/** Epoch ms. If the newest trade is of another day, its date is shown above it. */
		readonly now: number;
	};

/** Minimum cells of a bar. */
const leastBar = 6;

/** The anchor of a tape after scrolling `by` rows down (negative: up); undefined: it follows the newest trade. */
export function scrolledAnchor(input: Sectioned & Pick<TapeInput, 'now' | 'zone'>, by: number): TapeAnchor | undefined {
	const list = tapeList(input.tape, input);
	const {trades: count} = sectionsOf(input, true);
	return scrolledTape(list, input.anchor, by, {...input, count});
}

/**
 * The tape's trades, newest first: time, arrow of the taker's side, price, and quantity with a mark if it is large; with
 * room also their value, the exchange's words for their sides, and bars. Above them: volumes bought and sold, and which
 * trades are hidden. A trade of unknown side is neutral and keeps the exchange's word for it. Exactly `size`.
 */
export function tapeBody(input: TapeInput): readonly Line[] {
	const {tape, size, ascii} = input;
	const marks = marksFor(ascii);
	const list = tapeList(tape, input);
	const sections = sectionsOf(input, input.anchor !== undefined);
	const count = sections.trades;
	const rows = rowsFrom(list, topTrade(list, input.anchor, {...input, count}), {...input, count});
	const style = tradeStyle(rows, sections, input);
	const lines = rows.map(row => tapeRow(row, style, sections.columns));
	if (lines.length === 0) {
		const none = list.hidden > 0 ? [' no trades this large', 'none'] : [' no trades yet', 'no trades'];
		lines.push([{text: firstFitting(none, sections.columns), tone: 'muted'}]);
	}

	const notes = noteTexts(input, list, marks);
	const {columns, flow} = sections;
	const trades = [
		...(sections.hasNote ? [rule(notes, columns, marks, 'accent', 'muted')] : []),
		...(sections.hasLegend ? [legendRow(tape, columns, ascii)] : []),
		...(sections.hasHead && rows.length > 0 ? [headRow(style.columns, input)] : []),
		...lines,
	];
	if (!flow.beside) return fitLines([...flowRows(input, flow), ...trades], size);
	const beside = {width: flow.columns, lines: flowRows(input, flow)};
	return fitLines(sideBySide([{width: columns, lines: trades}, beside], size.columns - columns - flow.columns), size);
}

/** What was bought and sold, in numbers and as a curve, and where there is room the price below it, over the same times. */
function flowRows(input: TapeInput, {columns, curve, price, hasDay, hasSums}: Flow): readonly Line[] {
	const {tape, now, zone = utc, ascii} = input;
	const today = fromLocal(localDayOf(now, zone) * dayMs, zone);
	const totals = () =>
		hasDay ? totalsRows(input, today, columns) : [sumsRow(sideSums(tape), columns, marksFor(ascii))];
	const sums = hasSums ? totals() : [];
	if (curve === 0) return sums;
	const axis = Math.max(deltaAxis(input), price > 0 ? priceAxis(input, columns) : 0);
	const below = price > 0 ? [[], ...priceRows(input, {columns, rows: price}, axis)] : [];
	return [...sums, ...deltaRows(input, {columns, rows: curve}, hasDay, axis), ...below];
}

function tapeRow(row: Row, style: TradeStyle, columns: number): Line {
	if (row.type === 'trade') return tradeRow(row.trade, style.trades.indexOf(row.trade), style);
	if (row.type === 'gap')
		return rule(['trades may be missing', 'missing trades?', 'gap'], columns, style.marks, 'warn');
	const day = formatDateTime(row.time, style.zone).slice(0, 10);
	return rule([day, day.slice(5)], columns, style.marks, 'muted');
}

/** `10,000 USDT`. The unit is left out where the asset has no name. */
export function minimumText({size, unit}: Minimum, assets: Assets, ascii: boolean): string {
	const text = formatPrice(size, {decimals: 0, ascii});
	const asset = assets[unit];
	return asset === undefined ? text : `${text} ${asset}`;
}

/** Which trades are not shown, from long to short; empty if all are. */
function noteTexts(
	{minimum = noMinimum, merged, anchor, assets = {}, ascii}: TapeInput,
	list: ReturnType<typeof tapeList>,
	marks: Marks,
): readonly string[] {
	const fresh = anchor ? [`${formatExact(newCount(list, anchor))} new`] : [];
	const hides = minimum.size > 0 ? [`hides ${formatExact(list.hidden)}`] : [];
	const below = hides.map(text => `${text} below ${minimumText(minimum, assets, ascii)}`);
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

/** `L LIQUIDATION  A auction`: the exchange's words for the trades that are neither buys nor sells. */
function legendRow({trades}: Tape, columns: number, ascii: boolean): Line {
	const letters = sideLetters(sideWords(trades), marksFor(ascii).neutral);
	const texts = [...letters].map(([word, letter]) => `${letter} ${word}`);
	return [{text: truncate(` ${texts.join('  ')}`, columns, ascii), tone: 'muted'}];
}

/** The most cells of a column of the exchange's words. */
const mostWord = 16;

function tradeStyle(rows: readonly Row[], {hasHead, hasLegend, columns: width}: Sections, input: TapeInput) {
	const {tape, decimals, zoomed = false, ascii, zone} = input;
	const marks = marksFor(ascii);
	const trades = rows.flatMap(row => (row.type === 'trade' ? row.trade : []));
	const median = medianValue(tape.trades) ?? 0;
	const numbers = tradeNumbers(trades, decimals, median, ascii);
	const words = hasHead && zoomed ? sideWords(tape.trades) : [];
	const widest = words.reduce((width, word) => Math.max(width, textWidth(word)), 0);
	const columns = tapeColumns(numbers, {
		columns: width,
		hasMilliseconds: zoomed,
		hasValue: hasHead,
		wordWidth: Math.min(widest, mostWord),
	});
	return {
		/** The trades on screen; the numbers are theirs. */
		trades,
		...{numbers, columns, ascii, marks, zone},
		/** The quantity that fills the whole bar. */
		largest: trades.reduce((max, {quantity}) => Math.max(max, quantity), 0),
		/** Cells of the widest number of fills. All bars begin after it, so that they can be compared. */
		fillsWidth: trades.reduce((width, trade) => Math.max(width, fillsText(trade, marks).length), 0),
		median: medianQuantity(tape.trades) ?? 0,
		/** What stands in the place of the arrow, by the exchange's words. */
		letters: sideLetters(hasLegend ? sideWords(tape.trades) : [], marks.neutral),
	};
}

type TradeStyle = ReturnType<typeof tradeStyle>;

/** The names of the columns, with the units of price, size and value. */
function headRow(columns: TapeColumns, {assets: {base, quote} = {}}: TapeInput): Line {
	const {lead, clock, price, quantity, mark, value, word} = columns;
	const named = (name: string, unit: string | undefined) => (unit ? [`${name} ${unit}`, name] : [name]);
	const time = padEnd(`${' '.repeat(lead)}${clock ? 'time' : ''}`, lead + (clock ? clockWidths[clock] : 0));
	const cells: ReadonlyArray<readonly [names: readonly string[], columns: number]> = [
		// The arrow has no name.
		[named('price', quote), 1 + price.gap + price.width],
		[named('size', base), quantity.width && quantity.gap + quantity.width],
		[named('value', quote), value.width && mark + value.gap + value.width],
	];
	const numbers = cells.map(([names, width]) => padStart(firstFitting(names, width - 1), width));
	const side = word ? `${' '.repeat(extraGap + (value.width ? 0 : mark))}side` : '';
	return [{text: [time, ...numbers, side].join(''), tone: 'muted'}];
}

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
function tradeRow(trade: Fills, index: number, style: TradeStyle): Line {
	const {numbers, columns, median, marks, letters, ascii, zone} = style;
	const look = sideLooks[trade.side ?? 'unknown'];
	const arrow = trade.side === undefined && letters.get(trade.sideText ?? '');
	const cell = (of: TapeColumns['price']) =>
		of.width > 0 ? cellText(of, numbers(of.form).texts[index] ?? '', marks.ellipsis) : '';
	const tier = columns.quantity.width ? tierMarks[sizeTier(trade.quantity, median)] : undefined;
	const [quantity, value] = [cell(columns.quantity), cell(columns.value)];
	const {clock} = columns;
	const time = clock ? `${clock === 'seconds' ? formatClock(trade.time, zone) : formatClockMs(trade.time, zone)} ` : '';
	return [
		{text: ' '.repeat(columns.lead) + time, tone: 'muted'},
		{text: (arrow || marks[look.arrow]) + cell(columns.price), tone: look.tone},
		tier ? {text: quantity, tone: 'strong'} : {text: quantity},
		...(columns.mark > 0 ? [{text: tier ? marks[tier] : ' ', tone: look.barTone}] : []),
		...(value ? [{text: value}] : []),
		...(columns.word > 0 ? [{text: wordText(trade, columns.word, ascii), tone: look.tone}] : []),
		{text: restOf(trade, style), tone: look.barTone},
	];
}

/** The exchange's word for the side, or ours where it has none for it, in its column. */
function wordText({side, sideText}: Trade, columns: number, ascii: boolean): string {
	const word = truncate(sideText ?? side ?? marksFor(ascii).none, columns, ascii);
	return ' '.repeat(extraGap) + padEnd(word, columns);
}

const fillsText = ({fills}: Fills, marks: Marks): string => (fills ? `${marks.times}${fills} ` : '');

/** The number of fills, then the exchange's word for an unknown side, if that has no column of its own, or a bar of the quantity. */
function restOf(trade: Fills, {largest, fillsWidth, columns, ascii, marks}: TradeStyle): string {
	const {rest, value, word, bar} = columns;
	const gap = value.width + word > 0 ? extraGap : 0;
	const count = fillsText(trade, marks);
	const fills = gap + count.trimEnd().length <= rest ? ' '.repeat(gap) + count.padEnd(fillsWidth) : '';
	const left = rest - fills.length;
	if (trade.side === undefined && trade.sideText && word === 0) {
		return fills + truncate(trade.sideText, Math.max(left, 0), ascii);
	}

	const most = Math.min(left, bar);
	return fills + (most >= leastBar ? sizeBar(trade.quantity / largest, most, marks) : '');
}

/** The tape's shape while its first trades are loading. */
export function tapeSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const marks = marksFor(ascii);
	const dots = (length: number) => marks.skeleton.repeat(length);
	const extras = {hasMilliseconds: false, hasValue: false, wordWidth: 0};
	const columns = tapeColumns(skeletonNumbers, {columns: size.columns, ...extras});
	const {lead, clock, price, quantity} = columns;
	const text = [
		' '.repeat(lead) + (clock ? '··:··:·· '.replaceAll('·', marks.skeleton) : ''),
		marks.skeleton + ' '.repeat(price.gap) + dots(price.width),
		' '.repeat(quantity.width ? quantity.gap : 0) + dots(quantity.width),
	].join('');
	const row = fitLine([{text, tone: 'muted'}], size.columns);
	return Array.from({length: size.rows}, () => row);
}

type Sectioned = Pick<TapeInput, 'tape' | 'size' | 'zoomed' | keyof TapeView>;
/** What was bought and sold, above the trades or beside them. */
type Flow = ReturnType<typeof flowOf>;
/** What is shown around the trades of a body. */
type Sections = ReturnType<typeof sectionsOf>;

/** From this height on, a body has the sums above its trades. */
const sumsFrom = 10;
/** From this size on, also those of the day. */
const dayFrom: Size = {columns: 60, rows: 14};
/** From this height on, a zoomed body has the curve, and one of many panels. */
const curveFrom = {zoomed: 16, shared: 30};
/** Of one of many panels, its title included. */
const sharedCurve = 6;
/** From this width on, a zoomed body has sums and curve beside its trades, which then have so many columns. */
const besideFrom = 166;
const besideTrades = 102;
const besideGap = 2;
const mostCurve = 20;
/** From so many rows on, the curves of delta and price share them. */
const pricesFrom = 24;
/** Rows between the two. */
const curveGap = 1;
/** From this height on, a narrow body has a row of the exchange's words for unknown sides. */
const legendFrom = 6;
/** From this size on, a body has the value of each trade, and a row that names the columns. */
const headFrom: Size = {columns: 46, rows: 10};

/** `isScrolled`: a row counts the new trades. */
function sectionsOf(input: Sectioned, isScrolled: boolean) {
	const {tape, minimum = noMinimum, merged = false, size} = input;
	const {rows} = size;
	const flow = flowOf(input);
	/** Width of the trades. */
	const columns = flow.beside ? besideTrades : size.columns;
	/** What is hidden and merged, and how many trades are new. */
	const hasNote = isScrolled || minimum.size > 0 || merged;
	/** The exchange's words for unknown sides, where they have no room beside the trades. */
	const hasLegend = columns < headFrom.columns && rows >= legendFrom && sideWords(tape.trades).length > 0;
	/** The names of the columns. */
	const hasHead = columns >= headFrom.columns && rows >= headFrom.rows;
	const above = flow.beside ? 0 : flow.curve + (flow.hasSums ? 1 + Number(flow.hasDay) : 0);
	const others = [hasNote, hasLegend, hasHead].filter(Boolean).length;
	return {flow, hasNote, hasLegend, hasHead, columns, trades: Math.max(rows - above - others, 0)};
}

function flowOf({tape, size, zoomed = false}: Sectioned) {
	const {columns, rows} = size;
	const hasCurve = rows >= (zoomed ? curveFrom.zoomed : curveFrom.shared) && hasSides(sideSums(tape));
	const beside = zoomed && hasCurve && columns >= besideFrom;
	/** The sums of the day stand beside those of the session. */
	const hasDay = columns >= dayFrom.columns && rows >= dayFrom.rows;
	const left = rows - (hasDay ? 2 : 1);
	/** Rows of the curve of the price below that of the delta; 0: there is none. */
	const price = beside && left >= pricesFrom ? Math.floor((left - curveGap) / 2) : 0;
	const besideCurve = price > 0 ? left - curveGap - price : Math.min(left, mostCurve);
	const zoomedCurve = beside ? besideCurve : clamp(Math.round(rows / 5), 4, mostCurve / 2);
	return {
		...{beside, hasDay, price},
		columns: beside ? columns - besideTrades - besideGap : columns,
		hasSums: rows >= sumsFrom,
		/** Rows of the curve of the cumulative delta; 0: there is none. */
		curve: hasCurve ? (zoomed ? zoomedCurve : sharedCurve) : 0,
	};
}

/**
 * What stands for each of these words in the place of the arrow: the first of its letters that no word before it has, and a dot
 * where none is left.
 */
function sideLetters(words: readonly string[], dot: string): ReadonlyMap<string, string> {
	const taken = new Set<string>();
	return new Map(
		words.map(word => {
			const letter = word
				.toUpperCase()
				.match(/[A-Z]/g)
				?.find(each => !taken.has(each));
			if (letter !== undefined) taken.add(letter);
			return [word, letter ?? dot];
		}),
	);
}

/** The exchange's words for sides other than buy and sell, the newest first. */
const sideWords = memo((trades: readonly Trade[]): readonly string[] => {
	const words = new Set<string>();
	for (const {side, sideText} of trades) if (side === undefined && sideText) words.add(sideText);
	return [...words];
});
