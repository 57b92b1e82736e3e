import {describe, expect} from 'vitest';
import type {Outcome} from '../../source/client/exchange.ts';
import {paths, sends, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {failureOf, test} from './fixture.ts';

const start = Date.UTC(2026, 0, 1);
const trade = {id: 2, time: 1000, price: 10, quantity: 1, side: 'buy'};

describe('an observer', () => {
	test('sees every request with operation, interface, time, duration and result', async ({server, open}) => {
		const clock = createFakeClock(start);
		const seen: Outcome[] = [];
		const observe = (outcome: Outcome) => seen.push(outcome);
		const exchange = open({clock, observe, rate: 1, maxRate: 1});
		server.answer(paths.trades, (response, request) => {
			clock.jump(250);
			v2([trade, {id: 3}])(response, request);
		});
		await exchange.trades('BTCUSDT', {use: 'v2'});
		server.answer(paths.depth, sends('', {status: 503}));
		const read = failureOf(exchange.depth('BTCUSDT', {use: 'v2'}));
		await clock.advance(1000);
		const error = await read;
		expect(seen).toEqual([
			{
				operation: 'trades',
				interface: 'v2',
				symbol: 'BTCUSDT',
				url: `${server.url}${paths.trades}?symbol=BTCUSDT`,
				startedAt: start,
				durationMs: 250,
				status: 200,
				bytes: 131,
				dropped: 1,
			},
			{
				operation: 'depth',
				interface: 'v2',
				symbol: 'BTCUSDT',
				url: `${server.url}${paths.depth}?symbol=BTCUSDT`,
				// The wait for the budget, a second after the first answer, is not the exchange’s.
				startedAt: start + 1250,
				durationMs: 0,
				status: 503,
				dropped: 0,
				error,
			},
		]);
	});

	test('sees a failure that another interface made up for', async ({server, open}) => {
		const seen: Outcome[] = [];
		server.answer(paths.depth, sends('', {status: 500}));
		await failureOf(open({observe: outcome => seen.push(outcome)}).depth('BTCUSDT'));
		expect(seen.map(({interface: source, status}) => [source, status])).toEqual([
			['v2', 500],
			['legacy', 404],
		]);
	});

	test('does not see aborted requests', async ({server, open}) => {
		const seen: Outcome[] = [];
		const controller = new AbortController();
		server.answer(paths.depth, () => controller.abort());
		await failureOf(open({observe: outcome => seen.push(outcome)}).depth('BTCUSDT', {signal: controller.signal}));
		expect(seen).toEqual([]);
	});
});
