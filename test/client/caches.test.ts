import {expect} from 'vitest';
import type {Outcome} from '../../source/client/exchange.ts';
import {paths, sends} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {test} from './fixture.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

/** A book of v2 in an envelope of this time. */
const bookOf = (timestamp: number, headers: Record<string, string> = {}) =>
	sends({data: {asks: [[5, 1]], bids: [[4, 1]]}, success: true, message: '', timestamp}, {headers});

test('answers through a cache have the age that they have, whatever the clock of the exchange shows', async ({
	server,
	open,
}) => {
	const clock = createFakeClock(start);
	const seen: Outcome[] = [];
	const exchange = open({clock, observe: outcome => seen.push(outcome)});
	const read = async (written: number, age: string | undefined, isHit: boolean) => {
		const headers = {...(age !== undefined && {age}), 'x-cache': isHit ? 'HIT' : 'MISS'};
		server.answer(paths.depth, bookOf(start - hour + written, headers));
		clock.jump(start + 1000 * (seen.length + 1) - clock.now());
		const {receivedAt, cache, serverTime} = await exchange.depth('BTCUSDT', {use: 'v2'});
		return {at: receivedAt - start, cache, serverTime};
	};
	expect([await read(1000, '0', false), await read(1000, '1', true), await read(2437, undefined, true)]).toEqual([
		{at: 1000, cache: {ageMs: 0, isHit: false, isSaid: true}, serverTime: start - hour + 1000},
		{at: 1000, cache: {ageMs: 1000, isHit: true, isSaid: true}, serverTime: start - hour + 1000},
		{at: 2437, cache: {ageMs: 563, isHit: true, isSaid: true}, serverTime: start - hour + 2437},
	]);
	expect(seen.map(({cache}) => cache?.ageMs)).toEqual([0, 1000, 563]);
});

test('each interface has a clock of its own', async ({server, open}) => {
	const clock = createFakeClock(start);
	const exchange = open({clock});
	const hit = {headers: {'x-cache': 'HIT'}};
	server.answer(paths.depth, bookOf(start - hour + 1, hit.headers));
	server.answer(
		paths.legacyDepth,
		sends({data: {asks: [[5, 1]], bids: [[4, 1]]}, status: 200, isSuccess: true, timestamp: start + hour + 1}, hit),
	);
	const v2 = await exchange.depth('BTCUSDT', {use: 'v2'});
	const legacy = await exchange.depth('BTCUSDT', {use: 'legacy'});
	expect([v2.receivedAt, legacy.receivedAt]).toEqual([start, start]);
});

test('a request goes past caches only when it has to be fresh, and none forbids them to keep its answer', async ({
	server,
	open,
}) => {
	const exchange = open();
	server.answer(paths.depth, bookOf(start));
	for (const fresh of [undefined, false, true]) await exchange.depth('BTCUSDT', {use: 'v2', fresh});
	expect(server.requests.map(({headers}) => [headers['cache-control'], headers.pragma])).toEqual([
		[undefined, undefined],
		[undefined, undefined],
		['no-cache', undefined],
	]);
});
