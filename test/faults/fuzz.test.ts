import {expect, test} from 'vitest';
import {fuzz} from './fuzz.ts';

/** `npm run fuzz` tries 100,000. */
const bodiesEach = 50;
/** Of the processor; the usual body takes a tenth of one. The collection of garbage counts too. */
const longestMs = 1000;

test('every mutated body of every operation gives a value or an ExchangeError, with clean text, in bounded time', async () => {
	const rows = await fuzz(bodiesEach);
	expect(rows.length).toBe(11);
	for (const {operation, values, dropping, errors, slowestMs, offences} of rows) {
		expect(offences, operation).toEqual([]);
		expect(values + errors, operation).toBe(bodiesEach);
		expect(slowestMs, operation).toBeLessThan(longestMs);
		// Bodies that all fail at the door, or all pass, would try nothing.
		expect(Math.min(values, errors), operation).toBeGreaterThan(bodiesEach / 10);
		if (operation !== 'v2 info') expect(dropping, operation).toBeGreaterThan(0);
	}
});
