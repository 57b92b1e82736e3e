/** Where chart, ladder and picker show alerts. */
import {describe, expect, test} from 'vitest';
import type {DepthBook} from '../../../../source/market/types.ts';
import {lineText} from '../../../../source/view/line.ts';
import {type LadderInput, ladderBody} from '../../../../source/view/panels/book/rows.ts';
import {initialChart} from '../../../../source/view/panels/chart/chart-state.ts';
import {chartBody} from '../../../../source/view/panels/chart/rows.ts';
import {pickerBody} from '../../../../source/view/panels/markets/rows.ts';
import {timeout} from '../../../store/samples.ts';
import {openMonitor} from '../../monitor.tsx';

const rules = [
	'last crosses 62400',
	'last crosses below 60000 + 1000',
	'last > 65000',
	'last > 66000',
	'last < 50000',
	'last > 61824.5',
	'ETHUSDT last > 999999',
];

describe('alerts of the market on screen are levels in chart and ladder and marks in the picker', () => {
	test.each([
		['120x40-levels', {size: {columns: 120, rows: 40}}],
		['80x24-levels', {size: {columns: 80, rows: 24}}],
		['40x12-levels', {size: {columns: 40, rows: 12}}],
		['120x40-levels-ascii', {size: {columns: 120, rows: 40}, ascii: true}],
	])('%s', async (name, options) => {
		const monitor = await openMonitor(options);
		await monitor.clock.advance(2000);
		for (const rule of rules) await monitor.type(`:alert ${rule}\r`);
		await monitor.press('2', 'c', 'c', 'c', 'c', 'c');
		await monitor.clock.advance(2000);
		await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../../../frames/alerts/${name}.txt`);
	});

	test('a market with a blind alert has another sign', async () => {
		const monitor = await openMonitor({size: {columns: 120, rows: 40}});
		await monitor.clock.advance(2000);
		await monitor.type(':alert last crosses 62400\r');
		await monitor.clock.advance(1000);
		expect(monitor.frame()).toContain('BTC/USDT  !');
		monitor.exchange.script.trades = () => timeout('trades');
		await monitor.clock.advance(40_000);
		expect(monitor.frame()).toContain('BTC/USDT  ?');
		expect(monitor.rows().at(-2)).toContain(' · 1 alert blind');
	});
});

test('the last price in the row of a level beyond the scale has no arrow', () => {
	const candles = [110, 100].map((close, index) => ({
		...{time: index * 3_600_000, open: close + 10, high: close + 10, low: close, close, volume: 1},
	}));
	const lines = chartBody({
		...{...initialChart, series: {period: 60, candles, builtFrom: 'exchange'}, lastTrade: 100, levels: [1]},
		...{size: {columns: 30, rows: 8}, decimals: 2, now: 0, ascii: false},
	}).map(lineText);
	expect(lines.filter(line => /[◂▾]/.test(line))).toEqual(['┈┈┈┈┈┈┈┈┈┈ −99.00 % ▀┈◂ 100.00']);
});

const book: DepthBook = {
	asks: [
		[100.5, 1],
		[101, 1],
		[103, 1],
	],
	bids: [
		[100, 1],
		[99.5, 1],
		[97, 1],
	],
};
const ladder = (levels: readonly number[], more: Partial<LadderInput> = {}) =>
	ladderBody({
		...{book, levels, decimals: {price: 1, quantity: 0}, size: {columns: 30, rows: 9}, ascii: false},
		...more,
	});
const marked = (...input: Parameters<typeof ladder>) =>
	ladder(...input)
		.map(lineText)
		.filter(row => /^[^ ─-]/.test(row))
		.map(row => row.split(/(?<=\d|d) /)[0]);

describe('the ladder marks the row of a level, and the end beyond which one lies', () => {
	test.each<readonly [levels: readonly number[], rows: readonly string[]]>([
		[[101], ['!101.0']],
		[[102.9], ['!103.0']],
		[
			[103.1, 96],
			['▴103.0', '▾ 97.0'],
		],
		[
			[103.1, 103, 97, 1],
			['!103.0', '! 97.0'],
		],
		[[100.2], ['!── spread']],
		[[100.5], ['!100.5']],
		[[100], ['!100.0']],
		[
			[99.7, 103],
			['!103.0', '! 99.5'],
		],
	])('%j at %j', (levels, rows) => {
		expect(marked(levels)).toEqual(rows);
	});

	test('drawn levels have a mark of their own, and another where an alert shares their row', () => {
		const drawnLevels = [101, 99.5, 98.5, 200].map(price => ({price}));
		expect(marked([], {drawnLevels})).toEqual(['▴103.0', '◆101.0', '◆ 99.5', '◆ 97.0']);
		expect(marked([101, 300], {drawnLevels})).toEqual(['▴103.0', '◈101.0', '◆ 99.5', '◆ 97.0']);
		expect(marked([99.5], {drawnLevels, ascii: true})).toEqual(['^103.0', '*101.0', '& 99.5', '* 97.0']);
		expect(marked([100.2], {drawnLevels: [{price: 100.2}]})).toEqual(['◈── spread']);
		expect(marked([103], {drawnLevels: [{price: 300}]})).toEqual(['!103.0']);
		expect(marked([300], {drawnLevels: [{price: 103}]})).toEqual(['◆103.0']);
		expect(marked([], {drawnLevels, ascii: true})).toEqual(['^103.0', '*101.0', '* 99.5', '* 97.0']);
	});

	test('a group holds the levels within its step', () => {
		const grouping = {mantissa: 2, exponent: 0} as const;
		expect(marked([101.5, 100.2, 99], {grouping})).toEqual(['!102', '!── spread', '! 98']);
	});

	test('without bids, a level below the asks is beyond the spread', () => {
		expect(marked([100.6, 100], {book: {asks: book.asks}})).toEqual(['!101.0', '▾── spread']);
	});

	test('a level out of sight is beyond the rows that are shown', () => {
		const size = {columns: 30, rows: 5};
		expect(marked([103, 97], {size})).toEqual(['▴101.0', '▾ 99.5']);
		expect(marked([103, 100.2], {size, anchor: {side: 'bid', price: 99.5}})).toEqual(['▴100.5', '!── spread']);
		expect(marked([103, 97], {size, ascii: true})).toEqual(['^101.0', 'v 99.5']);
	});

	test('without a column before the price, a row is inverse, and no end is marked', () => {
		const inverse = (level: number) =>
			ladder([level], {size: {columns: 5, rows: 9}})
				.flat()
				.flatMap(span => (span.inverse ? [span.text] : []));
		expect([inverse(101), inverse(200)]).toEqual([['  101'], []]);
	});

	test('the row that the ladder was scrolled to is inverse while the book has the focus', () => {
		const inverse = (focused: boolean) =>
			ladder([], {anchor: {side: 'bid', price: 99.6}, focused})
				.flat()
				.flatMap(span => (span.inverse ? [span.text.trim()] : []));
		expect([inverse(true), inverse(false)]).toEqual([['99.5'], []]);
	});
});

test('a name leaves room for the sign of its alerts, at the end of its column', () => {
	const symbol = 'VERYLONGNAMEUSDT';
	const market = {symbol, base: 'VERYLONGNAME', quote: 'USDT', state: 'active'};
	const rows = [undefined, false, true].map(isBlind =>
		pickerBody({
			...{list: [{market, pair: 'VERYLONGNAME/USDT', ticker: undefined}], selected: undefined, cursor: undefined},
			...{now: 0, currency: 'USDT', favourites: new Set<string>(), filter: '', editing: false, trails: new Map()},
			alerts: new Map(isBlind === undefined ? [] : [[symbol, isBlind]]),
			...{size: {columns: 30, rows: 1}, ascii: true},
		})
			.map(lineText)
			.join(),
	);
	expect(rows).toEqual([
		'  VERYL~/USDT         -      -',
		'  VERY~/USDT!         -      -',
		'  VERY~/USDT?         -      -',
	]);
});
