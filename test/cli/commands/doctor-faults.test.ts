import {describe, expect, onTestFinished, test} from 'vitest';
import {findingsOf} from '../../../source/cli/commands/doctor-checks.ts';
import {inspect} from '../../../source/client/inspect/inspect.ts';
import type {Finding} from '../../../source/client/inspect/inspection.ts';
import {parseFaultRules} from '../../../source/demo/faults/rule.ts';
import {faultNames} from '../../../source/demo/faults/table.ts';
import {type Demo, startDemo} from '../../../source/demo/server.ts';
import type {Clock} from '../../../source/market/clock.ts';
import {defaultSymbol} from '../../../source/market/symbol.ts';
import {operationTitle} from '../../../source/market/types.ts';
import {legacy, paths, type Reply, serverTime, v2} from '../../helpers/exchange-server.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';
import {startSpecifiedExchange} from '../../helpers/specified-exchange.ts';

const timeoutMs = 5000;
/** Longer than the demo waits from byte to byte. */
const shortestDelayMs = 2000;

async function findingsAt(url: string, clock: Clock): Promise<readonly Finding[]> {
	const options = {baseUrl: url, legacyBaseUrl: url, timeoutMs, rate: 1000, samples: 1, clock, random: () => 0};
	return findingsOf(await inspect({...options, choose: markets => defaultSymbol(markets ?? []) ?? 'BTCUSDT'}));
}

/** Each kind of finding once, sorted: `code operation`, and `note` before it if it is one. */
function kindsOf(findings: readonly Finding[]): readonly string[] {
	const kinds = findings.map(({severity, code, interface: source, operation = ''}) => {
		const about = source ? operationTitle({interface: source, operation}) : '';
		return [severity === 'warning' ? '' : severity, code, about].join(' ').trim();
	});
	return [...new Set(kinds)].sort();
}

/** Of the demo exchange with the faults, separated by blanks, without what is found of the honest one. */
async function findingsUnder(rules: string): Promise<readonly string[]> {
	let demo: Demo | undefined;
	const isHeld = () => (demo?.held() ?? 0) > 0;
	const clock = createHurriedClock(Date.UTC(2026, 10, 20, 10, 30), {deadlineMs: timeoutMs, isHeld});
	// Bytes take no time to drip: some still do while the next request is answered, which must not count as slow.
	const after: Clock['after'] = (ms, callback) => clock.after(ms < shortestDelayMs ? 0 : ms, callback);
	demo = await startDemo({clock: {...clock, after}, faults: parseFaultRules(rules.replaceAll(' ', '\n'))});
	onTestFinished(demo.close);
	const findings = await findingsAt(demo.url, clock);
	return kindsOf(findings.filter(({code, example}) => code !== 'undocumented' || !honestWords.has(example)));
}

/** Words that the specification does not show. */
const honestWords: ReadonlySet<string | undefined> = new Set(['halted', 'sell', '1']);

