import fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type CommandRowsInput, commandRows} from '../../../../source/view/panels/command-bar/rows.ts';
import {edited} from '../../../../source/view/text-edit.ts';
import {marketState} from '../../../helpers/market-state.ts';

const rowsOf = (line: CommandRowsInput['line'], more: Partial<CommandRowsInput> = {}) =>
	commandRows({line, vocabulary: {...marketState(), lists: new Map()}, columns: 60, rows: 2, ascii: false, ...more});
const texts = (...args: Parameters<typeof rowsOf>) => rowsOf(...args).map(row => lineText(row).trimEnd());

test('two rows show what the command does, and the candidates below', () => {
	expect(texts({text: 'sort'})).toEqual([
		' :sort▏   sort the markets by name or the next column shown',
		' sort  reverse-sort',
	]);
	expect(texts({text: 'sort '})[1]).toBe(' volume  name  change  last  spread  range  high  low  bid');
});

test('the character under the cursor is inverse', () => {
	expect(rowsOf({text: 'sort', after: 'rt'})[0]?.slice(0, 4)).toEqual([
		{text: ' :', tone: 'accent'},
		{text: 'so', tone: 'strong'},
		{text: 'r', tone: 'strong', inverse: true},
		{text: 't', tone: 'strong'},
	]);
});

test('the cursor moves over a letter with its marks, which backspace takes first', () => {
	const typed = edited({text: 'list กี่x', after: 'x'}, 'left');
	expect(typed).toEqual({text: 'list กี่x', after: 'กี่x'});
	expect(rowsOf(typed ?? {text: ''})[0]?.[2]).toEqual({text: 'กี่', tone: 'strong', inverse: true});
	expect(edited({text: 'กี่x', after: 'กี่x'}, 'right')).toEqual({text: 'กี่x', after: 'x'});
	expect(edited({text: 'กี่x', after: 'กี่x'}, 'ctrl+d')).toEqual({text: 'x', after: 'x'});
	expect(edited({text: 'กี่'}, 'backspace')).toEqual({text: 'กี'});
});

test('a line longer than the terminal shows the part around the cursor', () => {
	const text = 'compare btcusdt ethusdt solusdt shibusdt xrpusdt';
	expect(texts({text}, {columns: 30})[0]).toBe(` :…${text.slice(-26)}▏`);
	expect(texts({text, after: text.slice(8)}, {columns: 30})[0]).toBe(` :${text.slice(0, 28)}`);
	expect(lineWidth(rowsOf({text}, {columns: 30, ascii: true})[0] ?? [])).toBe(30);
});

test('the candidate that Tab chose is marked', () => {
	const [, offered = []] = rowsOf({text: 'sort name', completing: {from: 'sort ', index: 1}});
	expect(offered.filter(span => span.inverse).map(({text}) => text)).toEqual(['name']);
});

test('an argument can have a help of its own, and an edited alert says so', () => {
	const takes = '(a rule such as last crosses 70000, or ETHUSDT changePercent(5m) < -2 every 10m)';
	const row = (line: CommandRowsInput['line']) => texts(line, {columns: 140})[0];
	expect(row({text: 'alert'})).toBe(
		` :alert▏   list your alerts; with the crosshair or a scrolled ladder, add one at that price`,
	);
	expect(row({text: 'alert '})).toBe(` :alert ▏   add an alert ${takes}`);
	expect(row({text: 'alert ', replaces: 'BTCUSDT last > 5'})).toBe(` :alert ▏   change this alert ${takes}`);
});

