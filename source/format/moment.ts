import {dayMs} from '../market/units.ts';
import {parseDuration, parseTime} from './time.ts';
import {fromLocal, localDayOf, utc, type Zone} from './zone.ts';

const timeOfDay = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/**
 * Reads a moment as epoch ms: `now` is `from`, `-5m` and `+30s` count from `from` (epoch ms), `14:03` and `14:03:10` are of its day in `zone` or, if
 * only that is `within`, of the day after or before; all other times as in `parseTime`. `zone`: default UTC. Undefined: it is none.
 */
export function parseMoment(
	text: string,
	from: number,
	within?: {readonly from: number; readonly to: number},
	zone: Zone = utc,
): number | undefined {
	const trimmed = text.trim();
	if (trimmed.toLowerCase() === 'now') return from;
	const sign = trimmed[0];
	if (sign === '-' || sign === '+') {
		const duration = parseDuration(trimmed.slice(1));
		if ('fault' in duration) return undefined;
		return from + (sign === '-' ? -duration.value : duration.value);
	}

	const match = timeOfDay.exec(trimmed);
	if (!match) return parseTime(trimmed, zone);
	const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(digits => Number(digits ?? 0));
	if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
	const sameDay = localDayOf(from, zone) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000;
	const isWithin = (time: number): boolean => within === undefined || (within.from <= time && time <= within.to);
	const times = [sameDay, sameDay + dayMs, sameDay - dayMs].map(local => fromLocal(local, zone));
	return times.find(isWithin) ?? times[0];
}
