import {expect, test} from 'vitest';
import {createNewTrades} from '../../source/market/new-trades.ts';
import type {Interface, Trade} from '../../source/market/types.ts';

const second = 1000;
const minute = 60 * second;

const trade = (id: number, seconds: number, price = 100): Trade => ({
	id: String(id),
	time: seconds * second,
	price,
	quantity: 1,
});
/** Newest first: one trade a second, whose id is its second. */
const upTo = (newest: number, count = 5) =>
	Array.from({length: count}, (_, index) => trade(newest - index, newest - index));
const later = (trades: readonly Trade[], ms: number) => trades.map(each => ({...each, time: each.time + ms}));

type Tape = {readonly trades: readonly Trade[]; readonly source?: Interface};

test.each<[string, readonly Tape[], ReadonlyArray<readonly number[]>]>([
	['those above the last one', [{trades: upTo(10)}, {trades: upTo(12)}], [[10], [11, 12]]],
	['one that comes late', [{trades: [trade(3, 3), trade(1, 1)]}, {trades: upTo(4, 4)}], [[3], [2, 4]]],
	['none of a longer page below the oldest', [{trades: upTo(10)}, {trades: upTo(10, 8)}], [[10], []]],
	[
		'none that comes again after an empty page',
		[{trades: upTo(10)}, {trades: []}, {trades: upTo(11)}],
		[[10], [], [11]],
	],
	['all after an empty tape', [{trades: []}, {trades: upTo(2, 2)}], [[], [1, 2]]],
	['none when one is gone from a later page', [{trades: upTo(10)}, {trades: upTo(10).slice(1)}], [[10], []]],
	[
		'none twice when the exchange sets its clock',
		[{trades: upTo(10)}, {trades: later(upTo(11), 60 * minute)}],
		[[10], [11]],
	],
	[
		'none twice when keys contain the time and the exchange sets its clock',
		[
			{trades: upTo(10).map(each => ({...each, key: `${each.id} ${each.time}`}))},
			{trades: later(upTo(11), -minute).map(each => ({...each, key: `${each.id} ${each.time}`}))},
		],
		[[10], [11]],
	],
	...[5, 60 * 60].map((ahead): [string, readonly Tape[], ReadonlyArray<readonly number[]>] => [
		`all of a tape that starts over when a clock that was ${ahead} s ahead is right again`,
		[{trades: later(upTo(10), ahead * second)}, {trades: upTo(13, 3)}, {trades: upTo(14, 4)}],
		[[10], [11, 12, 13], [14]],
	]),
	[
		'those below the oldest whose ids go on, as a clock that was an hour ahead is right again',
		[
			{trades: later(upTo(10), 60 * minute)},
			{trades: [...later(upTo(10), 60 * minute), ...upTo(12, 2)]},
			{trades: [...later(upTo(10), 60 * minute), ...upTo(13, 3)]},
		],
		[[10], [11, 12], [13]],
	],
	[
		'all that are later when the exchange begins its ids again',
		[{trades: upTo(10, 10)}, {trades: later(upTo(3, 3), 30 * second)}, {trades: later(upTo(4, 4), 30 * second)}],
		[[10], [1, 2, 3], [4]],
	],
	[
		'those later than the last one when the other interface has the ids of other trades',
		[{trades: upTo(10)}, {trades: later(upTo(12), -2 * second), source: 'legacy'}, {trades: upTo(11)}],
		[[10], [], [11]],
	],
])('finds %s', (_, tapes, expected) => {
	const newTrades = createNewTrades();
	const found = tapes.map(({trades, source = 'v2'}) => newTrades(trades, source).map(({id}) => Number(id)));
	expect(found).toEqual(expected);
});

test('finds the new ones of a tape that is cut at its oldest', () => {
	const newTrades = createNewTrades();
	const before = upTo(10);
	newTrades(before, 'v2');
	const after = [trade(11, 11), ...before].slice(0, 5);
	expect(newTrades(after, 'v2').map(({id}) => id)).toEqual(['11']);
});
