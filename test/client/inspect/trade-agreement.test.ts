import {describe, expect, test} from 'vitest';
import {tradeAgreement} from '../../../source/client/inspect/comparisons.ts';
import type {Trade} from '../../../source/market/types.ts';

const epoch = Date.UTC(2026, 0);

/** `at` in ms from the epoch above. */
const trade = (id: number, at: number, price = 10, quantity = 1): Trade => ({
	...{id: String(id), time: epoch + at, price, quantity},
});
const page = (until: number, ...trades: readonly Trade[]) => ({trades, until: epoch + until});
const [newest, newer, older, oldest] = [trade(4, 4400), trade(3, 3300), trade(2, 2200), trade(1, 1100)];
const equal = {agreeing: 3, sameIds: 3, differing: [], legacyLagMs: 0, onlyV2: [], onlyLegacy: []};

describe('trades of two interfaces', () => {
	test('agree in the time that both pages cover, up to a second before the older one', () => {
		const v2 = page(10_000, trade(9, 9100), trade(8, 8800), newest, newer, older, oldest);
		const legacy = page(9500, newest, newer, older, oldest, trade(0, 50));
		expect(tradeAgreement(v2, legacy)).toEqual({...equal, legacyLagMs: 9100 - 4400});
	});

	test('agree where one interface has ids of orders, or whole seconds', () => {
		const ofOrders = [trade(44, 4400), trade(44, 3300), older, oldest];
		expect(tradeAgreement(page(9000, newest, newer, older, oldest), page(9000, ...ofOrders))).toEqual({
			...{...equal, sameIds: 1},
		});
		const seconds = [trade(4, 4000), trade(3, 3000), trade(2, 2000), trade(1, 1000)];
		expect(tradeAgreement(page(9000, newest, newer, older, oldest), page(9000, ...seconds))).toEqual({
			...equal,
			legacyLagMs: 400,
		});
	});

	test('differ in time, price or quantity of one id or millisecond', () => {
		const legacy = page(9000, trade(4, 4405), trade(7, 3300, 11), trade(2, 2200, 10, 5), oldest);
		const found = tradeAgreement(page(9000, newest, newer, older, oldest), legacy);
		expect(found).toMatchObject({agreeing: 0, onlyV2: [], onlyLegacy: []});
		expect(found?.differing.map(({v2, fields}) => [v2.id, fields])).toEqual([
			['4', ['time']],
			['3', ['price']],
			['2', ['quantity']],
		]);
	});

	test('differ where one interface lacks some', () => {
		const [v2, legacy] = [page(9000, newest, older, oldest), page(9000, newer, older, oldest)];
		expect(tradeAgreement(v2, legacy)).toEqual({
			...{agreeing: 1, sameIds: 1, differing: [], legacyLagMs: 1100, onlyV2: [newest], onlyLegacy: [newer]},
		});
	});

	test.each([
		['a page is empty', page(9000), page(9000, newest, oldest)],
		['each page has one trade', page(9000, oldest), page(9000, oldest)],
		['the pages cover no common time', page(9000, newest, newer), page(2500, older, oldest)],
	])('cannot be compared when %s', (_, v2, legacy) => {
		expect(tradeAgreement(v2, legacy)).toBeUndefined();
	});
});
