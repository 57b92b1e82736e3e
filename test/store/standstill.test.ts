import {describe, expect, test} from 'vitest';
import type {Candle, DepthBook, Ticker, Trade} from '../../source/market/types.ts';
import {createStandstill} from '../../source/store/standstill.ts';
import type {FakeCall} from '../helpers/fake-exchange.ts';
import {book, candle, ticker, trade} from './samples.ts';
import {setUpAnswering, startTime} from './set-up.ts';

type Said = {
	readonly at: number;
	readonly says?: number | undefined;
	readonly data?: unknown;
	readonly from?: 'v1' | 'v2';
};

/** Since when each of the answers is said to be old; seconds. */
function verdicts(answers: readonly Said[]): readonly (number | undefined)[] {
	const judge = createStandstill();
	return answers.map(({at, says, data = 'same', from = 'v2'}) => {
		const serverTime = says === undefined ? undefined : says * 1000;
		const since = judge({data, interface: from, receivedAt: at * 1000, serverTime, dropped: 0});
		return since === undefined ? undefined : since / 1000;
	});
}

const seconds = Array.from({length: 40}, (_, index) => index + 1);
const never = seconds.map(() => undefined);
const eachSecond = (says: (at: number) => number | undefined, more: (at: number) => Partial<Said> = () => ({})) =>
	verdicts(seconds.map(at => ({at, says: says(at), ...more(at)})));

describe('an exchange has had nothing newer', () => {
	test('since its clock stands still, once that has lasted for ten seconds', () => {
		expect(eachSecond(at => Math.min(at, 5))).toEqual(seconds.map(at => (at < 15 ? undefined : 5)));
	});

	test('since the time that its clock shows, where that falls further and further behind', () => {
		const found = eachSecond(at => 100 + at / 4);
		expect(found[12]).toBe(undefined);
		expect(found.slice(14)).toEqual(seconds.slice(14).map(at => 1 + (at - 1) / 4));
	});

	test('until it goes on', () => {
		const found = eachSecond(at => (at < 30 ? Math.min(at, 5) : at));
		expect(found.slice(14)).toEqual([
			...Array.from({length: 15}, () => 5),
			...Array.from({length: 11}, () => undefined),
		]);
	});

	test('until it goes on behind the time: then its clock is off', () => {
		const found = eachSecond(at => (at < 20 ? 5 : at - 14));
		expect(found[18]).toBe(1);
		expect(found.slice(23)).toEqual(never.slice(23));
	});
});

describe('nothing is old', () => {
	test.each([
		['while its clock goes on', (at: number) => at],
		['where its clock is off by hours', (at: number) => at - 7200],
		['where it says no time', () => undefined],
		['where it says whole ten seconds only', (at: number) => Math.floor(at / 10) * 10],
		['when its clock is set back', (at: number) => (at < 20 ? at : at - 7200)],
	])('%s', (_, says) => {
		expect(eachSecond(says)).toEqual(never);
	});

	test('when our clock is set, ahead or back', () => {
		for (const hours of [1, -1]) {
			const found = verdicts(seconds.map(at => ({at: at < 20 ? at : at + hours * 3600, says: at})));
			expect(found).toEqual(never);
		}
	});

	test('where only the stamp is broken: the data is another one each time', () => {
		expect(
			eachSecond(
				() => 5,
				at => ({data: {last: at}}),
			),
		).toEqual(never);
	});

	test('where the other interface answers, which has a clock of its own', () => {
		expect(
			eachSecond(
				at => (at < 8 ? 5 : at),
				at => ({from: at < 8 ? 'v2' : 'v1'}),
			),
		).toEqual(never);
	});

	test('after a night of sleep', () => {
		const night = 8 * 3600;
		expect(verdicts(seconds.map(at => (at < 20 ? {at, says: at} : {at: at + night, says: at + night})))).toEqual(never);
	});
});

describe('of an exchange that has got stuck', () => {
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

	test('everything that is polled often is stale since its clock stopped', async () => {
		const {clock, store, now} = await stuck();
		await clock.advance(70_000);
		const {depth, tape, tickers, candles} = now();
		for (const resource of [depth, tape, tickers, candles]) {
			expect(resource).toMatchObject({status: 'ready', failure: {error: {kind: 'standstill'}}});
			const age = resource.status === 'ready' ? clock.now() - resource.receivedAt : 0;
			// Since the last answer before it, and that is at most a poll earlier.
			expect(Math.abs(age - 70_000)).toBeLessThanOrEqual(1000);
		}

		store.stop();
	});

	test('nothing is stale any more once it goes on', async () => {
		const {clock, store, now, go} = await stuck();
		await clock.advance(70_000);
		go();
		await clock.advance(16_000);
		const {depth, tape, tickers, candles} = now();
		for (const resource of [depth, tape, tickers, candles]) {
			expect(resource).toMatchObject({status: 'ready'});
			expect(resource.status === 'ready' && resource.failure).toBe(undefined);
		}

		store.stop();
	});
});
