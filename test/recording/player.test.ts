import {describe, expect, onTestFinished, test} from 'vitest';
import {createReplayControls} from '../../source/recording/open-replay.ts';
import type {Session} from '../../source/recording/outcome-log.ts';
import {createPlayer, createReplayClock, type Player} from '../../source/recording/player.ts';
import type {Speed} from '../../source/recording/replay-controls.ts';
import {createStore} from '../../source/store/create-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {marketState} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 14);
const second = 1000;

/** Sessions by their seconds from the start. */
const sessionsOf = (...stretches: ReadonlyArray<readonly [from: number, to: number]>): readonly Session[] =>
	stretches.map(([from, to], index) => ({id: index + 1, from: start + from * second, to: start + to * second}));

const two = sessionsOf([0, 100], [300, 400]);
/** The clock was set back by 50 s. */
const overlapping = sessionsOf([0, 100], [50, 80]);
/** It was set back after a pause. */
const setBack = sessionsOf([0, 100], [300, 400], [50, 80]);

function open(sessions: readonly Session[], from = 0, onError?: (error: unknown) => void) {
	const clock = createFakeClock();
	const player = createPlayer({sessions, clock, settle: async () => {}, from: start + from * second, onError});
	onTestFinished(player.stop);
	return {clock, replayClock: player.clock, player};
}

/** Session and second that are shown. */
const shown = (player: Player) => {
	const {session, time} = player.getSnapshot();
	return [session.id, (time - start) / second];
};

test('begins at the time that is wanted, and does not play by itself', async () => {
	const {player, replayClock, clock} = open(two, 7);
	await clock.advance(5000);
	expect([shown(player), replayClock.now(), player.getSnapshot().isPlaying]).toEqual([[1, 7], start + 7000, false]);
});

test.each<readonly [speed: Speed, after: number]>([
	[0.1, 0.2],
	[1, 2],
	[10, 20],
	[0.01, 0.2],
])('at the speed %s, 2 s show %s s', async (speed, after) => {
	const {player, clock} = open(two);
	player.setSpeed(speed);
	player.play();
	await clock.advance(2000);
	const [, reached] = shown(player);
	expect(reached).toBeCloseTo(after, 6);
});

test('at the speed 1000 a long recording passes by in pieces', async () => {
	const {player, clock} = open(sessionsOf([0, 86_400]));
	player.setSpeed(5000);
	player.play();
	await clock.advance(2000);
	expect(shown(player)).toEqual([1, 2000]);
});

test('the time that the computer slept is not played', async () => {
	const {player, clock} = open(two);
	player.play();
	await clock.advance(1000);
	clock.jump(60_000);
	await clock.advance(1000);
	expect(shown(player)).toEqual([1, 2.2]);
});

test('after a session the next one is shown, and after the last one it stops', async () => {
	const {player, clock} = open(two, 99);
	player.play();
	await clock.advance(1000);
	expect(shown(player)).toEqual([1, 100]);
	await clock.advance(50);
	expect(shown(player)).toEqual([2, 300]);
	player.setSpeed('max');
	await clock.advance(50);
	expect([shown(player), player.getSnapshot().isPlaying]).toEqual([[2, 400], false]);
});

test('at the end it plays from the beginning', async () => {
	const {player, clock} = open(two, 400);
	player.play();
	await clock.advance(1000);
	expect(shown(player)).toEqual([1, 1]);
});

test.each<readonly [to: number, sessions: readonly Session[], place: readonly [session: number, second: number]]>([
	[50, two, [1, 50]],
	[-5, two, [1, 0]],
	[350, two, [2, 350]],
	[999, two, [2, 400]],
	[200, two, [1, 200]],
	[60, overlapping, [1, 60]],
	[90, overlapping, [1, 90]],
	[999, overlapping, [1, 100]],
	[200, setBack, [1, 200]],
	[450, setBack, [2, 400]],
	[-9, setBack, [1, 0]],
])('goes to second %s', (to, sessions, place) => {
	const {player, replayClock} = open(sessions);
	const seeks: unknown[] = [];
	player.onSeek(() => seeks.push(player.moment().time));
	player.goTo(start + to * second);
	const time = start + place[1] * second;
	expect([shown(player), replayClock.now(), seeks]).toEqual([place, time, [time]]);
});

test('stays in the session that is shown where two have the time', () => {
	const {player} = open(overlapping);
	const [, later] = overlapping;
	if (later) player.goTo({session: later, time: start + 55_000});
	player.goTo(start + 70_000);
	expect(shown(player)).toEqual([2, 70]);
	player.goTo(start + 45_000);
	expect(shown(player)).toEqual([1, 45]);
});

test('plays on into the next session from a time between two', async () => {
	const {player, clock} = open(two);
	player.goTo(start + 200_000);
	player.play();
	await clock.advance(1050);
	expect(shown(player)).toEqual([2, 301]);
});

test('goes on from where it was sought while it played', async () => {
	const {player, clock} = open(two);
	player.play();
	await clock.advance(500);
	player.goTo(start + 50_000);
	await clock.advance(1000);
	expect(shown(player)).toEqual([1, 51]);
});

