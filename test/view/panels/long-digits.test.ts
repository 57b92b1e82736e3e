import {expect, test} from 'vitest';
import {noDecimals, widen} from '../../../source/market/precision.ts';
import type {Level} from '../../../source/market/types.ts';
import {lineText} from '../../../source/view/line.ts';
import {ladderBody} from '../../../source/view/panels/book/rows.ts';
import {tapeBody} from '../../../source/view/panels/tape/rows.ts';

/** As many digits as a double holds, beside few. */
const numbers = [0.12345678901234568, 1.5, 61_824.12345678901, 9_007_199_254_740_992, 9_007_199_254_740_994];
const decimals = widen(noDecimals, {prices: numbers, quantities: numbers});

test('a ladder shows numbers of 17 digits whole and with aligned points', () => {
	const asks = numbers.map((number): Level => [number, number]);
	const size = {columns: 84, rows: 12};
	const lines = ladderBody({book: {asks}, decimals, size, ascii: false});
	expect(lines.map(line => lineText(line).trimEnd()).join('\n')).toMatchInlineSnapshot(`
		"               price                                    size cum size



		    9007199254740994 9,007,199,254,740,994                   18,014 T  █████████████
		    9007199254740992 9,007,199,254,740,992                    9,007 T  █████████████
		   61824.12345678901                61,824.12345678901           <1 T
		                 1.5                     1.5                     <1 T
		 0.12345678901234568                     0.12345678901234568     <1 T
		── spread – ────────────────────────────────────────────────────────────────────────
		 no bids shown by this interface
		"
	`);
});

test('a tape shows numbers of 17 digits whole and with aligned points', () => {
	const now = Date.UTC(2024, 7, 8, 10);
	const trades = numbers.map((number, index) => ({id: `${index}`, time: now - index, price: number, quantity: number}));
	const size = {columns: 100, rows: numbers.length};
	const lines = tapeBody({tape: {trades, gaps: new Set()}, decimals, size, ascii: false, now});
	expect(lines.map(line => lineText(line).trimEnd()).join('\n')).toMatchInlineSnapshot(`
		" 10:00:00 ·                      0.12345678901234568                       0.12345678901234568
		 09:59:59 ·                      1.5                                       1.5
		 09:59:59 ·                 61,824.12345678901                        61,824.12345678901
		 09:59:59 ·  9,007,199,254,740,992                     9,007,199,254,740,992                  ●
		 09:59:59 ·  9,007,199,254,740,994                     9,007,199,254,740,994                  ●"
	`);
});
