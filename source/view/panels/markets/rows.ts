import {padEnd, padStart, type Size, textWidth, truncate} from '../../../format/cells.ts';
import {formatBasisPoints, formatCompact, formatExact, formatPercent, formatPrice} from '../../../format/number.ts';
import {clamp} from '../../../market/numbers.ts';
import {type PriceTrail, thinned} from '../../../market/price-trail.ts';
import {symbolKey} from '../../../market/symbol.ts';
import {activeState, stateOf, type Ticker} from '../../../market/types.ts';
import {type KeyHint, noKeyHint} from '../../keys.ts';
import type {Line, Span, Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {sparkline} from '../../plot/sparkline.ts';
import {endOf} from '../../text-edit.ts';
import {isVolumeUnitKnown, type PickerEntry, spreadOf, volumeOf} from './entries.ts';

export type PickerInput = {
	readonly list: readonly PickerEntry[];
	/** The market that the other panels show. */
	readonly selected: string | undefined;
	/** The row under the cursor. */
	readonly cursor: string | undefined;
	readonly favourites: ReadonlySet<string>;
	readonly filter: string;
	/** Whether keys edit the filter. */
	readonly editing: boolean;
	/** The markets with armed alerts by their keys, and whether one is blind. Default: none. */
	readonly alerts?: ReadonlyMap<string, boolean> | undefined;
	/** Price trails by symbol. */
	readonly trails: ReadonlyMap<string, PriceTrail>;
	/** The digits flash that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
	/** Absent: no keyboard. */
	readonly keyHint?: KeyHint | undefined;
	readonly size: Size;
	readonly ascii: boolean;
};

/** A price with the most decimals of the market so far, so that digits do not jump when a price ends in 0. */
const priceText = (price: number | undefined, history: PriceTrail | undefined, ascii: boolean): string =>
	formatPrice(price, {decimals: history?.decimals.price ?? 0, width: 10, ascii});

/** The change or, for a market that is not active, its state; that its entry was unreadable, if neither is known. */
function changeOf({market, ticker}: PickerEntry, ascii: boolean): {text: string; tone: Tone} {
	const change = ticker?.last === undefined ? undefined : ticker.changePercent;
	const state = market.unreadable && !ticker ? 'unreadable' : stateOf(market, ticker);
	if (state !== activeState) return {text: truncate(state, mostChange, ascii), tone: 'warn'};
	const text = formatPercent(change, {ascii, unit: false});
	return {text, tone: change === undefined || change === 0 ? 'muted' : change > 0 ? 'up' : 'down'};
}

/** Minimum cells of the names, however long the exchange's numbers are. */
const leastName = 4;
/** Minimum rows below a header. */
const leastRows = 2;
const leastPrice = 9;
const leastChange = 6;
/** Maximum cells of the change: `+1.20 M`, or the first eight characters of a state. */
const mostChange = 8;

/** Cells of each column, without the blank before it; 0: not shown. */
type PickerColumns = {
	readonly name: number;
	readonly price: number;
	readonly change: number;
	/** Volume in quote asset, or in an unknown unit. */
	readonly volume: number;
	/** In basis points. */
	readonly spread: number;
	/** The trend of the price since the start. */
	readonly trend: number;
};

/** Columns for the signs of the selected market and of a favourite. */
const signColumns = 2;
/** Longer names are cut in favour of columns that only a wide picker has. */
const usualName = 12;
const leastTrend = 6;
const mostTrend = 64;
const volumeColumns = 8;
const spreadColumns = 9;

/** The columns that fit beside price and change, the most important first. */
function pickerColumns(price: number, change: number, columns: number): PickerColumns {
	let left = columns - signColumns - price - change - 2 - usualName;
	const take = (width: number): number => {
		if (left < width + 1) return 0;
		left -= width + 1;
		return width;
	};
	const least = take(leastTrend);
	const volume = least > 0 ? take(volumeColumns) : 0;
	const spread = volume > 0 ? take(spreadColumns) : 0;
	// A name takes what it may need before the trend grows.
	const more = spread > 0 ? clamp(left - usualName, 0, mostTrend - leastTrend) : 0;
	return {name: usualName + left - more, price, change, volume, spread, trend: least + more};
}

/** Replaces a number that does not fit, as a part of it would be another number. */
const whole = (text: string, width: number, ascii: boolean): string =>
	textWidth(text) <= width ? text : marksFor(ascii).ellipsis;

/** The first row shown. The list scrolls by whole pages, and only to keep the cursor visible. */
function firstRow(list: readonly PickerEntry[], cursor: string | undefined, rows: number): number {
	const index = list.findIndex(entry => entry.market.symbol === cursor);
	if (index < rows) return 0;
	return Math.min(index - Math.floor(rows / 2), Math.max(list.length - rows, 0));
}

/** Inverts the part of `text` that differs from `before`, which has the same length. */
function flashed(text: string, before: string, style: Omit<Span, 'text'>): Line {
	if (text === before) return [{text, ...style}];
	const same = (index: number) => text[index] === before[index];
	const indexes = Array.from({length: text.length}, (_, index) => index);
	const first = indexes.find(index => !same(index));
	const last = indexes.findLast(index => !same(index));
	if (first === undefined || last === undefined) return [{text, ...style}];
	return [
		{text: text.slice(0, first), ...style},
		{text: text.slice(first, last + 1), ...style, inverse: !style.inverse},
		{text: text.slice(last + 1), ...style},
	].filter(span => span.text !== '');
}

/** The names of the columns. */
function headerRow({name, price, change, volume, spread, trend}: PickerColumns, {list, ascii}: PickerInput): Line {
	// The volume is converted with the last price, or its unit is unknown.
	const volumeTitle = isVolumeUnitKnown(list) ? `${marksFor(ascii).about} volume` : 'volume ?';
	const titles = [
		padEnd('market', signColumns + name),
		padStart('last', price),
		padStart('24 h %', change),
		...(volume > 0 ? [padStart(volumeTitle, volume)] : []),
		...(spread > 0 ? [padStart('spread bp', spread)] : []),
		...(trend > 0 ? [padStart(firstFitting(['trend since start', 'trend'], trend), trend)] : []),
	];
	return [{text: titles.join(' '), tone: 'muted'}];
}

/**
 * One market per row: `▶` selected, `★` favourite, pair, last price, change in 24 h and, if there is room, the price trend
 * since the start, the volume (approximate in quote asset, or in an unknown unit) and the spread in basis points. At most
 * `size` rows.
 */
export function pickerBody(input: PickerInput): readonly Line[] {
	const filter = filterRow(input);
	const room = input.size.rows - filter.length;
	// The texts shown do not decide: a header that came and went with a longer price would move every row.
	const usual = pickerColumns(leastPrice, leastChange, input.size.columns);
	const hasHeader = Math.min(input.list.length, room) >= leastRows && usual.volume > 0;
	const {entries, columns} = pageOf(input, hasHeader ? room - 1 : room);
	const header = hasHeader ? [headerRow(columns, input)] : [];
	return [...filter, ...header, ...entries.map(entry => marketRow(entry, columns, input))];
}

/** The entries around the cursor, and the columns that their texts need. */
function pageOf(input: PickerInput, rows: number) {
	const {list, cursor, size} = input;
	const first = firstRow(list, cursor, rows);
	const entries = list.slice(first, first + rows);
	const texts = entries.map(entry => textsOf(entry, input));
	const price = Math.max(leastPrice, ...texts.map(text => textWidth(text.price)));
	const change = Math.max(leastChange, ...texts.map(text => textWidth(text.change.text)));
	return {entries, columns: pickerColumns(price, change, size.columns)};
}

function textsOf(entry: PickerEntry, {trails, size, ascii}: PickerInput) {
	const {text, tone} = changeOf(entry, ascii);
	const price = priceText(entry.ticker?.last, trails.get(entry.market.symbol), ascii);
	const mostPrice = size.columns - 4 - leastName - mostChange;
	return {price: whole(price, mostPrice, ascii), change: {text: whole(text, mostChange, ascii), tone}};
}

function marketRow(entry: PickerEntry, columns: PickerColumns, input: PickerInput): Line {
	const {selected, cursor, favourites, alerts, trails, flashAt, ascii} = input;
	const {symbol, state} = entry.market;
	const {before, changedAt, prices = []} = trails.get(symbol) ?? {};
	const inverse = symbol === cursor;
	const quiet = state !== activeState || entry.ticker?.last === undefined;
	// The cursor is a bar of one style: patches of colour in it would be hard to read.
	const styled = (tone: Tone) => (inverse ? {tone: 'strong' as const, inverse} : {tone});
	const tone: Tone = quiet ? 'muted' : symbol === selected ? 'strong' : 'plain';
	const numbersOf = (shown: PickerEntry): readonly Span[] => {
		const {price, change} = textsOf(shown, input);
		return [
			{text: ` ${padStart(price, columns.price)}`},
			{text: ` ${padStart(change.text, columns.change)}`, tone: change.tone},
			...moreNumbers(shown.ticker, columns, ascii),
		];
	};
	const flashes = flashAt !== undefined && changedAt === flashAt && before !== undefined;
	const old = flashes ? numbersOf({...entry, ticker: before}) : [];
	return [
		{text: symbol === selected ? (ascii ? '>' : '▶') : ' ', ...styled('accent')},
		{text: favourites.has(symbol) ? (ascii ? '*' : '★') : ' ', ...styled('accent')},
		...nameCells(entry.pair, alerts?.get(symbolKey(symbol)), columns.name, ascii).map(span => ({
			...span,
			...styled(span.tone ?? tone),
		})),
		...numbersOf(entry).flatMap(({text, tone: own = tone}, index) =>
			flashed(text, old[index]?.text ?? text, styled(own)),
		),
		...trendCells(prices, columns, ascii).map(({text, tone = 'muted'}) => ({text, ...styled(tone)})),
	];
}

/** The pair and, at the end of its column, the sign of its alerts: `!` armed, `?` blind. */
function nameCells(pair: string, isBlind: boolean | undefined, columns: number, ascii: boolean): Line {
	if (isBlind === undefined) return [{text: padEnd(truncate(pair, columns, ascii), columns)}];
	return [
		{text: padEnd(truncate(pair, columns - 1, ascii), columns - 1)},
		{text: isBlind ? '?' : '!', tone: isBlind ? 'warn' : 'accent'},
	];
}

function filterRow({filter, editing, list, keyHint = noKeyHint, size, ascii}: PickerInput): readonly Line[] {
	if (!editing && !filter) return [];
	const nothing = ['no match', keyHint('clears', 'back')].filter(Boolean).join(', ');
	const count = `  ${list.length === 0 ? nothing : formatExact(list.length)}`;
	const caret = editing ? (ascii ? '_' : '▏') : '';
	return [
		[
			{text: '/', tone: 'accent'},
			{text: endOf(filter, size.columns - textWidth(count) - 2, ascii) + caret, tone: 'strong'},
			{text: count, tone: 'muted'},
		],
	];
}

function moreNumbers(ticker: Ticker | undefined, {volume, spread}: PickerColumns, ascii: boolean): readonly Span[] {
	const cell = (text: string, width: number): readonly Span[] =>
		width === 0 ? [] : [{text: ` ${padStart(whole(text, width, ascii), width)}`, tone: 'muted'}];
	return [
		...cell(formatCompact(volumeOf(ticker), {ascii}), volume),
		...cell(formatBasisPoints(spreadOf(ticker), {ascii, unit: false}), spread),
	];
}

function trendCells(prices: readonly number[], {trend}: PickerColumns, ascii: boolean): Line {
	if (trend === 0) return [];
	if (prices.length > 0 && prices.every(price => price === prices[0])) {
		const flat = marksFor(ascii).rule.repeat(Math.min(prices.length, trend));
		return [{text: ` ${padStart(flat, trend)}`, tone: 'muted'}];
	}

	const [drawn = []] = sparkline(thinned(prices, trend), {columns: trend, rows: 1}, ascii);
	return [{text: ' '}, ...drawn];
}

/** The shape of the list while it is loading. */
export function pickerSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = (count: number) => (ascii ? '.' : '·').repeat(Math.max(count, 0));
	const row: Line = [
		{text: `  ${dots(7)}${' '.repeat(Math.max(size.columns - 24, 1))}${dots(8)} ${dots(5)}`, tone: 'muted'},
	];
	return Array.from({length: size.rows}, () => row);
}
