import type {RecordedRead} from './playback-reader.ts';
import {leastGapMs, missedIntervals} from './schema.ts';

/** Says in a few words why there is no data. */
export const notRecordedBrief = 'not recorded';

/** While an exchange fails, it is asked rarely. */
export const failingGapMs = 330_000;

/** For how long after its end what a read said is known, without another one. `intervalMs`: between two polls. */
export const knownMs = (read: RecordedRead, intervalMs: number): number =>
	'failure' in read ? failingGapMs : answerKnownMs(intervalMs);

/** As `knownMs`, of what was answered. */
export const answerKnownMs = (intervalMs: number): number => Math.max(missedIntervals * intervalMs, leastGapMs);
