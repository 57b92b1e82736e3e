import {expect, test} from 'vitest';
import {second, setUp} from './set-up.ts';

/** Prices that cross 100 at these seconds. */
const crossing = (...at: readonly number[]) =>
	Array.from({length: 400}, (_, index) => 99 + 2 * (at.filter(each => each <= index).length % 2));

test('a rule that is switched off and on again does not call for what happened meanwhile', async () => {
	const {alerts, clock, said} = setUp(['ETHUSDT last crosses 100'], crossing(100, 200));
	alerts.start();
	await clock.advance(30 * second);
	alerts.setOff('ETHUSDT last crosses 100', true);
	await clock.advance(120 * second);
	alerts.setOff('ETHUSDT last crosses 100', false);
	await clock.advance(30 * second);
	expect(said()).toEqual([]);
	await clock.advance(30 * second);
	expect(said()).toEqual([expect.stringMatching(/^20\d(\.\d+)? ETHUSDT trade of 200$/)]);
});

test('a rule does not call for what happened in the market before it was added', async () => {
	const texts = ['ETHUSDT last crosses 100', 'ETHUSDT spread > 1000'];
	const {alerts, clock, said} = setUp(texts, crossing(100));
	const rule = alerts.getSnapshot().entries[0]?.rule;
	alerts.start();
	await clock.advance(30 * second);
	alerts.remove('ETHUSDT last crosses 100');
	await clock.advance(120 * second);
	if (rule) alerts.add(rule, 'user');
	await clock.advance(60 * second);
	expect(said()).toEqual([]);
});

test('a rule of favourites does not call for what happened while a market was none', async () => {
	let favourites = ['ETHUSDT'];
	const {alerts, clock, said} = setUp(['* last crosses 100 every 10s'], crossing(10, 100), () => favourites);
	alerts.start();
	await clock.advance(60 * second);
	favourites = [];
	await clock.advance(120 * second);
	favourites = ['ETHUSDT'];
	await clock.advance(60 * second);
	expect(said()).toEqual([expect.stringMatching(/^1\d(\.\d+)? ETHUSDT trade of 10$/)]);
});

test('a rule of favourites that has called for a market does not again when that is marked anew', async () => {
	let favourites = ['ETHUSDT'];
	const {alerts, clock, said} = setUp(['* last crosses 100'], crossing(10, 100), () => favourites);
	alerts.start();
	await clock.advance(60 * second);
	favourites = [];
	await clock.advance(10 * second);
	favourites = ['ETHUSDT'];
	await clock.advance(60 * second);
	expect(said()).toEqual([expect.stringMatching(/ETHUSDT trade of 10$/)]);
});
