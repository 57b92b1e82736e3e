import fc from 'fast-check';
import {expect, test} from 'vitest';
import {PasteSieve} from '../../source/terminal/pastes.ts';

const marked = (text: string): string => `\u001B[200~${text}\u001B[201~`;
const down = '\u001B[B';

test.each([
	['keys as they are', ['q', down, '\u001B', 'jjj'], `q${down}\u001Bjjj`],
	['a paste in one piece', [marked('BTC')], marked('BTC')],
	['a paste between keys', [`a${marked('BTC')}b`], `a${marked('BTC')}b`],
	['two pastes', [marked('BTC') + marked('ETH')], marked('BTC') + marked('ETH')],
	['a paste that arrives in pieces', ['\u001B[200~', 'BT', 'C\u001B[201~'], marked('BTC')],
	['marks that arrive in pieces', ['a\u001B[2', '00~BTC\u001B', '[20', '1~b'], `a${marked('BTC')}b`],
	['the key F9, which begins like a mark', ['\u001B[20', '~'], '\u001B[20~'],
	['a blank for control characters in a paste', [marked('a\r\nb\u001B[31mc\u0003')], marked('a b [31mc ')],
	['nothing for an empty paste', [marked('')], ''],
	['200 characters of a long paste', [marked('x'.repeat(100_000))], marked('x'.repeat(200))],
	['200 keys', ['j'.repeat(200)], 'j'.repeat(200)],
	['200 keys of several characters', [down.repeat(200)], down.repeat(200)],
	['more than 200 keys in one piece as a paste', ['xyz'.repeat(67)], marked('xyz'.repeat(67).slice(0, 200))],
	['nothing for more than 200 keys that are no text', [down.repeat(201)], ''],
	['the end of an unmarked paste as a paste', ['x'.repeat(4096), 'q'], marked('x'.repeat(200)) + marked('q')],
	['Ctrl-C alone, before the other keys', [`${'j'.repeat(50_000)}\u0003jj`], '\u0003'],
])('passes on %s', (_, pieces, expected) => {
	const sieve = new PasteSieve();
	expect(pieces.map(piece => sieve.sift(piece, 0)).join('')).toBe(expected);
});

test('takes keys again 100 ms after an unmarked paste', () => {
	const sieve = new PasteSieve();
	sieve.sift('x'.repeat(4096), 0);
	expect([sieve.sift('q', 99), sieve.sift('q', 198), sieve.sift('q', 298)]).toEqual([marked('q'), marked('q'), 'q']);
});

test('takes keys again a second after a paste whose end was lost', () => {
	const sieve = new PasteSieve();
	sieve.sift('\u001B[200~BTC', 0);
	expect([sieve.sift('q', 999), sieve.sift('q', 1999)]).toEqual(['', 'q']);
});

test('passes on the same however a paste is cut into pieces', () => {
	const text = fc.string({
		unit: fc.constantFrom('a', 'é', '😀', ' ', '\n', '\u001B', '[', '2', '0', '1', '~'),
		maxLength: 30,
	});
	fc.assert(
		fc.property(text, fc.array(fc.nat(50), {maxLength: 6}), (pasted, cuts) => {
			const input = `k${marked(pasted)}l`;
			// After its first two characters the start mark may still be the key Esc or Alt-[, which cannot wait.
			const places = cuts.map(cut => cut % input.length).filter(cut => cut !== 2 && cut !== 3);
			const at = [0, ...places.sort((a, b) => a - b), input.length];
			const pieces = at.slice(1).map((end, index) => input.slice(at[index], end));
			const sieve = new PasteSieve();
			const whole = new PasteSieve();
			expect(pieces.map(piece => sieve.sift(piece, 0)).join('')).toBe(whole.sift(input, 0));
		}),
	);
});
