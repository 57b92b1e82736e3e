import {expect, test} from 'vitest';
import {TimeoutError} from '../../source/client/errors.ts';
import type {Outcome} from '../../source/client/exchange.ts';
import {createDiagnosis} from '../../source/store/diagnosis.ts';

const url = 'https://api.example.com/depth';
const operation = {operation: 'depth', interface: 'v2'} as const;
const answered: Outcome = {...operation, url, startedAt: 1000, durationMs: 20, status: 200, bytes: 1100, dropped: 0};
const error = new TimeoutError({...operation, url, timeoutMs: 5000});
const failed: Outcome = {...answered, status: undefined, bytes: undefined, durationMs: 5000, error};

function afterAll(outcomes: readonly Outcome[]) {
	const diagnosis = createDiagnosis();
	for (const outcome of outcomes) diagnosis.observe(outcome);
	return diagnosis.getSnapshot();
}

test('sums up an operation: requests, failures, latency of good answers, entries dropped, size', () => {
	const times = [30, 10, 20];
	expect(afterAll([...times.map(durationMs => ({...answered, durationMs, dropped: 2})), failed])).toEqual([
		{
			...{...operation, requests: 4, failures: 1, failing: true, dropped: 6, bytes: 1100},
			...{lastMs: 20, p50Ms: 20, p95Ms: 30, lastError: {text: 'timed out', at: 6000}},
		},
	]);
});

test('counts the answers that a cache had kept, and has the age of the last one', () => {
	const from = (isHit: boolean, ageMs: number) => ({...answered, cache: {isHit, ageMs, isSaid: true}});
	expect(afterAll([answered, from(true, 1400), from(false, 3), from(true, 700), failed])).toMatchObject([
		{requests: 5, failures: 1, cache: {hits: 2, lastAgeMs: 700}},
	]);
});

test('keeps the last failure after a recovery', () => {
	expect(afterAll([failed, answered])).toMatchObject([
		{requests: 2, failures: 1, failing: false, lastMs: 20, lastError: {text: 'timed out', at: 6000}},
	]);
});

test('has no latency for an operation that never answered', () => {
	expect(afterAll([failed, failed])).toEqual([
		{...operation, requests: 2, failures: 2, failing: true, dropped: 0, lastError: {text: 'timed out', at: 6000}},
	]);
});

test('takes the percentiles of the last hundred answers', () => {
	const slow = Array.from({length: 100}, () => ({...answered, durationMs: 900}));
	const quick = Array.from({length: 100}, (_, index) => ({...answered, durationMs: index + 1}));
	expect(afterAll([...slow, ...quick])).toMatchObject([{requests: 200, lastMs: 100, p50Ms: 50, p95Ms: 95}]);
});

test('lists v2 before legacy, and each operation in its place', () => {
	const of = (source: 'legacy' | 'v2', operation: Outcome['operation']) => ({
		...answered,
		interface: source,
		operation,
	});
	const all = afterAll([of('legacy', 'depth'), of('v2', 'trades'), of('v2', 'depth'), of('v2', 'trades')]);
	expect(all.map(health => `${health.interface} ${health.operation}`)).toEqual([
		'v2 trades',
		'v2 depth',
		'legacy depth',
	]);
});

test('does not change a snapshot', () => {
	const diagnosis = createDiagnosis();
	diagnosis.observe(answered);
	const before = diagnosis.getSnapshot();
	expect(diagnosis.getSnapshot()).toBe(before);
	diagnosis.observe(answered);
	expect(before).toMatchObject([{requests: 1}]);
	expect(diagnosis.getSnapshot()).toMatchObject([{requests: 2}]);
});
