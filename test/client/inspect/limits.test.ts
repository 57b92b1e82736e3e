import {describe, expect, test} from 'vitest';
import {HttpStatusError, TimeoutError} from '../../../source/client/errors.ts';
import {
	hasMoved,
	hasOlderElsewhere,
	limitBounds,
	probedLimits,
	rangeAnswer,
	rangeUnit,
	rangeWithin,
} from '../../../source/client/inspect/limits.ts';
import {createV2Operations} from '../../../source/client/inspect/operations.ts';
import type {Candle} from '../../../source/market/types.ts';
import {probeOf} from './probes.ts';

const {trades: v2Trades} = createV2Operations();

/** Newest first. */
const entries = (count: number, newest = 0) =>
	probeOf({data: Array.from({length: count}, (_, index) => ({time: newest - index}))});
type Dated = ReturnType<typeof entries>;

const context = {operation: 'trades', interface: 'v2', url: ''} as const;

function status(code: number): Dated {
	const {answer, json, ...probe} = entries(0);
	return {...probe, status: code, error: new HttpStatusError({...context, status: code, body: '', message: ''})};
}

function timeout(): Dated {
	const {answer, json, status, ...probe} = entries(0);
	return {...probe, error: new TimeoutError({...context, timeoutMs: 5000})};
}

/** Of an exchange that answers the limits 0, 1, 1000 and 1001 with `probes`; 500 and 1000 are documented. */
const boundsOf = (standard: number, probes: readonly Dated[], hasMore?: boolean) =>
	limitBounds({
		...{standard: entries(standard), hasMore, documented: {default: 500, most: 1000}},
		limited: probedLimits.map((limit, index) => ({limit, probe: probes[index] ?? timeout()})),
	});
const most = (standard: number, ...probes: readonly Dated[]) => boundsOf(standard, probes).most;

