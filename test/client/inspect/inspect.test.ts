import {describe, expect, onTestFinished, test} from 'vitest';
import {AbortedError} from '../../../source/client/errors.ts';
import type {Outcome} from '../../../source/client/exchange.ts';
import {type InspectOptions, inspect} from '../../../source/client/inspect/inspect.ts';
import type {Inspection} from '../../../source/client/inspect/reports.ts';
import {type DemoOptions, startDemo} from '../../../source/demo/server.ts';
import type {Clock} from '../../../source/market/clock.ts';
import {legacy, paths, sends, v2} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {info, legacyTicker, startSpecifiedExchange, ticker} from '../../helpers/specified-exchange.ts';

const start = Date.UTC(2026, 0, 1, 12, 30, 15, 250);

type Run = Partial<InspectOptions> & {readonly url: string};

/** While nothing waits for the rate, time stands still. */
function inspected({url, ...options}: Run): Promise<Inspection> {
	return inspect({
		...{baseUrl: url, legacyBaseUrl: url, timeoutMs: 600_000, rate: 1000, samples: 1},
		clock: createFakeClock(start),
		random: () => 0,
		choose: () => 'BTCUSDT',
		...options,
	});
}

async function demo(options: DemoOptions = {}): Promise<string> {
	const {url, close} = await startDemo({clock: createFakeClock(start), ...options});
	onTestFinished(close);
	return url;
}

const reportOf = ({operations}: Inspection, name: string) =>
	operations.find(report => `${report.interface} ${report.operation}` === name);

describe('an inspection of the demo exchange', () => {
	test('finds its ten operations, bounds, unit and agreement', async () => {
		const inspection = await inspected({url: await demo(), samples: 3});
		expect(
			inspection.operations.map(({interface: source, operation, requests, failures, status}) => ({
				...{asked: `${source} ${operation}`, requests, failures, status},
			})),
		).toEqual(
			[
				...['v2 info', 'v2 markets', 'v2 ticker', 'v2 summary', 'v2 depth', 'v2 trades', 'v2 candles'],
				...['v1 ticker', 'v1 depth', 'v1 trades'],
			].map(asked => ({asked, requests: 3, failures: 0, status: 200})),
		);
		expect(inspection).toMatchObject({
			symbol: 'BTCUSDT',
			requests: 3 * 10 + 6 + 3 * 4 + 2,
			v2Bids: false,
			clocks: [
				{interface: 'v2', skewMs: 0, uncertaintyMs: 1},
				{interface: 'v1', skewMs: 0, uncertaintyMs: 1},
			],
			rangeUnit: 'ms',
			rateLimit: {refusals: 0, allowed: 1000, headers: []},
		});
		expect(
			inspection.limits.map(({interface: source, operation, standard, answers}) => ({
				...{source, operation, standard, outcomes: answers.map(({limit, outcome}) => `${limit} ${outcome}`)},
			})),
		).toEqual(
			[
				{source: 'v2', operation: 'trades'},
				{source: 'v2', operation: 'candles'},
				{source: 'v1', operation: 'trades'},
			].map(asked => ({
				...asked,
				standard: 500,
				outcomes: ['0 refused', '1 answered', '1000 answered', '1001 refused'],
			})),
		);
		expect(inspection.tickerDelays.map(({samples, behind}) => [samples, behind])).toEqual([
			[3, 0],
			[3, 0],
			[3, 0],
		]);
		const {tickers, book} = inspection.agreement;
		for (const found of [tickers?.last, tickers?.bid, tickers?.ask, book?.asks]) {
			expect(found?.compared).toBeGreaterThan(20);
			expect(found?.agreeing).toBe(found?.compared);
		}
	});

	test('finds bids in the v2 book, and a wrong clock', async () => {
		const late = createFakeClock(start - 7_200_000);
		const inspection = await inspected({url: await demo({v2Bids: true, clock: late})});
		expect(inspection.v2Bids).toBe(true);
		expect(inspection.agreement.book?.bids?.compared).toBeGreaterThan(20);
		expect(inspection.clocks.map(({skewMs}) => skewMs)).toEqual([-7_200_000, -7_200_000]);
	});
});

