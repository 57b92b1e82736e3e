import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseWireTime} from '../../../source/client/wire/fields.ts';

test('reads any offset and fraction', () => {
	const time = fc.integer({min: Date.UTC(1980, 0, 1), max: Date.UTC(2200, 0, 1)});
	const offset = fc.integer({min: -14 * 60, max: 14 * 60});
	fc.assert(
		fc.property(
			time,
			offset,
			fc.stringMatching(/^\d{0,9}$/),
			fc.constantFrom('', ':'),
			(ms, minutes, digits, colon) => {
				const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
				const pad = (value: number) => String(value).padStart(2, '0');
				const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
				const zone = `${minutes < 0 ? '-' : '+'}${pad(hours)}${colon}${pad(rest)}`;
				expect(parseWireTime(`${local}${digits}${zone}`)).toBe(ms);
			},
		),
	);
});

test.for([
	['2024-02-29T00:00:00', Date.UTC(2024, 1, 29)],
	['2024-08-08T18:54:56,7-05', Date.UTC(2024, 7, 8, 23, 54, 56, 700)],
	['2024-08-08 23:54:55', Date.UTC(2024, 7, 8, 23, 54, 55)],
	['2024-08-08T23:54Z', Date.UTC(2024, 7, 8, 23, 54)],
	['2024-12-31T23:59:60Z', Date.UTC(2025, 0, 1)],
	['1723161299000', 1_723_161_299_000],
	[1_723_161_299_000.9, 1_723_161_299_000],
	['2023-02-29T00:00:00Z', undefined],
	['2024-13-01T00:00:00Z', undefined],
	['2024-08-08T24:00:00Z', undefined],
	['2024-08-08T23:54:59+24:00', undefined],
	['2024-08-08', undefined],
	['12:00', undefined],
	['', undefined],
	[0, undefined],
	[-1, undefined],
	[8.64e15 + 1, undefined],
	[Number.NaN, undefined],
	[null, undefined],
	[{}, undefined],
] as const)('%j is %j', ([wire, expected]) => {
	expect(parseWireTime(wire)).toBe(expected);
});

test('gives a time that a Date can hold, or nothing, for any text', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.double(), fc.date({noInvalidDate: true}).map(String)), wire => {
			const time = parseWireTime(wire);
			if (time !== undefined) expect(new Date(time).getTime()).toBe(time);
		}),
	);
});