/** Faults of operations that do not touch each other share an inspection. */
const cells: ReadonlyArray<readonly [rules: string, ...findings: readonly string[]]> = [
	[''],
	[
		'v2.depth=hang legacy.trades=reset v2.candles=status-400 v2.info=garbage',
		'failed v2 depth',
		'failed legacy trades',
		'failed v2 candles',
		'failed v2 info',
		'unchecked failed',
	],
	[
		'v2.trades=drip v2.ticker=cut-off v2.info=redirect-host legacy.trades=redirect-loop',
		'no-trades',
		'failed v2 trades',
		'failed v2 ticker',
		'failed v2 info',
		'unchecked failed',
		'failed legacy trades',
	],
	[
		'v2.trades=status-422 legacy.trades=status-503 v2.ticker=gzip-bomb v2.info=endless-body',
		'no-trades',
		'failed v2 trades',
		'failed legacy trades',
		'failed v2 ticker',
		'unchecked failed',
		'failed v2 info',
	],
	[
		'*=refuse,for=2h',
		'failure no-markets',
		'failure no-book',
		'failure no-trades',
		'no-answer v2',
		'no-answer legacy',
		'unchecked failed',
	],
	[
		'v2.trades=delay legacy.ticker=delay v2.depth=unsorted v2.markets=vanished',
		'slow v2 trades',
		'slow legacy ticker',
		'note unsorted v2 depth',
		'markets-missing v2 markets',
		'unchecked too-few',
	],
	['v2.depth=status-429', 'failed v2 depth', 'rate-limited', 'unchecked failed'],
	['legacy.depth=status-429-wait', 'failed legacy depth', 'rate-limited', 'no-bids', 'unchecked failed'],
	['v2.*=status-500', 'no-answer v2', 'unchecked failed'],
	[
		'v2.trades=wrong-types v2.depth=null-data',
		'failed v2 trades',
		'mistyped v2 trades',
		'failed v2 depth',
		'mistyped v2 depth',
		'unchecked failed',
	],
	[
		'v2.trades=empty-list v2.depth=empty-list v2.candles=negative-prices v2.ticker=crossed-book',
		'empty v2 trades',
		'unchecked too-few',
		'unchecked no-trades',
		'empty v2 depth',
		'unchecked changing',
		'dropped v2 candles',
		'sign v2 candles',
		'unchecked failed',
		'crossed v2 ticker',
		'unchecked crossed',
	],
	[
		'v2.markets=empty-list v2.trades=control-characters legacy.trades=nan-text',
		'empty v2 markets',
		'control v2 trades',
		'dropped legacy trades',
		'mistyped legacy trades',
		'unchecked failed',
		'unchecked unreadable',
	],
	[
		'v2.candles=missing-field v2.ticker=zero-prices v2.trades=more-than-asked',
		'dropped v2 candles',
		'missing v2 candles',
		'unchecked failed',
		'unpriced v2 ticker',
		'unchecked no-price',
		'repeated v2 trades',
		'limit-ignored v2 trades',
	],
	[
		'v2.markets=missing-field v2.trades=negative-prices',
		'dropped v2 markets',
		'missing v2 markets',
		'unchecked too-few',
		'dropped v2 trades',
		'sign v2 trades',
		'unchecked failed',
		'unchecked unreadable',
	],
	[
		'v2.trades=unknown-enums legacy.depth=crossed-book v2.ticker=clock-behind',
		'sideless v2 trades',
		'note undocumented v2 trades',
		'crossed legacy depth',
		'unchecked crossed',
		'clock v2 ticker',
	],
	[
		'v2.markets=unknown-enums legacy.ticker=unknown-enums v2.trades=unsorted v2.candles=unsorted v2.info=bidi-overrides',
		'states-differ v2 ticker',
		'states-differ v2 summary',
		'inactive v2 markets',
		'note undocumented v2 markets',
		'inactive legacy ticker',
		'note undocumented legacy ticker',
		'note unsorted v2 candles',
		'control v2 info',
	],
	[
		'v2.trades=success-false v2.depth=zero-prices',
		'failed v2 trades',
		'mistyped v2 trades',
		'unchecked failed',
		'dropped v2 depth',
		'sign v2 depth',
		'unchecked unreadable',
	],
	['legacy.*=clock-ahead', 'clock legacy', 'unchecked clocks-differ'],
	['*=clock-behind', 'clock v2', 'clock legacy', 'range v2 candles'],
	[
		'v2.trades=long-ids legacy.trades=long-ids v2.candles=more-than-asked legacy.ticker=control-characters v2.ticker=nan-text',
		'note long v2 trades',
		'note long legacy trades',
		'repeated v2 candles',
		'control legacy ticker',
		'dropped v2 ticker',
		'absent v2 ticker',
		'mistyped v2 ticker',
		'unchecked no-price',
		'unchecked unreadable',
	],
	[
		'v2.trades=duplicates legacy.trades=duplicates v2.candles=duplicates v2.depth=more-than-asked v2.ticker=vanished',
		'repeated v2 trades',
		'repeated legacy trades',
		'repeated v2 candles',
		'too-long v2 depth',
		'absent v2 ticker',
		'markets-missing v2 ticker',
		'unchecked no-price',
	],
	['*=vanished', 'unchecked too-few'],
];

