import {parseTime} from '../format/time.ts';
import {type Clock, systemClock} from '../market/clock.ts';
import {UsageError} from './exit.ts';

/** A clock that showed `time` (epoch ms) when this process started, and goes on at normal speed. */
export function clockFrom(time: number): Clock {
	const offsetMs = Math.round(time - performance.timeOrigin);
	return {...systemClock, now: () => systemClock.now() + offsetMs};
}

/**
 * The one clock of the program: the computer's, or, so that tests see the same markets on any day, one that starts at
 * `TAPEWATCH_DEMO_AT`. Throws a `UsageError` when that is not a time.
 */
export function programClock({TAPEWATCH_DEMO_AT: text}: NodeJS.ProcessEnv): Clock {
	if (!text) return systemClock;
	const time = parseTime(text);
	if (time === undefined) {
		throw new UsageError(`TAPEWATCH_DEMO_AT must be a UTC time such as 2026-11-20T12:00:00Z, not ${text}`);
	}

	return clockFrom(time);
}
