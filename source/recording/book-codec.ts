import {decimalsOf, powerOfTen} from '../market/precision.ts';
import type {DepthBook, Level} from '../market/types.ts';
import {DamagedError, requiredPrice, requiredQuantity} from './recorded-columns.ts';

/**
 * The column `levels` of the table `book`: the books of one market in a row. All numbers are whole, see `ByteWriter`. First the
 * digits of prices and of quantities, which are counted in steps of 10^-digits. Then of each book how much its answer's id is
 * larger than the one before (the first: than the column `answer`), and its asks and bids.
 *
 * Of each side: 0 if the interface does not show it, else 1 + the number of levels that changed since the book before, at first
 * since an empty one; the price of each, best first, as its distance to the one before, at first to 0; the quantity of each, 0 if
 * the level is gone. Where a price or quantity is no whole number of steps, both digits are 99, and each side has 1 + the number of
 * all levels, then their prices and quantities as doubles, least byte first.
 */
const inDoubles = 99;
/** Larger powers of ten are not exact. */
const mostDigits = 22;

/**
 * Of a chunk, in levels of its books: what is read in about 0.1 s. A recorder begins another chunk at half of it. A hostile file
 * of some kB could have billions.
 */
export const mostWork = 5_000_000;
/** Maximum levels of a side: twice what the client keeps. */
const mostLevels = 10_000;
/** The work that a book without levels counts as. */
const bookWork = 20;

export type BookRow = {readonly answer: number; readonly book: DepthBook};

/** Prices and quantities in steps, best first. */
type Side = {readonly prices: readonly number[]; readonly sizes: readonly number[]};

/** The books of one market since a whole one. */
export type BookChunk = ReturnType<typeof createBookChunk>;

/** Begins a chunk with its first book. */
export function createBookChunk(first: BookRow) {
	const writer = createByteWriter();
	const {answer, book} = first;
	const digits = digitsOf(book);
	const isExact = Math.max(digits.price, digits.quantity) <= mostDigits && sidesOf(book, digits) !== undefined;
	writer.write(isExact ? digits.price : inDoubles);
	writer.write(isExact ? digits.quantity : inDoubles);
	let last: {readonly answer: number; readonly asks: Side; readonly bids: Side} = {
		answer,
		asks: emptySide,
		bids: emptySide,
	};

	let work = 0;

	function add(row: BookRow): boolean {
		const sides = isExact ? sidesOf(row.book, digits) : undefined;
		if (isExact && !sides) return false;
		writer.write(row.answer - last.answer);
		work += bookWork + row.book.asks.length + (row.book.bids?.length ?? 0);
		if (sides) {
			const {asks, bids} = sides;
			writeSide(writer, last.asks, asks, 1);
			if (bids) writeSide(writer, last.bids, bids, -1);
			else writer.write(0);
			last = {answer: row.answer, asks, bids: bids ?? last.bids};
		} else {
			writeDoubles(writer, row.book.asks);
			if (row.book.bids) writeDoubles(writer, row.book.bids);
			else writer.write(0);
			last = {...last, answer: row.answer};
		}

		return true;
	}

	add(first);
	let taken = 0;
	return {
		/** Adds a book; false, and nothing changes, if its numbers do not fit and it must begin a chunk of its own. */
		add,
		/** What was written since the last call; the parts in a row are the whole. */
		part(): Uint8Array {
			const part = writer.bytes().subarray(taken);
			taken += part.length;
			return part;
		},
		whole: writer.bytes,
		/** What it takes to read it, in levels. */
		work: (): number => work,
	};
}

