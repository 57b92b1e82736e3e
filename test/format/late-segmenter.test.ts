import {expect, test} from 'vitest';
import {LateSegmenter} from '../../source/format/late-segmenter.ts';

test.each([
	['a word', undefined],
	['e\u0301 🇩🇪 👩‍👩‍👧', undefined],
	['two words', {granularity: 'word'}],
] as const)('cuts %j with %j as Intl.Segmenter does', (text, options) => {
	const [late, own] = [new LateSegmenter('en', options), new Intl.Segmenter('en', options)];
	for (let again = 0; again < 2; again++) expect([...late.segment(text)]).toEqual([...own.segment(text)]);
});
