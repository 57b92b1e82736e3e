import {describe, expect, test} from 'vitest';
import type {ReplayControls} from '../../../source/recording/replay-controls.ts';
import {createStore} from '../../../source/store/create-store.ts';
import {commandsNow} from '../../../source/view/commands/table.ts';
import {type CreateReplay, openHeadless} from './headless.ts';
import {minuteMs, sampleReplay, shownMs} from './replay-cases.ts';

const open = (createReplay?: CreateReplay) => openHeadless(undefined, undefined, createReplay);
const notice = ({outcome}: Awaited<ReturnType<typeof open>>) => outcome().ui.notice;

describe('a replay goes to a typed time', () => {
	test.each<readonly [line: string, shown: number, said: string | undefined]>([
		['goto -1m', 4 * minuteMs, undefined],
		['goto 2024-08-08 22:50', 5 * minuteMs, undefined],
		['goto 23:00', 15 * minuteMs, undefined],
		['goto -1h', 0, 'the beginning: recorded from 2024-08-08 22:45:00'],
		['goto 2024-08-09', 60 * minuteMs, 'the end: recorded until 2024-08-08 23:45:00'],
	])(':%s', async (line, shown, said) => {
		const monitor = await open(sampleReplay);
		await monitor.type(`:${line}\r`);
		expect([shownMs(monitor.outcome()), notice(monitor)]).toEqual([shown, said]);
	});

	test('in the time zone that is shown, and names it', async () => {
		const monitor = await open(sampleReplay);
		await monitor.type(':set timezone Europe/Berlin\r:goto 01:00\r');
		expect([shownMs(monitor.outcome()), notice(monitor)]).toEqual([15 * minuteMs, undefined]);
		await monitor.type(':goto 2024-08-09 00:30\r');
		expect(notice(monitor)).toBe('the beginning: recorded from 2024-08-09 00:45:00 +02:00');
	});

	test('and refuses what is no time', async () => {
		const monitor = await open(sampleReplay);
		await monitor.type(':goto soon\r');
		expect(monitor.outcome().ui.command?.fault).toBe('goto takes a time such as 14:03:10 or -5m');
	});
});

describe('a replay plays at a typed speed', () => {
	test.each<readonly [line: string, speed: unknown]>([
		['speed 60', 60],
		['speed x0.1', 0.1],
		['speed 1000', 1000],
		['speed MAX', 'max'],
	])(':%s', async (line, speed) => {
		const monitor = await open(sampleReplay);
		await monitor.type(`:${line}\r`);
		expect(monitor.outcome().replay?.speed).toBe(speed);
	});

	test.each(['0.05', '1001', 'fast', '-1'])('but not :speed %s', async text => {
		const monitor = await open(sampleReplay);
		await monitor.type(`:speed ${text}\r`);
		expect(monitor.outcome().ui.command?.fault).toBe('speed takes 0.1 to 1000, or max');
		expect(monitor.outcome().replay?.speed).toBe(1);
	});

	test('and time passes as fast', async () => {
		const monitor = await open(sampleReplay);
		await monitor.type(':speed 60\r ');
		await monitor.wait(1000);
		expect(shownMs(monitor.outcome())).toBe(6 * minuteMs);
	});
});

describe('where a recording ends, keys say so', () => {
	test.each([
		[':goto -1h', '<', 'this is the beginning'],
		[':goto -1h', '{', 'this is the beginning'],
		[':goto -1h', ',', 'nothing was recorded before this'],
		[':goto +3h', '>', 'this is the end'],
		[':goto +3h', '}', 'this is the end'],
	])('%s, then %s', async (line, key, said) => {
		const monitor = await open(sampleReplay);
		await monitor.type(`${line}\r`);
		await monitor.press(key);
		expect(notice(monitor)).toBe(said);
	});
});

describe('what has no meaning in a replay says so', () => {
	test.each([
		['r', 'no refresh: a recording does not change'],
		['v', 'interface fixed: a recording shows the one that answered'],
		['d', 'no diagnosis: it needs live data'],
		['1 C', 'no comparison: it needs live data'],
		['R', 'already recorded: this is a recording'],
		['!', 'no alerts here: they need live data; try rules with replay FILE --alert'],
	])('%s', async (keys, said) => {
		const monitor = await open(sampleReplay);
		const {overlay} = monitor.outcome().ui;
		await monitor.press(keys);
		expect([notice(monitor), monitor.outcome().ui.overlay]).toEqual([said, overlay]);
	});

	test.each([
		['interface v2', 'interface fixed: a recording shows the one that answered'],
		['compare btcusdt ethusdt', 'no comparison: it needs live data'],
		['alert last > 1', 'no alerts here: they need live data; try rules with replay FILE --alert'],
	])(':%s', async (line, said) => {
		const monitor = await open(sampleReplay);
		await monitor.type(`:${line}\r`);
		expect(monitor.outcome().ui.command?.fault).toBe(said);
	});
});

describe('without a recording', () => {
	test.each(['<', '>', '{', '}', ',', '.'])('%s says that nothing is recorded', async key => {
		const monitor = await open();
		await monitor.press(key);
		expect(notice(monitor)).toBe('nothing is recorded here');
	});

	test(':speed 60 says so too', async () => {
		const monitor = await open();
		await monitor.type(':speed 60\r');
		expect(monitor.outcome().ui.command?.fault).toBe('nothing is recorded here');
	});
});

test('the keys of a replay are hinted at, and the way back to the present where there is one', async () => {
	const monitor = await open(sampleReplay);
	const [state, ofFile] = [monitor.outcome().ui, monitor.replay];
	if (!ofFile) throw new Error('no replay');
	const wordsOf = (replay: ReplayControls) =>
		commandsNow(state, {layout: 'wide', chartSize: {columns: 60, rows: 20}, replay})
			.flatMap(({hint}) => hint ?? [])
			.filter(({rank}) => rank < 0)
			.map(({word}) => word);
	expect(wordsOf(ofFile)).toEqual(['play', '10 s', 'step']);
	expect(wordsOf({...ofFile, hasPresent: true})).toEqual(['play', '10 s', 'step', 'present']);
});

describe('while the present is shown', () => {
	const present: CreateReplay = () =>
		({...createStore(undefined), hasPresent: true, togglePlaying: () => false, end: () => false}) as Pick<
			ReplayControls,
			'getSnapshot' | 'subscribe' | 'hasPresent' | 'togglePlaying' | 'end'
		> as ReplayControls;

	test.each(['>', '}', '.'])('%s says so', async key => {
		const monitor = await open(present);
		await monitor.press(key);
		expect(notice(monitor)).toBe('this is the present');
	});

	test('Space pauses the polls, and alerts and diagnosis open', async () => {
		const monitor = await open(present);
		await monitor.press('space');
		expect(monitor.outcome().state.paused).toBe(true);
		await monitor.press('d');
		expect(monitor.outcome().ui.overlay).toBe('diagnosis');
	});

	test('a time within the forming candle is looked for in what is recorded, but no more than a day back', async () => {
		const shown: number[] = [];
		const monitor = await open((...args) => ({...present(...args), goTo: time => void shown.push(time)}));
		await monitor.type(':goto -30m\r');
		expect(shown).toHaveLength(1);
		await monitor.type(':period 1w\r:goto -5h\r');
		expect(shown).toHaveLength(2);
		await monitor.type(':goto -2d\r');
		expect(shown).toHaveLength(2);
	});
});