/** The books of a chunk that begins with the answer `first`, up to the answer `last`. Throws an Error if it is damaged. */
export function* readBookChunk(levels: Buffer, first: number, last = Infinity): Generator<BookRow> {
	const reader = createByteReader(levels);
	const digits = {price: reader.read(), quantity: reader.read()};
	const isExact = digits.price !== inDoubles;
	if (isExact && Math.max(digits.price, digits.quantity) > mostDigits) throw new DamagedError('digits', digits.price);
	const powers = {price: powerOfTen(digits.price), quantity: powerOfTen(digits.quantity)};
	let answer = first;
	let asks: readonly Level[] = [];
	let bids: readonly Level[] = [];
	let work = 0;
	while (!reader.isAtEnd()) {
		answer += reader.read();
		work += bookWork + asks.length + bids.length;
		if (work > mostWork) throw new DamagedError('fewer levels', work);
		if (answer > last) return;
		if (isExact) {
			asks = readSide(reader, asks, 1, powers) ?? asks;
			const changed = readSide(reader, bids, -1, powers);
			bids = changed ?? bids;
			yield {answer, book: {asks, ...(changed && {bids})}};
		} else {
			const all = readDoubles(reader) ?? [];
			const other = readDoubles(reader);
			work += all.length + (other?.length ?? 0);
			yield {answer, book: {asks: all, ...(other && {bids: other})}};
		}
	}
}

/** The book of an answer of a chunk; undefined if it has none, or a later one was read. */
export type BookReader = (answer: number) => DepthBook | undefined;

/** Reads the books of a chunk in order, see `readBookChunk`. */
export function createBookReader(levels: Buffer, first: number): BookReader {
	const rows = readBookChunk(levels, first);
	let row: BookRow | undefined;
	return answer => {
		while (row === undefined || row.answer < answer) {
			const next = rows.next();
			if (next.done) return undefined;
			row = next.value;
		}

		return row.answer === answer ? row.book : undefined;
	};
}

type Digits = {readonly price: number; readonly quantity: number};

const emptySide: Side = {prices: [], sizes: []};

function digitsOf({asks, bids = []}: DepthBook): Digits {
	const most = (index: 0 | 1, levels: readonly Level[]) =>
		levels.reduce((digits, level) => Math.max(digits, decimalsOf(level[index])), 0);
	return {
		price: Math.max(most(0, asks), most(0, bids)),
		quantity: Math.max(most(1, asks), most(1, bids)),
	};
}

/** Both sides in steps; undefined if a number is not a whole number of them, or a price is there twice or out of order. */
function sidesOf({asks, bids}: DepthBook, digits: Digits): {asks: Side; bids: Side | undefined} | undefined {
	const powers = {price: powerOfTen(digits.price), quantity: powerOfTen(digits.quantity)};
	const inSteps = (levels: readonly Level[], sign: 1 | -1): Side | undefined => {
		const prices: number[] = [];
		const sizes: number[] = [];
		let last = sign === 1 ? 0 : Infinity;
		for (const [price, quantity] of levels) {
			const [at, size] = [Math.round(price * powers.price), Math.round(quantity * powers.quantity)];
			const isExact = at / powers.price === price && size / powers.quantity === quantity;
			const fits = at > 0 && at <= Number.MAX_SAFE_INTEGER && size > 0 && size <= Number.MAX_SAFE_INTEGER;
			if (!isExact || !fits || (at - last) * sign <= 0) return undefined;
			prices.push(at);
			sizes.push(size);
			last = at;
		}

		return {prices, sizes};
	};
	const exactAsks = inSteps(asks, 1);
	const exactBids = bids && inSteps(bids, -1);
	return exactAsks && (exactBids || !bids) ? {asks: exactAsks, bids: exactBids} : undefined;
}

/** `sign`: 1 where the lowest price is the best, -1 where the highest is. */
function writeSide({write}: ByteWriter, before: Side, after: Side, sign: 1 | -1): void {
	const prices: number[] = [];
	const sizes: number[] = [];
	let old = 0;
	for (let index = 0; index <= after.prices.length; index++) {
		const price = after.prices[index] ?? sign * Infinity;
		for (; old < before.prices.length; old++) {
			const gone = before.prices[old] ?? price;
			if ((gone - price) * sign >= 0) break;
			prices.push(gone);
			sizes.push(0);
		}

		if (index === after.prices.length) break;
		const isSame = before.prices[old] === price;
		if (!isSame || before.sizes[old] !== after.sizes[index]) {
			prices.push(price);
			sizes.push(after.sizes[index] ?? 0);
		}

		if (isSame) old++;
	}

	write(1 + prices.length);
	let last = 0;
	for (const price of prices) {
		write(Math.abs(price - last));
		last = price;
	}

	for (const size of sizes) write(size);
}

