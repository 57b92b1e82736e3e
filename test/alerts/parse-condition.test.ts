import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	arithmeticOperators,
	type Comparison,
	type Condition,
	type Expression,
	formOf,
	operators,
	type Quantity,
	quantityNames,
} from '../../source/alerts/condition.ts';
import {ConditionError} from '../../source/alerts/condition-text.ts';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {printCondition} from '../../source/alerts/print-condition.ts';
import {symbolKey} from '../../source/market/symbol.ts';

const known = ['BTCUSDT', 'ETHUSDT', '1INCHUSDT', '価'];
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
		expect(read(text)).toEqual(condition);
	});
});

describe('reads expressions', () => {
	const minutes = (name: Quantity['name'], count: number) => quantity(name, {windowMs: count * 60_000});
	test.each<readonly [text: string, condition: string]>([
		['70000 < last', '70000 < last'],
		['last > 1.02*open', 'last > 1.02 * open'],
		['last>open+2%', 'last > open + 2%'],
		['last > open * 102 %', 'last > open * 102%'],
		['(last - bid) / 2 > ask-bid', '(last - bid) / 2 > ask - bid'],
		['last - (bid - ask) > 1', 'last - (bid - ask) > 1'],
		['last / (bid * ask) > 1', 'last / (bid * ask) > 1'],
		['(last * bid) * ask > 1', 'last * bid * ask > 1'],
		['((last)) > 1', 'last > 1'],
		['open/ETH/USDT.last > 1', 'ETHUSDT.open / ETHUSDT.last > 1'],
		['ETHUSDT.last > sma(50, 1h) and last > 1', 'ETHUSDT.last > ETHUSDT.sma(50, 1h) and last > 1'],
		['1-btc-usdt.last < 0', '1 - BTCUSDT.last < 0'],
		['LAST Crosses 70,000', 'last crosses 70000'],
		['last crosses  ABOVE sma(50,1h)', 'last crosses above sma(50, 1h)'],
		['sma(50, 60) crosses below ema( 20 , 15m )', 'sma(50, 1h) crosses below ema(20, 15m)'],
		['BTCUSDT.changePercent(5m)<-2', 'BTCUSDT.changePercent(5m) < -2'],
		['volume(90s) > 1 and volume > 2', 'volume(90s) > 1 and volume > 2'],
		['high(1h30m) > 1 or low(7d) < 1', 'high(90m) > 1 or low(7d) < 1'],
		['bidDepth(0.5%) > 2 * askDepth( .25 % )', 'bidDepth(0.5%) > 2 * askDepth(0.25%)'],
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
		['last 70000', `expected ${signs} after last`, '     ^'],
		['last >', `expected ${value} after >`, '      ^'],
		['last > 70000 spread < 2', 'expected and, or, or the end after 70000', '             ^'],
		['last > 1 and', 'expected a quantity after and', '            ^'],
		['last > 1 && & 2', 'expected a quantity after &&', '            ^'],
		['last + 1 and bid > 1', `expected ${signs} after 1`, '         ^'],
		['last > (bid > 1)', 'expected and, or, or the end after )', '                ^'],
		['! last > 1', 'expected a condition such as last > 70000', '^'],
		['(last > 1', 'unclosed (', '^'],
		['(last > 1 spread < 2)', 'expected and, or, ) after 1', '          ^'],
		['last > 1)', 'unmatched )', '        ^'],
		['lst > 1', 'unknown quantity lst; did you mean last?', '^'],
		['last > opn', 'unknown quantity opn; did you mean open?', '       ^'],
		['BTCUSDT.lst > 1', 'unknown quantity lst; did you mean last?', '        ^'],
		['spreadpercnt > 1', 'unknown quantity spreadpercnt; did you mean spreadPercent?', '^'],
		['xyzzy > 1', `unknown quantity xyzzy; choose from ${quantityNames.join(', ')}`, '^'],
		['BTCUSDT. > 1', `expected a quantity; choose from ${quantityNames.join(', ')}`, '        ^'],
		['BTCUSDT.last > ETHUSDT.last * open', "which market's open? write BTCUSDT.open", '^'],
		['5 > 3', 'no quantity is compared', '^'],
		['last > 2,5', 'a dot separates decimals (2.5), a comma thousands (1,000)', '       ^'],
		['last > 70k', '70k is not a number', '       ^'],
		['last > 7e4', '7e4 has an exponent: write the number in full', '       ^'],
		['last > 5%', '5% of what? write open + 5%; for a quantity in percent write 5', '       ^'],
		['spread<1 or SOLUSDT.last>1', 'SOLUSDT is not watched', '            ^'],
		['last(5m) > 1', 'last takes nothing in parentheses', '    ^'],
		['trades > 1', 'trades takes a time: trades(5m)', '       ^'],
		['sma(50) > 1', 'sma takes a number of candles and a period: sma(50, 1h)', '      ^'],
		['sma(50, 1h, 2) > 1', 'sma takes a number of candles and a period: sma(50, 1h)', '          ^'],
		['sma(0, 1h) > 1', 'a number of candles is a whole number from 1 to 250', '    ^'],
		['sma(5, 1M) > 1', 'M is not a unit: use m, h, d or w', '       ^'],
		['change(0s) > 1', 'a time here is from 1s to 7d', '       ^'],
		['change(8d) > 1', 'a time here is from 1s to 7d', '       ^'],
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

	test('a text that is too long', () => {
		expect(faultOf('('.repeat(2001))).toMatch(/^a condition has at most 2000 characters\n/);
	});
});

const anyNumber = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);
const anyQuantity: fc.Arbitrary<Quantity> = fc
	.record({
		name: fc.constantFrom(...quantityNames),
		bare: fc.boolean(),
		windowMs: fc.integer({min: 1, max: 604_800}).map(seconds => seconds * 1000),
		count: fc.integer({min: 1, max: 250}),
		period: fc.integer({min: 1, max: 1440}),
		distance: fc.constantFrom(0.5, 1, 100),
	})
	.map(({name, bare, ...values}) => {
		const {takes = [], bare: mayBeBare} = formOf(name);
		const given = mayBeBare && bare ? [] : takes;
		return {
			...{type: 'quantity', name},
			...(given.includes('window') && {windowMs: values.windowMs}),
			...(given.includes('count') && {count: values.count}),
			...(given.includes('period') && {period: values.period}),
			...(given.includes('distance') && {distance: values.distance}),
		};
	});

const {condition: anyCondition} = fc.letrec<{expression: Expression; condition: Condition}>(tie => ({
	expression: fc.oneof(
		{maxDepth: 3, depthIdentifier: 'expression'},
		anyQuantity,
		anyNumber.map(number),
		fc.record({
			type: fc.constant('arithmetic' as const),
			operator: fc.constantFrom(...arithmeticOperators),
			left: tie('expression'),
			right: fc.oneof(
				tie('expression'),
				fc.record({type: fc.constant('percent' as const), value: fc.double({min: 0, max: 1e6, noNaN: true})}),
			),
		}),
	),
	condition: fc.oneof(
		{maxDepth: 4, depthIdentifier: 'condition'},
		fc.record({
			type: fc.constant('comparison' as const),
			operator: fc.constantFrom(...operators),
			left: anyQuantity,
			right: tie('expression'),
		}),
		fc.record({
			type: fc.constant('crossing' as const),
			direction: fc.constantFrom('any' as const, 'above' as const, 'below' as const),
			left: tie('expression'),
			right: anyQuantity,
		}),
		fc.record({type: fc.constant('and' as const), left: tie('condition'), right: tie('condition')}),
		fc.record({type: fc.constant('or' as const), left: tie('condition'), right: tie('condition')}),
	),
}));

test('a printed condition parses as the same condition', () => {
	fc.assert(
		fc.property(anyCondition, fc.constantFrom(undefined, ...known.slice(0, 3)), (condition, market) => {
			const text = printCondition(inMarket(condition, market));
			fc.pre(text.length <= 2000);
			expect(read(text)).toEqual(inMarket(condition, market));
		}),
	);
});

/** With each quantity in this market. */
function inMarket<Part extends object>(part: Part, market: string | undefined): Part {
	const isQuantity = 'type' in part && part.type === 'quantity';
	const entries = Object.entries(part).map(([name, value]) => [
		name,
		typeof value === 'object' ? inMarket(value, market) : value,
	]);
	return {...Object.fromEntries(entries), ...(isQuantity && market !== undefined && {market})};
}

test('numbers are printed without an exponent', () => {
	const text = printCondition(read('last > 7_000_000_000_000_000_000_000_000 or BTCUSDT.bid < 0.0000000001'));
	expect(text).toBe('last > 7000000000000000000000000 or BTCUSDT.bid < 0.0000000001');
});

test('any text is a condition or has a fault that can be shown in place', () => {
	const words = ['last', 'age', '(', ')', '>', '<=', 'and', '||', '1e3', '7,0', '.', 'BTCUSDT.bid', '!', '%', '/', '-'];
	const word = fc.constantFrom(...words, 'crosses', 'above', 'sma', '5m', ',', '50', '+');
	const anyText = fc.oneof(
		fc.string(),
		fc.string({unit: 'binary'}),
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
	);
});
