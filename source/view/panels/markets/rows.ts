import {padEnd, padStart, textWidth, truncate} from '../../../format/cells.ts';
import {formatBasisPoints, formatCompact, formatPercent, formatPrice} from '../../../format/number.ts';
import {type SeenPrices, thinned} from '../../../market/seen-prices.ts';
import {activeState, type Ticker} from '../../../market/types.ts';
import type {Line, Size, Span, Tone} from '../../line.ts';
import {firstFitting, marksFor} from '../../marks.ts';
import {sparkline} from '../../plot/sparkline.ts';
import {type PickerColumns, pickerColumns, signColumns} from './columns.ts';
import {isVolumeUnitSaid, type PickerEntry, spreadOf, stateOf, volumeOf} from './entries.ts';

export type PickerInput = {
	readonly list: readonly PickerEntry[];
	/** The market that the other panels show. */
	readonly selected: string | undefined;
	/** The row under the cursor. */
	readonly cursor: string | undefined;
	readonly favourites: ReadonlySet<string>;
	readonly filter: string;
	/** Keys are text for the filter. */
	readonly editing: boolean;
	/** By symbol. */
	readonly seen: ReadonlyMap<string, SeenPrices>;
	/** The digits flash that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
	readonly size: Size;
	readonly ascii: boolean;
};

/** With the most decimals that were seen of the market's prices, so that the digits do not jump when the last one ends in 0. */
const priceText = (price: number | undefined, seen: SeenPrices | undefined, ascii: boolean): string =>
	formatPrice(price, {decimals: seen?.decimals.price ?? 0, width: 10, ascii});

/** What stands at the right: the change, or the state of a market that is not active. */
function changeOf(entry: PickerEntry, ascii: boolean): {text: string; tone: Tone} {
	const {ticker} = entry;
	const state = stateOf(entry);
	if (state !== activeState) return {text: truncate(state, 8, ascii), tone: 'warn'};
	const change = ticker?.last === undefined ? undefined : ticker.changePercent;
	const text = formatPercent(change, {ascii, unit: false});
	return {text, tone: change === undefined || change === 0 ? 'muted' : change > 0 ? 'up' : 'down'};
}

/** What the columns of numbers leave to the names at least, however long the exchange's numbers are. */
const leastName = 4;
/** Fewer need no header. */
const leastRows = 2;
/** `+1.20 M`, and the states up to their eighth character. */
const mostChange = 8;

/** A number that does not fit gives way as a whole: a part of it would be another number. */
const whole = (text: string, width: number, ascii: boolean): string =>
	textWidth(text) <= width ? text : marksFor(ascii).ellipsis;

/** First row shown, so that the cursor is inside: it moves by whole pages only when it must. */
function firstRow(list: readonly PickerEntry[], cursor: string | undefined, rows: number): number {
	const index = list.findIndex(entry => entry.market.symbol === cursor);
	if (index < rows) return 0;
	return Math.min(index - Math.floor(rows / 2), Math.max(list.length - rows, 0));
}

/** `text` with what differs from `before`, which stands in the same cells, turned inverse (or back, in an inverse row). */
function flashed(text: string, before: string, style: Omit<Span, 'text'>): Line {
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

/** Names of the columns, where there are more than a price and a change. */
function headerOf(
	{name, price, change, volume, spread, course}: PickerColumns,
	{list, ascii}: PickerInput,
): readonly Line[] {
	if (volume === 0) return [];
	// It is worked out with the last price, or its unit is not said.
	const volumeTitle = isVolumeUnitSaid(list) ? `${marksFor(ascii).about} volume` : 'volume ?';
	const titles = [
		padEnd('market', signColumns + name),
		padStart('last', price),
		padStart('24 h %', change),
		padStart(volumeTitle, volume),
		...(spread > 0 ? [padStart('spread bp', spread)] : []),
		padStart(firstFitting(['since the start', 'course'], course), course),
	];
	return [[{text: titles.join(' '), tone: 'muted'}]];
}

/**
 * One market a row: `▶` selected, `★` favourite, pair, last price, change in 24 h; where there is room the course of
 * the price since the start, the volume (about that in quote asset, or the number of an unknown unit) and the spread in basis points. At most `size` rows.
 */
export function pickerBody(input: PickerInput): readonly Line[] {
	const {list, selected, cursor, favourites, seen, flashAt, size, ascii} = input;
	const filter = filterRow(input);
	const mostPrice = size.columns - 4 - leastName - mostChange;
	const textsOf = (entry: PickerEntry) => {
		const {text, tone} = changeOf(entry, ascii);
		const price = priceText(entry.ticker?.last, seen.get(entry.market.symbol), ascii);
		return {
			price: whole(price, mostPrice, ascii),
			change: {text: whole(text, mostChange, ascii), tone},
		};
	};
	const rowsFrom = (rows: number) => {
		const first = firstRow(list, cursor, rows);
		return list.slice(first, first + rows).map(entry => ({entry, ...textsOf(entry)}));
	};
	const columnsOf = (shown: ReturnType<typeof rowsFrom>): PickerColumns => {
		const priceWidth = Math.max(9, ...shown.map(row => textWidth(row.price)));
		const changeWidth = Math.max(6, ...shown.map(row => textWidth(row.change.text)));
		return pickerColumns(priceWidth, changeWidth, size.columns);
	};
	const withoutHeader = rowsFrom(size.rows - filter.length);
	const header = withoutHeader.length < leastRows ? [] : headerOf(columnsOf(withoutHeader), input);
	const shown = header.length > 0 ? rowsFrom(size.rows - filter.length - 1) : withoutHeader;
	const columns = columnsOf(shown);
	const numbersOf = (entry: PickerEntry): readonly Span[] => {
		const {price, change} = textsOf(entry);
		return [
			{text: ` ${padStart(price, columns.price)}`},
			{text: ` ${padStart(change.text, columns.change)}`, tone: change.tone},
			...moreNumbers(entry.ticker, columns, ascii),
		];
	};
	const lines = shown.map(({entry}): Line => {
		const {symbol, state} = entry.market;
		const {before, changedAt, prices = []} = seen.get(symbol) ?? {};
		const inverse = symbol === cursor;
		const quiet = state !== activeState || entry.ticker?.last === undefined;
		// The cursor is one bar of one style: patches of colour in it would be harder to read than the signs.
		const styled = (tone: Tone) => (inverse ? {tone: 'strong' as const, inverse} : {tone});
		const tone: Tone = quiet ? 'muted' : symbol === selected ? 'strong' : 'plain';
		const flashes = flashAt !== undefined && changedAt === flashAt && before !== undefined;
		const old = flashes ? numbersOf({...entry, ticker: before}) : [];
		return [
			{text: symbol === selected ? (ascii ? '>' : '▶') : ' ', ...styled('accent')},
			{text: favourites.has(symbol) ? (ascii ? '*' : '★') : ' ', ...styled('accent')},
			{text: padEnd(truncate(entry.pair, columns.name, ascii), columns.name), ...styled(tone)},
			...numbersOf(entry).flatMap(({text, tone: own = tone}, index) =>
				flashed(text, old[index]?.text ?? text, styled(own)),
			),
			...courseCells(prices, columns, ascii).map(({text, tone = 'muted'}) => ({text, ...styled(tone)})),
		];
	});
	return [...filter, ...header, ...lines];
}

function filterRow({filter, editing, list, ascii}: PickerInput): readonly Line[] {
	if (!editing && !filter) return [];
	const caret = editing ? (ascii ? '_' : '▏') : '';
	return [
		[
			{text: '/', tone: 'accent'},
			{text: `${filter}${caret}`, tone: 'strong'},
			{text: list.length === 0 ? '  no match, Esc clears' : `  ${list.length}`, tone: 'muted'},
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

function courseCells(prices: readonly number[], {course}: PickerColumns, ascii: boolean): Line {
	if (course === 0) return [];
	if (prices.length > 0 && prices.every(price => price === prices[0])) {
		const flat = marksFor(ascii).rule.repeat(Math.min(prices.length, course));
		return [{text: ` ${padStart(flat, course)}`, tone: 'muted'}];
	}

	const [drawn = []] = sparkline(thinned(prices, course), {columns: course, rows: 1}, ascii);
	return [{text: ' '}, ...drawn];
}

/** The shape of the list while its data is awaited. */
export function pickerSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = (count: number) => (ascii ? '.' : '·').repeat(Math.max(count, 0));
	const row: Line = [
		{text: `  ${dots(7)}${' '.repeat(Math.max(size.columns - 24, 1))}${dots(8)} ${dots(5)}`, tone: 'muted'},
	];
	return Array.from({length: size.rows}, () => row);
}
