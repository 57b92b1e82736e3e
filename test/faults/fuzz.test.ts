import {describe, expect, test} from 'vitest';
import {Random} from '../../source/demo/random.ts';
import {fuzz} from './fuzz.ts';
import {mutate, mutations} from './mutations.ts';

/** `npm run fuzz` tries 100,000. */
const bodiesEach = 300;
/** Of the processor; the usual body takes a tenth of one. The collection of garbage counts too. */
const longestMs = 250;

test('every mutated body of every operation gives a value or an ExchangeError, with clean text, in bounded time', async () => {
	const rows = await fuzz(bodiesEach);
	expect(rows.length).toBe(11);
	for (const {operation, values, dropping, errors, slowestMs, offences} of rows) {
		expect(offences, operation).toEqual([]);
		expect(values + errors, operation).toBe(bodiesEach);
		expect(slowestMs, operation).toBeLessThan(longestMs);
		// Bodies that all fail at the door, or all pass, would try nothing.
		expect(Math.min(values, errors), operation).toBeGreaterThan(bodiesEach / 10);
		if (operation !== 'v2 info') expect(dropping, operation).toBeGreaterThan(bodiesEach / 50);
	}
});

describe('the mutations', () => {
	const body = '{"data":[{"id":1,"side":"buy"},{"id":2,"side":"sell"}],"success":true}';

	test.each(Object.entries(mutations))('%s changes most bodies', (_, mutation) => {
		const random = new Random(3);
		const words = body.match(/"[^"]*"|\w+|[^\s"]/g) ?? [];
		const results = Array.from({length: 100}, () => mutation(words, random));
		expect(results.filter(result => result !== body).length).toBeGreaterThan(80);
		expect(new Set(results).size).toBeGreaterThan(1);
	});

	test('are the same for the same seed', () => {
		const spoiled = (seed: number) => {
			const random = new Random(seed);
			return Array.from({length: 50}, () => mutate(body, random));
		};
		expect(spoiled(1)).toEqual(spoiled(1));
		expect(spoiled(1)).not.toEqual(spoiled(2));
	});
});
