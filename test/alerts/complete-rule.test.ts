import {expect, test} from 'vitest';
import {completeRule, type RuleWords} from '../../source/alerts/complete-rule.ts';
import {parseRule} from '../../source/alerts/rule.ts';

const markets = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'];
const words: RuleWords = {
	marketsFor: text => markets.filter(symbol => symbol.includes(text.toUpperCase())),
	lists: ['calm', 'wild'],
	price: 70_012.5,
};

test.each<readonly [text: string, first: readonly string[]]>([
	['', ['last crosses 70012.5', 'BTCUSDT ', 'ETHUSDT ', 'ETHBTC ', 'last ']],
	['eth', ['ETHUSDT ', 'ETHBTC ']],
	['ch', ['change ', 'change(', 'changePercent ', 'changePercent(']],
	['*', ['* ']],
	['--list', ['--list ']],
	['--list ', ['--list calm ', '--list wild ']],
	['--list wild v', ['--list wild volume ', '--list wild volume(', '--list wild vwap(']],
	['last ', ['last crosses ', 'last crosses above ', 'last crosses below ', 'last > ', 'last >= ']],
	['last cr', ['last crosses ', 'last crosses above ', 'last crosses below ']],
	['last crosses ', ['last crosses above ', 'last crosses below ', 'last crosses 70012.5', 'last crosses line 1 ']],
	['last crosses above 7', ['last crosses above 70012.5']],
	['last > li', ['last > line 1 ', 'last > line 3 ']],
	['last > line ', ['last > line 1 ', 'last > line 3 ']],
	['last > line 3 ', ['last > line 3 and ', 'last > line 3 or ']],
	['BTCUSDT.line ', ['BTCUSDT.line 1 ', 'BTCUSDT.line 3 ']],
	['last > ', ['last > 70012.5', 'last > line 1 ', 'last > line 3 ', 'last > last ']],
	['last > 1.02 * o', ['last > 1.02 * open ']],
	['last > ETHUSDT.la', ['last > ETHUSDT.last ']],
	['ethusdt.la', ['ethusdt.last ']],
	['changePercent(', ['changePercent(1m) ', 'changePercent(5m) ', 'changePercent(15m) ']],
	['last > sma(', ['last > sma(20, ', 'last > sma(50, ']],
	['last > sma(50, 1', ['last > sma(50, 1m) ', 'last > sma(50, 15m) ', 'last > sma(50, 1h) ', 'last > sma(50, 1d) ']],
	['bidDepth(', ['bidDepth(0.1%) ', 'bidDepth(0.5%) ', 'bidDepth(1%) ']],
	['last > 1 ', ['last > 1 and ', 'last > 1 or ', 'last > 1 every ', 'last > 1 until ', 'last > 1 note ']],
	['last > 1 and bid ', ['last > 1 and bid crosses ']],
	['last > 1 every ', ['last > 1 every 1m ', 'last > 1 every 5m ']],
	['last > 1 every 10m ', ['last > 1 every 10m until ', 'last > 1 every 10m note ']],
	['last > 1 every 10m until ', []],
	['last > 1 zzz', []],
])('%j goes on to %j first', (text, first) => {
	expect(completeRule(text, {...words, lines: [1, 3]}).slice(0, Math.max(first.length, 1))).toEqual(first);
});

test('nothing but markets and words is offered where no price is known', () => {
	expect(completeRule('', {...words, price: undefined})[0]).toBe('BTCUSDT ');
	expect(completeRule('last crosses ', {...words, price: undefined})[2]).toBe('last crosses last ');
});

test('the words that are offered first lead to a rule that is understood', () => {
	const marketNamed = (key: string) => ({key});
	for (const start of ['', 'ETHUSDT ', 'changePercent(', 'last > sma(', 'bidDepth(']) {
		let text = start;
		for (let step = 0; step < 8 && !isRule(text); step++) text = completeRule(text, words)[0] ?? text;
		expect([start, isRule(text)]).toEqual([start, true]);
	}

	function isRule(text: string): boolean {
		try {
			return Boolean(parseRule(text, {marketNamed, now: 0}));
		} catch {
			return false;
		}
	}
});
