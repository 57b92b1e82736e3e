import fc from 'fast-check';
import {expect, test} from 'vitest';
import {AnswerSieve} from '../../source/terminal/answers.ts';

test.each([
	['j', 'j', []],
	['\u001B[2;7R', '', [7]],
	['j\u001B[2;1Rk\u001B[2;32R\u001B[A', 'jk\u001B[A', [1, 32]],
	['\u001B[A\u001B[5~\u001BOP\u001B[200~2;1R\u001B[201~', '\u001B[A\u001B[5~\u001BOP\u001B[200~2;1R\u001B[201~', []],
	// F3 with a modifier, and Insert.
	['\u001B[1;2R\u001B[2~\u001B[2;5~', '\u001B[1;2R\u001B[2~\u001B[2;5~', []],
])('of %j the keys are %j, the answers %j', (input, keys, answers) => {
	expect(new AnswerSieve().sift(input)).toEqual({keys, answers});
});

test('holds back what may be the beginning of an answer, and nothing else', () => {
	const sieve = new AnswerSieve();
	expect([sieve.sift('j\u001B[').keys, sieve.held]).toEqual(['j', '\u001B[']);
	expect([sieve.sift('A').keys, sieve.held]).toEqual(['\u001B[A', '']);
});

test('released input is passed on once, and the rest of its answer is not a key', () => {
	const sieve = new AnswerSieve();
	sieve.sift('\u001B');
	expect([sieve.release(), sieve.held, sieve.release()]).toEqual(['\u001B', '', '']);
	expect(sieve.sift('[')).toEqual({keys: '', answers: []});
	expect(sieve.sift('2;1Rj')).toEqual({keys: 'j', answers: [1]});
	sieve.sift('\u001B[2');
	expect([sieve.release(), sieve.sift('5~j').keys]).toEqual(['\u001B[2', '5~j']);
});

const piece = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.constantFrom('j', '[', '2', ';', 'R', '日', '\r', '\u001B[A', '\u001BOP', '\u001B[5~', '\u001B'),
	},
	fc.constantFrom('\u001B[2;1R', '\u001B[2;20R', '\u001B[2~'),
);

test('keys arrive as typed, none twice and none lost, however the input is split', () => {
	fc.assert(
		fc.property(fc.array(piece), fc.array(fc.nat(9)), fc.array(fc.boolean()), (pieces, cuts, releases) => {
			const input = pieces.join('');
			const whole = new AnswerSieve();
			const expected = whole.sift(input);
			const sieve = new AnswerSieve();
			let [keys, at] = ['', 0];
			const found: number[] = [];
			for (const [index, cut] of [...cuts, input.length].entries()) {
				const sifted = sieve.sift(input.slice(at, at + cut));
				at += cut;
				keys += sifted.keys;
				found.push(...sifted.answers);
				// With less than an answer in it no harm is done.
				if (releases[index] && sieve.held === '\u001B' && input[at] !== '[') keys += sieve.release();
			}

			expect([keys + sieve.release(), found]).toEqual([expected.keys + whole.release(), expected.answers]);
		}),
	);
});
