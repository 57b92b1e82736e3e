import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Comparison,
	type Condition,
	operators,
	parseCondition,
	printCondition,
	quantities,
} from '../../../source/cli/commands/condition.ts';
import {UsageError} from '../../../source/cli/exit.ts';

const watched = ['BTC/USDT', 'eth_usdt', '1INCHUSDT'];

const last = (operator: Comparison['operator'], value: number, market?: string): Condition => ({
	...{type: 'comparison', market, quantity: 'last', operator, value},
});
const spread = (value: number): Condition => ({...{type: 'comparison', quantity: 'spread', operator: '<', value}});

describe('reads', () => {
	test.each<readonly [text: string, condition: Condition]>([
		['last > 70000', last('>', 70_000)],
		['  last>70000 ', last('>', 70_000)],
		['last <= .5', last('<=', 0.5)],
		['last = -3', last('=', -3)],
		['last == +3', last('=', 3)],
		['last != −0', last('!=', 0)],
		['LAST > 1', last('>', 1)],
		['BTCUSDT.last > 1', last('>', 1, 'BTCUSDT')],
		['btc-usdt.last > 1', last('>', 1, 'BTCUSDT')],
		['ETH/USDT.last > 1', last('>', 1, 'ETHUSDT')],
		['1inch_usdt.last > 1', last('>', 1, '1INCHUSDT')],
		['last > 1 and spread < 2', {type: 'and', left: last('>', 1), right: spread(2)}],
		['last > 1&&spread < 2', {type: 'and', left: last('>', 1), right: spread(2)}],
		['last > 1 OR spread < 2', {type: 'or', left: last('>', 1), right: spread(2)}],
		['last > 1 || spread < 2', {type: 'or', left: last('>', 1), right: spread(2)}],
		[
			'last > 1 or last > 2 and spread < 3',
			{type: 'or', left: last('>', 1), right: {type: 'and', left: last('>', 2), right: spread(3)}},
		],
		[
			'(last > 1 or last > 2) and spread < 3',
			{type: 'and', left: {type: 'or', left: last('>', 1), right: last('>', 2)}, right: spread(3)},
		],
		[
			'last > 1 and last > 2 and last > 3',
			{type: 'and', left: {type: 'and', left: last('>', 1), right: last('>', 2)}, right: last('>', 3)},
		],
		['((last > 1))', last('>', 1)],
	])('%j', (text, condition) => {
		expect(parseCondition(text, watched)).toEqual(condition);
	});
});

function faultOf(text: string, markets: readonly string[] = watched): string {
	try {
		parseCondition(text, markets);
	} catch (error) {
		if (error instanceof UsageError) return [error.message, ...error.details].join('\n');
		throw error;
	}

	throw new Error(`${text} was read`);
}

