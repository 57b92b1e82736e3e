import {expect, test} from 'vitest';
import {parseCondition} from '../../source/alerts/parse-condition.ts';
import {unavailableQuantity} from '../../source/alerts/unavailable-quantity.ts';
import type {InterfaceChoice} from '../../source/client/exchange.ts';
import type {Interface} from '../../source/market/types.ts';

const both = ['v2', 'legacy'] as const;
const noOpen = 'the legacy interface shows neither the change nor the opening price (changePercent is known)';
const noUnit = 'the legacy interface does not say which unit its volume has';
const noCandles = 'the legacy interface has no candles';
const noSides = 'the trades of the legacy interface have no side';

const read = (text: string) => parseCondition(text, () => ({key: 'BTCUSDT'}));

test.each<readonly [text: string, interfaces: readonly Interface[], choice: InterfaceChoice]>([
	['volume > 1 and bid > 1', both, 'auto'],
	['open > 1 and sma(5, 1h) > 1 and last > 1 and ask > 1 and age > 1', ['v2'], 'auto'],
	['last > 1 and changePercent > 1 and high > low and spread < imbalance', ['legacy'], 'auto'],
	['change(5m) > 1 and volume(5m) > 1 and trades(1m) > 1 and tradeSize > 1', ['legacy'], 'auto'],
])('%s with %j and %s can be known', (text, interfaces, choice) => {
	expect(unavailableQuantity(read(text), {interfaces, choice})).toBeUndefined();
});

test.each<
	readonly [text: string, interfaces: readonly Interface[], choice: InterfaceChoice, name: string, reason: string]
>([
	['last > 1 or volume > 1', ['legacy'], 'auto', 'volume', noUnit],
	['volume > 1', both, 'legacy', 'volume', noUnit],
	['last > open', ['legacy'], 'auto', 'open', noOpen],
	['change > 1', ['legacy'], 'legacy', 'change', noOpen],
	['last > 2 * sma(50, 1h) + 5%', ['legacy'], 'auto', 'sma', noCandles],
	['1 < vwap(50, 1h)', both, 'legacy', 'vwap', noCandles],
	['buyVolume(1m) > 1', ['legacy'], 'auto', 'buyVolume', noSides],
	['sellVolume(1m) > 1', both, 'legacy', 'sellVolume', noSides],
])('%s with %j and %s is never known: %s', (text, interfaces, choice, name, reason) => {
	const {quantity, ...rest} = unavailableQuantity(read(text), {interfaces, choice}) ?? {};
	expect({name: quantity?.name, ...rest}).toEqual({name, reason, needs: 'v2'});
});

test.each(['bid', 'mid', 'spread', 'spreadPercent', 'bidDepth(1%)', 'askDepth(1%)', 'imbalance'])(
	'%s is never known from v2 alone once its books came without bids',
	text => {
		const condition = read(`1 < ${text}`);
		const refused = {quantity: condition.right, reason: 'the v2 order book shows no bids', needs: 'legacy'};
		expect(unavailableQuantity(condition, {interfaces: ['v2'], choice: 'auto', hasV2Bids: false})).toEqual(refused);
		expect(unavailableQuantity(condition, {interfaces: both, choice: 'v2', hasV2Bids: false})).toEqual(refused);
		expect(unavailableQuantity(condition, {interfaces: ['v2'], choice: 'auto'})).toBeUndefined();
		expect(unavailableQuantity(condition, {interfaces: ['v2'], choice: 'auto', hasV2Bids: true})).toBeUndefined();
	},
);
