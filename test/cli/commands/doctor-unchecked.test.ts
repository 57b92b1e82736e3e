import {describe, expect, test} from 'vitest';
import {findingsOf, verdictOf} from '../../../source/cli/commands/doctor-findings.ts';
import type {Inspection} from '../../../source/client/inspect/reports.ts';
import {allAgree, answered, changed, compared, delay, healthy, limited} from './inspection.ts';

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
		const findings = findingsOf(inspection);
		expect(findings).toEqual([
			{severity: 'unchecked', code, checks, text: expect.stringMatching(new RegExp(`^${checks.join(', ')}: `))},
		]);
		expect(verdictOf(findings)).toBe('incomplete');
	});

	test('leave the verdict to the warnings', () => {
		const findings = findingsOf({...changed({'v2 info': {dropped: 1}}), rangeUnit: 'too-few'});
		expect(verdictOf(findings)).toBe('warnings');
	});
});
