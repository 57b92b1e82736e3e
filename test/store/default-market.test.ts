import {expect, test} from 'vitest';
import {defaultSymbol} from '../../source/market/symbol.ts';
import {market} from './samples.ts';

test('prefers BTC/USDT in any spelling', () => {
	expect(defaultSymbol([market('ETHUSDT'), market('BTC_USDT')])).toBe('BTC_USDT');
});

test('takes the first active market when BTC/USDT is not active', () => {
	expect(defaultSymbol([market('OLDUSDT', 'halted'), market('BTCUSDT', 'halted'), market('ETHUSDT')])).toBe('ETHUSDT');
});

test('takes the first market when none is active', () => {
	expect(defaultSymbol([market('AUSDT', 'halted'), market('BUSDT', 'halted')])).toBe('AUSDT');
});

test('has no choice in an empty list', () => {
	expect(defaultSymbol([])).toBeUndefined();
});