describe('the bounds of a limit', () => {
	test('list what was probed and answered', () => {
		const probes = [
			{limit: 0, probe: status(422)},
			{limit: 1, probe: entries(1)},
			{limit: 1000, probe: timeout()},
		];
		expect(limitBounds({standard: entries(100), limited: probes})).toEqual({
			default: 100,
			answers: [
				{limit: 0, outcome: 'refused', status: 422},
				{limit: 1, outcome: 'answered', entries: 1, status: 200},
				{limit: 1000, outcome: 'failed'},
			],
			most: {entries: 100, beyond: 'unknown'},
		});
	});

	test.each([
		['more than the most is refused', most(500, status(422), entries(1), entries(1000), status(422)), 1000, 'refused'],
		['more than the most is cut', most(500, entries(500), entries(1), entries(1000), entries(1000)), 1000, 'cut'],
		['no most is in sight', most(500, entries(0), entries(1), entries(1000), entries(1001)), 1001, 'more'],
		['the limit is ignored', most(5000, ...Array.from({length: 4}, () => entries(5000))), 5000, 'more'],
		['there is only one entry', most(1, entries(1), entries(1), entries(1), entries(1)), 1, 'unknown'],
		['the market may have no more', most(500, entries(0), entries(1), entries(657), entries(657)), 657, 'unknown'],
		['a smaller most is refused', most(500, entries(0), entries(1), status(400), status(400)), 500, 'refused'],
		['a probe is rate-limited', most(9, entries(0), entries(1), entries(300), status(429)), 300, 'unknown'],
	])('when %s', (_, found, count, beyond) => {
		expect(found).toEqual({entries: count, beyond});
	});

	test('are unknown without any answer', () => {
		expect(most(500, timeout(), timeout(), timeout(), timeout())).toBeUndefined();
	});

	test('count unreadable entries too, and once those that all come twice', () => {
		const half = {...probeOf({data: [{time: 1}], dropped: 1}), json: {data: [{id: 1}, {id: 2}, {id: 3}]}};
		expect(limitBounds({standard: half, limited: []}).default).toBe(3);
		expect(limitBounds({standard: probeOf({data: [1, 1, 2, 2].map(time => ({time}))}), limited: []}).default).toBe(2);
	});

	const refused = status(422);
	const compared = (standard: number, ...probes: readonly Dated[]) => boundsOf(standard, probes);

	test.each([
		['as documented', compared(500, refused, entries(1), entries(1000), refused), 'ok', 'ok'],
		['1001 is cut to 1000', compared(500, refused, entries(1), entries(1000), entries(1000)), 'ok', 'ok'],
		['the market has less than 1000', compared(500, refused, entries(1), entries(721), refused), 'ok', 'ok'],
		['the market has less than 500', compared(60, refused, entries(1), entries(60), refused), 'unknown', 'ok'],
		['the default is smaller', compared(100, refused, entries(1), entries(721), refused), 'differs', 'ok'],
		['the default is larger', compared(700, refused, entries(1), entries(1000), refused), 'differs', 'ok'],
		[
			'the market has grown meanwhile',
			compared(108, refused, entries(1, 2), entries(110, 2), refused),
			'unknown',
			'ok',
		],
		['1000 is refused', compared(500, refused, entries(1), refused, refused), 'ok', 'differs'],
		['1001 is served', compared(500, refused, entries(1), entries(1000), entries(1001)), 'ok', 'differs'],
		['500 may be the maximum', compared(500, refused, entries(1), entries(500), entries(500)), 'ok', 'unknown'],
		['1000 fails', compared(500, refused, entries(1), timeout(), refused), 'ok', 'unknown'],
		['1001 fails', compared(500, refused, entries(1), entries(1000), timeout()), 'ok', 'unknown'],
		['the limit is ignored', compared(500, entries(500), entries(500), entries(500), entries(500)), 'ok', 'differs'],
	])('beside the documented ones, when %s', (_, bounds, standard, maximum) => {
		expect(bounds.documented).toEqual({default: standard, most: maximum});
	});

	test.each([
		['cut', 300, [entries(300), entries(300)], true, {default: 'differs', most: 'differs'}],
		['cut', 300, [entries(300), refused], true, {default: 'differs', most: 'differs'}],
		['all', 300, [entries(300), entries(300)], false, {default: 'unknown', most: 'unknown'}],
		['all', 300, [entries(300), refused], false, {default: 'unknown', most: 'ok'}],
	] as const)(
		'are %s at %d entries where %j and more entries exist: %j',
		(beyond, count, probes, hasMore, documented) => {
			expect(boundsOf(count, [refused, entries(1), ...probes], hasMore)).toMatchObject({
				...{documented, most: {entries: count, beyond}},
			});
		},
	);

	test('are those of a page that moves on when it shows other entries at the same length', () => {
		const page = (...ids: readonly number[]) => probeOf({data: ids});
		expect(hasMoved([page(3, 2, 1), page(4, 3, 2), page(4)])).toBe(true);
		expect(hasMoved([page(3, 2, 1), page(3, 2, 1)])).toBeUndefined();
		expect(hasMoved([page(3, 2, 1), page(5, 4, 3, 2)])).toBeUndefined();
	});

	test.each([
		['older trades of an interface that agrees', 1, 2001, true],
		['trades that are older by less than a second', 1, 1000, undefined],
		['older trades of an interface without an equal trade', 0, 2001, undefined],
	])('show a market with more entries by %s', (_, agreeing, count, expected) => {
		const differences = {sameIds: 0, differing: [], legacyLagMs: 0, onlyV2: [], onlyLegacy: []};
		const other = {...v2Trades, samples: [entries(count)]};
		expect(hasOlderElsewhere([entries(20), entries(5)], other, {agreeing, ...differences})).toBe(expected);
		expect(hasOlderElsewhere([entries(20)], other, 'failed')).toBeUndefined();
	});

	test('show the first limit that was exceeded', () => {
		expect(compared(500, entries(500), entries(500), entries(500), refused).exceeded).toEqual({limit: 1, entries: 500});
		expect(compared(500, refused, entries(1), entries(1000), refused).exceeded).toBeUndefined();
	});
});

describe('the unit of a range', () => {
	const hourMs = 3_600_000;
	const candle = (hour: number): Candle => ({time: hour * hourMs, open: 1, high: 1, low: 1, close: 1, volume: 1});
	const candles = (...hours: readonly number[]) => hours.map(candle);

	test('is probed with a range that has candles on both sides', () => {
		expect(rangeWithin(candles(1, 2, 3, 4, 5, 6))).toEqual({from: 3 * hourMs, to: 4 * hourMs});
		expect(rangeWithin(candles(1, 2, 3, 4, 5))).toBeUndefined();
	});

	test.each([
		[[3, 4], 'understood'],
		[[3], 'understood'],
		[[2.5, 3, 4], 'understood'],
		[[2, 3, 4], 'understood'],
		[[3, 4, 5], 'understood'],
		[[1, 2, 3, 4], 'other'],
		[[2, 3, 4, 5, 5.5], 'other'],
		[[], 'other'],
		[[4, 5, 6], 'ignored'],
	])('is shown by the hours %j in the answer to 3 to 4: %s', (hours, expected) => {
		const range = {from: 3 * hourMs, to: 4 * hourMs};
		expect(rangeAnswer(candles(...hours), range, candles(1, 2, 3, 4, 5, 6))).toBe(expected);
	});

	test.each([
		['understood', 'ignored', 'ms'],
		['other', 'understood', 's'],
		['understood', 'understood', 'both'],
		['ignored', 'ignored', 'neither'],
		['ignored', 'other', 'other'],
		['other', 'other', 'other'],
	] as const)('with ms %s and s %s is %s', (ms, s, unit) => {
		expect(rangeUnit({ms, s})).toBe(unit);
	});
});
