import {describe, expect, test} from 'vitest';
import type {Candle, DepthBook, Interface, Ticker, Trade} from '../../source/market/types.ts';
import {createClockCheck} from '../../source/store/freshness.ts';
import type {FakeCall} from '../helpers/fake-exchange.ts';
import {book, candle, ticker, trade} from './samples.ts';
import {setUpAnswering, startTime} from './set-up.ts';

type Stamped = {
	readonly at: number;
	readonly shows?: number | undefined;
	readonly data?: unknown;
	readonly from?: 'legacy' | 'v2';
};

/** The time up to which the data of each answer is current, where it is old; seconds. */
function verdicts(answers: readonly Stamped[]): readonly (number | undefined)[] {
	const check = createClockCheck();
	return answers.map(({at, shows, data = 'same', from = 'v2'}) => {
		const serverTime = shows === undefined ? undefined : shows * 1000;
		const since = check({data, interface: from, receivedAt: at * 1000, serverTime, dropped: 0});
		return since === undefined ? undefined : since / 1000;
	});
}

const seconds = Array.from({length: 40}, (_, index) => index + 1);
const never = seconds.map(() => undefined);
const eachSecond = (shows: (at: number) => number | undefined, more: (at: number) => Partial<Stamped> = () => ({})) =>
	verdicts(seconds.map(at => ({at, shows: shows(at), ...more(at)})));

describe('data is old', () => {
	test('since the exchange clock froze, after ten seconds', () => {
		expect(eachSecond(at => Math.min(at, 5))).toEqual(seconds.map(at => (at < 15 ? undefined : 5)));
	});

	test('since the time that the exchange clock shows, where that falls further behind', () => {
		const found = eachSecond(at => 100 + at / 4);
		expect(found[12]).toBe(undefined);
		expect(found.slice(14)).toEqual(seconds.slice(14).map(at => 1 + (at - 1) / 4));
	});

	test('until the clock runs again', () => {
		const found = eachSecond(at => (at < 30 ? Math.min(at, 5) : at));
		expect(found.slice(14)).toEqual([
			...Array.from({length: 15}, () => 5),
			...Array.from({length: 11}, () => undefined),
		]);
	});

	test('until the clock runs again behind the time: then it is only off', () => {
		const found = eachSecond(at => (at < 20 ? 5 : at - 14));
		expect(found[18]).toBe(1);
		expect(found.slice(23)).toEqual(never.slice(23));
	});
});

describe('data is current', () => {
	const off = (from: number, hours: number) => (at: number) => at + (at < from ? 0 : hours * 3600);
	const frozenUntil = (time: number) => (at: number) => (at < time ? 5 : at);

	test.each<[string, (at: number) => number | undefined, ((at: number) => Partial<Stamped>)?]>([
		['while the exchange clock runs', (at: number) => at],
		['where the exchange clock is off by hours', (at: number) => at - 7200],
		['where answers have no time', () => undefined],
		['where the time has steps of ten seconds', (at: number) => Math.floor(at / 10) * 10],
		['when the exchange clock is set back', off(20, -2)],
		['when our clock is set ahead', at => at, at => ({at: off(20, 1)(at)})],
		['when our clock is set back', at => at, at => ({at: off(20, -1)(at)})],
		['after a night of sleep', off(20, 8), at => ({at: off(20, 8)(at)})],
		['where only the time stamp is broken: the data changes each time', () => 5, at => ({data: {last: at}})],
		[
			'where the other interface answers, which has its own clock',
			frozenUntil(8),
			at => ({from: at < 8 ? 'v2' : 'legacy'}),
		],
	])('%s', (_, shows, more) => {
		expect(eachSecond(shows, more)).toEqual(never);
	});
});

describe('a frozen exchange', () => {
	/** Stuck from the fifth second on, for 40 s; until then, and afterwards, its clock goes on. */
	async function stuck() {
		const {clock, exchange, store, now} = setUpAnswering();
		let stoppedAt: number | undefined;
		const stamped = () => ({serverTime: stoppedAt ?? clock.now()});
		Object.assign(exchange.script, {
			trades: (call: FakeCall<readonly Trade[]>) => call.answer([trade(1, startTime - 1000)], stamped()),
			depth: (call: FakeCall<DepthBook>) => call.answer(book(1000), stamped()),
			tickers: (call: FakeCall<readonly Ticker[]>) => call.answer([ticker('BTCUSDT')], stamped()),
			candles: (call: FakeCall<readonly Candle[]>) => call.answer([candle(startTime - 30 * 60_000)], stamped()),
		});
		store.start();
		await clock.advance(5000);
		stoppedAt = clock.now();
		const go = () => {
			stoppedAt = undefined;
		};
		return {clock, store, now, go};
	}

	test('makes stale what is polled often, until its clock runs again', async () => {
		const {clock, store, now, go} = await stuck();
		await clock.advance(70_000);
		const {depth, trades: tape, tickers, candles} = now();
		for (const resource of [depth, tape, tickers, candles]) {
			expect(resource).toMatchObject({status: 'ready', failure: {error: {kind: 'frozen-clock'}}});
			const age = resource.status === 'ready' ? clock.now() - resource.receivedAt : 0;
			// Since the last answer before it, and that is at most a poll earlier.
			expect(Math.abs(age - 70_000)).toBeLessThanOrEqual(1000);
		}

		go();
		await clock.advance(16_000);
		for (const name of ['depth', 'trades', 'tickers', 'candles'] as const) {
			expect(now()[name]).toMatchObject({status: 'ready'});
			expect(now()[name]).not.toHaveProperty('failure');
		}

		store.stop();
	});

	test('is left at once when the other interface answers, whose clock is only behind', async () => {
		const {clock, exchange, store, now} = setUpAnswering();
		let more = {interface: 'v2' as Interface, serverTime: startTime};
		exchange.script.depth = call => void call.answer(book(1000), more);
		store.start();
		await clock.advance(30_500);
		expect(now().depth).toMatchObject({failure: {error: {kind: 'frozen-clock'}}});
		more = {interface: 'legacy', serverTime: clock.now() - 30_000};
		await clock.advance(1000);
		expect(now().depth).toMatchObject({interface: 'legacy', receivedAt: startTime + 31_000});
		expect(now().depth).not.toHaveProperty('failure');
		store.stop();
	});
});
