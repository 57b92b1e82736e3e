import {textWidth, truncate} from '../../../format/cells.ts';
import {isNumbered} from '../../../market/symbol.ts';
import {marksFor} from '../../marks.ts';
import type {PickerEntry} from './entries.ts';

/** Longer quote assets and ids are cut, so that a hostile name takes no room from prices. */
const longestQuote = 10;
/** Cells of a name that are left at least: of a pair a letter of the base, `…` and the quote asset. */
const leastSymbol = 8;

/** The quote asset, with the market's id where others have the name of the market. */
function quoteText({market}: PickerEntry, ascii: boolean): string {
	const {base, quote, id = ''} = market;
	if (!base || !quote) return '';
	const number = isNumbered(market) ? `#${truncate(id, longestQuote, ascii)}` : '';
	return `/${truncate(quote, longestQuote, ascii)}${number}`;
}

/** The fewest cells in which the name can be told from those with other quote assets. */
export function leastName(entry: PickerEntry): number {
	const quote = quoteText(entry, false);
	return Math.min(textWidth(entry.pair), quote ? textWidth(quote) + 2 : leastSymbol);
}

/** The pair in at most `width` cells: the base is cut before the quote asset. Of a symbol without assets the middle is cut. */
export function shortPair(entry: PickerEntry, width: number, ascii: boolean): string {
	const {pair, market} = entry;
	if (textWidth(pair) <= width) return pair;
	const quote = quoteText(entry, ascii);
	const room = width - textWidth(quote);
	if (quote && room > 0) return truncate(market.base ?? '', room, ascii) + quote;
	// Symbols end in the quote asset.
	const end = Math.floor((width - 1) / 2);
	return quote || end < 1 ? truncate(pair, width, ascii) : withoutMiddle(pair, width - 1 - end, end, ascii);
}

function withoutMiddle(text: string, start: number, end: number, ascii: boolean): string {
	const letters = [...text];
	const fits = letters.every(letter => textWidth(letter) === 1);
	const {ellipsis} = marksFor(ascii);
	return fits
		? letters.slice(0, start).join('') + ellipsis + letters.slice(-end).join('')
		: truncate(text, start + 1 + end, ascii);
}
