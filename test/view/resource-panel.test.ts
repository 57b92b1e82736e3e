import {describe, expect, test} from 'vitest';
import {HeldError} from '../../source/client/errors.ts';
import type {Failure, Resource} from '../../source/store/resource.ts';
import {commands} from '../../source/view/commands/table.ts';
import {keyHintOf} from '../../source/view/keys.ts';
import {lineText} from '../../source/view/line.ts';
import {droppedNote, failureBody, isStale, panelStatuses} from '../../source/view/resource-panel.ts';
import {timeout, tooMany, unavailable} from '../store/samples.ts';

const now = Date.UTC(2026, 0, 1, 23, 54, 20);
const receivedAt = now - 8000;
const failure: Failure = {error: timeout(), since: now - 3000, retryAt: now + 4000};
const good = {status: 'ready', data: 1, interface: 'v2', receivedAt, dropped: 0} as const;
const wait = {
	error: new HeldError({operation: 'depth', interface: 'v2', url: ''}),
	since: now,
	retryAt: now + 9 * 60_000,
};
const stale: Resource<number> = {...good, failure};

const texts = (resource: Resource<unknown>, ascii = false) => panelStatuses(resource, now, ascii).map(lineText);

describe('panel status, from long to short', () => {
	test.each<[string, Resource<unknown>, readonly string[]]>([
		['before the first answer', {status: 'waiting'}, ['waiting']],
		['without data', {status: 'failed', failure}, ['no data']],
		['with fresh data', good, ['v2 · 8.0 s', '8.0 s']],
		['with a clock that is off', {...good, serverTime: receivedAt - 5_400_000}, ['v2 · 8.0 s', '8.0 s']],
		[
			'with stale data while rate-limited',
			{...good, failure: wait},
			[
				'stale since 23:54:12 · rate-limited, retry in 9 min',
				'stale since 23:54:12 · retry in 9 min',
				'stale since 23:54:12 · rate-limited',
				'stale · retry in 9 min',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'without data while rate-limited',
			{status: 'waiting', held: wait},
			['rate-limited, retry in 9 min', 'retry in 9 min', 'rate-limited'],
		],
		[
			'once the limit is over',
			{status: 'waiting', held: {...wait, retryAt: now}},
			['rate-limited, queued', 'rate-limited', 'rate-limited'],
		],
		['from the legacy interface', {...good, interface: 'legacy'}, ['legacy · 8.0 s', '8.0 s']],
		[
			'with stale data',
			stale,
			[
				'stale since 23:54:12 · no answer within 5 s, retry in 4.0 s',
				'stale since 23:54:12 · timed out, retry in 4.0 s',
				'stale since 23:54:12 · timed out',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'with stale data while a retry is under way',
			{...good, failure: {...failure, retryAt: now}},
			[
				'stale since 23:54:12 · no answer within 5 s, retrying',
				'stale since 23:54:12 · timed out, retrying',
				'stale since 23:54:12 · timed out',
				'stale since 23:54:12',
				'stale 23:54:12',
				'stale',
			],
		],
		[
			'with stale data that is not retried',
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

test('only data whose refresh fails is stale', () => {
	const resources: readonly Resource<unknown>[] = [{status: 'waiting'}, {status: 'failed', failure}, good, stale];
	expect(resources.map(isStale)).toEqual([false, false, false, true]);
});

test('dropped, rounded and cut entries are counted over all resources of a panel', () => {
	expect(droppedNote([good, {...good, dropped: 2}, {...stale, dropped: 3}])).toEqual([
		{text: '5 dropped', tone: 'warn'},
	]);
	expect(
		droppedNote([
			{...good, rounded: 1000, cut: 7},
			{...stale, dropped: 3, rounded: 2},
		]),
	).toEqual([{text: '3 dropped, 1,002 rounded, 7 cut', tone: 'warn'}]);
	expect(droppedNote([{...good, misdated: 2, offPeriod: 3}])).toEqual([
		{text: '2 misdated, 3 off period', tone: 'warn'},
	]);
	expect(droppedNote([good, {status: 'waiting'}])).toEqual([]);
});

const keyHint = keyHintOf(commands, false);

describe('a panel without data', () => {
	const body = (of: Failure, columns: number, rows: number) =>
		failureBody(of, now, {columns, rows}, keyHint).map(line => lineText(line).trim());

	test('centres the error, the advice and the next retry', () => {
		expect(failureBody(failure, now, {columns: 50, rows: 7}, keyHint).map(lineText)).toEqual([
			'',
			'',
			'               no answer within 5 s',
			'      check the network, or allow more time',
			'          retry in 4.0 s, r retries now',
		]);
	});

	test('names the rate limit and its duration', () => {
		const refused: Failure = {error: tooMany(12_000), since: now, retryAt: now + 12_000};
		expect(body(refused, 40, 2)).toEqual(['rate-limited (429)', 'retry in 12 s, r retries now']);
	});

	test('names what the exchange asks for where Tapewatch waits less', () => {
		const refused: Failure = {error: tooMany(3_600_000), since: now, retryAt: now + 300_000};
		expect(body(refused, 70, 2)).toEqual([
			'rate-limited (429)',
			'retry in 5 min (exchange asks for 1 h), r retries now',
		]);
	});

	test('drops the advice, then shortens the error, where rows are few', () => {
		expect(body(failure, 50, 2)).toEqual(['no answer within 5 s', 'retry in 4.0 s, r retries now']);
		expect(body(failure, 12, 4)).toEqual(['no answer', 'within 5 s', 'retry in 4.0', 's, r retries', 'now']);
		expect(body(failure, 12, 3)).toEqual(['timed out', 'retry in 4.0', 's, r retries', 'now']);
	});

	test('shows that a retry is under way', () => {
		expect(body({...failure, retryAt: now - 1}, 30, 2)).toEqual(['no answer within 5 s', 'retrying']);
	});

	test('offers only r where nothing is retried automatically', () => {
		expect(body({error: timeout(), since: now}, 30, 2)).toEqual(['no answer within 5 s', 'r retries now']);
	});

	test('advises on what is not offered without a retry', () => {
		expect(body({error: unavailable('candles'), since: now}, 30, 3)).toEqual(['not offered', 'set the base URL']);
	});
});
