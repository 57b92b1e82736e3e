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
	['501 characters of a long paste', [marked('x'.repeat(100_000))], marked('x'.repeat(501))],
	['a key held down while a link stalls', ['j'.repeat(200)], 'j'.repeat(200)],
	['a key of several characters held down', [down.repeat(200)], down.repeat(200)],
	['63 different keys', ['q'.repeat(62), 'market '.repeat(9)], 'q'.repeat(62) + 'market '.repeat(9)],
	['64 different characters in one piece as a paste', ['quit\r'.repeat(13)], marked('quit '.repeat(13).slice(0, 65))],
	['the same character more than 200 times as a paste', ['q'.repeat(201)], marked('q'.repeat(201))],
	['nothing for more than 200 keys that are no text', [down.repeat(201)], ''],
	['the end of an unmarked paste as a paste', ['xy '.repeat(50), 'q'], marked('xy '.repeat(50)) + marked('q')],
	[
		'501 characters of an unmarked paste in pieces',
		Array(99).fill('xy'.repeat(200)),
		`${marked('xy'.repeat(200))}${marked(`${'xy'.repeat(50)}x`)}`,
	],
	['no key for an end mark without a paste', ['a\u001B[201~b'], 'ab'],
	['the newer of two pastes, if the first has no end', [`\u001B[200~BTC${marked('ETH')}q`], `${marked('ETH')}q`],
	['Esc before a paste as a key that Ink does not hold back', ['\u001B', marked('q')], `\u001B\0${marked('q')}`],
	['Esc and a paste in one piece', [`\u001B${marked('q')}`], `\u001B\0${marked('q')}`],
	['Ctrl-C alone, before the other keys', [`${'j'.repeat(50_000)}\u0003jj`], '\u0003'],
])('passes on %s', (_, pieces, expected) => {
	const sieve = new PasteSieve();
	expect(pieces.map(piece => sieve.sift(piece, 0)).join('')).toBe(expected);
});

test('takes keys again 100 ms after an unmarked paste', () => {
	const sieve = new PasteSieve();
	sieve.sift('xy'.repeat(50), 0);
	expect([sieve.sift('q', 99), sieve.sift('q', 198), sieve.sift('q', 298)]).toEqual([marked('q'), marked('q'), 'q']);
});

test('takes no key in a paste whose end is late, and the whole paste when it comes', () => {
	const sieve = new PasteSieve();
	const pieces = ['\u001B[200~note: ask', 'market ethusdt\r', 'q', `\u001B[201~q`];
	expect(pieces.map((piece, index) => sieve.sift(piece, 3_600_000 * index)).join('')).toBe(
		`${marked('note: askmarket ethusdt q')}q`,
	);
});

test('takes Ctrl-C alone after a second of silence in a paste, however often it was pressed before', () => {
	const sieve = new PasteSieve();
	sieve.sift('\u001B[200~q', 0);
	const pressed = [500, 999, 1000].map(now => sieve.sift('\u0003', now));
	expect([...pressed, sieve.sift('q', 1001)]).toEqual(['', '', '\u0003', 'q']);
});

test('takes no Ctrl-C that comes with other text of a paste', () => {
	const sieve = new PasteSieve();
	sieve.sift('\u001B[200~q', 0);
	expect(sieve.sift('\u0003q', 5000)).toBe('');
});

test('finds a paste although its start mark comes in pieces that were passed on as keys', () => {
	const places = fc.subarray([1, 2, 3, 4, 5], {minLength: 1});
	fc.assert(
		fc.property(places, fc.constantFrom(0, 300), (cuts, gapMs) => {
			const input = marked('q');
			const at = [0, ...cuts, input.length];
			const sieve = new PasteSieve();
			const passed = at.slice(1).map((end, index) => sieve.sift(input.slice(at[index], end), index * gapMs));
			expect(passed.join('').replace('\0', '').endsWith(marked('q'))).toBe(true);
			expect('\u001B[200'.startsWith(passed.join('').split(/\0?\u001B\[200~/)[0] ?? 'none')).toBe(true);
		}),
	);
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
