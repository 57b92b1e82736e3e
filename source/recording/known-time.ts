import type {RecordedRead} from './playback-reader.ts';
import {leastGapMs} from './schema.ts';

/** After so many intervals without a read, nothing is known. */
const missedIntervals = 3;
/** While an exchange fails, it is asked rarely. */
const failingGapMs = 330_000;

/** For how long after its end what a read said is known, without another one. `normalMs`: between two polls. */
export const knownMs = (read: RecordedRead, normalMs: number): number =>
	'failure' in read ? failingGapMs : Math.max(missedIntervals * normalMs, leastGapMs);
