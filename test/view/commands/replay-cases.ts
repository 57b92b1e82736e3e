import {onTestFinished} from 'vitest';
import {createReplayControls} from '../../../source/recording/open-replay.ts';
import type {Session} from '../../../source/recording/outcome-log.ts';
import {createPlayer} from '../../../source/recording/player.ts';
import {createStore} from '../../../source/store/create-store.ts';
import type {Case} from './general-cases.ts';
import type {CreateReplay, Outcome} from './headless.ts';

export const minuteMs = 60_000;
/** An hour before the time of the sample exchange, in two sessions with 10 minutes between them. */
const recordedFrom = Date.UTC(2024, 7, 8, 22, 45);
const sessions: readonly Session[] = [
	{id: 1, from: recordedFrom, to: recordedFrom + 20 * minuteMs},
	{id: 2, from: recordedFrom + 30 * minuteMs, to: recordedFrom + 60 * minuteMs},
];

/** Something changes every 700 ms. */
const changeMs = 700;

/** A replay of that hour from 5 minutes after its beginning, which is paused. */
export const sampleReplay: CreateReplay = (store, clock) => {
	const player = createPlayer({sessions, clock, settle: async () => {}, from: recordedFrom + 5 * minuteMs});
	onTestFinished(player.stop);
	const replay = {
		player,
		changeAt(_: string | undefined, by: 1 | -1) {
			const {session, time} = player.moment();
			const changes = (time - session.from) / changeMs;
			const next = session.from + (by > 0 ? Math.floor(changes) + 1 : Math.ceil(changes) - 1) * changeMs;
			return next < session.from ? undefined : {session, time: next};
		},
	};
	return createReplayControls(replay, store, {
		gaps: createStore([
			{symbol: 'BTCUSDT', operation: 'depth', from: recordedFrom, to: recordedFrom + minuteMs, reason: 'timeout'},
			{symbol: 'ETHUSDT', operation: 'depth', from: recordedFrom, to: recordedFrom + 2 * minuteMs, reason: 'timeout'},
		] as const),
		alerts: [recordedFrom + 15 * minuteMs],
	});
};

/** Ms from the beginning of the recording. */
export const shownMs = ({replay}: Outcome) => (replay?.time ?? Number.NaN) - recordedFrom;
const playing = ({replay, state}: Outcome) => [replay?.isPlaying, state.paused];

const start = 5 * minuteMs;

export const replayCases: readonly Case[] = [
	['pause', 'space', playing, [false, false], [true, false]],
	['pause', 'space space', playing, [true, false], [false, false]],
	['rewind', '<', shownMs, start, start - 10_000],
	['forward', '>', shownMs, start, start + 10_000],
	['rewind-minute', '{', shownMs, start, start - minuteMs],
	['forward-minute', '}', shownMs, start, start + minuteMs],
	['step-back', ',', shownMs, start, 299_600],
	['step-back', ', ,', shownMs, 299_600, 298_900],
	['step-forward', '.', shownMs, start, 300_300],
];
