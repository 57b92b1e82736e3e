import {setImmediate} from 'node:timers/promises';
import {formatDateTime} from '../../format/time.ts';
import {type Clock, systemClock} from '../../market/clock.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import type {Session} from '../../recording/outcome-log.ts';
import {createReplayClock, type ReplayClock} from '../../recording/player.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import type {Options} from '../options/options.ts';
import {print} from '../output.ts';
import {clearProgress, showProgress} from '../standard-error.ts';

/** A part of a session that is played at once, between two looks at the output and at signals. */
const pieceMs = minuteMs;
/** Work between two turns of the event loop, in which signals are heard. */
const mostTurnMs = 50;

/** What is printed of a recording. */
export type PlayRequest = {
	readonly reader: RecordingReader;
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
	/** Prints events instead of lines. */
	readonly json: boolean;
	readonly options: Options;
};

export type PlayedSession = {readonly session: Session; readonly clock: ReplayClock};

/** `clock`: the computer's. */
type Range = Pick<PlayRequest, 'reader' | 'from'> & {readonly clock?: Clock};

type Parts = {
	/** Called at the start of each session. Returns what ends it. */
	begin(played: PlayedSession): () => void;
	/** What to print: it is emptied after each part of a session, and at the end. */
	readonly texts?: string[];
	/** Called after each part of a session. */
	isDone?(): boolean;
};

/**
 * Plays each session from `from` on, as fast as possible, and shows how far it is if that takes long. Rejects when `signal` is
 * aborted.
 */
export async function playRecording(
	{reader, from = 0, clock: realClock = systemClock}: Range,
	signal: AbortSignal,
	{begin, texts = [], isDone = () => false}: Parts,
): Promise<void> {
	const sessions = reader.sessions().filter(({to}) => to >= from);
	const progress = createProgress(sessions, from, realClock);
	let turnedAt = realClock.now();
	async function turn(): Promise<void> {
		// Also if the clock was set back.
		if (Math.abs(realClock.now() - turnedAt) < mostTurnMs) return;
		await setImmediate();
		signal.throwIfAborted();
		turnedAt = realClock.now();
	}

	const flush = () => print(texts.splice(0).join(''));
	for (const session of sessions) {
		const clock = createReplayClock(Math.max(session.from, from), turn);
		const end = begin({session, clock});
		try {
			let isOver = isDone();
			await flush();
			await turn();
			while (!isOver && clock.now() < session.to) {
				await clock.advanceTo(Math.min(clock.now() + pieceMs, session.to));
				isOver = isDone();
				await flush();
				progress(session, clock.now());
				await setImmediate();
				signal.throwIfAborted();
			}

			if (isOver) break;
		} finally {
			clearProgress();
			end();
		}
	}

	await flush();
}

/** Until progress is shown, and between two updates of it. */
const silentMs = secondMs;
const updateMs = secondMs / 5;

/** Shows the recorded time that was reached, and how much of the sessions was played. */
function createProgress(sessions: readonly Session[], from: number, clock: Clock) {
	const lengths = sessions.map(session => session.to - Math.max(session.from, from));
	const sumOf = (all: readonly number[]) => all.reduce((sum, ms) => sum + ms, 0);
	let showAt = clock.now() + silentMs;
	return (session: Session, time: number): void => {
		if (clock.now() < showAt) return;
		showAt = clock.now() + updateMs;
		const played = sumOf(lengths.slice(0, sessions.indexOf(session))) + time - Math.max(session.from, from);
		showProgress(`${formatDateTime(time)}, ${Math.floor((100 * played) / sumOf(lengths))} %`);
	};
}
