import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decimal, isoTimestamp} from '../../source/demo/wire.ts';

test('a number of ticks is written with exactly its digits', () => {
	fc.assert(
		fc.property(fc.nat({max: 1e15}), fc.nat({max: 13}), (count, decimals) => {
			const digits = String(count).padStart(decimals + 1, '0');
			const point = digits.length - decimals;
			const [whole, fraction] = [digits.slice(0, point), digits.slice(point).replace(/0+$/, '')];
			const plain = fraction ? `${whole}.${fraction}` : whole;
			const written = JSON.stringify(decimal(count, decimals));
			expect(written.includes('e') ? expanded(written) : written).toBe(plain);
		}),
		{numRuns: 500},
	);
});

/** `1.5e-9` as `0.0000000015`. */
function expanded(text: string): string {
	const [mantissa = '', exponent] = text.split('e-');
	const digits = mantissa.replace('.', '');
	return `0.${'0'.repeat(Number(exponent) - 1)}${digits}`;
}

test('small prices take exponent notation', () => {
	expect(JSON.stringify([decimal(1456, 12), decimal(3, 1)])).toBe('[1.456e-9,0.3]');
});

test('a timestamp has an offset and milliseconds, without trailing zeros', () => {
	const time = Date.UTC(2026, 10, 20, 10, 0, 0, 70);
	const texts = Array.from({length: 2000}, (_, salt) => isoTimestamp(time, salt));
	for (const text of texts) {
		expect(text).toMatch(/^2026-11-20T10:00:00\.07(\d{0,4}[1-9])?\+00:00$/);
		expect(Math.floor(Date.parse(text))).toBe(time);
	}
	expect(new Set(texts.map(text => text.length)).size).toBeGreaterThan(2);
});
