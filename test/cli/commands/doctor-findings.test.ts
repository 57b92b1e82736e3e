import {describe, expect, test} from 'vitest';
import {judge} from '../../../source/cli/commands/doctor-checks.ts';
import type {Inspection} from '../../../source/client/inspect/inspection.ts';
import {allAgree, answered, changed, compared, delay, failing, healthy, limited, only} from './inspection.ts';

const cache = {interface: 'v2', answers: 40, hits: 12, oldestMs: 1400, isSaid: true} as const;

test('there are no findings for an exchange that meets the specification', () => {
	expect(judge(healthy)).toMatchObject({findings: [], verdict: 'healthy'});
});

describe('findings', () => {
	const trade = {id: '7', time: 1000, price: 10, quantity: 1};

	test.each<readonly [kind: string, text: string, inspection: Inspection]>([
		[
			'warning failed',
			'v2 depth: 2 of 5 reads failed, last error: timed out',
			changed({'v2 depth': {...failing, failures: 2}}),
		],
		[
			'warning repeated',
			'v2 depth: 3 failed requests were retried, last error: timed out',
			changed({'v2 depth': {repeats: 3, repeatedAfter: 'timed out'}}),
		],
		[
			'warning dropped',
			'v2 trades: dropped 3 of 100 entries as invalid or contradicting others',
			changed({'v2 trades': {dropped: 3}}),
		],
		['warning too-long', 'v2 depth: 9 entries not read: too many', changed({'v2 depth': {cut: 9}})],
		[
			'warning slow',
			'v2 info: median latency 1.4 s; its data is at least that old',
			changed({'v2 info': {p50Ms: 1400}}),
		],
		[
			'note uncompressed',
			'v2 ticker: 190 kB sent uncompressed',
			changed({'v2 ticker': {encoding: undefined, sentBytes: 190_234}}),
		],
		[
			'warning clock',
			"v2 trades: clock is 2 h ahead of this computer's",
			{
				...healthy,
				clocks: [...healthy.clocks, {interface: 'v2', skewMs: 7_200_000, uncertaintyMs: 4, operations: ['trades']}],
			},
		],
		[
			'warning ticker-delay',
			'legacy ticker: typically at least 4 min behind the legacy trades',
			{...healthy, tickerDelays: [delay('legacy', 240_000)]},
		],
		[
			'warning markets-missing',
			'v2 ticker: lacks 2 of 30 markets that other lists have: AAA',
			{...healthy, shortLists: [{interface: 'v2', operation: 'ticker', missing: ['AAA', 'BBB'], of: 30}]},
		],
		[
			'warning values-differ',
			'v2 and legacy differ in 20 of 100 last prices, in every comparison: AAA',
			compared({
				tickers: {
					last: {compared: 100, agreeing: 80, differing: Array.from({length: 20}, () => 'AAA')},
					bid: allAgree,
					ask: allAgree,
				},
			}),
		],
		[
			'note states-differ',
			'v2 summary: has other states than the list in 1 of 30 markets: AAA active, in the list halted',
			{
				...healthy,
				states: [
					{
						...{interface: 'v2', operation: 'summary', compared: 30},
						differing: [{symbol: 'AAA', listed: 'halted', found: 'active'}],
					},
				],
			},
		],
		[
			'note values-differ',
			'v2 and legacy differ in 1 of 100 asks of the order book, in every comparison: 11',
			compared({book: {asks: {compared: 100, agreeing: 99, differing: ['11']}}}),
		],
		[
			'warning trades-differ',
			'trades of v2 and legacy differ: price of 1 (id 7: 10, legacy 11); 1 only in v2; 2 only in legacy; 90 are equal',
			compared({
				trades: {
					...{agreeing: 90, sameIds: 90, legacyLagMs: 0, onlyV2: [trade], onlyLegacy: [trade, trade]},
					differing: [{v2: trade, legacy: {...trade, price: 11}, fields: ['price']}],
				},
			}),
		],
		[
			'warning limit-refused',
			'v2 candles: refuses limit 1000; gaps are harder to close',
			limited({
				answers: [answered(1), {limit: 1000, outcome: 'refused'}],
				documented: {default: 'ok', most: 'differs'},
			}),
		],
		[
			'warning limit-ignored',
			'v2 candles: limit 1 is ignored: 500 entries',
			limited({exceeded: {limit: 1, entries: 500}, documented: {default: 'ok', most: 'differs'}}),
		],
		[
			'note limit-default',
			'v2 candles: 100 entries by default; documented: 500',
			limited({default: 100, documented: {default: 'differs', most: 'ok'}}),
		],
		[
			'note limit-maximum',
			'v2 candles: answers with 1,001 entries; documented maximum: 1,000',
			limited({most: {entries: 1001, beyond: 'more'}, documented: {default: 'ok', most: 'differs'}}),
		],
		[
			'warning limit-maximum',
			'v2 candles: at most 300 entries in one answer; documented maximum: 1,000; gaps are harder to close',
			limited({most: {entries: 300, beyond: 'cut'}, documented: {default: 'ok', most: 'differs'}}),
		],
		[
			'warning range',
			'v2 candles: ignores startTime and endTime; older candles cannot be loaded',
			{...healthy, rangeUnit: 'neither'},
		],
		[
			'warning range',
			'v2 candles: answers startTime and endTime with other candles, or none; older candles cannot be loaded',
			{...healthy, rangeUnit: 'other'},
		],
		['note cache', 'v2: answers come from a cache, up to 1.4 s old', {...healthy, caches: [cache]}],
		[
			'warning no-keep-alive',
			'no keep-alive: 30 new connections for 40 requests, each costs a round trip or more',
			{...healthy, connections: [{interface: 'v2', requests: 40, opened: 40, reopened: 30}]},
		],
		[
			'warning rate-limited',
			'3 of 70 requests were rate-limited (429), waits of up to 1 h; settled at 1.2 per second',
			{...healthy, rateLimit: {refusals: 3, allowed: 1.23, longestWaitMs: 3_600_000, headers: []}},
		],
		['note one-interface', 'only v2: there is no fallback for failures', only('v2')],
		[
			'warning one-interface',
			'only legacy: trades have no sides, and candles are built from the trades received so far',
			only('legacy'),
		],
	])('%s: %s', (kind, text, inspection) => {
		const {findings, verdict} = judge(inspection);
		const [severity, code] = kind.split(' ');
		expect(findings).toEqual([expect.objectContaining({severity, code, text})]);
		expect(verdict).toBe(severity === 'note' ? 'healthy' : 'warnings');
	});

	test('name the time of a frozen clock', () => {
		const frozen = {interface: 'v2', skewMs: -9e9, uncertaintyMs: 4, frozenAt: Date.UTC(2026, 0)} as const;
		expect(judge({...only('v2'), clocks: [frozen]}).findings[0]).toEqual({
			...{severity: 'warning', code: 'frozen-clock', interface: 'v2', operation: undefined},
			text: 'v2: clock frozen at 2026-01-01 00:00:00 UTC',
		});
	});

	test("advise to set this computer's clock where every clock differs from it", () => {
		const clocks = (['v2', 'legacy'] as const).map(source => ({
			interface: source,
			skewMs: -7_200_000,
			uncertaintyMs: 9,
		}));
		expect(judge({...healthy, clocks}).findings.map(({text}) => text)).toEqual([
			"v2: clock is 2 h behind this computer's; set this computer's clock if it is wrong",
			"legacy: clock is 2 h behind this computer's; set this computer's clock if it is wrong",
		]);
	});
});

