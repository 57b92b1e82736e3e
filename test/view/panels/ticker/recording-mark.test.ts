import {expect, test} from 'vitest';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {tickerLines} from '../../../../source/view/panels/ticker/header.ts';
import {bitcoinInput} from './tickers.ts';

test.each([
	[60, false, / 61,824\.01 [▲▼ ].* {2}● REC 00:12:44$/],
	[60, true, / 61,824\.01 .* {2}\* REC 00:12:44$/],
	[40, false, / 61,824\.01 .* {2}● REC 00:12:44$/],
	[32, false, / 61,824\.01 .* {2}● REC$/],
	[24, false, / 61,824\.01 [▲▼ ]? *$/],
])('a header of %i columns, ASCII %s, shows a recording beside the price', (columns, ascii, expected) => {
	const recording = {lastsMs: 764_900};
	for (const rows of [1, 2] as const) {
		const [upper = []] = tickerLines({...bitcoinInput, ascii, recording, columns, rows});
		expect(lineText(upper)).toMatch(expected);
		expect(lineWidth(upper)).toBe(columns);
	}
});
