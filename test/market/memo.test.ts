import {expect, test, vi} from 'vitest';
import {latest, latestAt, memo, sameContent, shared} from '../../source/market/memo.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';

test('computes once for equal arguments, objects by identity', () => {
	const compute = vi.fn((list: readonly number[], factor: number, other?: object) => ({
		sum: list.length * factor,
		other,
	}));
	const remembered = memo(compute);
	const [list, same, other] = [[1, 2], [1, 2], {}];

	expect(remembered(list, 3, other)).toBe(remembered(list, 3, other));
	expect(remembered(list, 3, undefined)).not.toBe(remembered(list, 3, other));
	expect(remembered(list, 4, other)).toEqual({sum: 8, other});
	expect(remembered(same, 3, other)).toEqual({sum: 6, other});
	expect(compute).toHaveBeenCalledTimes(4);
});

test('keeps an answer of undefined as well', () => {
	const compute = vi.fn((_owner: object) => undefined);
	const remembered = memo(compute);
	const owner = {};

	expect([remembered(owner), remembered(owner)]).toEqual([undefined, undefined]);
	expect(compute).toHaveBeenCalledTimes(1);
});

test('asks again only when a field of the input is another one', () => {
	const compute = vi.fn((input: {readonly list: readonly number[]; readonly factor?: number | undefined}) => ({
		...input,
	}));
	const same = latest(compute);
	const list = [1];

	const first = same({list, factor: 2});
	expect(same({factor: 2, list})).toBe(first);
	expect(same({list: [1], factor: 2})).not.toBe(first);
	expect(same({list})).toEqual({list});
	expect(same({list, factor: undefined})).toEqual({list, factor: undefined});
	expect(compute).toHaveBeenCalledTimes(4);
});

test('asks again when the time is another one', () => {
	const compute = vi.fn((input: {readonly factor: number}, now: number) => input.factor * now);
	const at = latestAt(compute);

	expect([at({factor: 2}, 3), at({factor: 2}, 3), at({factor: 2}, 4), at({factor: 1}, 4)]).toEqual([6, 6, 8, 4]);
	expect(compute).toHaveBeenCalledTimes(3);
});

test('keeps an answer whose content is the same', () => {
	const prices = sameContent(({entries}: {readonly entries: readonly number[]}) => entries.filter(price => price > 1));
	const first = prices({entries: [1, 2]});

	expect(prices({entries: [0, 2]})).toBe(first);
	expect(prices({entries: [3]})).toEqual([3]);
});

test('shares the answer about an object with all inputs whose fields are the same, and with no other', () => {
	const compute = vi.fn((input: {readonly list: readonly number[]; readonly factor?: number}) => ({...input}));
	const ask = shared(({list}) => list, compute);
	const list = [1];
	const first = ask({list, factor: 2});
	const other = ask({list, factor: 3});

	expect([ask({factor: 2, list}), ask({list, factor: 3})]).toEqual([first, other]);
	expect(ask({factor: 2, list})).toBe(first);
	expect(ask({list, factor: 3})).toBe(other);
	expect([ask({list: [1], factor: 2}), ask({list})]).toEqual([{list, factor: 2}, {list}]);
	expect(compute).toHaveBeenCalledTimes(4);
	for (let factor = 4; factor < 100; factor++) ask({list, factor});
	expect(ask({list, factor: 2})).toEqual(first);
	expect(compute).toHaveBeenCalledTimes(101);
});

test('shares answers about one object after another without keeping the ones before alive', async () => {
	type Book = {readonly id: number};
	const ask = shared(
		({book}: {readonly book: Book; readonly previous: Book | undefined}) => book,
		({book}) => book.id,
	);
	const seen: WeakRef<Book>[] = [];
	let newest: Book | undefined;
	for (let id = 0; id < 20; id++) {
		const book = {id};
		seen.push(new WeakRef(book));
		ask({book, previous: newest});
		newest = book;
		await collectGarbage(1);
	}

	await collectGarbage();
	expect(seen.flatMap(reference => reference.deref() ?? [])).toEqual([newest]);
});
