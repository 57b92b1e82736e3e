/** Holdings that the user states: typed, in their list and in the list of markets. */
import {describe, expect, test} from 'vitest';
import {waiting} from '../../source/store/resource.ts';
import {lineText, lineWidth} from '../../source/view/line.ts';
import {holdingsPanel} from '../../source/view/panels/holdings/rows.ts';
import {pickerListOf} from '../../source/view/panels/markets/list.ts';
import {unvaluedText, valuationIn} from '../../source/view/valuation.ts';
import {openHeadless} from './commands/headless.ts';

describe(':holding', () => {
	test.each([
		['btc 0.5', {amount: 0.5}, 'holding BTC 0.5 added'],
		['BTC 1,000 @ 61000', {amount: 1000, cost: {price: 61_000, quote: 'USDT'}}, 'holding BTC 1000 @ 61000 USDT added'],
		['btc .5@0.05 eth', {amount: 0.5, cost: {price: 0.05, quote: 'ETH'}}, 'holding BTC 0.5 @ 0.05 ETH added'],
	])('%s', async (text, held, notice) => {
		const {type, outcome} = await openHeadless();
		await type(`:holding ${text}\r`);
		const {picker, notice: shown} = outcome().ui;
		expect([[...picker.holdings], shown]).toEqual([[['BTC', {asset: 'BTC', origin: 'user', ...held}]], notice]);
	});

	test('of the same asset changes it, and amount 0 deletes it', async () => {
		const {type, outcome} = await openHeadless();
		await type(':holding btc 1\r:holding BTC 2\r');
		expect(outcome().ui).toMatchObject({notice: 'holding BTC 2 changed'});
		await type(':holding btc 0\r');
		expect([outcome().ui.picker.holdings.size, outcome().ui.notice]).toEqual([0, 'holding BTC 2 deleted']);
	});

	const takes = 'holding takes an asset, an amount, optionally what one unit cost: BTC 0.5 @ 61000 USDT';
	test.each([
		['btc', `a number is missing; ${takes}`],
		['btc 1,5', `a dot separates decimals (2.5), a comma thousands (1,000); ${takes}`],
		['btc -1', 'an amount is not below 0'],
		['btc 1 @', `a number is missing; ${takes}`],
		['btc 1 @ 0', 'a cost is above 0; leave it out where it is unknown'],
		['btc 1 @ 5 us dollars', `us dollars is not an asset; ${takes}`],
		['btc 1 @ 5 @ 6', takes],
		['... 1', takes],
		['eth 0', 'there is no holding of ETH'],
	])('%s is a mistake', async (text, fault) => {
		const {type, outcome} = await openHeadless();
		await type(`:holding btc 9\r:holding ${text}\r`);
		expect(outcome().ui.command?.fault).toBe(fault);
		expect([...outcome().ui.picker.holdings.values()]).toEqual([{asset: 'BTC', amount: 9, origin: 'user'}]);
	});
});

const stated = ':holding btc 0.5 @ 61000\r:holding eth 3 @ 0.05 btc\r:holding usdt 2500\r:holding old 7\r';

describe('the list of holdings', () => {
	test.each([
		['120x12', {columns: 120, rows: 12}, false],
		['80x12', {columns: 80, rows: 12}, false],
		['40x8', {columns: 40, rows: 8}, false],
		['80x12-ascii', {columns: 80, rows: 12}, true],
	])('%s', async (name, size, ascii) => {
		const {type, outcome} = await openHeadless();
		await type(stated);
		const {ui, state} = outcome();
		const valuation = valuationIn(state, ui.picker.holdings, undefined);
		const now = state.tickers.status === 'ready' ? state.tickers.receivedAt + 1500 : 0;
		const keyHint = () => '';
		const lines = holdingsPanel({valuation, unvalued: unvaluedText(state), cursor: 'ETH', now, keyHint, size, ascii});
		expect(lines.map(lineWidth)).toEqual(Array.from({length: size.rows}, () => size.columns));
		await expect(`${lines.map(lineText).join('\n')}\n`).toMatchFileSnapshot(`../frames/holdings/${name}.txt`);
	});
});

test('the list of markets is sorted by the value of what is held, at the last trade as in the list of holdings', async () => {
	const {type, outcome} = await openHeadless();
	await type(`${stated}:sort value\r`);
	const {ui, state} = outcome();
	const list = pickerListOf(state, ui.picker);
	const valuation = valuationIn(state, ui.picker.holdings, undefined);
	const values = list.map(({held}) => held?.value);
	const ofBase = (asset: string | undefined) => valuation.assets.find(held => held.asset === asset)?.value;
	expect(values).toEqual(list.map(({market}) => ofBase(market.base)));
	expect(values.filter(value => value !== undefined)).toEqual(
		values.filter(value => value !== undefined).toSorted((a, b) => b - a),
	);
	expect(values[0]).toBe(ofBase('BTC'));
});

test('without a list of markets, as in a recording of one market, the symbols of the tickers tell the assets', async () => {
	const {type, outcome} = await openHeadless();
	await type(stated);
	const {ui, state} = outcome();
	const valuationOf = (more: object) => valuationIn({...state, ...more}, ui.picker.holdings, undefined);
	expect(valuationOf({markets: waiting})).toEqual(valuationOf({}));
});
