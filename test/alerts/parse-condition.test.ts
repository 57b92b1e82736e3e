import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Comparison,
	type Condition,
	type Expression,
	printCondition,
	type Quantity,
	quantityNames,
} from '../../source/alerts/condition.ts';
import {ConditionError, parseCondition} from '../../source/alerts/parse-condition.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {anyCharacters} from '../helpers/any-values.ts';
import {anyCondition} from './any-condition.ts';

const known = ['BTCUSDT', 'ETHUSDT', '1INCHUSDT', 'OPENUSDT', '価'];
const read = (text: string): Condition =>
	parseCondition(text, name => {
		const key = symbolKey(name);
		return known.includes(key) ? {key} : {fault: `${name} is not watched`};
	});

const quantity = (name: Quantity['name'], more: Partial<Quantity> = {}): Quantity => ({
	type: 'quantity',
	name,
	...more,
});
const number = (value: number): Expression => ({type: 'number', value});
const last = (operator: Comparison['operator'], value: number, market?: string): Condition => ({
	...{type: 'comparison', operator, right: number(value)},
	left: quantity('last', market === undefined ? {} : {market}),
});
const spread = (value: number): Condition => ({
	...{type: 'comparison', operator: '<', left: quantity('spread'), right: number(value)},
});

describe('reads', () => {
	test.each<readonly [text: string, condition: Condition]>([
		['last > 70000', last('>', 70_000)],
		['  last>70000 ', last('>', 70_000)],
		['last <= .5', last('<=', 0.5)],
		['last == +3', last('=', 3)],
		['last != −0', last('!=', 0)],
		['LAST > 1', last('>', 1)],
		['BTCUSDT.last > 1', last('>', 1, 'BTCUSDT')],
		['1inch_usdt.last > 1', last('>', 1, '1INCHUSDT')],
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
	])('%j', (text, condition) => {
		expect(read(text)).toEqual(condition);
	});
});

describe('reads expressions', () => {
	const minutes = (name: Quantity['name'], count: number) => quantity(name, {windowMs: count * 60_000});
	test.each<readonly [text: string, condition: string]>([
		['last > 1.02*open', 'last > 1.02 * open'],
		['last > open * 102 %', 'last > open * 102%'],
		['(last - bid) / 2 > ask-bid', '(last - bid) / 2 > ask - bid'],
		['last / (bid * ask) > 1', 'last / (bid * ask) > 1'],
		['(last * bid) * ask > 1', 'last * bid * ask > 1'],
		['open/ETH/USDT.last > 1', 'open / ETHUSDT.last > 1'],
		['OPEN/USDT.last > 1', 'OPENUSDT.last > 1'],
		['last > 102 % * open', 'last > 1.02 * open'],
		['2%*last < spread', '0.02 * last < spread'],
		['last / 2 % > 1 - -1', 'last / 2% > 1 - -1'],
		['last > BTCUSDT.last and BTCUSDT.bid > bid', 'last > BTCUSDT.last and BTCUSDT.bid > BTCUSDT.bid'],
		['ETHUSDT.last > sma(50, 1h) and last > 1', 'ETHUSDT.last > ETHUSDT.sma(50, 1h) and last > 1'],
		['1-btc-usdt.last < 0', '1 - BTCUSDT.last < 0'],
		['LAST Crosses 70,000', 'last crosses 70000'],
		['last crosses Line 12', 'last crosses line 12'],
		['line 1 + 2% < line 3-5', 'line 1 + 2% < line 3 - 5'],
		['BTCUSDT.last > line 1', 'BTCUSDT.last > BTCUSDT.line 1'],
		['last crosses  ABOVE sma(50,1h)', 'last crosses above sma(50, 1h)'],
		['sma(50, 60) crosses below ema( 20 , 15m )', 'sma(50, 1h) crosses below ema(20, 15m)'],
		['BTCUSDT.changePercent(5m)<-2', 'BTCUSDT.changePercent(5m) < -2'],
		['high(1h30m) > 1 or low(7d) < 1', 'high(90m) > 1 or low(7d) < 1'],
		['bidDepth(0.5%) > 2 * askDepth( .25 % )', 'bidDepth(0.5%) > 2 * askDepth(0.25%)'],
		['bidDepth(0.0000001%) > 1', 'bidDepth(0.0000001%) > 1'],
		[`${'('.repeat(50)}last > 1${')'.repeat(50)}`, 'last > 1'],
		['tradesize >= 1 and tradeValue > 100_000', 'tradeSize >= 1 and tradeValue > 100000'],
		['(last crosses 1 or (bid > 1)) and ask > 1', '(last crosses 1 or bid > 1) and ask > 1'],
	])('%j', (text, printed) => {
		expect(printCondition(read(text))).toBe(printed);
	});

	test('with what stands in parentheses', () => {
		expect(read('changePercent(5m) - rsi(14, 4h) > bidDepth(0.5%)')).toEqual({
			...{type: 'comparison', operator: '>', right: quantity('bidDepth', {distance: 0.5})},
			left: {
				...{type: 'arithmetic', operator: '-', left: minutes('changePercent', 5)},
				right: quantity('rsi', {count: 14, period: 240}),
			},
		});
	});
});

