import fc from 'fast-check';
import {expect, test} from 'vitest';
import {splitWords} from '../../../source/cli/serve/viewer-program.ts';

test.each([
	['', []],
	['   ', []],
	['watch BTCUSDT  ETHUSDT\t--json', ['watch', 'BTCUSDT', 'ETHUSDT', '--json']],
	[`watch --until 'last > 70000'`, ['watch', '--until', 'last > 70000']],
	[`watch --until "last > 70000" ''`, ['watch', '--until', 'last > 70000', '']],
	[`a"b 'c"d\\ e`, [`ab 'cd e`]],
	[`"a\\"b\\\\c\\d"`, [`a"b\\c\\d`]],
	[`'a|b;c'`, ['a|b;c']],
	['--until last > 5', ['--until', 'last', '>', '5']],
	['$HOME *', ['$HOME', '*']],
])('splits %j as a shell does, and expands nothing', (text, words) => {
	expect(splitWords(text)).toEqual(words);
});

test.each(['ticker; sh', 'ticker | sh', 'ticker && sh', '`sh`', 'echo $(sh)'])(
	'refuses what only a shell can do: %s',
	text => {
		expect(() => splitWords(text)).toThrow('there is no shell here');
	},
);

test.each([`'`, `watch "BTC`, 'watch \\'])('refuses %j, which is not complete', text => {
	expect(() => splitWords(text)).toThrow('a quote is not closed');
});

test('finds the words again that a client has quoted', () => {
	const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
	fc.assert(
		fc.property(fc.array(fc.string({unit: 'grapheme'})), words => {
			expect(splitWords(words.map(quoted).join(' '))).toEqual(words);
		}),
	);
});
