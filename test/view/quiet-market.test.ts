/** The sample exchange 2 h 24 min after its last trade. */
import {describe, expect, test} from 'vitest';
import {marketTitle} from '../../source/view/market-title.ts';
import {openMonitor} from './monitor.tsx';
import {sampleTime} from './sample-exchange.ts';

const minute = 60_000;
const sizes = {
	'80x24': {columns: 80, rows: 24},
	'120x40': {columns: 120, rows: 40},
	'200x60': {columns: 200, rows: 60},
};

async function openQuiet(size: keyof typeof sizes, quietMs = 144 * minute) {
	const monitor = await openMonitor({size: sizes[size], start: sampleTime + quietMs});
	await monitor.clock.advance(2000);
	return monitor;
}

describe('a market without a trade for hours', () => {
	test.each(['80x24', '120x40', '200x60'] as const)(
		'says when the last one was, and has a gap up to now in the chart, %s',
		async name => {
			await expect(`${(await openQuiet(name)).frame()}\n`).toMatchFileSnapshot(`../frames/quiet/${name}.txt`);
		},
	);

	test('says so in the ticker panel and in the title of the window', async () => {
		const monitor = await openQuiet('120x40');
		await monitor.press('5', 'z');
		expect(monitor.rows().find(row => row.includes(' last  '))).toContain('61,793.11 ▼  2 h 24 min ago');
		await monitor.resize(sizes['80x24']);
		expect(monitor.rows().find(row => row.includes(' last  '))).toContain('61,793.11 ▼  2 h ago ');
		const title = marketTitle(monitor.store.getSnapshot(), {demo: false, isRecorded: false, others: 0, ascii: false});
		expect(title).toBe('BTC/USDT 61,793.11 · 2 h 24 min ago');
	});

	test('says under the crosshair which periods had no trades', async () => {
		const monitor = await openQuiet('120x40');
		await monitor.press('2', 'x');
		const legend = () => monitor.rows().find(row => /\d\d:00 {2}/.test(row)) ?? '';
		expect(legend()).toContain('2024-08-08 23:00');
		await monitor.press('right');
		expect(legend()).toContain('2024-08-09 00:00  no trades');
		await expect(`${monitor.frame()}\n`).toMatchFileSnapshot('../frames/quiet/crosshair.txt');
		await monitor.press('right', 'right', 'right');
		expect(legend()).toContain('2024-08-09 02:00  no trades');
		await monitor.press('left', 'left', 'left');
		expect(legend()).toContain('2024-08-08 23:00');
	});
});
