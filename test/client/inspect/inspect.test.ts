import {describe, expect, onTestFinished, test} from 'vitest';
import {AbortedError} from '../../../source/client/errors.ts';
import type {Outcome} from '../../../source/client/exchange.ts';
import {type InspectOptions, inspect, type Progress} from '../../../source/client/inspect/inspect.ts';
import type {Inspection} from '../../../source/client/inspect/inspection.ts';
import {type DemoOptions, startDemo} from '../../../source/demo/server.ts';
import {legacy, paths, type Reply, sends, serverTime, v2} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';
import {info, legacyTicker, startSpecifiedExchange, ticker} from '../../helpers/specified-exchange.ts';

const start = Date.UTC(2026, 0, 1, 12, 30, 15, 250);

type Run = Partial<InspectOptions> & {readonly url: string};

/** Time passes only by waiting for the rate, or before a request is sent again. */
function inspected({url, ...options}: Run): Promise<Inspection> {
	return inspect({
		...{baseUrl: url, legacyBaseUrl: url, timeoutMs: 3_600_000, rate: 1000, samples: 1},
		clock: createHurriedClock(start),
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

/** What both interfaces were compared by. */
function measured({agreement}: Inspection) {
	const {tickers, book, trades} = agreement ?? {};
	if (typeof tickers !== 'object' || typeof book !== 'object' || typeof trades !== 'object') {
		throw new Error('not compared');
	}

	return {tickers, book, trades};
}

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
				...['legacy ticker', 'legacy depth', 'legacy trades'],
			].map(asked => ({asked, requests: 3, failures: 0, status: 200})),
		);
		expect(inspection).toMatchObject({
			symbol: 'BTCUSDT',
			requests: 3 * 10 + 9 + 3 * 4 + 2,
			v2Bids: false,
			clocks: [
				{interface: 'v2', skewMs: 0, uncertaintyMs: 1},
				{interface: 'legacy', skewMs: 0, uncertaintyMs: 1},
			],
			rangeUnit: 'ms',
			rateLimit: {refusals: 0, allowed: 1000, headers: []},
		});
		expect(
			inspection.limits.map(({interface: source, operation, default: standard, answers}) => ({
				...{source, operation, standard, outcomes: answers.map(({limit, outcome}) => `${limit} ${outcome}`)},
			})),
		).toEqual(
			[
				{source: 'v2', operation: 'trades'},
				{source: 'v2', operation: 'candles'},
				{source: 'legacy', operation: 'trades'},
			].map(asked => ({
				...asked,
				standard: 500,
				outcomes: ['0 refused', '1 answered', '1000 answered', '1001 refused'],
			})),
		);
		expect(inspection.tickerDelays.map(({delay}) => delay)).toEqual(
			[1, 2, 3].map(() => ({samples: 3, behind: 0, atLeastMs: 0, medianMs: 0})),
		);
		const {tickers, book, trades} = measured(inspection);
		for (const found of [tickers.last, tickers.bid, tickers.ask, book.asks]) {
			expect(found.compared).toBeGreaterThan(20);
			expect(found.agreeing).toBe(found.compared);
		}

		expect(trades).toMatchObject({differing: [], onlyV2: [], onlyLegacy: []});
		expect(trades.agreeing).toBeGreaterThan(300);
		expect(inspection.shortLists).toEqual([]);
	});

	test('finds bids in the v2 book, and a wrong clock', async () => {
		const late = createFakeClock(start - 7_200_000);
		const inspection = await inspected({url: await demo({v2Bids: true, clock: late})});
		expect(inspection.v2Bids).toBe(true);
		expect(measured(inspection).book.bids?.compared).toBeGreaterThan(20);
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
			['legacy ticker', 'data[].isFrozen', 'undocumented', 0],
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
		// Tickers that change and change back meanwhile are compared again.
		expect(starts.length).toBeGreaterThanOrEqual(10 + 6 + 12 + 2);
		expect(starts.flatMap((at, index) => ((starts[index + 5] ?? Infinity) - at < 1000 ? [at] : []))).toEqual([]);
		expect(
			seen.flatMap(({startedAt, durationMs}, index) =>
				(starts[index + 1] ?? Infinity) < startedAt + durationMs ? [startedAt] : [],
			),
		).toEqual([]);
	});

	test.each([
		[500, 3, 1],
		[404, 2, 2],
	])(
		'gives up an operation that only fails with %d after %d requests, and probes nothing else of it',
		async (...row) => {
			const [status, requests, samples] = row;
			const server = await startSpecifiedExchange({[paths.trades]: sends('no', {status})});
			const inspection = await inspected({url: server.url, samples: 9});
			expect(reportOf(inspection, 'v2 trades')).toMatchObject({
				...{requests: samples, failures: samples, repeats: requests - samples, status, deviations: []},
			});
			expect(server.requests.filter(({path}) => path === paths.trades)).toHaveLength(requests);
			expect(inspection.limits.map(({interface: source, operation}) => `${source} ${operation}`)).toEqual([
				'v2 candles',
				'legacy trades',
			]);
			expect(inspection.tickerDelays.map(({delay}) => delay).slice(0, 2)).toEqual(['failed', 'failed']);
			expect(inspection.agreement?.trades).toBe('failed');
		},
	);

	test('sends a failed request again after a wait, and counts it apart', async () => {
		const starts: number[] = [];
		const good = v2({asks: [[11, 1]]});
		const server = await startSpecifiedExchange();
		server.answer(paths.depth, (response, request) =>
			(starts.length % 2 === 0 ? good : sends('no', {status: 503}))(response, request),
		);
		const observe = ({operation, interface: source, startedAt}: Outcome) => {
			if (source === 'v2' && operation === 'depth') starts.push(startedAt);
		};
		const inspection = await inspected({url: server.url, samples: 3, observe});
		expect(reportOf(inspection, 'v2 depth')).toMatchObject({
			...{requests: 3, failures: 0, repeats: 3, repeatedAfter: 'server error 503', status: 200},
		});
		expect(starts.map((start, index) => start - (starts[index - 1] ?? start)).filter(ms => ms >= 1000)).toHaveLength(3);
	});

	test('tells its progress, and what it waits for', async () => {
		let asked = 0;
		const refusal = sends('', {status: 429, headers: {'retry-after': '7'}});
		const failure = sends('no', {status: 503, headers: {'retry-after': '9'}});
		const {url} = await startSpecifiedExchange({
			[paths.depth]: (response, request) => ([refusal, failure][asked++] ?? v2({asks: [[11, 1]]}))(response, request),
		});
		const progress: Progress[] = [];
		const clock = createHurriedClock(start);
		const {requests} = await inspected({url, clock, onProgress: made => progress.push(made)});
		const waits = progress.flatMap(({made, wait}) => (wait && made < 8 ? [`${made} ${wait.for}`] : []));
		expect(waits.slice(0, 2)).toEqual(['5 rate-limited', '6 failure']);
		// One candle is too few for the two requests with ranges.
		expect(progress.at(-1)).toMatchObject({made: requests - 1, expected: requests + 2});
	});

	test('sends a refused request again after Retry-After, and takes no failure for it', async () => {
		const refusal = sends('', {status: 429, headers: {'retry-after': '7'}});
		const starts: number[] = [];
		const server = await startSpecifiedExchange();
		const good = v2({asks: [[11, 1]]});
		server.answer(paths.depth, (response, request) => (starts.length === 0 ? refusal : good)(response, request));
		const observe = ({operation, interface: source, startedAt}: Outcome) => {
			if (source === 'v2' && operation === 'depth') starts.push(startedAt);
		};
		const inspection = await inspected({url: server.url, observe});
		expect(reportOf(inspection, 'v2 depth')).toMatchObject({requests: 1, failures: 0, repeats: 0});
		expect(inspection.rateLimit).toMatchObject({refusals: 1, longestWaitMs: 7000});
		expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(7000);
	});

	test('sends nothing more to an exchange that asks to wait an hour', async () => {
		const refusal = sends('', {status: 429, headers: {'retry-after': '3600'}});
		const server = await startSpecifiedExchange({[paths.depth]: refusal});
		const {requests, rateLimit, operations} = await inspected({url: server.url});
		expect(requests).toBe(server.requests.length);
		expect(server.requests.at(-1)?.path).toBe(paths.depth);
		expect(rateLimit).toMatchObject({refusals: 1, longestWaitMs: 3_600_000});
		expect(operations.map(({failures, error}) => (failures ? error?.brief : 'answered'))).toEqual([
			...Array.from({length: 4}, () => 'answered'),
			'rate-limited (429)',
			...Array.from({length: 5}, () => 'rate-limited'),
		]);
	});

	test('sends each request once to an exchange that never answered, but the first', async () => {
		const server = await startSpecifiedExchange(
			Object.fromEntries(Object.values(paths).map(path => [path, sends('no', {status: 503})])),
		);
		const sent = (path: string) => server.requests.filter(request => request.path === path).length;
		await inspected({url: server.url, baseUrl: undefined, samples: 3});
		expect([paths.legacyTicker, paths.legacyDepth].map(sent)).toEqual([3, 3]);
		const closed = await startSpecifiedExchange();
		await closed.close();
		const {operations} = await inspected({url: closed.url, samples: 3});
		expect(operations.map(({repeats}) => repeats)).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
	});

	test('counts the connections of its requests', async () => {
		const kept = await inspected({url: (await startSpecifiedExchange()).url});
		const openedIn = ({connections}: Inspection) => connections.map(({opened}) => opened);
		expect(kept.connections.map(({requests}) => requests)).toEqual([7 + 6 + 8, 3 + 3 + 4]);
		expect(openedIn(kept).reduce((sum, opened) => sum + opened)).toBeLessThanOrEqual(2);

		const server = await startSpecifiedExchange();
		const closing = {headers: {connection: 'close'}};
		server.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker}, closing));
		server.answer(paths.legacyDepth, legacy({asks: [], bids: []}, closing));
		server.answer(paths.legacyTrades, legacy([], closing));
		const cut = await inspected({url: server.url, baseUrl: undefined});
		expect(cut.connections).toEqual([{interface: 'legacy', requests: 3 + 4, opened: 3 + 4, reopened: 3 + 3}]);
	});

	test('finds caches by what they say', async () => {
		const {url} = await startSpecifiedExchange({
			[paths.info]: v2(info, {headers: {age: '3', via: '1.1 varnish', 'x-varnish': '7 5'}}),
			[paths.legacyTicker]: legacy({BTCUSDT: legacyTicker}, {headers: {'x-cache': 'MISS'}}),
		});
		const {caches} = await inspected({url});
		const counts = {answers: 21, isSaid: true, via: undefined};
		expect(caches).toEqual([
			{...counts, interface: 'v2', hits: 1, oldestMs: 3000, via: '1.1 varnish'},
			{...counts, interface: 'legacy', answers: 10, hits: 0, oldestMs: 0},
		]);
	});

	test('compares interfaces past caches, and not what a cache gives all the same', async () => {
		const asked: (string | undefined)[] = [];
		const cached =
			(isHeeded: boolean): Reply =>
			(response, request) => {
				const control = request.headers['cache-control'];
				asked.push(control);
				const outcome = isHeeded && control === 'no-cache' ? 'BYPASS' : 'HIT';
				legacy({BTCUSDT: legacyTicker}, {headers: {'x-cache': outcome}})(response, request);
			};
		const heeding = await startSpecifiedExchange({[paths.legacyTicker]: cached(true)});
		const {agreement} = await inspected({url: heeding.url});
		expect([agreement?.tickers, asked]).toEqual([
			expect.objectContaining({last: expect.anything()}),
			[undefined, 'no-cache'],
		]);
		const ignoring = await startSpecifiedExchange({[paths.legacyTicker]: cached(false)});
		expect((await inspected({url: ignoring.url})).agreement).toMatchObject({
			tickers: 'cached',
			book: expect.anything(),
		});
	});

	test('finds a cache that gives answers twice, unless the clock stands still', async () => {
		const clock = createHurriedClock(start);
		const writtenNow = (data: unknown) => {
			const timestamp = new Date(clock.now() + 1).toISOString();
			return sends({data, message: '', status: 200, timestamp, isSuccess: true});
		};
		const written = writtenNow({BTCUSDT: legacyTicker});
		const {url} = await startSpecifiedExchange({
			[paths.legacyTicker]: written,
			[paths.legacyDepth]: (...args) => writtenNow({asks: [[11, 1]], bids: [[9, 1]]})(...args),
			[paths.legacyTrades]: (...args) => writtenNow([])(...args),
		});
		const {caches} = await inspected({url, baseUrl: undefined, clock, samples: 3, rate: 1});
		expect(caches).toMatchObject([{interface: 'legacy', hits: 2, isSaid: false}]);

		const frozen = await startSpecifiedExchange();
		const all = await inspected({url: frozen.url, samples: 3, rate: 1});
		expect(all.clocks.map(({frozenAt}) => frozenAt)).toEqual([serverTime, serverTime]);
		expect(all.caches).toEqual([]);
	});

	test('counts rate-limit refusals, and lists rate-limit headers, of long ones the beginning', async () => {
		const headers = {'x-ratelimit-remaining': '7', 'retry-after': '3', 'x-rate-limit': '9'.repeat(9000)};
		const {url} = await startSpecifiedExchange({
			[paths.info]: v2(info, {headers}),
			[paths.candles]: sends('', {status: 429}),
		});
		const {rateLimit} = await inspected({url});
		expect(rateLimit.refusals).toBe(3);
		expect(rateLimit.allowed).toBeLessThan(1000);
		expect(rateLimit.headers).toEqual([
			{interface: 'v2', name: 'x-ratelimit-remaining', value: '7'},
			{interface: 'v2', name: 'retry-after', value: '3'},
			{interface: 'v2', name: 'x-rate-limit', value: '9'.repeat(100)},
		]);
	});

	test('probes one interface where only one is configured', async () => {
		const server = await startSpecifiedExchange();
		const inspection = await inspected({url: server.url, baseUrl: undefined});
		expect(inspection.operations.map(({interface: source}) => source)).toEqual(['legacy', 'legacy', 'legacy']);
		expect(inspection).toMatchObject({agreement: undefined, v2Bids: undefined, rangeUnit: undefined});
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
