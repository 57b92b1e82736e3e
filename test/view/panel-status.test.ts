import {describe, expect, test} from 'vitest';
import {WaitsError} from '../../source/client/errors.ts';
import type {Failure, Resource} from '../../source/store/resource.ts';
import {lineText} from '../../source/view/line.ts';
import {droppedNote, failureBody, isStale, panelStatuses} from '../../source/view/panel-status.ts';
import {timeout, tooMany, unavailable} from '../store/samples.ts';

const now = Date.UTC(2026, 0, 1, 23, 54, 20);
const receivedAt = now - 8000;
const failure: Failure = {error: timeout(), since: now - 3000, retryAt: now + 4000};
const good = {status: 'ready', data: 1, interface: 'v2', receivedAt, dropped: 0} as const;
const wait = {
	error: new WaitsError({operation: 'depth', interface: 'v2', url: ''}),
	since: now,
	retryAt: now + 9 * 60_000,
};
const stale: Resource<number> = {...good, failure};

const texts = (resource: Resource<unknown>, ascii = false) => panelStatuses(resource, now, ascii).map(lineText);

describe('a panel’s status, from long to short', () => {
	test.each<[string, Resource<unknown>, readonly string[]]>([
		['while it waits', {status: 'waiting'}, ['waiting']],
		['without data', {status: 'failed', failure}, ['no data']],
		['with fresh data', good, ['v2 · 8.0 s', '8.0 s']],
		['of a clock that may be right', {...good, serverTime: receivedAt - 9999}, ['v2 · 8.0 s', '8.0 s']],
		[
			'of a clock that is off',
			{...good, serverTime: receivedAt - 5_400_000},
			['v2 · 8.0 s · clock 1 h 30 min behind', 'v2 · 8.0 s', '8.0 s'],
		],
		[
			'that has to wait, as the exchange asks',
			{...good, failure: wait},
			[
				'stale since 23:54:12 · waits 9 min: exchange asks to',
				'stale since 23:54:12 · waits 9 min',
				'stale since 23:54:12 · waits',
				'stale · waits 9 min',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'that is not there yet and has to wait',
			{status: 'waiting', held: wait},
			['waits 9 min: exchange asks to', 'waits 9 min', 'waits'],
		],
		[
			'whose wait is over',
			{status: 'waiting', held: {...wait, retryAt: now}},
			['waits for its turn', 'waits for its turn', 'waits'],
		],
		['from the legacy interface', {...good, interface: 'v1'}, ['legacy · 8.0 s', '8.0 s']],
		[
			'with data that got no younger',
			stale,
			[
				'stale since 23:54:12 · no answer within 5 s, next try 4.0 s',
				'stale since 23:54:12 · timed out, next try 4.0 s',
				'stale since 23:54:12 · timed out',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'with a try under way',
			{...good, failure: {...failure, retryAt: now}},
			[
				'stale since 23:54:12 · no answer within 5 s, trying again',
				'stale since 23:54:12 · timed out, trying again',
				'stale since 23:54:12 · timed out',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'when nothing is tried again',
			{...good, failure: {error: unavailable('depth'), since: now}},
			[
				'stale since 23:54:12 · not offered',
				'stale since 23:54:12 · not offered',
				'stale since 23:54:12 · not offered',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
	])('%s', (_, resource, expected) => {
		expect(texts(resource)).toEqual(expected);
	});

	test('in ASCII', () => {
		expect([...texts(good, true), ...texts(stale, true)].join('')).toMatch(/^[ -~]*$/);
	});
});

test('only data that a failing refresh has left behind is stale', () => {
	const resources: readonly Resource<unknown>[] = [{status: 'waiting'}, {status: 'failed', failure}, good, stale];
	expect(resources.map(isStale)).toEqual([false, false, false, true]);
});

test('what was dropped is counted over all that a panel shows', () => {
	expect(droppedNote([good, {...good, dropped: 2}, {...stale, dropped: 3}])).toEqual([
		{text: '5 dropped', tone: 'warn'},
	]);
	expect(droppedNote([good, {status: 'waiting'}])).toEqual([]);
});

describe('a panel without data', () => {
	const body = (of: Failure, columns: number, rows: number) =>
		failureBody(of, now, {columns, rows}).map(line => lineText(line).trim());

	test('says in the middle what failed, what to do, and when it is tried again', () => {
		expect(failureBody(failure, now, {columns: 50, rows: 7}).map(lineText)).toEqual(
			[
				'',
				'',
				'               no answer within 5 s',
				'check the network, or give a longer --timeout',
				'          next try in 4.0 s, r tries now',
			].map((text, index) => (index === 3 ? `  ${text}` : text)),
		);
	});

	test('says of too many requests who refuses and for how long', () => {
		const refused: Failure = {error: tooMany(12_000), since: now, retryAt: now + 12_000};
		expect(body(refused, 40, 2)).toEqual(['exchange refuses: too many requests', 'next try in 12 s, r tries now']);
	});

	test('leaves out the advice, then the clause, where rows are few', () => {
		expect(body(failure, 50, 2)).toEqual(['no answer within 5 s', 'next try in 4.0 s, r tries now']);
		expect(body(failure, 12, 4)).toEqual(['no answer', 'within 5 s', 'next try in', '4.0 s, r', 'tries now']);
		expect(body(failure, 12, 3)).toEqual(['timed out', 'next try in', '4.0 s, r', 'tries now']);
	});

	test('says that a try is under way', () => {
		expect(body({...failure, retryAt: now - 1}, 30, 2)).toEqual(['no answer within 5 s', 'trying again']);
	});

	test('says only how to try now where nothing is tried by itself', () => {
		expect(body({error: timeout(), since: now}, 30, 2)).toEqual(['no answer within 5 s', 'r tries now']);
	});

	test('says what to do about what is not offered, and of no further try', () => {
		expect(body({error: unavailable('candles'), since: now}, 30, 3)).toEqual(['not offered', 'give --base-url']);
	});
});
