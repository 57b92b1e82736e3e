import {describe, expect, test} from 'vitest';
import {symbol} from '../../recording/recordings.ts';
import {inProcess} from '../in-process.ts';
import {expectAtWidths} from './table-widths.ts';
import {at, record} from './two-sessions.ts';

describe('recording', () => {
	test('prints what a file holds', async () => {
		const path = record();
		const {stdout, stderr, status} = await inProcess(['recording', path]);
		const shown = stdout.replace(path, 'FILE').replace(/[\d.]+ MB/, '0.1 MB');
		expect({stdout: shown, stderr, status}).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "",
			  "stdout": "FILE · recording of sample.example · 0.1 MB · 2 sessions · 1 ticker list · 1 failure · 2 gaps · 0 alerts

			session from (UTC)   to                   reads  recorded by
			2026-11-22 14:00:00  2026-11-22 14:00:30     66  1.2.3
			2026-11-22 14:01:00  2026-11-22 14:01:10     12  1.2.3

			market   books  pages of trades  candles  failures  gaps
			BTCUSDT     31               42  1m              1     2

			gap from (UTC)       to                   market   of      reason
			2026-11-22 14:00:30  2026-11-22 14:00:58  BTCUSDT  trades  more trades than a page
			2026-11-22 14:00:30  2026-11-22 14:01:00  BTCUSDT  trades  not recorded
			",
			}
		`);
	});

	test('on a terminal has lines that fit', async () => {
		const path = record();
		await expectAtWidths('recording', async columns => {
			const zone = ['--timezone', 'America/Argentina/Buenos_Aires'];
			const {stdout, stderr} = await inProcess(['recording', path, ...zone], {columns});
			// The title has the path of the file, which is as long as the folder's of this computer.
			return {stdout: stdout.slice(stdout.indexOf('\n\n') + 1), stderr};
		});
	});

	test('has the contents as a document', async () => {
		const path = record();
		const gap = (to: number, reason: string) => ({symbol, operation: 'trades', from: at(30), to: at(to), reason});
		const {stdout} = await inProcess(['recording', path, '--json']);
		expect(JSON.parse(stdout)).toEqual({
			...{file: path, bytes: expect.any(Number), baseUrl: 'https://sample.example/', legacyBaseUrl: null},
			...{from: at(0), to: at(70), failures: 1, alerts: 0, tickerLists: 1, marketLists: 2},
			sessions: [
				{
					from: at(0),
					to: at(30.5),
					reads: 66,
					clockSkew: null,
					version: '1.2.3',
					options: {markets: [symbol]},
					ended: true,
				},
				{
					from: at(60),
					to: at(70),
					reads: 12,
					clockSkew: null,
					version: '1.2.3',
					options: {markets: [symbol]},
					ended: true,
				},
			],
			markets: [{symbol, books: 31, pagesOfTrades: 42, candlePeriods: [1], failures: 1, gaps: 2}],
			gaps: [gap(58, 'more trades than a page'), gap(60, 'not recorded')],
			...{exchange: 'sample.example', demo: false, schemaVersion: 1},
		});
	});
});
