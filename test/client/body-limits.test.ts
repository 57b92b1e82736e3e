import fc from 'fast-check';
import {expect, test} from 'vitest';
import {costFault, createBodyLimits} from '../../source/client/body-limits.ts';

const mebibyte = 1024 * 1024;
const mostValues = 65_536;

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
	expect(costFault(text, mostValues)).toBe(fault);
});

test('lets through any JSON of few levels and values, whatever its texts contain', () => {
	fc.assert(fc.property(fc.json({maxDepth: 5}), json => costFault(json, mostValues) === undefined));
});

test('limits lists of all markets by the number of markets known, all else to 2 MiB', () => {
	const limits = createBodyLimits();
	const list = (length: number) => Array.from({length});
	const usual = {bytes: 2 * mebibyte, values: mostValues};
	const forMarkets = (markets: number) => ({bytes: markets * 2048, values: markets * 32});
	expect([limits.of('markets'), limits.of('depth'), limits.of('info')]).toEqual([forMarkets(1024), usual, usual]);
	const seen: unknown[] = [];
	for (const length of [600, 3, 100_000]) {
		limits.learn('ticker', list(length));
		limits.learn('trades', list(1000));
		seen.push(limits.of('summary'), limits.of('trades'));
	}

	expect(seen).toEqual([600, 256, 8192].flatMap(markets => [forMarkets(markets), usual]));
	expect(createBodyLimits(4 * mebibyte).of('markets')).toEqual({bytes: 4 * mebibyte, values: 131_072});
});