function faultOf(text: string): string {
	try {
		read(text);
	} catch (error) {
		if (error instanceof ConditionError) return [error.message, ...error.lines].join('\n');
		throw error;
	}

	throw new Error(`${text} was read`);
}

describe('shows the fault of', () => {
	const value = 'a number or a quantity';
	const signs = '>, >=, <, <=, =, != or crosses';
	test.each<readonly [text: string, message: string, caret: string]>([
		['last > and spread < 2', `expected ${value} after >`, '       ^'],
		['crosses 5', 'expected a condition such as last > 70000', '^'],
		['last', `expected ${signs} after last`, '    ^'],
		['last >', `expected ${value} after >`, '      ^'],
		['last > 70000 spread < 2', 'expected and, or, or the end after 70000', '             ^'],
		['last > 1 and', 'expected a quantity after and', '            ^'],
		['last + 1 and bid > 1', `expected ${signs} after 1`, '         ^'],
		['last > (bid > 1)', 'expected and, or, or the end after )', '                ^'],
		['! last > 1', 'expected a condition such as last > 70000', '^'],
		['(last > 1', 'unclosed (', '^'],
		['(last > 1 spread < 2)', 'expected and, or, ) after 1', '          ^'],
		['last > 1)', 'unmatched )', '        ^'],
		['lst > 1', 'unknown quantity lst; did you mean last?', '^'],
		['BTCUSDT.lst > 1', 'unknown quantity lst; did you mean last?', '        ^'],
		['xyzzy > 1', `unknown quantity xyzzy; choose from ${quantityNames.join(', ')}`, '^'],
		['BTCUSDT. > 1', `expected a quantity; choose from ${quantityNames.join(', ')}`, '        ^'],
		['BTCUSDT.last > ETHUSDT.last * open', "which market's open? write BTCUSDT.open", '^'],
		['last > line', 'line takes the number of a line that you drew: line 1', '           ^'],
		['last > line 1.5', 'line takes the number of a line that you drew: line 1', '            ^'],
		['last > line 0 and bid > 1', 'line takes the number of a line that you drew: line 1', '              ^'],
		['5 > 3', 'no quantity is compared', '^'],
		['last cross above 5', 'unknown operator cross; did you mean crosses?', '     ^'],
		['last crosses over 5', 'unknown direction over; did you mean crosses above?', '             ^'],
		['last => 5', 'unknown operator =>; did you mean >=?', '     ^'],
		['last === 5', 'unknown operator ===; did you mean =?', '     ^'],
		['last<>5', 'unknown operator <>; did you mean !=?', '    ^'],
		['last ≥ 5', 'unknown operator ≥; did you mean >=?', '     ^'],
		['last above 5', `expected ${signs} after last`, '     ^'],
		['last > 2% + open', '2% of what? write open + 2%; for a quantity in percent write 2', '       ^'],
		['last > open / 0', 'nothing can be divided by 0', '              ^'],
		['last / 0.0% > 1', 'nothing can be divided by 0', '       ^'],
		['1 < last < 5', 'expected and, or, or the end after last', '         ^'],
		['sma(100000, 1h) > 1', 'a number of candles is a whole number from 1 to 250', '    ^'],
		['rsi(101, 1h) > 1', 'a number of candles is a whole number from 1 to 100', '    ^'],
		['change(7d1s) > 1', 'a time here is from 1s to 7d', '       ^'],
		['change(1.5s) > 1', 'a time here is in whole seconds', '       ^'],
		['imbalance(5m) > 1', 'imbalance takes nothing in parentheses', '         ^'],
		['last > 2,5', 'a dot separates decimals (2.5), a comma thousands (1,000)', '       ^'],
		['last > 70k', '70k is not a number', '       ^'],
		['last > 7e4', '7e4 has an exponent: write the number in full', '       ^'],
		['last > 5%', '5% of what? write open + 5%; for a quantity in percent write 5', '       ^'],
		['spread<1 or SOLUSDT.last>1', 'SOLUSDT is not watched', '            ^'],
		['trades > 1', 'trades takes a time: trades(5m)', '       ^'],
		['sma(50) > 1', 'sma takes a number of candles and a period: sma(50, 1h)', '      ^'],
		['sma(50 1h) > 1', 'a comma is missing: sma(50, 1h)', '       ^'],
		['sma(x 1h) > 1', 'x 1h is not a number', '    ^'],
		['sma(50, 1h, 2) > 1', 'sma takes a number of candles and a period: sma(50, 1h)', '          ^'],
		['sma(0, 1h) > 1', 'a number of candles is a whole number from 1 to 250', '    ^'],
		['sma(5, 1M) > 1', 'a rule takes no calendar months: use m, h, d or w', '       ^'],
		['change(5) > 1', '5 has no unit: write 5s, 5m, 5h or 5d', '       ^'],
		['change() > 1', 'change takes a time: change(5m)', '       ^'],
		['bidDepth(2) > 1', 'a distance from the mid is in percent: 2%', '         ^'],
		['bidDepth(200%) > 1', 'a distance is above 0% and up to 100%', '         ^'],
	])('%j', (text, message, caret) => {
		const [shown = '', ...lines] = faultOf(text).split('\n');
		expect([shown.slice(0, message.length), ...lines]).toEqual([message, text, caret]);
	});

	test('an empty text', () => {
		expect(faultOf(' ')).toBe('expected a condition such as last > 70000');
	});

	test('a text with control characters, in the cells of what remains', () => {
		expect(faultOf('価.last\n> 70k \u001B[31m')).toBe('70k is not a number\n価.last > 70k \n          ^');
	});

	test('a long text in part', () => {
		const before = 'last > 1 and '.repeat(20);
		expect(faultOf(`${before}lst > 1${' and last > 1'.repeat(20)}`).split('\n')).toEqual([
			'unknown quantity lst; did you mean last?',
			`…${before.slice(-120)}lst > 1${' and last > 1'.repeat(20).slice(0, 53)}…`,
			`${' '.repeat(121)}^`,
		]);
	});

	test.each([
		['that is too long', '('.repeat(2001), 'a condition has at most 2000 characters'],
		['of 100 kB', 'last > 1 and '.repeat(8000), 'a condition has at most 2000 characters'],
		['that is nested too deeply', `${'('.repeat(900)}last > 1${')'.repeat(900)}`, 'more than 50 parentheses are open'],
	])('a text %s', (_, text, message) => {
		const [shown, ...lines] = faultOf(text).split('\n');
		expect(shown).toBe(message);
		expect(lines.every(line => line.length < 200)).toBe(true);
	});
});

