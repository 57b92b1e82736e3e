import {expect, test} from 'vitest';
import {openHeadless} from './headless.ts';

test.for([
	['1 j y', 'ETH/USDT', 'ETH/USDT'],
	['2 y', '61793.11', '61793.11'],
	[
		'2 x y',
		'2024-08-08 23:00:00 UTC O 61796.08 H 61819.2 L 61673.4 C 61793.11 V 85.351',
		'candle 2024-08-08 23:00:00 UTC',
	],
	['2 x k y', '61850', '61850'],
	['3 y', '61793.11', '61793.11'],
	['3 j y', '61824', '61824'],
	['4 y', '2024-08-08 23:54:59 UTC sell 0.22415 at 61793.11', 'trade 0.22415 at 61793.11'],
	['4 j y', '2024-08-08 23:54:57 UTC sell 0.00246 at 61806.05', 'trade 0.00246 at 61806.05'],
	['5 y', '61793.11', '61793.11'],
	['3 Y', '3 Book  v2 1s\nat 84,2\n36×22', 'book panel, 3 lines'],
] as const)('%s copies %s', async ([keys, text, what]) => {
	const {press, outcome} = await openHeadless();
	await press(keys);
	const {copies, ui} = outcome();
	expect([copies, ui.notice]).toEqual([[text], `copied ${what} (OSC 52)`]);
});

test('y in a list copies what its cursor is on: a rule, a level, or a setting and its value', async () => {
	const {press, type, outcome} = await openHeadless();
	await type(':alert last crosses 62000\r');
	await press('! y esc');
	await type(':level 63000\r');
	await type(':levels\r');
	await press('y esc');
	await type(':settings\r');
	await press('j y');
	expect(outcome().copies).toEqual(['BTCUSDT last crosses 62000', '63000', 'palette classic']);
	expect(outcome().ui.notice).toBe('copied palette classic (OSC 52)');
});

test('y over a panel without a cursor copies nothing and says so', async () => {
	const {press, outcome} = await openHeadless();
	await press('? y');
	expect([outcome().copies, outcome().ui.notice]).toEqual([[], 'nothing to copy here']);
});