describe('shows the fault of', () => {
	test.each<readonly [text: string, message: string, caret: string]>([
		['last > and spread < 2', 'expected a number after >', '       ^'],
		['last', 'expected >, >=, <, <=, = or != after last', '    ^'],
		['last 70000', 'expected >, >=, <, <=, = or != after last', '     ^'],
		['last >', 'expected a number after >', '      ^'],
		['last > 70000 spread < 2', 'expected and, or, or the end after 70000', '             ^'],
		['last > 1 and', 'expected a quantity after and', '            ^'],
		['last > 1 && & 2', 'expected a quantity after &&', '            ^'],
		['! last > 1', 'expected a condition such as last > 70000', '^'],
		['(last > 1', 'unclosed (', '^'],
		['(last > 1 spread < 2)', 'expected and, or, ) after 1', '          ^'],
		['last > 1)', 'unmatched )', '        ^'],
		['lst > 1', 'unknown quantity lst; did you mean last?', '^'],
		['BTCUSDT.lst > 1', 'unknown quantity lst; did you mean last?', '        ^'],
		['spreadpercnt > 1', 'unknown quantity spreadpercnt; did you mean spreadPercent?', '^'],
		['5 < last', `unknown quantity 5; choose from ${quantities.join(', ')}`, '^'],
		['BTCUSDT. > 1', `expected a quantity; choose from ${quantities.join(', ')}`, '        ^'],
		['last > 2,5', 'a dot separates decimals (2.5), a comma thousands (1,000)', '       ^'],
		['last > 70k', '70k is not a number', '       ^'],
		['changePercent > 5%', '5% is not a number', '                ^'],
		['last > bid', 'bid is not a number', '       ^'],
		['last > 7e4', '7e4 has an exponent: write the number in full', '       ^'],
		['spread<1 or SOLUSDT.last>1', 'SOLUSDT is not watched; watched: BTC/USDT, eth_usdt, 1INCHUSDT', '            ^'],
	])('%j', (text, message, caret) => {
		expect(faultOf(text)).toBe(`--until: ${message}\n  ${text}\n  ${caret}`);
	});

	test('an empty text', () => {
		expect(faultOf(' ')).toBe('--until: expected a condition such as last > 70000');
	});

	test('a market while only the default one is watched, whose name is still unknown', () => {
		expect(faultOf('BTCUSDT.last > 1', [])).toBe(
			'--until: BTCUSDT is not watched; name it: tapewatch watch BTCUSDT\n  BTCUSDT.last > 1\n  ^',
		);
	});

	test('a text with control characters, in the cells of what remains', () => {
		expect(faultOf('価.last\n> 70k \u001B[31m', ['価'])).toBe(
			'--until: 70k is not a number\n  価.last > 70k \n            ^',
		);
	});

	test('a text that is too long', () => {
		expect(faultOf('('.repeat(2001))).toBe('--until: a condition has at most 2000 characters');
	});
});

const anyComparison: fc.Arbitrary<Condition> = fc.record({
	type: fc.constant('comparison' as const),
	market: fc.constantFrom(undefined, 'BTCUSDT', 'ETHUSDT', '1INCHUSDT'),
	quantity: fc.constantFrom(...quantities),
	operator: fc.constantFrom(...operators),
	value: fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0),
});

const anyCondition = fc.letrec<{condition: Condition}>(tie => ({
	condition: fc.oneof(
		{maxDepth: 4, depthIdentifier: 'condition'},
		anyComparison,
		fc.record({type: fc.constantFrom('and' as const, 'or' as const), left: tie('condition'), right: tie('condition')}),
	),
})).condition;

test('a printed condition parses as the same condition', () => {
	fc.assert(
		fc.property(anyCondition, condition => {
			const text = printCondition(condition);
			fc.pre(text.length <= 2000);
			expect(parseCondition(text, watched)).toEqual(condition);
		}),
	);
});

test('numbers are printed without an exponent', () => {
	const text = printCondition(
		parseCondition('last > 7_000_000_000_000_000_000_000_000 or BTCUSDT.bid < 0.0000000001', watched),
	);
	expect(text).toBe('last > 7000000000000000000000000 or BTCUSDT.bid < 0.0000000001');
});

test('any text is a condition or has a fault that can be shown in place', () => {
	const word = fc.constantFrom('last', 'age', '(', ')', '>', '<=', 'and', '||', '1e3', '7,0', '.', 'BTCUSDT.bid', '!');
	const anyText = fc.oneof(
		fc.string(),
		fc.string({unit: 'binary'}),
		fc.array(word).map(words => words.join(' ')),
	);
	fc.assert(
		fc.property(anyText, text => {
			try {
				const condition = parseCondition(text, watched);
				expect(parseCondition(printCondition(condition), watched)).toEqual(condition);
			} catch (error) {
				if (!(error instanceof UsageError)) throw error;
				expect(error.message).toMatch(/^--until: /);
				expect(error.details[1] ?? '  ^').toMatch(/^ {2} *\^$/);
			}
		}),
	);
});
