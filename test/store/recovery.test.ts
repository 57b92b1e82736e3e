import {describe, expect, test} from 'vitest';
import {pollIntervals} from '../../source/store/intervals.ts';
import {createRecovery} from '../../source/store/recovery.ts';
import type {Resource} from '../../source/store/resource.ts';
import type {ResourceName} from '../../source/store/state.ts';
import {timeout} from './samples.ts';
import {setUpAnswering} from './set-up.ts';

describe('what failed', () => {
	const setUp = (polled: readonly ResourceName[] = ['depth', 'tape', 'tickers', 'candles']) => {
		const recovery = createRecovery({intervals: pollIntervals(), polled: () => polled});
		const waiting = () => polled.filter(name => recovery.waits(name));
		const all = (ending: 'answers' | 'fails') => {
			for (const name of polled) recovery.ended(name, ending);
		};
		return {recovery, waiting, all};
	};

	test('waits for nothing once anything else has answered since', () => {
		const {recovery, waiting, all} = setUp();
		all('answers');
		recovery.ended('tape', 'fails');
		expect(waiting()).toEqual(['tape']);
		recovery.ended('candles', 'answers');
		expect(waiting()).toEqual([]);
		recovery.ended('tape', 'fails');
		expect(waiting()).toEqual([]);
	});

	test('waits for what is polled most often while nothing answers', () => {
		const {waiting, all} = setUp();
		all('fails');
		expect(waiting()).toEqual(['tape', 'tickers', 'candles']);
	});

	test('waits anew when it fails anew', () => {
		const {recovery, waiting, all} = setUp();
		all('fails');
		all('answers');
		recovery.ended('tickers', 'fails');
		expect(waiting()).toEqual(['tickers']);
	});

	test('does not wait with its first failure', () => {
		expect(setUp().waiting()).toEqual([]);
	});

	test('waits for nothing that the exchange does not offer', () => {
		const {recovery, waiting, all} = setUp(['candles', 'markets', 'info']);
		all('fails');
		recovery.ended('candles', 'unavailable');
		expect(waiting()).toEqual(['info']);
	});

	test('waits for nothing when it is alone', () => {
		const {waiting, all} = setUp(['candles']);
		all('fails');
		expect(waiting()).toEqual([]);
	});

	test('is said to be back once, with its first answer after a failure', () => {
		const {recovery} = setUp();
		const steps = ['answers', 'fails', 'fails', 'answers', 'answers', 'fails', 'unavailable', 'answers'] as const;
		expect(steps.map(ending => recovery.ended('depth', ending))).toEqual([
			...[false, false, false, true, false, false, false, false],
		]);
	});
});

const isFresh = (resource: Resource<unknown>) => resource.status === 'ready' && !resource.failure;

describe('an outage of the whole exchange', () => {
	const outage = (store: ReturnType<typeof setUpAnswering>) => {
		const {script} = store.exchange;
		const well = {...script};
		for (const name of ['depth', 'trades', 'tickers', 'candles', 'markets', 'info'] as const) {
			script[name] = () => timeout();
		}

		return () => Object.assign(script, well);
	};

	test('costs one poll a second and few others, and is over for all within a second of its end', async () => {
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
		for (const name of ['depth', 'tape', 'tickers', 'candles'] as const) {
			expect(isFresh(now()[name]), name).toBe(true);
		}

		store.stop();
	});

	test('of one operation is tried again every poll, and is over one poll after its end', async () => {
		const {clock, store, exchange, times, now} = setUpAnswering();
		store.start();
		await clock.advance(2500);
		const {depth} = exchange.script;
		exchange.script.depth = () => timeout();
		await clock.advance(10_000);
		if (depth) exchange.script.depth = depth;
		await clock.advance(1000);
		expect(times('depth').slice(-6)).toEqual([8000, 9000, 10_000, 11_000, 12_000, 13_000]);
		expect(isFresh(now().depth)).toBe(true);
		store.stop();
	});
});
