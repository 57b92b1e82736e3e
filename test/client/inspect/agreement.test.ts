import {describe, expect, test} from 'vitest';
import {
	bookAgreement,
	shortLists,
	stateAgreement,
	summaryAgreement,
	tickerAgreement,
} from '../../../source/client/inspect/comparisons.ts';
import type {Level, Market, Ticker} from '../../../source/market/types.ts';

const ticker = (symbol: string, last?: number, bid?: number, ask?: number): Ticker => ({
	...{symbol, last, bid, ask, state: 'active'},
});

/** From `price: quantity`, best first. */
const levels = (text: string): readonly Level[] =>
	text.split(', ').map(level => {
		const [price = 0, quantity = 0] = level.split(': ').map(Number);
		return [price, quantity];
	});

describe('two interfaces agree', () => {
	test('on the prices of unchanged tickers', () => {
		const before = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 21), ticker('CCC', 30, 29, 31), ticker('DDD')];
		const after = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 22), ticker('CCC', 31, 29, 31), ticker('DDD')];
		const between = [
			...[ticker('BBB', 20, 18, 22), ticker('AAA', 10, 9, 12)],
			...[ticker('CCC', 99, 29), ticker('DDD', 1, 1, 1)],
		];
		expect(tickerAgreement({before, between, after})).toEqual({
			last: {compared: 2, agreeing: 2, differing: []},
			bid: {compared: 3, agreeing: 2, differing: ['BBB']},
			ask: {compared: 1, agreeing: 0, differing: ['AAA']},
		});
	});

	test('on the levels of an unchanged book, as deep as the other one goes', () => {
		const before = {asks: levels('11: 1, 12: 2, 13: 3, 14: 4, 15: 5'), bids: []};
		const after = {asks: levels('11: 1, 12: 9, 13: 3, 14: 4, 15: 5'), bids: []};
		expect(bookAgreement({before, between: {asks: levels('11: 1, 12: 2, 14: 4')}, after})).toEqual({
			asks: {compared: 3, agreeing: 2, differing: ['13']},
			bids: undefined,
		});
	});

	test('differ only where an earlier comparison differs too', () => {
		const outer = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 21), ticker('CCC', 30, 29, 31)];
		const around = (between: readonly Ticker[]) => ({before: outer, between, after: outer});
		const first = tickerAgreement(around([ticker('AAA', 8), ticker('BBB', 7), ticker('CCC', 30)]));
		const second = tickerAgreement(around([ticker('AAA', 10), ticker('BBB', 6), ticker('CCC', 5)]), first);
		expect([first.last, second.last]).toEqual([
			{compared: 3, agreeing: 1, differing: ['AAA', 'BBB']},
			{compared: 3, agreeing: 2, differing: ['BBB']},
		]);
	});

	test('on bids, where both show them', () => {
		const still = {asks: [], bids: levels('9: 1, 8: 2, 7: 3')};
		expect(bookAgreement({before: still, between: {asks: [], bids: levels('9: 1, 8: 5')}, after: still})).toEqual({
			asks: {compared: 0, agreeing: 0, differing: []},
			bids: {compared: 2, agreeing: 1, differing: ['8']},
		});
	});
});

test('ticker and summary agree on prices and states that the ticker has before and after', () => {
	const halted = (of: Ticker) => ({...of, state: 'halted'});
	const [a, b, c] = [ticker('AAA', 10, 9, 11), ticker('BBB', 20, 19, 21), ticker('CCC', 30, 29, 31)];
	expect(
		summaryAgreement({before: [a, b, c], between: [halted(a), {...b, last: 22}, c], after: [a, b, halted(c)]}),
	).toEqual({
		last: {compared: 3, agreeing: 2, differing: ['BBB']},
		bid: {compared: 3, agreeing: 3, differing: []},
		ask: {compared: 3, agreeing: 3, differing: []},
		state: {compared: 2, agreeing: 1, differing: ['AAA']},
	});
});

test('states of list and tickers are compared where they did not change meanwhile', () => {
	const of = (state: string, symbol = 'AAA') => ({symbol, state});
	const place = (source: 'v2' | 'legacy') => ({interface: source, operation: 'ticker'}) as const;
	const differing = (lists: Market[][], tickers: Ticker[][], source: 'v2' | 'legacy' = 'v2') => {
		const found = stateAgreement(lists, tickers, place(source));
		return [found.compared, ...found.differing.map(each => `${each.symbol} ${each.listed} ${each.found}`)];
	};
	expect([
		differing([[of('active')]], [[of('active')]]),
		differing([[of('halted')], [of('halted')]], [[of('active')], [of('active')]]),
		differing([[of('halted')], [of('active')]], [[of('active')]]),
		differing([[of('active')]], [[of('active')], [of('halted')]]),
		differing([[{...of('unknown'), unreadable: true}]], [[of('active')]]),
		differing([[of('halted')]], [[of('frozen 1')]], 'legacy'),
		differing([[of('active')]], [[of('frozen 1')]], 'legacy'),
		differing([[of('active', 'BBB')]], [[of('halted')]]),
	]).toEqual([[1], [1, 'AAA halted active'], [0], [0], [0], [1], [1, 'AAA active frozen 1'], [0]]);
});

test('a list of markets is short when others have more', () => {
	const list = (operation: 'markets' | 'ticker' | 'summary', ...symbols: readonly string[]) => ({
		...{interface: 'v2' as const, operation, symbols: new Set(symbols)},
	});
	expect(shortLists([list('markets', 'AAA', 'BBB'), list('ticker', 'AAA'), list('summary', 'BBB', 'AAA')])).toEqual([
		{interface: 'v2', operation: 'ticker', missing: ['BBB'], of: 2},
	]);
});
