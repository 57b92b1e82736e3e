import {expect, test} from 'vitest';
import {createRowWriter, watchHeader, watchRow} from '../../../source/cli/commands/watch-rows.ts';
import type {DepthBook, Ticker, Trade} from '../../../source/market/types.ts';
import type {MarketState} from '../../../source/store/state.ts';
import {failure, marketState, received} from '../../helpers/market-state.ts';
import {zoneOf} from '../../helpers/zones.ts';
import {timeout} from '../../store/samples.ts';

const now = Date.UTC(2026, 10, 20, 10, 0, 5);

function stateOf(symbol: string, book: DepthBook, ticker: Partial<Ticker>, trades: readonly Trade[] = []): MarketState {
	const receivedAt = now - 1500;
	return marketState({
		symbol,
		decimals: {price: 2, quantity: 0},
		tickers: received(new Map([[symbol, {symbol, state: 'active', ...ticker}]]), receivedAt),
		depth: received(book, receivedAt),
		trades: received({trades, gaps: new Set<string>()}, receivedAt),
	});
}

const trade: Trade = {id: '1', time: now, price: 61824.01, quantity: 1};
const btc = stateOf('BTCUSDT', {asks: [[61824.3, 1]], bids: [[61824.1, 1]]}, {changePercent: 1.5, volume: 48201}, [
	trade,
]);
const tiny = {
	...stateOf('PEPEBTC', {asks: [[3e-10, 1]], bids: [[1e-10, 1]]}, {last: 2e-10, state: 'halted'}),
	decimals: {price: 10, quantity: 0},
};
const crossed = stateOf('ETHUSDT', {asks: [[99, 1]], bids: [[100, 1]]}, {last: 98});
const oneSided = stateOf('OLDBTC', {asks: [[2, 1]]}, {});

test('rows are aligned, with exact prices and remarks at the end', () => {
	const write = createRowWriter();
	const rows = [watchHeader(), ...[btc, tiny, crossed, oneSided].map(state => watchRow(state, {now, ascii: false}))];
	expect(`\n${rows.map(write).join('\n')}\n`).toMatchInlineSnapshot(`
		"
		time (UTC)           market          last  change %         bid         ask  spread  volume 24 h     age
		2026-11-20 10:00:05  BTCUSDT    61,824.01     +1.50   61,824.10   61,824.30    0.20       48,201   1.5 s  change is the ticker's
		2026-11-20 10:00:05  PEPEBTC   0.0000000002         –  0.0000000001  0.0000000003  0.0000000002            –   1.5 s  last is the ticker's, halted
		2026-11-20 10:00:05  ETHUSDT          98.00         –        100.00         99.00         −1.00            –   1.5 s  last is the ticker's, crossed
		2026-11-20 10:00:05  OLDBTC               –         –             –          2.00             –            –   1.5 s  bids not shown
		"
	`);
});

test('rows have only ASCII characters if requested', () => {
	expect(watchRow(oneSided, {now, ascii: true}).join(' ')).toMatch(/^[ -~]*$/);
});

test('rows say how long an answer is waited for, or what failed', () => {
	const pending = {depth: now - 6000};
	const failing = {...oneSided, depth: {status: 'failed', failure: failure(now)} as const};
	expect(watchRow({...btc, pending}, {now, ascii: false}).at(-1)).toBe("change is the ticker's, waiting 6 s");
	expect(watchRow({...failing, pending}, {now, ascii: false}).at(-1)).toBe('stale since 10:00:05: timed out');
	// As on the screens, since the data was received and not since the first failure, which can be two deadlines later.
	const stale = {...btc, depth: {...received({asks: []}, now - 11_000), failure: failure(now)}};
	expect(watchRow(stale, {now, ascii: false}).at(-1)).toContain('stale since 09:59:54: timed out');
});

test('rows say why bids are not shown', () => {
	const book = {asks: [[2, 1]], bidsFailure: timeout()} as const;
	expect(watchRow(stateOf('OLDBTC', book, {}), {now, ascii: false}).at(-1)).toBe('bids missing: timed out');
});

test.each([
	[0, 'no ticker'],
	[2, 'no readable ticker'],
])('rows say that the answer has no ticker of the market, where %i entries were dropped', (dropped, text) => {
	const tickers = {...received(new Map<string, Ticker>(), now), dropped};
	expect(watchRow({...btc, tickers}, {now, ascii: false}).at(-1)).toBe(text);
});

test('times are in the zone that the header names', () => {
	const zone = zoneOf('Asia/Kolkata');
	const tape = {status: 'failed', failure: failure(now - 60_000)} as const;
	const stale = {...btc, trades: tape};
	const row = watchRow(stale, {now, ascii: true, zone});
	expect([watchHeader(zone)[0], row[0]]).toEqual(['time (Asia/Kolkata)', '2026-11-20 15:30:05']);
	expect(row.at(-1)).toContain('since 15:29:05 +05:30: ');
});
