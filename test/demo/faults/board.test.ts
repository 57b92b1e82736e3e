import {expect, test} from 'vitest';
import {FaultBoard} from '../../../source/demo/faults/board.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

const start = Date.UTC(2026, 10, 20);

function setUp(seed = 1) {
	const clock = createFakeClock(start);
	const board = new FaultBoard(seed, clock);
	return {clock, board, strike: (operation: 'v2.depth' | 'v2.trades') => board.strike(operation)?.fault};
}

test('hits the operations of a rule until it is removed', () => {
	const {board, strike} = setUp();
	board.add({on: 'v2.depth', fault: 'hang'});
	expect([strike('v2.depth'), strike('v2.trades')]).toEqual(['hang', undefined]);
	board.clear();
	expect([strike('v2.depth'), board.list()]).toEqual([undefined, []]);
});

test('ends by itself after its time, and reports it', async () => {
	const {clock, board, strike} = setUp();
	board.add({on: '*', fault: 'hang', forMs: 30_000});
	let ended = false;
	void board.strike('v2.depth')?.ended.then(() => {
		ended = true;
	});
	await clock.advance(29_999);
	expect([strike('v2.depth'), ended]).toEqual(['hang', false]);
	await clock.advance(1);
	expect([strike('v2.depth'), ended, clock.timers]).toEqual([undefined, true, 0]);
});

test('leaves no timer behind when it is removed', () => {
	const {clock, board} = setUp();
	board.add({on: '*', fault: 'hang', forMs: 30_000});
	board.clear();
	expect(clock.timers).toBe(0);
});

test('counts the requests that each rule hits; the first rule wins', () => {
	const {board, strike} = setUp();
	board.add({on: 'v2.depth', fault: 'hang'});
	board.add({on: 'v2.*', fault: 'reset', forMs: 1000});
	expect([strike('v2.depth'), strike('v2.depth'), strike('v2.trades')]).toEqual(['hang', 'hang', 'reset']);
	expect(board.list()).toEqual([
		{rule: {on: 'v2.depth', fault: 'hang'}, until: undefined, requests: 2},
		{rule: {on: 'v2.*', fault: 'reset', forMs: 1000}, until: start + 1000, requests: 1},
	]);
});

test('hits a share of the requests, the same ones for the same seed', () => {
	const hits = (seed: number) => {
		const {board, strike} = setUp(seed);
		board.add({on: '*', fault: 'hang', share: 0.3});
		return Array.from({length: 2000}, () => strike('v2.depth') !== undefined);
	};
	expect(hits(5)).toEqual(hits(5));
	expect(hits(5)).not.toEqual(hits(6));
	const share = hits(5).filter(Boolean).length / 2000;
	expect(share).toBeGreaterThan(0.26);
	expect(share).toBeLessThan(0.34);
});
