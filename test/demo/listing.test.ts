import {expect, test} from 'vitest';
import {listings} from '../../source/demo/listing.ts';

test('lists at least 40 markets, each once, on several quotes', () => {
	expect(listings.length).toBeGreaterThanOrEqual(40);
	expect(new Set(listings.map(({symbol}) => symbol)).size).toBe(listings.length);
	expect(new Set(listings.map(({id}) => id)).size).toBe(listings.length);
	expect(new Set(listings.map(({quote}) => quote))).toEqual(new Set(['USDT', 'BTC', 'ETH', 'EUR', 'TRY']));
});

test('prices range from tens of thousands to 1e-9, and a tick is never the whole price', () => {
	const prices = listings.map(({price}) => price);
	expect(Math.max(...prices)).toBeGreaterThan(60_000);
	expect(Math.min(...prices)).toBeLessThan(2e-9);
	for (const {price, priceDecimals} of listings) expect(price * 10 ** priceDecimals).toBeGreaterThan(20);
});

test('one market is halted and one has no bids', () => {
	expect(listings.filter(({state}) => state === 'halted').map(({symbol}) => symbol)).toEqual(['MIRUSDT']);
	expect(listings.filter(({bidShare}) => bidShare === 0).map(({symbol}) => symbol)).toEqual(['OMNIUSDT']);
});

test('volumes stay exact, even over a year', () => {
	for (const {symbol, tempo, orderQuantity, quantityDecimals} of listings) {
		const lotsOfAYear = tempo * orderQuantity * 10 ** quantityDecimals * 366 * 86_400;
		const stormiest = 5;
		expect([symbol, lotsOfAYear * stormiest < Number.MAX_SAFE_INTEGER]).toEqual([symbol, true]);
	}
});
