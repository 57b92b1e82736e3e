import fc from 'fast-check';
import {expect, test} from 'vitest';
import {commands} from '../../source/view/commands/table.ts';
import {type Frame, framePanel, overlayFooters} from '../../source/view/frame.ts';
import {keyHintOf, noKeyHint} from '../../source/view/keys.ts';
import {type Line, lineText, lineWidth} from '../../source/view/line.ts';

const frame = (change: Partial<Frame> = {}): Frame => ({
	key: '3',
	titles: ['Book 0.01', 'Book'],
	statuses: [[{text: 'legacy · 0.8 s', tone: 'muted'}], [{text: '0.8 s', tone: 'muted'}]],
	focused: false,
	ascii: false,
	size: {columns: 36, rows: 3},
	...change,
});
const draw = (change: Partial<Frame> = {}, body: readonly Line[] = [[{text: 'body'}]]) =>
	framePanel(frame(change), body).map(lineText);
const topAt = (columns: number) => draw({size: {columns, rows: 3}})[0];

test('the top border carries key, title, source and age', () => {
	expect(draw()).toEqual([
		'╭─ 3 Book 0.01 ─── legacy · 0.8 s ─╮',
		'│body                              │',
		'╰──────────────────────────────────╯',
	]);
});

test('the focused panel has the heavy border', () => {
	expect(draw({focused: true})).toEqual([
		'┏━ 3 Book 0.01 ━━━ legacy · 0.8 s ━┓',
		'┃body                              ┃',
		'┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
	]);
});

test('focus can be seen in ASCII too', () => {
	const size = {columns: 20, rows: 3};
	expect(draw({ascii: true, size})).toEqual(['+- 3 Book - 0.8 s -+', '|body              |', '+------------------+']);
	expect(draw({ascii: true, size, focused: true})).toEqual([
		'#= 3 Book = 0.8 s =#',
		'#body              #',
		'#==================#',
	]);
});

test('in a narrow panel the long title goes first, then the source, then the age, then the title', () => {
	expect([34, 33, 28, 23, 18, 16, 12, 9].map(topAt)).toEqual([
		'╭─ 3 Book 0.01 ─ legacy · 0.8 s ─╮',
		'╭─ 3 Book ───── legacy · 0.8 s ─╮',
		'╭─ 3 Book 0.01 ──── 0.8 s ─╮',
		'╭─ 3 Book ──── 0.8 s ─╮',
		'╭─ 3 Book 0.01 ──╮',
		'╭─ 3 Book ─────╮',
		'╭─ 3 Book ─╮',
		'╭─ 3  ──╮',
	]);
});

test('the bottom border carries the longest footer that fits', () => {
	const footers: readonly Line[] = [[{text: 'by volume'}], [{text: 'volume'}]];
	expect([16, 13, 11].map(columns => draw({footers, size: {columns, rows: 3}})[2])).toEqual([
		'╰─ by volume ──╯',
		'╰─ volume ──╯',
		'╰─────────╯',
	]);
});

test('a panel of any size is exactly that size', () => {
	const anySize = fc.record({columns: fc.integer({min: 2, max: 80}), rows: fc.integer({min: 1, max: 12})});
	fc.assert(
		fc.property(anySize, fc.boolean(), fc.boolean(), (size, focused, ascii) => {
			const lines = framePanel(frame({size, focused, ascii, footers: [[{text: 'foot'}]]}), [[{text: 'x'.repeat(90)}]]);
			expect(lines.map(lineWidth)).toEqual(Array(size.rows).fill(size.columns));
		}),
	);
});

const overlay = {total: 40, shown: 8, scroll: 0, keyHint: keyHintOf(commands, false), ascii: false};

test.each([
	['all rows', {...overlay, total: 8}, ['Esc closes']],
	['the first rows', overlay, ['1–8 of 40 · ↑↓ scroll · Esc closes', '1–8 of 40 · ↑↓ scroll', '1–8 of 40']],
	[
		'the last rows',
		{...overlay, scroll: 32},
		['33–40 of 40 · ↑↓ scroll · Esc closes', '33–40 of 40 · ↑↓ scroll', '33–40 of 40'],
	],
	[
		'ASCII rows',
		{...overlay, scroll: 3, keyHint: keyHintOf(commands, true), ascii: true},
		['4-11 of 40 - Up/Down scroll - Esc closes', '4-11 of 40 - Up/Down scroll', '4-11 of 40'],
	],
	['rows without a keyboard', {...overlay, keyHint: noKeyHint}, ['1–8 of 40']],
])('an overlay that shows %s names them in its footer', (_, rows, footers) => {
	expect(overlayFooters(rows)).toEqual(footers);
});
