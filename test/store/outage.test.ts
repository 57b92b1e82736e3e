import {describe, expect, test} from 'vitest';
import type {Ask} from '../../source/client/question.ts';
import {createOutage} from '../../source/store/outage.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import type {Resource} from '../../source/store/resource.ts';
import {timeout, tooMany} from './samples.ts';
import {setUpAnswering} from './set-up.ts';

describe('a failing resource', () => {
	const setUp = (polled: readonly Ask[] = ['depth', 'trades', 'tickers', 'candles'], isSilent = () => false) => {
		const intervals = pollIntervals();
		const intervalOf = (name: Ask) => intervals[name];
		const outage = createOutage({intervalOf, polled: () => polled, isSilent});
		const probed = () => polled.filter(name => outage.hasProbe(name));
		const all = (outcome: 'answered' | 'failed') => {
			for (const name of polled) outage.record(name, outcome);
		};
		return {outage, probed, all};
	};

	test('has no probe once another resource has answered', () => {
		const {outage, probed, all} = setUp();
		all('answered');
		outage.record('trades', 'failed');
		expect(probed()).toEqual(['trades']);
		outage.record('candles', 'answered');
		expect(probed()).toEqual([]);
		outage.record('trades', 'failed');
		expect(probed()).toEqual([]);
	});

	test('is probed for by the most frequent poll while nothing answers', () => {
		const {probed, all} = setUp();
		all('failed');
		expect(probed()).toEqual(['trades', 'tickers', 'candles']);
	});

	test('is not helped by an answer that was on its way when it began to fail', () => {
		const {outage, probed} = setUp();
		const early = outage.begin();
		outage.record('trades', 'failed', early);
		outage.record('depth', 'answered', early);
		expect(probed()).toEqual(['trades']);
		outage.record('depth', 'answered', outage.begin());
		expect(probed()).toEqual([]);
	});

	test('has a probe again when nothing has answered for long, whatever did before', () => {
		let silent = false;
		const {outage, probed} = setUp(undefined, () => silent);
		outage.record('trades', 'failed');
		outage.record('candles', 'answered');
		silent = true;
		expect(probed()).toEqual(['trades']);
	});

	test('has a probe again when it fails again', () => {
		const {outage, probed, all} = setUp();
		all('failed');
		all('answered');
		outage.record('tickers', 'failed');
		expect(probed()).toEqual(['tickers']);
	});

	test('is not probed for by an unavailable resource', () => {
		const {outage, probed, all} = setUp(['candles', 'markets', 'info']);
		all('failed');
		outage.record('candles', 'unavailable');
		expect(probed()).toEqual(['info']);
	});

	test('that is polled no more has not failed, and what it was to others is forgotten', () => {
		const {outage, probed, all} = setUp(['candles', 'markets', 'info']);
		all('failed');
		outage.record('candles', 'unavailable');
		outage.forget('candles');
		outage.forget('markets');
		expect(probed()).toEqual(['info']);
		expect([outage.record('markets', 'answered'), outage.record('candles', 'answered')]).toEqual([false, false]);
	});

	test('has no probe when it is alone, or does not fail', () => {
		const {probed, all} = setUp(['candles']);
		all('failed');
		expect([probed(), setUp().probed()]).toEqual([[], []]);
	});

	test('recovers once, with its first answer after a failure', () => {
		const {outage} = setUp();
		const outcomes = [
			...(['answered', 'failed', 'failed', 'answered', 'answered'] as const),
			...(['failed', 'unavailable', 'answered'] as const),
		];
		expect(outcomes.map(outcome => outage.record('depth', outcome))).toEqual([
			...[false, false, false, true, false],
			...[false, false, false],
		]);
	});
});

const isFresh = (resource: Resource<unknown>) => resource.status === 'ready' && !resource.failure;

test('what answers again ends the waits of the others, unless the exchange set them', async () => {
	const {clock, store, exchange, times} = setUpAnswering();
	const {depth, tickers, candles} = exchange.script;
	Object.assign(exchange.script, {depth: () => timeout(), tickers: () => timeout(), candles: () => tooMany(20_000)});
	store.start();
	await clock.advance(500);
	Object.assign(exchange.script, {depth, tickers, candles});
	await clock.advance(18_000);
	expect([times('depth').slice(0, 2), times('tickers').slice(0, 2), times('candles')]).toEqual([
		[0, 1000],
		[0, 1000],
		[0],
	]);
	await clock.advance(5000);
	expect(times('candles')).toEqual([0, 20_000]);
	store.stop();
});

describe('an outage of the whole exchange', () => {
	const outage = (store: ReturnType<typeof setUpAnswering>) => {
		const {script} = store.exchange;
		const well = {...script};
		for (const name of ['depth', 'trades', 'tickers', 'candles', 'markets', 'info'] as const) {
			script[name] = () => timeout();
		}

		return () => Object.assign(script, well);
	};

	test('costs little more than one poll per second, and ends for all within a second', async () => {
		const all = setUpAnswering();
		const {clock, store, exchange, now, times} = all;
		store.start();
		await clock.advance(20_500);
		const end = outage(all);
		await clock.advance(20_000);
		const before = Object.values(exchange.calls).flat().length;
		await clock.advance(60_000);
		const asked = times('depth').filter(ms => ms >= 40_500).length;
		// Tape, tickers and candles every 8 s.
		expect({depth: asked, all: Object.values(exchange.calls).flat().length - before}).toEqual({depth: 60, all: 83});
		end();
		await clock.advance(1000);
		for (const name of ['depth', 'trades', 'tickers', 'candles'] as const) {
			expect(isFresh(now()[name]), name).toBe(true);
		}

		store.stop();
	});
});
