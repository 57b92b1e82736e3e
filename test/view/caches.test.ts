import {expect, test} from 'vitest';
import type {FakeCall, FakeExchange} from '../helpers/fake-exchange.ts';
import {openMonitor} from './monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

/** The sample exchange behind a cache that keeps answers of `receivedAt` (epoch ms). */
function cached(receivedAt: number): FakeExchange['script'] {
	const reply =
		<Data>(read: ((call: FakeCall<Data>) => Data | unknown) | undefined) =>
		(call: FakeCall<Data>): undefined => {
			const cache = {ageMs: call.at - receivedAt, isHit: true, isSaid: true};
			call.answer(read?.(call) as Data, {receivedAt, cache});
		};
	return {
		info: reply(sampleScript.info),
		markets: reply(sampleScript.markets),
		tickers: reply(sampleScript.tickers),
		depth: reply(sampleScript.depth),
		trades: reply(sampleScript.trades),
		candles: reply(sampleScript.candles),
	};
}

test('the titles of all panels have the age of what a cache gave, and r asks past it', async () => {
	const size = {columns: 120, rows: 40};
	const {clock, rows, press, exchange} = await openMonitor({size, script: cached(sampleTime - 1400)});
	await clock.advance(250);
	const [top, tape] = [rows()[2], rows().find(row => row.includes('4 Tape'))];
	expect(top).toBe(
		'┏━ 1 Markets 34 ━━ v2 · 1.4 s ━┓╭─ 2 Chart · 1h · candles ──────────── v2 · 1.4 s ─╮╭─ 3 Book 0.01 ─────── v2 · 1.4 s ─╮',
	);
	expect(tape?.slice(84)).toBe('╭─ 4 Tape ──────────── v2 · 1.4 s ─╮');
	const before = exchange.calls.depth.length;
	await press('r');
	expect(exchange.calls.depth.map(({options}) => options.fresh)).toEqual([...Array(before).fill(false), true]);
});
