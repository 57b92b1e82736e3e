import {expect, test} from 'vitest';
import {marketTitle, type TitleOptions} from '../../source/view/market-title.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';
import {trade} from '../store/samples.ts';

const market = {symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', state: 'active'};
const ticker = {symbol: 'BTCUSDT', last: 61_822.4, state: 'active'};
const tape = received({trades: [trade(2, 2000, 61_824.01), trade(1, 1000, 61_800)], gaps: new Set<string>()}, 2000);
const known = marketState({
	symbol: 'BTCUSDT',
	markets: received([market], 0),
	tickers: received(new Map([['BTCUSDT', ticker]]), 0),
	trades: tape,
	decimals: {price: 2, quantity: 5},
});
const titleOf = (state: Parameters<typeof marketTitle>[0], options: Partial<TitleOptions> = {}) =>
	marketTitle(state, {demo: false, isRecorded: false, others: 0, ascii: false, ...options});

test('the title names the market and its last price, and what that price is not', () => {
	expect(titleOf(known)).toBe('BTC/USDT 61,824.01');
	expect(titleOf(known, {demo: true, others: 3})).toBe('BTC/USDT 61,824.01 · +3 · DEMO');
	expect(titleOf({...known, trades: {...tape, failure: failure(2000)}})).toBe('BTC/USDT 61,824.01 · stale');
	expect(titleOf({...known, paused: true}, {ascii: true})).toBe('BTC/USDT 61,824.01 - paused');
	expect(titleOf({...known, paused: true}, {isRecorded: true})).toBe('BTC/USDT 61,824.01 · recorded');
});

test('without trades the title has the price of the delayed ticker, and without either none', () => {
	const waiting = {...known, trades: marketState().trades};
	expect(titleOf(waiting)).toBe('BTC/USDT ticker 61,822.40');
	expect(titleOf({...waiting, tickers: marketState().tickers})).toBe('BTC/USDT');
	expect(titleOf({...marketState(), symbol: 'OLDUSDT'})).toBe('OLDUSDT');
});
