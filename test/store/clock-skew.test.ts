import {expect, test} from 'vitest';
import {clockSkew, exchangeTime, liveSkew} from '../../source/store/clock-skew.ts';
import type {Resource} from '../../source/store/resource.ts';
import {timeout} from './samples.ts';
import {hour, setUpAnswering, startTime} from './set-up.ts';

const answer = (serverTime?: number) => ({
	status: 'ready' as const,
	data: null,
	interface: 'v2' as const,
	receivedAt: startTime,
	serverTime,
	dropped: 0,
});
const failed: Resource<null> = {status: 'failed', failure: {error: timeout(), since: startTime}};

test('continues the exchange time from its last answer', () => {
	const resources = [answer(startTime + 2 * hour), answer(startTime - 300), answer(), failed];
	expect(resources.map(resource => exchangeTime(resource, startTime + 5000) - startTime)).toEqual([
		2 * hour + 5000,
		4700,
		5000,
		5000,
	]);
});

test('reports the largest clock error, and none within what a slow answer explains', () => {
	expect(clockSkew([answer(startTime + 20_000), answer(startTime - 2 * hour), answer()])).toBe(-2 * hour);
	expect(clockSkew([answer(startTime + 9999), answer(startTime - 9999), answer(), failed])).toBe(undefined);
	expect(clockSkew([])).toBe(undefined);
});

test('ignores the market list, which is polled too rarely', () => {
	const state = setUpAnswering().store.getSnapshot();
	const off = answer(startTime + hour);
	expect(liveSkew({...state, markets: {...off, data: []}})).toBe(undefined);
	expect(liveSkew({...state, depth: {...off, data: {asks: []}}})).toBe(hour);
});
