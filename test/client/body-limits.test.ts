import fc from 'fast-check';
import {expect, test} from 'vitest';
import {costFault, createBodyLimits} from '../../source/client/body-limits.ts';

const mebibyte = 1024 * 1024;
/** 65,536 values. */
const usual = 2 * mebibyte;

test.each([
	['a list at the limit', `[${'1,'.repeat(65_534)}1]`, undefined],
	['a list above it', `[${'1,'.repeat(65_535)}1]`, 'has more than 65536 values'],
	['empty objects above it', `[${'{},'.repeat(65_536)}1]`, 'has more than 65536 values'],
	['commas in a text', JSON.stringify([','.repeat(200_000)]), undefined],
	['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
	['65 levels', '['.repeat(65) + ']'.repeat(65), 'is nested deeper than 64 levels'],
	['65 levels of objects', '{"a":'.repeat(65) + '}'.repeat(65), 'is nested deeper than 64 levels'],
	['65 levels between short lists', '[[],'.repeat(65), 'is nested deeper than 64 levels'],
	['a megabyte of open lists', '['.repeat(mebibyte), 'is nested deeper than 64 levels'],
	['brackets in a text', JSON.stringify(['[{'.repeat(1000), '\\"[']), undefined],
	['nothing', '', undefined],
])('finds what makes a text costly: %s', (_, text, fault) => {
	expect(costFault(text, usual)).toBe(fault);
});

test('lets through any JSON of few levels and values, whatever its texts contain', () => {
	fc.assert(fc.property(fc.json({maxDepth: 5}), json => costFault(json, usual) === undefined));
});

test('limits lists of all markets by the number of markets known, all else to 2 MiB', () => {
	const limits = createBodyLimits();
	const list = (length: number) => Array.from({length});
	const seen = [limits.of('markets'), limits.of('depth'), limits.of('info')];
	for (const length of [600, 3, 100_000]) {
		limits.learn('ticker', list(length));
		limits.learn('trades', list(1000));
		seen.push(limits.of('summary'), limits.of('trades'));
	}

	expect(seen).toEqual([usual, usual, usual, 600 * 2048, usual, 256 * 2048, usual, 16 * mebibyte, usual]);
	expect(createBodyLimits(5_000_000).of('markets')).toBe(5_000_000);
});
