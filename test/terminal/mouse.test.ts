import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodeMouse, type MouseReport, MouseSieve} from '../../source/terminal/mouse.ts';

const at = (column: number, row: number) => ({column, row, shift: false, alt: false, ctrl: false});

test.each<[string, MouseReport | undefined]>([
	['\u001B[<0;1;1M', {kind: 'press', button: 'left', ...at(0, 0)}],
	['\u001B[<2;120;40m', {kind: 'release', button: 'right', ...at(119, 39)}],
	['\u001B[<32;5;6M', {kind: 'drag', button: 'left', ...at(4, 5)}],
	['\u001B[<5;5;6M', {kind: 'press', button: 'middle', ...at(4, 5), shift: true}],
	['\u001B[<88;5;6M', {kind: 'wheel-up', button: undefined, ...at(4, 5), alt: true, ctrl: true}],
	['\u001B[<65;5;6M', {kind: 'wheel-down', button: undefined, ...at(4, 5)}],
	// Nothing held, a tilted wheel, an extra button, no place, too few numbers.
	['\u001B[<35;5;6M', undefined],
	['\u001B[<66;5;6M', undefined],
	['\u001B[<128;5;6M', undefined],
	['\u001B[<0;0;6M', undefined],
	['\u001B[<0;6M', undefined],
])('%j means %j', (sequence, report) => {
	expect(decodeMouse(sequence)).toEqual(report);
});

/** Keys joined, and reports, of what comes out in pieces. */
function siftAll(sieve: MouseSieve, pieces: readonly string[]) {
	const items = pieces.flatMap(piece => sieve.sift(piece));
	const keys = items.filter(item => typeof item === 'string').join('') + sieve.release();
	return {keys, reports: items.filter(item => typeof item !== 'string')};
}

const key = fc.constantFrom('q', 'Z', '\u001B[A', '\u001B[5~', '\u001BOP', '\r', '\u0003', '→', '<', ';', 'M', '1');
const report = fc
	.tuple(fc.constantFrom(0, 2, 4, 64, 65), fc.integer({min: 1, max: 500}), fc.integer({min: 1, max: 500}))
	.map(([code, column, row]) => `\u001B[<${code};${column};${row}M`);
const malformed = fc
	.tuple(fc.stringMatching(/^[0-9;:<=>?]{0,60}$/), fc.constantFrom('M', 'm', 'q', '~', '@'))
	.map(([digits, final]) => `\u001B[<?${digits}${final}`);

test('however they are cut, keys are keys, reports are reports, and malformed ones are nothing', () => {
	const part = fc.oneof(
		key.map(text => ({text, keys: text, report: undefined})),
		report.map(text => ({text, keys: '', report: decodeMouse(text)})),
		malformed.map(text => ({text, keys: '', report: undefined})),
	);
	fc.assert(
		fc.property(fc.array(part, {maxLength: 12}), fc.array(fc.nat(400), {maxLength: 8}), (parts, cuts) => {
			const input = parts.map(({text}) => text).join('');
			const ends = [...new Set(cuts.map(cut => cut % (input.length + 1))), input.length].sort((a, b) => a - b);
			const pieces = ends.map((end, index) => input.slice(ends[index - 1] ?? 0, end));
			expect(siftAll(new MouseSieve(), pieces)).toEqual({
				keys: parts.map(({keys}) => keys).join(''),
				reports: parts.flatMap(each => each.report ?? []),
			});
		}),
	);
});

test('an Esc that was released is a key once, and the rest of its report is none', () => {
	const sieve = new MouseSieve();
	expect([sieve.sift('\u001B'), sieve.holdsKeys, sieve.release(), sieve.release()]).toEqual([[], true, '\u001B', '']);
	expect(siftAll(sieve, ['[', '<0;1;', '1Mq'])).toEqual({
		keys: 'q',
		reports: [{kind: 'press', button: 'left', ...at(0, 0)}],
	});
});

test('of drags in one piece of input the last is kept, and a report that never ends is bounded', () => {
	const sieve = new MouseSieve();
	const drags = Array.from({length: 500}, (_, index) => `\u001B[<32;${index + 1};1M`).join('');
	expect(sieve.sift(drags)).toEqual([{kind: 'drag', button: 'left', ...at(499, 0)}]);
	sieve.sift('\u001B[<');
	for (let index = 0; index < 100; index++) expect(sieve.sift('1'.repeat(1000))).toEqual([]);
	expect(JSON.stringify(sieve.sift(';1;1Mq'))).toBe('["q"]');
});
