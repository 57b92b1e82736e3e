import {expect, test} from 'vitest';
import {copySequence, mostCopiedBytes} from '../../source/terminal/clipboard.ts';

test('sends text as OSC 52, in tmux also in an envelope, in GNU screen in envelopes that it passes on', () => {
	expect(copySequence('61500.1 ▲', {})).toBe('\u001B]52;c;NjE1MDAuMSDilrI=\u0007');
	expect(copySequence('a', {TMUX: '/run/tmux,1,0'})).toBe(
		'\u001B]52;c;YQ==\u0007\u001BPtmux;\u001B\u001B]52;c;YQ==\u0007\u001B\\',
	);
	const screen = copySequence('x'.repeat(900), {STY: '1.pts'}) ?? '';
	const envelopes = screen.split('\u001B\\').slice(0, -1);
	expect(envelopes.map(each => [each.startsWith('\u001BP'), each.length <= 702])).toEqual([
		[true, true],
		[true, true],
	]);
	expect(envelopes.map(each => each.slice(2)).join('')).toBe(copySequence('x'.repeat(900), {}));
});

test('refuses a text that is too long, and cuts none', () => {
	expect(copySequence('x'.repeat(mostCopiedBytes), {})).toHaveLength(74_992 + 8);
	expect(copySequence(`${'x'.repeat(mostCopiedBytes)}y`, {})).toBeUndefined();
});
