import {padEnd, padStart, textWidth, truncate} from '../../format/cells.ts';
import {formatPercent, formatPrice} from '../../format/number.ts';
import {noDecimals, widen} from '../../market/precision.ts';
import {activeState, type Ticker} from '../../market/types.ts';
import type {Line, Size, Tone} from '../line.ts';
import {marksFor} from '../marks.ts';
import {type PickerEntry, stateOf} from './entries.ts';

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
	readonly size: Size;
	readonly ascii: boolean;
};

/** With the decimals of all prices that the ticker names, so that the digits do not jump when the last one ends in 0. */
function priceOf(ticker: Ticker | undefined, ascii: boolean): string {
	const {last, open, high, low, bid, ask} = ticker ?? {};
	const decimals = widen(noDecimals, {prices: [last, open, high, low, bid, ask]}).price;
	return formatPrice(last, {decimals, width: 10, ascii});
}

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

/** One market a row: `▶` selected, `★` favourite, pair, last price, change in 24 h. At most `size` rows. */
export function pickerBody(input: PickerInput): readonly Line[] {
	const {list, selected, cursor, favourites, filter, editing, size, ascii} = input;
	const header: Line[] = [];
	if (editing || filter) {
		const caret = editing ? (ascii ? '_' : '▏') : '';
		header.push([
			{text: '/', tone: 'accent'},
			{text: `${filter}${caret}`, tone: 'strong'},
			{text: list.length === 0 ? '  no match, Esc clears' : `  ${list.length}`, tone: 'muted'},
		]);
	}

	const rows = size.rows - header.length;
	const first = firstRow(list, cursor, rows);
	const mostPrice = size.columns - 4 - leastName - mostChange;
	const shown = list.slice(first, first + rows).map(entry => {
		const {text, tone} = changeOf(entry, ascii);
		const price = whole(priceOf(entry.ticker, ascii), mostPrice, ascii);
		return {entry, price, change: {text: whole(text, mostChange, ascii), tone}};
	});
	const priceWidth = Math.max(9, ...shown.map(row => textWidth(row.price)));
	const changeWidth = Math.max(6, ...shown.map(row => textWidth(row.change.text)));
	const nameWidth = size.columns - 4 - priceWidth - changeWidth;
	const lines = shown.map(({entry, price, change}): Line => {
		const {symbol, state} = entry.market;
		const inverse = symbol === cursor;
		const quiet = state !== activeState || entry.ticker?.last === undefined;
		// The cursor is one bar of one style: patches of colour in it would be harder to read than the signs.
		const styled = (tone: Tone) => (inverse ? {tone: 'strong' as const, inverse} : {tone});
		const tone: Tone = quiet ? 'muted' : symbol === selected ? 'strong' : 'plain';
		return [
			{text: symbol === selected ? (ascii ? '>' : '▶') : ' ', ...styled('accent')},
			{text: favourites.has(symbol) ? (ascii ? '*' : '★') : ' ', ...styled('accent')},
			{text: padEnd(truncate(entry.pair, nameWidth, ascii), nameWidth), ...styled(tone)},
			{text: ` ${padStart(price, priceWidth)}`, ...styled(tone)},
			{text: ` ${padStart(change.text, changeWidth)}`, ...styled(change.tone)},
		];
	});
	return [...header, ...lines];
}

/** The shape of the list while its data is awaited. */
export function pickerSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = (count: number) => (ascii ? '.' : '·').repeat(Math.max(count, 0));
	const row: Line = [
		{text: `  ${dots(7)}${' '.repeat(Math.max(size.columns - 24, 1))}${dots(8)} ${dots(5)}`, tone: 'muted'},
	];
	return Array.from({length: size.rows}, () => row);
}