test('a cache that has given no answer is no finding', () => {
	expect(judge({...healthy, caches: [{...cache, hits: 0, oldestMs: 0}]}).findings).toEqual([]);
});

test.each([
	['none found', []],
	['12 of 40 answers from it, up to 1.4 s old, 1.1 varnish', [{...cache, via: '1.1 varnish'}]],
	['12 of 40 answers from it, up to 1.4 s old', [cache]],
	['12 of 40 answers from it, up to 1.4 s old, detected because answers repeat', [{...cache, isSaid: false}]],
	['0 of 40 answers from it', [{...cache, hits: 0, oldestMs: 0}]],
])('a cache is %s', (text, caches) => {
	const label = caches.length > 0 ? 'v2 cache' : 'cache';
	expect(judge({...healthy, caches}).facts).toContainEqual([label, text]);
});

test('a v2 book without bids is a finding only without a legacy book', () => {
	expect(judge(changed({'legacy depth': failing})).findings.map(({text}) => text)).toEqual([
		'legacy depth: no request succeeded, last error: timed out',
		'the v2 order book has no bids, and the legacy order book fails: the ladder shows only asks',
	]);
});

test('an interface on which every operation fails is one finding', () => {
	const operations = healthy.operations.map(each => (each.interface === 'legacy' ? {...each, ...failing} : each));
	expect(judge({...healthy, v2Bids: true, operations}).findings).toEqual([
		{severity: 'warning', code: 'no-answer', interface: 'legacy', text: 'legacy: no operation answers (timed out)'},
	]);
});

