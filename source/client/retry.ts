import type {Headers} from './transport.ts';

/** An exchange that asks for more patience than this is tried again all the same. */
const maxWaitMs = 3600 * 1000;

/**
 * Ms to wait by the `Retry-After` header, in seconds or as an HTTP date; 0 when the date has passed, at most an hour,
 * absent when unreadable. A date is counted from the answer's `Date` header, so that a wrong clock here does no harm;
 * without one, from `now`.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
	const text = headers['retry-after']?.trim();
	if (!text) return undefined;
	const sentAt = Date.parse(headers.date ?? '');
	let ms = Number.NaN;
	if (/^\d+(\.\d+)?$/.test(text)) ms = Number(text) * 1000;
	else if (text.endsWith('GMT')) ms = Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt);
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxWaitMs);
}
