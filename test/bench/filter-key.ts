/**
 * What the user waits for a key in the picker's filter among 5,000 markets: from the byte that is typed into the terminal of
 * the built program to the byte after which its screen shows the filter and what it found. Data goes on coming meanwhile.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {isLive} from '../e2e/frame.ts';
import {paths, type Reply, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {candle, market, ticker, trade} from '../helpers/wire-entries.ts';
import type {BenchRow} from './row.ts';
import {built, openNode, size} from './support/program.ts';
import {median, quantile} from './support/quantile.ts';

const count = 5000;
const most = {medianMs: 16};
/** Each a key at a time: it ends in one market, in several, in a gap between letters, in nothing. */
const words = ['a3g', 'usdt', 'a9t', 'zzzz', 'a1', 'b2u'];
const rounds = 3;
const keyGapMs = 137;
/** Until code is compiled. */
const settleMs = 5000;

const names = Array.from({length: count}, (_, index) => `A${index.toString(36).toUpperCase()}`);

/** What the exchange says of all markets at one time; with the next `poll` every price is another. */
const tickersAt = (poll: number) =>
	names.map((name, index) => {
		const cents = 100 + ((index * 31 + poll) % 7000);
		const prices = {lastPrice: cents / 100, bidPrice: (cents - 1) / 100, askPrice: cents / 100};
		return ticker({symbol: `${name}USDT`, ...prices, openPrice: 10, highPrice: 99, lowPrice: 1, volume: index});
	});

const envelope = (data: unknown): Reply => sends({data, success: true, message: '', timestamp: Date.now()});

/** Whether the picker's first row begins so. */
const shows = (filter: string) => (rows: readonly string[]) => rows[3]?.startsWith(`┃${filter}`) ?? false;

export async function bench(): Promise<readonly BenchRow[]> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const server = await startExchangeServer();
	server.answer(paths.markets, envelope(names.map(name => market(name))));
	const answers = [envelope(tickersAt(0)), envelope(tickersAt(1))];
	let polls = 0;
	server.answer(paths.ticker, (...request) => answers[polls++ % answers.length]?.(...request));
	server.answer(paths.depth, envelope({asks: [[10, 1]], bids: [[9, 1]]}));
	server.answer(paths.trades, envelope([trade(1, {time: Date.now()})]));
	server.answer(paths.candles, envelope([candle(Math.floor(Date.now() / 3_600_000) * 3600)]));
	const monitor = openNode([built, 'A1USDT', '--base-url', server.url], home, size);
	try {
		await monitor.until(isLive);
		await setTimeout(settleMs);
		const times: number[] = [];
		for (let round = 0; round < rounds; round++) {
			for (const word of words) {
				monitor.write('/');
				await monitor.until(shows('/▏'));
				for (let length = 1; length <= word.length; length++) {
					await setTimeout(keyGapMs);
					const pressed = monitor.write(word[length - 1] ?? '');
					const painted = await monitor.until(shows(`/${word.slice(0, length)}▏`));
					times.push(painted - pressed);
				}

				monitor.write('\u001B');
				await monitor.until(rows => !shows('/')(rows));
				await setTimeout(keyGapMs);
			}
		}

		monitor.write('q');
		await monitor.ended;
		return [
			{
				name: `picker: a key in the filter to the terminal, ${count.toLocaleString('en')} markets, ${size.columns}×${size.rows}`,
				measured: `${median(times).toFixed(1)} ms median, ${quantile(times, 0.95).toFixed(1)} ms p95`,
				target: `median < ${most.medianMs} ms`,
				met: median(times) < most.medianMs,
			},
		];
	} finally {
		await server.close();
		rmSync(home, {recursive: true, force: true});
	}
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