test('what neither interface offers is the first warning, while there is something else to watch', () => {
	const {findings, verdict} = judge(changed({'v2 depth': failing, 'legacy depth': failing}));
	expect(findings[0]).toEqual({
		severity: 'warning',
		code: 'no-book',
		text: 'no order book (v2 depth: timed out; legacy depth: timed out)',
	});
	expect(verdict).toBe('warnings');
});

test('an exchange is unusable when it shows no market: neither ticker, book, trades nor candles', () => {
	const watched = ['ticker', 'summary', 'depth', 'trades', 'candles'];
	const without = (kept: string) =>
		healthy.operations.map(each =>
			watched.includes(each.operation) && each.operation !== kept ? {...each, ...failing} : each,
		);
	const verdictWith = (kept: string) => judge({...healthy, operations: without(kept)}).verdict;
	expect(watched.map(verdictWith)).toEqual(watched.map(() => 'warnings'));
	const {findings, verdict} = judge({...healthy, operations: without('nothing of these')});
	expect(findings.filter(({severity}) => severity === 'failure').map(({text}) => text)).toEqual([
		'no order book (v2 depth: timed out; legacy depth: timed out)',
		'no trades (v2 trades: timed out; legacy trades: timed out)',
	]);
	expect(verdict).toBe('unusable');
});

test('warnings come before notes', () => {
	const deviations = [{path: 'data.age', problem: 'unknown', found: 'number', count: 5, of: 5}] as const;
	const {findings} = judge({...changed({'v2 info': {deviations}}), rangeUnit: 'neither'});
	expect(findings.map(({severity}) => severity)).toEqual(['warning', 'note']);
});

describe('checks that could not be made', () => {
	const none = {compared: 0, agreeing: 0, differing: []};

	test.each<readonly [code: string, checks: readonly string[], inspection: Inspection]>([
		['no-time', ['v2 clock', 'legacy clock'], {...healthy, clocks: []}],
		['too-few', ['candle range unit'], {...healthy, rangeUnit: 'too-few'}],
		['no-price', ['v2 ticker delay'], {...healthy, tickerDelays: [{...delay('v2', 0), delay: 'no-price'}]}],
		['too-few', ['v2 candles default'], limited({documented: {default: 'unknown', most: 'ok'}})],
		['too-few', ['v2 candles maximum'], limited({documented: {default: 'ok', most: 'unknown'}})],
		['too-few', ['v2 candles limit'], limited({answers: [{...answered(0), limit: 1}]})],
		[
			'failed',
			['v2 candles limit', 'v2 candles maximum'],
			limited({
				answers: [1, 1000].map(asked => ({limit: asked, outcome: 'failed'})),
				documented: {default: 'ok', most: 'unknown'},
			}),
		],
		['no-trades', ['v2 = legacy trades'], compared({trades: 'no-trades'})],
		['failed', ['v2 = legacy tickers', 'v2 = legacy book'], compared({tickers: 'failed', book: 'failed'})],
		[
			'changing',
			['v2 = legacy ticker last', 'v2 = legacy asks'],
			compared({tickers: {last: none, bid: allAgree, ask: allAgree}, book: {asks: none}}),
		],
	])('are listed by reason: %s, %j', (code, checks, inspection) => {
		const {findings, verdict} = judge(inspection);
		expect(findings).toEqual([
			{severity: 'unchecked', code, checks, text: expect.stringMatching(new RegExp(`^${checks.join(', ')}: `))},
		]);
		expect(verdict).toBe('incomplete');
	});

	test('leave the verdict to the warnings', () => {
		expect(judge({...changed({'v2 info': {dropped: 1}}), rangeUnit: 'too-few'}).verdict).toBe('warnings');
	});
});
