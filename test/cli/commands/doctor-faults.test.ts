import {describe, expect, onTestFinished, test} from 'vitest';
import {findingsOf} from '../../../source/cli/commands/doctor-checks.ts';
import {inspect} from '../../../source/client/inspect/inspect.ts';
import type {Finding} from '../../../source/client/inspect/inspection.ts';
import {parseFaultRules} from '../../../source/demo/faults/rule.ts';
import {type Demo, startDemo} from '../../../source/demo/server.ts';
import type {Clock} from '../../../source/market/clock.ts';
import {defaultSymbol} from '../../../source/market/symbol.ts';
import {operationTitle} from '../../../source/market/types.ts';
import {createHurriedClock} from '../../helpers/hurried-clock.ts';

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
		'v2.trades=unknown-enums legacy.depth=crossed-book v2.ticker=clock-behind',
		'sideless v2 trades',
		'note undocumented v2 trades',
		'crossed legacy depth',
		'unchecked crossed',
		'clock v2 ticker',
	],
	['legacy.*=clock-ahead', 'clock legacy', 'unchecked clocks-differ'],
	['*=clock-behind', 'clock v2', 'clock legacy', 'range v2 candles'],
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
];

describe('the doctor finds in the demo exchange', () => {
	test.each(cells)('under %j: %j', async (rules = '', ...findings) => {
		expect(await findingsUnder(rules)).toEqual(findings.sort());
	});
});
