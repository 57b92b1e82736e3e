const iso = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;
const minuteMs = 60_000;
/** The farthest time that a Date can hold. */
const maxTime = 8.64e15;

/**
 * Epoch ms of a time as either interface writes it: epoch ms as a number or as digits, or ISO 8601 with any offset
 * (none: UTC) and any number of fraction digits, cut to ms. Absent when it is none of these or no such day exists.
 */
export function parseWireTime(value: unknown): number | undefined {
	if (typeof value === 'number') return isTime(value) ? Math.floor(value) : undefined;
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d{12,16}$/.test(text)) return parseWireTime(Number(text));
	const parts = iso.exec(text);
	if (!parts) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
		.slice(1, 7)
		.map(part => Number(part ?? 0));
	const offsetHours = Number(parts[9] ?? 0);
	const offsetMinutes = Number(parts[10] ?? 0);
	// 60: a leap second counts as the first of the next minute.
	if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
	const midnight = new Date(0);
	midnight.setUTCFullYear(year, month - 1, day);
	if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
	const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
	const offset = (parts[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minuteMs;
	return midnight.getTime() + (hour * 60 + minute) * minuteMs + second * 1000 + ms - offset;
}

/** Whether a number can be a time in epoch ms. */
const isTime = (value: number): boolean => value > 0 && value <= maxTime;
