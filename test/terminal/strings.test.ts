import fc from 'fast-check';
import {expect, test} from 'vitest';
import {StringSieve} from '../../source/terminal/strings.ts';

test.each([
	['a\u001B]52;c;cQq=\u0007b', 'ab'],
	['a\u001BP1$r0 q\u001B\\b', 'ab'],
	['\u001B_Gi=1;OK\u001B\\\u001B^q\u001B\\\u001BXq\u009Cj', 'j'],
	// A click in column 81.
	['a\u001B[M q!b', 'ab'],
	['\u001B[M é\uFFFDb', 'b'],
	['\u001B]11;rgb:0/0/0\u001B\\', '\u001B]11;rgb:0/0/0\u0007'],
	['\u001BPq\u0003j', '\u0003j'],
	['\u001BPq\u001B[Aj', '\u001B[Aj'],
	['\u001B[M \u001B[201~', '\u001B[201~'],
	['\u001B[A\u001B[<0;1;1M\u001BOP\u001B', '\u001B[A\u001B[<0;1;1M\u001BOP\u001B'],
])('of %j, %j is passed on', (input, passed) => {
	expect(new StringSieve().sift(input)).toBe(passed);
});

const key = fc.constantFrom('j', 'q', '日', '\r', '\u001B[A', '\u001BOP', '\u001B[<0;1;1M');
const swallowed = fc.tuple(
	fc.constantFrom('\u001B]', '\u001BP', '\u001B_', '\u001B^', '\u001BX', '\u001B[M'),
	fc.string({unit: fc.constantFrom('q', 'R', ';', '[', '日'), minLength: 3, maxLength: 200}),
	fc.constantFrom('\u0007', '\u001B\\'),
);

test('passes the same keys however strings are split after their introducers', () => {
	const pieces = fc.array(fc.tuple(fc.option(key, {nil: ''}), fc.option(swallowed), fc.array(fc.nat(199))));
	fc.assert(
		fc.property(pieces, all => {
			const sieve = new StringSieve();
			let passed = '';
			for (const [keys, string, cuts] of all) {
				passed += sieve.sift(keys);
				if (!string) continue;
				const [introducer, content, end] = string;
				const rest = introducer === '\u001B[M' ? content.slice(0, 3) : content + end;
				const places = cuts.map(cut => cut % rest.length).sort((a, b) => a - b);
				const starts = [0, ...places];
				passed += sieve.sift(introducer);
				for (const [index, start] of starts.entries()) passed += sieve.sift(rest.slice(start, starts[index + 1]));
				expect(sieve.isOpen).toBe(false);
			}

			expect(passed).toBe(all.map(([keys]) => keys).join(''));
		}),
	);
});

test('passes a paste of 200,000 characters, after a string and before one, whole', () => {
	const text = 'x'.repeat(200_000);
	expect(new StringSieve().sift(`\u001B]52;c;q\u0007${text}\u001BPq\u001B\\`)).toBe(text);
});