describe('the doctor finds in the demo exchange', () => {
	test.each(cells)('under %j: %j', async (rules = '', ...findings) => {
		expect(await findingsUnder(rules)).toEqual(findings.sort());
	});

	test('each of its faults', () => {
		const shown = new Set(cells.flatMap(([rules]) => rules.split(' ').map(rule => rule.split(/[=,]/)[1])));
		expect(faultNames.filter(name => !shown.has(name))).toEqual([]);
	});
});

const fill = {id: 1, quantity: 1, price: 10, time: serverTime - 2000, side: 'buy'};
const candle = {id: 1_723_158_000, open: 9, close: 10, low: 8, high: 12, volume: 5};
const legacyFill = {tradeId: 1, quantity: 1, price: 10, createdOn: '2024-08-08T23:54:57Z'};
/** The exchange has one entry of each kind, which is too few for some checks. */
const specified: Readonly<Record<string, Reply>> = {
	[paths.trades]: v2([fill]),
	[paths.candles]: v2([candle]),
	[paths.legacyTrades]: legacy([legacyFill]),
};
const unchecked = ['unchecked too-few', 'unchecked no-trades'];

describe('the doctor finds in an exchange of one entry each', () => {
	test.each<readonly [what: string, changes: Readonly<Record<string, Reply>>, findings: readonly string[]]>([
		['nothing', {}, unchecked],
		[
			'trades in epoch seconds',
			{[paths.trades]: v2([{...fill, time: 1_723_161_297}])},
			['unit v2 trades', 'unchecked too-few', 'unchecked bad-times'],
		],
		[
			'candles that begin at epoch ms',
			{[paths.candles]: v2([{...candle, id: 1_723_158_000_000}])},
			[...unchecked, 'note unit v2 candles'],
		],
		[
			'candles of next year, whose ranges are not to blame',
			{[paths.candles]: v2(Array.from({length: 9}, (_, hour) => ({...candle, id: candle.id + 3e7 - hour * 3600})))},
			['future v2 candles', 'limit-ignored v2 candles', 'unchecked bad-times', ...unchecked],
		],
		[
			'legacy trades without UTC offset',
			{[paths.legacyTrades]: legacy([{...legacyFill, createdOn: '2024-08-08T23:54:57'}])},
			['offset legacy trades', 'unchecked too-few', 'unchecked bad-times'],
		],
		[
			'legacy trades at the start of 1970',
			{[paths.legacyTrades]: legacy([{...legacyFill, createdOn: '1970-01-01T00:00:00Z'}])},
			['implausible legacy trades', 'unchecked too-few', 'unchecked bad-times'],
		],
		[
			'trades that differ in price',
			{
				[paths.trades]: v2([fill, {...fill, id: 0, time: serverTime - 9000}]),
				[paths.legacyTrades]: legacy([
					{...legacyFill, price: 10.5},
					{...legacyFill, tradeId: 0, createdOn: '2024-08-08T23:54:50Z'},
				]),
			},
			[
				'limit-ignored v2 trades',
				'limit-ignored legacy trades',
				'trades-differ',
				'unchecked too-few',
				'unchecked trades-differ',
			],
		],
	])('with %s', async (_, changes, findings) => {
		const {url} = await startSpecifiedExchange({...specified, ...changes});
		expect(kindsOf(await findingsAt(url, createHurriedClock(serverTime, {deadlineMs: timeoutMs})))).toEqual(
			findings.toSorted(),
		);
	});
});
