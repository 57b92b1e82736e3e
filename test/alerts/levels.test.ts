import {expect, test} from 'vitest';
import type {AlertEntry, JudgedMarket} from '../../source/alerts/alerts.ts';
import {armedLevels, levelsIn} from '../../source/alerts/levels.ts';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {parseRule} from '../../source/alerts/rule.ts';

const marketNamed = (key: string) => ({key});

test.each<readonly [text: string, levels: ReadonlyArray<{market?: string; price: number}>]>([
	['last crosses 70000', [{price: 70_000}]],
	['70000 > last', [{price: 70_000}]],
	['last crosses below 70000 + 2%', [{price: 71_400}]],
	['last > 1.1 * 70000', [{price: 77_000}]],
	['last > 2 and (last < 5 or bid > 7)', [{price: 2}, {price: 5}]],
	['ETHUSDT.last > 4000', [{market: 'ETHUSDT', price: 4000}]],
	['last > open', []],
	['last > 1.02 * open', []],
	['last + 5 > 10', []],
	['bid > 70000', []],
	['last > 0 - 5', []],
	['last > bid or last > ask', []],
])('%s has the levels %j', (text, levels) => {
	expect(levelsIn(parseCondition(text, marketNamed))).toEqual(levels.map(level => ({market: undefined, ...level})));
});

const judged = (symbol: string, more: Partial<JudgedMarket> = {}): JudgedMarket => ({
	...{symbol, isDone: false, pollMs: 0, judgedOn: []},
	...more,
});
const entry = (text: string, markets: readonly JudgedMarket[], isOff = false): AlertEntry => ({
	...{id: text, rule: parseRule(text, {marketNamed, now: 0}), origin: 'user', isOff, markets},
});

test('the levels of a market are those of the rules that are armed for it, ascending, each once', () => {
	const entries = [
		entry('BTC-USDT last crosses 70000', [judged('BTC-USDT')]),
		entry('* last > 60000 and last < 70000', [judged('ETHUSDT'), judged('BTC-USDT')]),
		entry('ETHUSDT last > 50000', [judged('ETHUSDT')]),
		entry('ETHUSDT BTCUSDT.last > 40000', [judged('ETHUSDT')]),
		entry('BTCUSDT last > 1', [judged('BTC-USDT')], true),
		entry('BTCUSDT last > 2', [judged('BTC-USDT', {isDone: true})]),
		entry('* last > 3', []),
	];
	expect(armedLevels(entries, 'BTC-USDT')).toEqual([40_000, 60_000, 70_000]);
});
