import {expect, test} from 'vitest';
import {marked, UnmarkedPastes} from '../../source/terminal/pastes.ts';

const down = '\u001B[B';

test.each([
	['keys as they are', ['q', down, '\u001B', 'jjj'], `q${down}\u001Bjjj`],
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
	['Ctrl-C alone, before the other keys', [`${'j'.repeat(50_000)}\u0003jj`], '\u0003'],
])('passes on %s', (_, pieces, expected) => {
	const pastes = new UnmarkedPastes();
	expect(pieces.map(piece => pastes.sift(piece, 0)).join('')).toBe(expected);
});

test('takes keys again 100 ms after an unmarked paste', () => {
	const pastes = new UnmarkedPastes();
	pastes.sift('xy'.repeat(50), 0);
	expect([pastes.sift('q', 99), pastes.sift('q', 198), pastes.sift('q', 298)]).toEqual([marked('q'), marked('q'), 'q']);
});