test('a mistake with a place has a caret below it, on the side of the words that has room', () => {
	const line = {
		text: 'alert ETHUSDT.lst > 4000',
		after: 'lst > 4000',
		fault: 'unknown quantity lst; did you mean last?',
	};
	expect(texts(line)).toEqual([
		' :alert ETHUSDT.lst > 4000',
		'                ^ unknown quantity lst; did you mean last?',
	]);
	expect(texts(line, {columns: 44})[1]).toBe('                ^ unknown quantity lst');
	const late = {...line, text: `alert ETHUSDT last > 4000 and ETHUSDT.lst > 4000`};
	expect(texts(late)).toEqual([
		' :alert ETHUSDT last > 4000 and ETHUSDT.lst > 4000',
		'                   unknown quantity lst ^',
	]);
	expect(texts(line, {columns: 24, ascii: true})).toEqual([' :alert ETHUSDT.lst > 4~', '  unknown quantity lst']);
	const narrow = {text: 'alert changePercnt > 4', after: 'changePercnt > 4'};
	const fault = 'unknown quantity changePercnt; did you mean changePercent?';
	expect(texts({...narrow, fault}, {columns: 40, rows: 1})).toEqual([' :… change…  did you mean changePercent?']);
	const [[, , word] = []] = rowsOf(line);
	expect(word).toEqual({text: 'lst', tone: 'error', inverse: true});
});

test('a fault replaces the help', () => {
	expect(texts({text: 'zoom in', fault: 'zoom takes no argument'})[0]).toBe(' :zoom in▏  zoom takes no argument');
});

test('one row shows candidates or fault beside the line', () => {
	expect(texts({text: 'sort '}, {rows: 1, columns: 40})).toEqual([' :sort ▏  volume  name  change  last']);
	expect(texts({text: 'zoom in', fault: 'zoom takes no argument'}, {rows: 1})).toEqual([
		' :zoom in▏  zoom takes no argument',
	]);
	expect(texts({text: 'x'}, {rows: 1, ascii: true, columns: 12})).toEqual([' :x_']);
});

test.each([
	[80, ' :fill 2,5▏  a dot separates decimals (2.5), a comma thousands (1,000)'],
	[60, ' :fill 2,5▏  a dot separates decimals'],
	[39, ' :fill 2,5▏  a dot separates decimals'],
	[30, ' :…ll 2,5▏  a dot separates d…'],
])('a fault is in the longest form that leaves room for the end of the line in %d columns', (columns, shown) => {
	const fault = 'a dot separates decimals (2.5), a comma thousands (1,000); fill takes 2, 2 btc, 5000 usdt';
	expect(texts({text: 'fill 2,5', fault}, {rows: 1, columns})).toEqual([shown]);
	expect(texts({text: 'fill 2,5', fault}, {rows: 2, columns})[0]).toBe(shown);
});

test('a fault leaves out the choices that do not fit', () => {
	const fault = 'in is ambiguous: indicators, info, interface';
	expect(texts({text: 'in', fault}, {rows: 1, columns: 40})).toEqual([' :in▏  in is ambiguous']);
});

test('one row shows what the argument takes once the name is complete, unless the candidates say it', () => {
	const row = (line: CommandRowsInput['line'], columns = 80) => texts(line, {rows: 1, columns})[0];
	const takes = ' :period ▏  a period such as 45 (minutes), 4h, 2w, 1M ';
	expect(row({text: 'period '})).toBe(`${takes} 1m  3m  5m  15m  30m  1h`);
	expect(row({text: 'period ', completing: {from: 'per', index: 0}})).toBe(`${takes} period  longer-period`);
	expect(row({text: 'period 4'})).toBe(' :period 4▏  4h');
	expect(row({text: 'period '}, 40)).toBe(' :period ▏  1m  3m  5m  15m  30m  1h');
	expect(row({text: 'fill '})).toBe(' :fill ▏  2, 2 btc, 5000 usdt');
});

test('a chosen candidate is always visible', () => {
	fc.assert(
		fc.property(fc.nat({max: 40}), fc.integer({min: 24, max: 100}), (index, columns) => {
			const lines = rowsOf({text: 'x', completing: {from: '', index}}, {columns});
			expect(lines.map(lineWidth)).toEqual([columns, columns]);
			expect(lines[1]?.filter(span => span.inverse).length).toBe(1);
		}),
	);
});
