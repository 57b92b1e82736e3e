import {expect, test} from 'vitest';
import {nearestWord} from '../../source/view/nearest.ts';

const words = ['market', 'merge-fills', 'zoom'];

test.each([
	['mraket', 'market'],
	['MARKT', 'market'],
	['merge-fill', 'merge-fills'],
	['zom', 'zoom'],
	['zo', undefined],
	['frobnicate', undefined],
	['', undefined],
])('%j was meant to be %j', (text, word) => {
	expect(nearestWord(text, words)).toBe(word);
});

test('there is none among no words', () => {
	expect(nearestWord('market', [])).toBeUndefined();
});
