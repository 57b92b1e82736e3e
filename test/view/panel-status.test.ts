import {describe, expect, test} from 'vitest';
import type {Failure, Resource} from '../../source/store/resource.ts';
import {lineText} from '../../source/view/line.ts';
import {droppedNote, failureBody, isStale, panelStatuses} from '../../source/view/panel-status.ts';
import {timeout, unavailable} from '../store/samples.ts';

const now = Date.UTC(2026, 0, 1, 23, 54, 20);
const receivedAt = now - 8000;
const failure: Failure = {error: timeout(), since: now - 3000, retryAt: now + 4000};
const good = {status: 'ready', data: 1, interface: 'v2', receivedAt, dropped: 0} as const;
const stale: Resource<number> = {...good, failure};

const texts = (resource: Resource<unknown>, ascii = false) => panelStatuses(resource, now, ascii).map(lineText);

describe('a panel’s status, from long to short', () => {
	test.each<[string, Resource<unknown>, readonly string[]]>([
		['while it waits', {status: 'waiting'}, ['waiting']],
		['without data', {status: 'failed', failure}, ['no data']],
		['with fresh data', good, ['v2 · 8.0 s', '8.0 s']],
		['from the legacy interface', {...good, interface: 'v1'}, ['legacy · 8.0 s', '8.0 s']],
		[
			'with data that got no younger',
			stale,
			[
				'stale since 23:54:12 · timed out, next try 4.0 s',
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

test('a panel without data says what failed, when it is tried again and how to try now', () => {
	const rows = failureBody(failure, now, {columns: 30, rows: 6}).map(lineText);
	expect(rows).toEqual(['', '', '          timed out', 'next try in 4.0 s, r tries now']);
});

test('or, when it is not tried again, what the user can do', () => {
	const rows = failureBody({error: unavailable('candles'), since: now}, now, {columns: 30, rows: 3}).map(lineText);
	expect(rows.map(row => row.trim())).toEqual([
		'not offered',
		'not offered; give --base-url',
		'(v2 candles at',
		'http://127.0.0.1/)',
	]);
});
