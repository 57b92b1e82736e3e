import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {ConditionError} from '../../source/alerts/parse-condition.ts';
import {delayedNote, parseRule, printRule, type Scope} from '../../source/alerts/rule.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {anyCondition} from './any-condition.ts';

const now = Date.UTC(2026, 10, 22, 14, 3);
const markets = ['BTCUSDT', 'ETHUSDT', 'LASTUSDT'];
const read = (text: string) =>
	parseRule(text, {
		now,
		marketNamed(name) {
			const key = symbolKey(name);
			return markets.includes(key) ? {key} : {fault: `${name} is not watched`};
		},
	});

describe('a rule', () => {
	test.each<readonly [text: string, printed: string]>([
		['last crosses 70000', 'last crosses 70000'],
		['* last > 1', '* last > 1'],
		['ETH/USDT changePercent(5m)<-2 every 10m', 'ETHUSDT changePercent(5m) < -2 every 10m'],
		['btc-usdt (last > 1 or bid > 2)', 'BTCUSDT last > 1 or bid > 2'],
		['BTCUSDT.last > ETHUSDT.last', 'BTCUSDT BTCUSDT.last > ETHUSDT.last'],
		['BTCUSDT.last > 1 and bid > 2', 'BTCUSDT.last > 1 and bid > 2'],
		['BTCUSDT.last > 1.02 * BTCUSDT.open', 'BTCUSDT last > 1.02 * open'],
		['* BTCUSDT.last > 1', '* BTCUSDT.last > 1'],
		[
			'last > 1 EVERY 90s UNTIL 18:00 NOTE  sell half, then wait ',
			'last > 1 every 90s until 2026-11-22 18:00:00 note sell half, then wait',
		],
		['last > 1 until 18:00 every 10m note x', 'last > 1 every 10m until 2026-11-22 18:00:00 note x'],
		['last > 1 until 2026-11-30T18:00:00.5+02:00', 'last > 1 until 2026-11-30 16:00:00'],
		['last > 1 until 2026-11-30', 'last > 1 until 2026-11-30 00:00:00'],
		['last > 1 CALL Title, bell note x', 'last > 1 call bell,title note x'],
		['last > 1 call "notify-send  {message}" every 5m', 'last > 1 every 5m call "notify-send {message}"'],
		[
			`last > 1 call "./call 'two words' '' {market}",terminal until 18:00`,
			`last > 1 until 2026-11-22 18:00:00 call terminal,"./call 'two words' '' {market}"`,
		],
		['last > 1 until 2026-11-30 18:00 note every second', 'last > 1 until 2026-11-30 18:00:00 note every second'],
	])('%j', (text, printed) => {
		expect(printRule(read(text))).toBe(printed);
		expect(read(printed)).toEqual(read(text));
	});

	test.each<readonly [text: string, message: string, caret: string]>([
		['SOLUSDT last > 1', 'SOLUSDT is not watched', '^'],
		['lst > 1', 'unknown quantity lst; did you mean last?', '^'],
		['last > 1 evry 10m', 'unknown word evry; did you mean every?', '         ^'],
		['last > 1 once', 'expected and, or, every, until, call, note, or the end after 1', '         ^'],
		[
			'last > 1 every 5m every 6m',
			'expected and, or, every, until, call, note, or the end after 5m',
			'                  ^',
		],
		['every 10m last > 1', 'every comes after the condition', '^'],
		['BTCUSDT', 'expected a condition such as last > 70000 after BTCUSDT', '       ^'],
		['BTCUSDT every 5m', 'expected a condition such as last > 70000 after BTCUSDT', '        ^'],
		['lst', 'unknown quantity lst; did you mean last?', '^'],
		['- last > 1', 'expected a condition such as last > 70000', '^'],
		['last > 1 every 1.5s', 'a time here is in whole seconds', '               ^'],
		['last > 1 every 0s', 'a rule alerts at most once a second', '               ^'],
		['last > 1 every', 'expected a time such as 10m after every', '              ^'],
		['last > 1 until 2026-02-30', '2026-02-30 is not a UTC time such as 18:00 or 2026-11-30 18:00', '               ^'],
		['last > 1 until 2026-11-21', '2026-11-21 is in the past', '               ^'],
		['last > 1 until noon', 'expected a UTC time such as 18:00 or 2026-11-30 18:00 after until', '               ^'],
		['last > 1 call', 'expected bell, terminal, title, or a program in quotes after call', '             ^'],
		['last > 1 call bel', 'unknown way bel; did you mean bell?', '              ^'],
		['last > 1 call x', 'unknown way x; choose from bell, terminal, title, or a program in quotes', '              ^'],
		['last > 1 call ""', 'the program names no program', '              ^'],
		['last > 1 call "a","b"', 'a rule runs one program', '                  ^'],
		['last > 1 call "a', 'expected bell, terminal, title, or a program in quotes after call', '              ^'],
		[`last > 1 call "a 'b"`, 'the program has a quote that is not closed', '              ^'],
		[
			'last > 1 call "a {prize}"',
			'the program has no {prize}; choose from {market}, {message}, {rule}, {time}, {note}',
			'              ^',
		],
		['last > 1 call bell every', 'expected a time such as 10m after every', '                        ^'],
		['last > 1)', 'unmatched )', '        ^'],
	])('%j is refused: %s', (text, message, caret) => {
		try {
			read(text);
		} catch (error) {
			if (!(error instanceof ConditionError)) throw error;
			expect([error.message, ...error.lines]).toEqual([message, text, caret]);
			return;
		}

		throw new Error(`${text} was read`);
	});
});

