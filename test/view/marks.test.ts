import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {lineText, lineWidth} from '../../source/view/line.ts';
import {joinedNotes, marksFor, rule, sizeBar} from '../../source/view/marks.ts';

const unicode = marksFor(false);
const ascii = marksFor(true);

describe('size bar', () => {
	test('is drawn to the nearest eighth of a cell', () => {
		const bars = [0, 0.01, 1 / 32, 0.5, 0.6, 1].map(share => sizeBar(share, 4, unicode));

		expect(bars).toEqual(['', '', '▏', '██', '██▍', '████']);
	});

	test('is drawn in whole cells with ASCII', () => {
		expect([0.1, 0.5, 1].map(share => sizeBar(share, 4, ascii))).toEqual(['', '##', '####']);
	});

	test('never leaves its columns', () => {
		fc.assert(
			fc.property(fc.double({noNaN: true}), fc.integer({min: 0, max: 60}), fc.boolean(), (share, columns, plain) => {
				expect(sizeBar(share, columns, marksFor(plain)).length).toBeLessThanOrEqual(columns);
			}),
		);
	});
});

describe('rule', () => {
	const texts = ['spread 0.01 · 2.00 bp', 'spread 0.01'];

	test('carries the longest text that fits', () => {
		const rules = [30, 24, 12, 8].map(columns => lineText(rule(texts, columns, unicode, 'plain')));

		expect(rules).toEqual(['── spread 0.01 · 2.00 bp ─────', '── spread 0.01 ─────────', 'spread 0.01 ', '────────']);
	});

	test('has the given width', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: 60}), fc.boolean(), (columns, plain) => {
				expect(lineWidth(rule(texts, columns, marksFor(plain), 'plain'))).toBe(columns);
			}),
		);
	});
});

test('notes are abbreviated before the last ones are dropped', () => {
	const notes = [
		['3 candles may be missing trades', '3 candles partial'],
		['loading older candles', 'loading older'],
	] as const;
	expect(joinedNotes(notes, ' · ')).toEqual([
		'3 candles may be missing trades · loading older candles',
		'3 candles partial · loading older candles',
		'3 candles partial · loading older',
		'3 candles partial',
	]);
});
