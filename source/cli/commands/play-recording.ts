import {setImmediate} from 'node:timers/promises';
import {minuteMs} from '../../market/units.ts';
import type {Session} from '../../recording/player.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import {createReplayClock, type ReplayClock} from '../../recording/replay-clock.ts';

/** A part of a session that is played at once, between two looks at the output and at signals. */
const pieceMs = minuteMs;

export type PlayedSession = {readonly session: Session; readonly clock: ReplayClock};

type Range = {
	readonly reader: RecordingReader;
	/** Epoch ms. Default: the beginning. */
	readonly from?: number | undefined;
};

type Parts = {
	/** Called at the start of each session. Returns what ends it. */
	begin(played: PlayedSession): () => void;
	/** Called after each part of a session. Returns whether to go on. */
	afterPiece(): Promise<boolean>;
};

/** Plays each session from `from` on, as fast as possible. Rejects when `signal` is aborted. */
export async function playRecording(
	{reader, from = 0}: Range,
	signal: AbortSignal,
	{begin, afterPiece}: Parts,
): Promise<void> {
	for (const session of reader.sessions()) {
		if (session.to < from) continue;
		const clock = createReplayClock(Math.max(session.from, from), async () => {});
		const end = begin({session, clock});
		try {
			let goesOn = await afterPiece();
			while (goesOn && clock.now() < session.to) {
				await clock.advanceTo(Math.min(clock.now() + pieceMs, session.to));
				goesOn = await afterPiece();
				await setImmediate();
				signal.throwIfAborted();
			}

			if (!goesOn) return;
		} finally {
			end();
		}
	}
}
