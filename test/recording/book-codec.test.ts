import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {DepthBook, Level} from '../../source/market/types.ts';
import {createBookChunk, mostWork, readBookChunk} from '../../source/recording/book-codec.ts';
import {DamagedError} from '../../source/recording/recorded-columns.ts';

/** Books as one after the other: levels of few prices, so that most stay from book to book. */
const decimal = (digits: number) => fc.integer({min: 1, max: 60}).map(steps => Number(`${steps}e-${digits}`));
const unusual = fc.constantFrom(1e-30, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 1e21, 2 ** 53);
const number = (digits: number) => fc.oneof({weight: 30, arbitrary: decimal(digits)}, {weight: 1, arbitrary: unusual});

const levels = (digits: readonly [price: number, size: number], sign: 1 | -1): fc.Arbitrary<readonly Level[]> =>
	fc
		.uniqueArray(fc.tuple(number(digits[0]), number(digits[1])), {selector: ([price]) => price, maxLength: 20})
		.map(all => all.toSorted(([one], [other]) => (one - other) * sign));

const books: fc.Arbitrary<readonly DepthBook[]> = fc
	.tuple(fc.integer({min: 0, max: 12}), fc.integer({min: 0, max: 12}))
	.chain(digits =>
		fc.array(
			fc
				.record({asks: levels(digits, 1), bids: fc.option(levels(digits, -1), {freq: 5})})
				.map(({asks, bids}) => (bids ? {asks, bids} : {asks})),
			{minLength: 1, maxLength: 30},
		),
	);

/** Whether the book goes on in the chunk of the one before it is the writer's choice. */
function writtenAndRead(sequence: readonly DepthBook[]): readonly DepthBook[] {
	const chunks: {readonly first: number; readonly parts: Uint8Array[]}[] = [];
	let open: ReturnType<typeof createBookChunk> | undefined;
	for (const [index, book] of sequence.entries()) {
		const row = {answer: 1 + index * 7, book};
		if (!open?.add(row)) {
			open = createBookChunk(row);
			chunks.push({first: row.answer, parts: []});
		}

		chunks.at(-1)?.parts.push(Buffer.from(open.part()));
	}

	return chunks.flatMap(({first, parts}) => [...readBookChunk(Buffer.concat(parts), first)].map(({book}) => book));
}

test('reads any sequence of books as it was, whatever its decimals, and with absent bids', () => {
	const property = fc.property(books, sequence => {
		expect(writtenAndRead(sequence)).toEqual(sequence);
	});
	fc.assert(property, {numRuns: 60});
});

test.each<[string, DepthBook]>([
	[
		'equal prices',
		{
			asks: [
				[1, 2],
				[1, 3],
			],
		},
	],
	[
		'prices out of order',
		{
			asks: [
				[2, 1],
				[1, 1],
			],
			bids: [
				[1, 1],
				[2, 1],
			],
		},
	],
	['a quantity of 0', {asks: [[1, 0]], bids: []}],
	['more digits than a whole number of steps holds', {asks: [[0.123456789012345, 1e15 + 0.5]]}],
	['as many digits as mark doubles', {asks: [[1e-99, 1]]}],
])('reads a book with %s as it was', (_, book) => {
	const usual: DepthBook = {asks: [[10, 1]], bids: [[9, 1]]};
	expect(writtenAndRead([usual, book, usual])).toEqual([usual, book, usual]);
});

test('the parts of a chunk in a row are the whole', () => {
	const book = (size: number): DepthBook => ({asks: [[10.5, size]], bids: [[9, 1]]});
	const chunk = createBookChunk({answer: 5, book: book(1)});
	const first = Buffer.from(chunk.part());
	chunk.add({answer: 9, book: book(2)});
	expect(Buffer.concat([first, chunk.part()])).toEqual(Buffer.from(chunk.whole()));
	expect(chunk.part()).toHaveLength(0);
});

test('reads the books up to an answer', () => {
	const chunk = createBookChunk({answer: 5, book: {asks: [[1, 1]]}});
	chunk.add({answer: 9, book: {asks: [[2, 1]]}});
	expect([...readBookChunk(Buffer.from(chunk.whole()), 5, 8)]).toEqual([{answer: 5, book: {asks: [[1, 1]]}}]);
});

test('a level that did not change stays the same object', () => {
	const chunk = createBookChunk({
		answer: 1,
		book: {
			asks: [
				[1, 1],
				[2, 1],
			],
		},
	});
	chunk.add({
		answer: 2,
		book: {
			asks: [
				[1, 1],
				[2, 3],
			],
		},
	});
	const [first, second] = [...readBookChunk(Buffer.from(chunk.whole()), 1)];
	expect(second?.book.asks[0]).toBe(first?.book.asks[0]);
});

test('a damaged chunk ends with an error, or is read as other books', () => {
	const chunk = createBookChunk({
		answer: 1,
		book: {
			asks: [
				[1.5, 1],
				[2, 1],
			],
			bids: [[1, 4]],
		},
	});
	chunk.add({answer: 2, book: {asks: [[1.5, 2]], bids: [[0.5, 1]]}});
	const whole = Buffer.from(chunk.whole());
	fc.assert(
		fc.property(fc.nat(whole.length - 1), fc.integer({min: 0, max: 255}), fc.nat(whole.length), (at, byte, length) => {
			const damaged = Buffer.from(whole.subarray(0, length));
			if (at < length) damaged[at] = byte;
			try {
				expect([...readBookChunk(damaged, 1)].length).toBeLessThan(whole.length);
			} catch (error) {
				expect(error instanceof RangeError || error instanceof DamagedError).toBe(true);
			}
		}),
	);
});

test('refuses levels that take more work than a recorder writes, however few bytes they are', () => {
	const asks = Array.from({length: 10_000}, (_, index): Level => [index + 1, 1]);
	const chunk = createBookChunk({answer: 1, book: {asks, bids: []}});
	for (let answer = 2; answer < 600; answer++) chunk.add({answer, book: {asks, bids: []}});
	let count = 0;
	const read = () => {
		for (const _ of readBookChunk(Buffer.from(chunk.whole()), 1)) count++;
	};
	expect(read).toThrow('fewer levels');
	expect([count, chunk.work() > mostWork]).toEqual([500, true]);
});