/** `before`: best first, as what is returned; a level that did not change stays the same object. Undefined: the side is not shown. */
function readSide(
	{read}: ByteReader,
	before: readonly Level[],
	sign: 1 | -1,
	powers: {readonly price: number; readonly quantity: number},
): readonly Level[] | undefined {
	const count = read() - 1;
	if (count < 0) return undefined;
	if (count === 0) return before;
	// Each of them may be gone, and another one new.
	if (count > 2 * mostLevels) throw new DamagedError('fewer levels', count);
	const changed: number[] = [];
	for (let index = 0; index < count; index++) {
		const last = changed.at(-1);
		changed.push(last === undefined ? read() : last + read() * sign);
	}

	// A copy is as long, or nearly: to grow a list takes twice as long.
	const levels = before.slice();
	let length = 0;
	let old = 0;
	for (const steps of changed) {
		const price = steps / powers.price;
		for (let level = before[old]; level && (level[0] - price) * sign < 0; level = before[++old])
			levels[length++] = level;
		if (before[old]?.[0] === price) old++;
		const size = read();
		if (size > 0) levels[length++] = levelOf(price, size / powers.quantity);
	}

	for (let level = before[old]; level; level = before[++old]) levels[length++] = level;
	if (length > mostLevels) throw new DamagedError('fewer levels', length);
	levels.length = length;
	return levels;
}

const levelOf = (price: number, quantity: number): Level => [requiredPrice(price), requiredQuantity(quantity)];

function writeDoubles({write, writeDouble}: ByteWriter, levels: readonly Level[]): void {
	write(1 + levels.length);
	for (const number of levels.flat()) writeDouble(number);
}

function readDoubles({read, readDouble}: ByteReader): readonly Level[] | undefined {
	const count = read() - 1;
	if (count > mostLevels) throw new DamagedError('fewer levels', count);
	return count < 0 ? undefined : Array.from({length: count}, () => levelOf(readDouble(), readDouble()));
}

type ByteWriter = ReturnType<typeof createByteWriter>;

export function createByteWriter() {
	let buffer = Buffer.alloc(1024);
	let length = 0;

	function reserve(count: number) {
		if (length + count > buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
	}

	return {
		/** A whole number from 0 to 2^53 - 1: 7 bits a byte, lowest first, the high bit on while more follow. */
		write(value: number): void {
			reserve(8);
			let rest = value;
			// Bit operators take 32 bits only.
			while (rest >= 128) {
				buffer[length++] = 128 + (rest % 128);
				rest = Math.floor(rest / 128);
			}

			buffer[length++] = rest;
		},
		writeDouble(value: number): void {
			reserve(8);
			length = buffer.writeDoubleLE(value, length);
		},
		/** What was written so far. */
		bytes: (): Buffer => buffer.subarray(0, length),
	};
}

/** Reads what a byte writer wrote. Throws a RangeError beyond the end. */
type ByteReader = ReturnType<typeof createByteReader>;

function createByteReader(buffer: Buffer) {
	let at = 0;
	return {
		read(): number {
			let value = 0;
			for (let scale = 1; ; scale *= 128) {
				const byte = buffer.readUInt8(at++);
				if (byte < 128) return value + byte * scale;
				value += (byte - 128) * scale;
			}
		},
		readDouble(): number {
			at += 8;
			return buffer.readDoubleLE(at - 8);
		},
		isAtEnd: (): boolean => at >= buffer.length,
	};
}