test('a printed condition parses as the same condition', () => {
	fc.assert(
		fc.property(anyCondition({markets: known.slice(0, 3)}), condition => {
			const text = printCondition(condition);
			fc.pre(text.length <= 2000);
			expect(read(text)).toEqual(condition);
		}),
	);
});

test('numbers are printed without an exponent', () => {
	const text = printCondition(read('last > 7_000_000_000_000_000_000_000_000 or BTCUSDT.bid < 0.0000000001'));
	expect(text).toBe('last > 7000000000000000000000000 or BTCUSDT.bid < 0.0000000001');
});

test('any text is a condition or has a fault that can be shown in place', () => {
	const words = ['last', 'age', '(', ')', '>', '<=', 'and', '||', '1e3', '7,0', '.', 'BTCUSDT.bid', '!', '%', '/', '-'];
	const word = fc.constantFrom(...words, 'crosses', 'above', 'sma', '5m', ',', '50', '+');
	const anyText = fc.oneof(
		fc.string(),
		anyCharacters,
		fc.array(word).map(words => words.join(' ')),
		fc.array(word).map(words => words.join('')),
	);
	fc.assert(
		fc.property(anyText, text => {
			try {
				const condition = read(text);
				expect(read(printCondition(condition))).toEqual(condition);
			} catch (error) {
				if (!(error instanceof ConditionError)) throw error;
				expect(error.lines[1] ?? '^').toMatch(/^ *\^$/);
			}
		}),
		{numRuns: 50},
	);
});
