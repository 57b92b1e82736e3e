/** Prices and sizes with more digits than the others of their market: panels show all of them. */
import {expect, test} from 'vitest';
import {type Line, lineText} from '../../../source/view/line.ts';
import {ladderBody} from '../../../source/view/panels/book/rows.ts';
import {tapeBody} from '../../../source/view/panels/tape/rows.ts';
import {tickerBody} from '../../../source/view/panels/ticker/rows.ts';
import {readNumber} from '../../helpers/boxed.ts';
import {tickerInputOf} from './ticker/tickers.ts';

const [price, quantity] = [1.0000000000000002, 0.1 + 0.2];
const decimals = {price: 0, quantity: 1};
const book = {asks: [[price, quantity]], bids: [[1, 0.5]]} as const;
const trade = {id: '1', time: 0, price, quantity};
const wide = {columns: 80, rows: 8};
const view = {decimals, size: wide, ascii: false};

test.each([
	['the ladder', () => ladderBody({...view, book})],
	['the tape', () => tapeBody({...view, now: 0, tape: {trades: [trade], gaps: new Set()}})],
	['the ticker', () => tickerBody({...tickerInputOf({book, lastTrade: trade, decimals}), size: wide})],
] as const)('%s shows every digit of a price and a size', (_, body: () => readonly Line[]) => {
	const numbers = body().flatMap(line => lineText(line).split(/ +/).map(readNumber));
	expect(numbers).toContain(price);
	expect(numbers).toContain(quantity);
});

test('the ticker and the ladder call a book open whose prices differ in their last digit', () => {
	const spread = price - 1;
	for (const body of [ladderBody({...view, book}), tickerBody({...tickerInputOf({book, decimals}), size: wide})]) {
		const texts = body.map(lineText);
		expect(texts.some(text => text.split(/ +/).map(readNumber).includes(spread))).toBe(true);
		expect(texts.some(text => text.includes('LOCKED'))).toBe(false);
	}
});