test('a step that is under way ends at a seek, and there is never a second one', async () => {
	const {player, clock, replayClock} = open(two);
	const ran: number[] = [];
	for (let ms = 0; ms < 100_000; ms += 10) replayClock.after(ms, () => ran.push(ms));
	player.setSpeed(1000);
	player.play();
	replayClock.after(20_000, () => {
		player.pause();
		player.play();
		player.goTo(start + 90_000);
		player.setSpeed(1);
	});
	await clock.advance(100);
	expect(ran.at(-1)).toBeLessThanOrEqual(20_000);
	await clock.advance(1000);
	const [, reached = 0] = shown(player);
	expect(reached).toBeGreaterThan(90.9);
	expect(reached).toBeLessThan(91.2);
});

test('nothing runs after it was stopped', async () => {
	const {player, clock} = open(two);
	player.play();
	await clock.advance(100);
	player.stop();
	await clock.advance(10_000);
	expect([shown(player), clock.timers]).toEqual([[1, 0.1], 0]);
});

test('pauses and reports what cannot be shown', async () => {
	const errors: unknown[] = [];
	const {player, clock, replayClock} = open(two, 0, error => errors.push(error));
	const damaged = new Error('damaged');
	replayClock.after(100, () => {
		throw damaged;
	});
	player.play();
	await clock.advance(1000);
	expect([errors, player.getSnapshot().isPlaying]).toEqual([[damaged], false]);
});

describe('the controls of a recording', () => {
	const gap = (symbol: string, from: number, to: number) =>
		({
			symbol,
			operation: 'depth',
			from: start + from * second,
			to: start + to * second,
			reason: 'not recorded',
		}) as const;
	const stretches = (list: ReadonlyArray<{from: number; to: number}> = []) =>
		list.map(({from, to}) => [(from - start) / second, (to - start) / second]);

	function controlsOf(sessions: readonly Session[]) {
		const {player} = open(sessions);
		let state = marketState({symbol: 'BTCUSDT'});
		const listeners = new Set<() => void>();
		const gaps = createStore([gap('BTCUSDT', 10, 30), gap('ETHUSDT', 40, 70)]);
		const controls = createReplayControls(
			{player, changeAt: () => undefined},
			{
				getSnapshot: () => state,
				subscribe(listener) {
					listeners.add(listener);
					return () => listeners.delete(listener);
				},
			},
			{gaps, alerts: [start]},
		);
		const select = (symbol: string) => {
			state = {...state, symbol};
			for (const listener of listeners) listener();
		};
		return {player, controls, gaps, select};
	}

	test('show what was not recorded: between the sessions, and of the market on screen', () => {
		const {controls, gaps, select} = controlsOf(two);
		expect(controls.getSnapshot()).toMatchObject({
			...{label: 'REPLAY', time: start, isPlaying: false, speed: 1, from: start, to: start + 400_000},
			alerts: [start],
		});
		expect(stretches(controls.getSnapshot()?.gaps)).toEqual([
			[100, 300],
			[10, 30],
		]);
		select('ETHUSDT');
		expect(stretches(controls.getSnapshot()?.gaps)).toEqual([
			[100, 300],
			[40, 70],
		]);
		gaps.set([gap('ETHUSDT', 40, 70), gap('ETHUSDT', 80, 95)]);
		expect(stretches(controls.getSnapshot()?.gaps)).toEqual([
			[100, 300],
			[40, 70],
			[80, 95],
		]);
	});

	test('reach from the first to the last moment of sessions that overlap', () => {
		const {controls} = controlsOf(overlapping);
		expect(controls.getSnapshot()).toMatchObject({from: start, to: start + 100_000});
		expect(stretches(controls.getSnapshot()?.gaps)).toEqual([[10, 30]]);
		const later = controlsOf([...overlapping, ...sessionsOf([150, 160])]);
		expect(stretches(later.controls.getSnapshot()?.gaps)).toEqual([
			[100, 150],
			[10, 30],
		]);
	});

	test('say whether there was anything to move to', () => {
		const {controls} = controlsOf(two);
		const moves = [controls.skip(-1000), controls.skip(1000), controls.step(1), controls.end()];
		expect(moves).toEqual([false, true, false, false]);
		controls.goTo(start + 400_000);
		expect(controls.skip(1000)).toBe(false);
	});
});

test('timers run in the order of their times, those of one time as they were set', async () => {
	const clock = createReplayClock(1000, async () => {});
	const ran: (readonly [name: string, at: number])[] = [];
	for (const [name, ms] of [
		['second', 20],
		['third', 20],
		['first', 10],
		['late', 50],
	] as const) {
		clock.after(ms, () => ran.push([name, clock.now()]));
	}

	await clock.advanceTo(1040);
	expect(ran).toEqual([
		['first', 1010],
		['second', 1020],
		['third', 1020],
	]);
	expect(clock.now()).toBe(1040);
});

test('time that was to pass ends where the clock is set meanwhile', async () => {
	const clock = createReplayClock(1000, async () => {});
	const ran: string[] = [];
	clock.after(10, () => {
		clock.set(500);
		clock.after(10, () => ran.push('set after it'));
	});
	clock.after(20, () => ran.push('dropped'));
	await clock.advanceTo(2000);
	expect([clock.now(), ran]).toEqual([500, []]);
});
