import fc from 'fast-check';
import {expect, test} from 'vitest';
import {rowLines} from '../../../source/cli/commands/row-lines.ts';
import {readCsv, readTsv, recordsOf} from '../../helpers/separated.ts';

const text = fc.string({
	unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', '\\', 'n', 't', ' ', '=', '+', 'é', '€', '😀'),
});
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const market = fc.record({
	id: text,
	symbol: text,
	base: maybe(text),
	quote: maybe(text),
	state: text,
	type: maybe(text),
});
const candle = fc.record({
	time: fc.integer({min: 0, max: 4e12}),
	...{open: fc.double({noNaN: true, noDefaultInfinity: true}), high: fc.double({noNaN: true, noDefaultInfinity: true})},
	...{low: fc.constant(1e-310), close: fc.constant(Number.MAX_VALUE), volume: fc.integer()},
	...{forming: fc.boolean(), partial: fc.boolean(), builtFrom: fc.constantFrom('exchange', 'trades')},
});

const formats = [
	['csv', readCsv],
	['tsv', readTsv],
] as const;

test.each(formats)('%s of any texts reads back as the same texts, unknown as empty', (format, read) => {
	fc.assert(
		fc.property(fc.array(market), markets => {
			const written = rowLines('markets', {markets}, format).map(line => `${line}\n`);
			const expected = markets.map(entry =>
				Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? ''])),
			);
			expect(recordsOf(read(written.join('')))).toEqual(expected);
		}),
	);
});

test.each(formats)('%s of any numbers and times reads back as the same, in plain digits', (format, read) => {
	fc.assert(
		fc.property(fc.array(candle), candles => {
			const written = rowLines('candles', {candles}, format).map(line => `${line}\n`);
			const records = recordsOf(read(written.join('')));
			const marked = (entry: Readonly<Record<string, unknown>>) =>
				[entry.forming, entry.partial, entry.builtFrom].map(String);
			expect(records.map(marked)).toEqual(candles.map(marked));
			for (const {time: _, forming: _f, partial: _p, builtFrom: _b, ...numbers} of records) {
				for (const value of Object.values(numbers)) expect(value).toMatch(/^-?\d+(\.\d+)?$/);
			}

			const back = records.map(({time = '', forming: _f, partial: _p, builtFrom: _b, ...numbers}) => ({
				...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value) + 0])),
				time: Date.parse(time),
			}));
			// Minus zero has no sign.
			expect(back).toEqual(
				candles.map(({forming: _f, partial: _p, builtFrom: _b, ...entry}) => ({
					...entry,
					...{open: entry.open + 0, high: entry.high + 0},
				})),
			);
		}),
	);
});

test('what acts on a terminal is left out of csv and tsv', () => {
	const markets = [
		{id: '1', symbol: '\u001B[2JA\u0007', base: 'B\u202E', quote: '\u009B31mC', state: 'on\r\noff', type: null},
	];
	expect(rowLines('markets', {markets}, 'tsv')[1]).toBe('1\tA\tB\tC\ton\\r\\noff\t');
	expect(rowLines('markets', {markets}, 'csv')[1]).toBe('1,A,B,C,"on\r\noff",');
});

test('a time that no date holds stays a number', () => {
	expect(rowLines('candles', {candles: [{time: 9e15}]}, 'csv')[1]).toBe('9000000000000000,,,,,,,,');
});