describe('an inspection', () => {
	test('finds no deviation in an exchange that follows the specification', async () => {
		const {url} = await startSpecifiedExchange();
		const {operations} = await inspected({url});
		expect(operations.flatMap(({deviations}) => deviations)).toEqual([]);
		expect(operations.map(({failures}) => failures)).toEqual(operations.map(() => 0));
	});

	test('finds fields and values outside of the specification, wherever they are', async () => {
		const {markets: _, ...flags} = info.capability;
		const {url} = await startSpecifiedExchange({
			[paths.info]: v2({...info, capability: {...flags, withdrawals: true}}),
			[paths.ticker]: v2([{...ticker, lastPrice: '10'}, ticker]),
			[paths.trades]: v2([{id: 1, quantity: 1, price: 10, time: 1_723_161_298_000, side: 'auction'}]),
			[paths.legacyTicker]: legacy({BTCUSDT: {...legacyTicker, isFrozen: 2}}),
		});
		const {operations} = await inspected({url});
		const found = operations.flatMap(({interface: source, operation, dropped, deviations}) =>
			deviations.map(({path, problem}) => [`${source} ${operation}`, path, problem, dropped]),
		);
		expect(found).toEqual([
			['v2 info', 'data.capability.markets', 'missing', 0],
			['v2 info', 'data.capability.withdrawals', 'unknown', 0],
			['v2 ticker', 'data[].lastPrice', 'mistyped', 1],
			['v2 trades', 'data[].side', 'undocumented', 0],
			['v1 ticker', 'data[].isFrozen', 'undocumented', 0],
		]);
	});

	test('sends one request at a time, within the rate', async () => {
		const clock = createFakeClock(start);
		const url = await demo({clock});
		const seen: Outcome[] = [];
		let done = false;
		const run = inspected({url, clock, rate: 5, observe: outcome => seen.push(outcome)}).finally(() => {
			done = true;
		});
		while (!done) await clock.advance(20);
		await run;
		const starts = seen.map(outcome => outcome.startedAt);
		expect(starts.length).toBe(10 + 6 + 12 + 2);
		expect(starts.flatMap((at, index) => ((starts[index + 5] ?? Infinity) - at < 1000 ? [at] : []))).toEqual([]);
		expect(
			seen.flatMap(({startedAt, durationMs}, index) =>
				(starts[index + 1] ?? Infinity) < startedAt + durationMs ? [startedAt] : [],
			),
		).toEqual([]);
	});

	test('stops sampling an operation that only failed, twice, and probes nothing else of it', async () => {
		const server = await startSpecifiedExchange({[paths.trades]: sends('no', {status: 500})});
		const inspection = await inspected({url: server.url, samples: 9});
		expect(reportOf(inspection, 'v2 trades')).toMatchObject({requests: 2, failures: 2, status: 500, deviations: []});
		expect(server.requests.filter(({path}) => path === paths.trades)).toHaveLength(2);
		expect(inspection.limits.map(({interface: source, operation}) => `${source} ${operation}`)).toEqual([
			'v2 candles',
			'v1 trades',
		]);
	});

	test('keeps sampling an operation that fails now and then', async () => {
		let asked = 0;
		const good = v2({asks: [[11, 1]]});
		const {url} = await startSpecifiedExchange({
			[paths.depth]: (response, request) => (asked++ % 2 ? good : sends('no', {status: 503}))(response, request),
		});
		expect(reportOf(await inspected({url, samples: 4}), 'v2 depth')).toMatchObject({
			requests: 4,
			failures: 2,
			status: 200,
		});
	});

	test('counts the connections of its requests', async () => {
		const kept = await inspected({url: (await startSpecifiedExchange()).url});
		const openedIn = ({connections}: Inspection) => connections.map(({opened}) => opened);
		expect(kept.connections.map(({requests}) => requests)).toEqual([7 + 3 + 8, 3 + 3 + 4]);
		expect(openedIn(kept).reduce((sum, opened) => sum + opened)).toBeLessThanOrEqual(2);

		const server = await startSpecifiedExchange();
		const closing = {headers: {connection: 'close'}};
		server.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker}, closing));
		server.answer(paths.legacyDepth, legacy({asks: [], bids: []}, closing));
		server.answer(paths.legacyTrades, legacy([], closing));
		const cut = await inspected({url: server.url, baseUrl: undefined});
		expect(cut.connections).toEqual([{interface: 'v1', requests: 3 + 4, opened: 3 + 4}]);
	});

	test('counts rate-limit refusals, and lists rate-limit headers', async () => {
		const headers = {'x-ratelimit-remaining': '7', 'retry-after': '3'};
		const {url} = await startSpecifiedExchange({
			[paths.info]: v2(info, {headers}),
			[paths.candles]: sends('', {status: 429}),
		});
		const {rateLimit} = await inspected({url, clock: createHurriedClock()});
		expect(rateLimit.refusals).toBe(1);
		expect(rateLimit.allowed).toBeLessThan(1000);
		expect(rateLimit.headers).toEqual([
			{interface: 'v2', name: 'x-ratelimit-remaining', value: '7'},
			{interface: 'v2', name: 'retry-after', value: '3'},
		]);
	});

	test('probes one interface where only one is configured', async () => {
		const server = await startSpecifiedExchange();
		const inspection = await inspected({url: server.url, baseUrl: undefined});
		expect(inspection.operations.map(({interface: source}) => source)).toEqual(['v1', 'v1', 'v1']);
		expect(inspection).toMatchObject({agreement: {}, v2Bids: undefined, rangeUnit: undefined});
		expect(server.requests.every(({path}) => path.includes('/v1/'))).toBe(true);
	});

	test('lets the caller choose among the markets of the exchange', async () => {
		const {url} = await startSpecifiedExchange();
		const offered: unknown[] = [];
		const choose: InspectOptions['choose'] = markets => {
			offered.push(markets?.map(({symbol}) => symbol));
			return 'BTCUSDT';
		};
		await inspected({url, choose});
		await inspected({url, choose, baseUrl: undefined});
		const down = await startSpecifiedExchange({[paths.markets]: sends('', {status: 500})});
		await inspected({url: down.url, choose});
		expect(offered).toEqual([['BTCUSDT'], ['BTCUSDT'], undefined]);
	});

	test('rejects when it is aborted, and when the choice fails', async () => {
		const controller = new AbortController();
		const server = await startSpecifiedExchange({[paths.ticker]: () => controller.abort()});
		await expect(inspected({url: server.url, signal: controller.signal})).rejects.toThrow(AbortedError);
		const refusal = new Error('no such market');
		const choose = () => {
			throw refusal;
		};
		await expect(inspected({url: server.url, choose})).rejects.toBe(refusal);
	});
});

/** Waits for the budget are over at once, deadlines never. */
function createHurriedClock(): Clock {
	let now = start;
	return {
		now: () => now,
		after(ms, callback) {
			if (ms >= 600_000) return () => {};
			const timer = setImmediate(() => {
				now += ms;
				callback();
			});
			return () => clearImmediate(timer);
		},
	};
}
