import {describe, expect, test} from 'vitest';
import type {CandleSeries} from '../../source/market/candles.ts';
import {withPage} from '../../source/market/trade-clock.ts';
import type {Trade} from '../../source/market/types.ts';
import type {Resource} from '../../source/store/resource.ts';
import {waiting} from '../../source/store/resource.ts';
import {quietIn, quietTo} from '../../source/store/trade-time.ts';
import {failure, received} from '../helpers/market-state.ts';
import {candle, trade} from './samples.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.UTC(2026, 0, 1, 12, 30);

const tapeOf = (...times: readonly number[]) => ({
	trades: times.map((time, index): Trade => trade(times.length - index, time)),
	gaps: new Set<string>(),
});
const tapeAt = (...times: readonly number[]) => ({...received(tapeOf(...times), now), sentAt: now});

describe('a market is quiet', () => {
	test('from a minute after its last trade on', () => {
		expect([1, 0].map(ms => quietIn(tapeAt(now - minute + ms, now - hour)))).toEqual([
			undefined,
			{lastTradeAt: now - minute, ms: minute},
		]);
	});

	test('never before a trade is known', () => {
		const unknown: readonly Parameters<typeof quietIn>[0][] = [
			waiting,
			{status: 'failed', failure: failure(now)},
			tapeAt(),
		];
		expect(unknown.map(quietIn)).toEqual([undefined, undefined, undefined]);
	});

	test('as long as the last answer shows, whatever the time is', () => {
		const stale = {...tapeAt(now - 2 * minute), failure: failure(now + 1)};
		expect([stale, {...stale, receivedAt: now - minute - 1, sentAt: now - minute - 1}].map(quietIn)).toEqual([
			{lastTradeAt: now - 2 * minute, ms: 2 * minute},
			undefined,
		]);
	});
});

/** The tape after two pages of a market that trades once a second, whose clocks differ from ours by so much. */
function livelyTape({tradesMs = 0, stampsMs = 0}) {
	const page = (at: number) => ({sentAt: at - 40, receivedAt: at, serverTime: at - 20 + stampsMs});
	const times = Array.from({length: 5}, (_, index) => now + tradesMs - 500 - index * 1000);
	const tape = tapeOf(...times);
	const before = tape.trades.slice(1);
	const clock = withPage(withPage(undefined, page(now - 1000), before, []), page(now), tape.trades, before);
	return {...received(tape, now), ...page(now), tradeClock: clock};
}

test.each([-hour, -300_000, -61_000, 0, 61_000, 300_000, hour])(
	'a lively market is not quiet where the clock of its trades is %i ms ahead of ours, whether the stamps are too or not',
	ms => {
		expect([{tradesMs: ms}, {tradesMs: ms, stampsMs: ms}, {stampsMs: ms}].map(livelyTape).map(quietIn)).toEqual([
			...[undefined, undefined, undefined],
		]);
	},
);

describe('the gap up to now', () => {
	const series: CandleSeries = {period: 60, builtFrom: 'exchange', candles: [candle(Date.UTC(2026, 0, 1, 10))]};
	const candles: Resource<CandleSeries> = received(series, now);

	test('reaches to the last whole minute that is known to have no trade', () => {
		const tape = {...tapeAt(now - 2 * hour), receivedAt: now + 5000, sentAt: now + 4000};
		expect(quietTo({trades: tape, candles})).toBe(now);
	});

	test.each<[string, Parameters<typeof quietTo>[0]]>([
		['after a trade in the last minute', {trades: tapeAt(now - 1000), candles}],
		['where a trade is in no candle yet', {trades: tapeAt(now - 90 * minute), candles}],
		['where trades are of another interface', {trades: {...tapeAt(now - 2 * hour), interface: 'legacy'}, candles}],
		['without candles', {trades: tapeAt(now - 2 * hour), candles: waiting}],
		[
			'with an empty list of candles',
			{trades: tapeAt(now - 2 * hour), candles: received({...series, candles: []}, now)},
		],
	])('is not known %s', (_, state) => {
		expect(quietTo(state)).toBeUndefined();
	});
});