test.each([
	['last crosses 1', false],
	['last > 1 and bid > 1 and sma(5, 1h) > 1 and high(1h) > 1 and tradeSize > 1', false],
	['last > 1.02 * open', true],
	['changePercent < -5', true],
	['changePercent(5m) < -5', false],
	['* last > 1', true],
	['--list mine last crosses 1', false],
	['* last > sma(5, 1h)', true],
])('%s is judged by the delayed ticker: %s', (text, delayed) => {
	expect(delayedNote(read(text))).toBe(delayed ? 'by the 24 h ticker, delayed' : undefined);
});

test('a rule is refused if it is too long as it is printed', () => {
	const text = `BTCUSDT ${'last>1 or '.repeat(180)}last>1`;
	expect(text.length).toBeLessThan(2000);
	expect(() => parseRule(text, {marketNamed: name => ({key: name}), now: 0})).toThrow(
		'a rule has at most 2000 characters, written in full',
	);
});

test('a printed rule parses as the same rule', () => {
	const seconds = (least: number) => fc.integer({min: least, max: 1e7}).map(each => each * 1000);
	const anyRule = fc.record(
		{
			scope: fc.constantFrom<Scope>(
				{type: 'watched'},
				{type: 'market', key: 'BTCUSDT'},
				{type: 'market', key: 'LASTUSDT'},
				{type: 'favourites'},
				{type: 'list', name: 'last'},
			),
			condition: anyCondition({markets: markets.slice(0, 2)}),
			everyMs: seconds(1),
			until: seconds(1).map(ms => now + ms),
			note: fc.constantFrom('x', 'every 5m', 'until "noon", last > 1', '価 %s $(x)'),
		},
		{requiredKeys: ['scope', 'condition']},
	);
	fc.assert(
		fc.property(anyRule, stated => {
			fc.pre(printRule(stated).length <= 1500);
			const rule = read(printRule(stated));
			expect(read(printRule(rule))).toEqual(rule);
			// A name of the market that the rule is judged for may be left out.
			expect({...rule, scope: 0, condition: 0}).toEqual({...stated, scope: 0, condition: 0});
		}),
	);
});

test.each([
	['last > 100', {type: 'watched'}],
	['BTCUSDT last > 100', {type: 'market', key: 'BTCUSDT'}],
])('%j names its market, where any word can name one', (text, scope) => {
	expect(parseRule(text, {marketNamed: key => ({key}), now: 0}).scope).toEqual(scope);
});
