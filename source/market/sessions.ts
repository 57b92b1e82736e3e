import type {CandleSeries} from './candles.ts';
import type {Candle} from './types.ts';

/** A stretch of time (UTC) that a mean belongs to. */
export type Session = 'day' | 'month' | 'year';

const dayMs = 86_400_000;
const monthsOfYear = 12;

const numberOf: Readonly<Record<Session, (time: number) => number>> = {
	day: time => Math.floor(time / dayMs),
	month: time => new Date(time).getUTCFullYear() * monthsOfYear + new Date(time).getUTCMonth(),
	year: time => new Date(time).getUTCFullYear(),
};

/** The number of the session that `time` (epoch ms) falls in; later ones have larger numbers. */
export const sessionAt = (time: number, session: Session): number => numberOf[session](time);

/** Whether the session of the first candle began before that candle did. */
export function beginsInside([first]: readonly Candle[], session: Session): boolean {
	return first !== undefined && sessionAt(first.time - 1, session) === sessionAt(first.time, session);
}

/**
 * The numbers of the sessions that candles or trades are missing from: the first, where the series begins inside it, unless
 * the series is `complete` (nothing is older); of a series built from trades also those that trades may be missing from.
 */
export function lackingSessions(
	{candles, builtFrom, partial}: CandleSeries,
	session: Session,
	complete: boolean,
): ReadonlySet<number> {
	const lacking = [
		...(beginsInside(candles, session) && !complete ? candles.slice(0, 1).map(({time}) => time) : []),
		...(builtFrom === 'trades' ? (partial ?? []) : []),
	];
	return new Set(lacking.map(time => sessionAt(time, session)));
}
