import {crc32} from 'node:zlib';
import {isPlausible} from '../../market/clock.ts';
import {setLast} from '../../market/memo.ts';
import {clamp} from '../../market/numbers.ts';
import {secondMs} from '../../market/units.ts';
import {cacheSigns} from '../cache-signs.ts';
import type {Operation} from '../errors.ts';
import type {CacheUse} from '../exchange.ts';
import type {Headers} from '../transport.ts';
import {createWrittenAges} from './written-ages.ts';

/** An answer as it arrived. Times are epoch ms. */
type Arrival = {
	readonly operation: Operation;
	readonly url: string;
	/** When its request was sent and when its body was complete, by our clock. */
	readonly sentAt: number;
	readonly receivedAt: number;
	/** When the exchange wrote it, by the exchange's clock. */
	readonly serverTime?: number | undefined;
	readonly headers: Headers;
	/** Its body. */
	readonly text: string;
};

type Dated = {
	/** When the exchange answered, epoch ms by our clock: never after the arrival. */
	readonly answeredAt: number;
	/** Absent: no cache is known. */
	readonly cache?: CacheUse | undefined;
};

/** Dates the answers of one interface in turn. */
export type AnswerDates = {of(arrival: Arrival): Dated};

/** An answer that may come again. */
type PastAnswer = {
	readonly writtenAt: number;
	/** CRC-32 of the body, as only bodies of one URL and time are compared. */
	readonly checksum: number;
	/** When it was requested last. */
	readonly sentAt: number;
	/** When it arrived first. */
	readonly receivedAt: number;
	readonly answeredAt: number;
	/** The time of its writing is also that of another answer, which was requested later. */
	readonly isTimeBroken: boolean;
};

/** By the exchange's clock, whose steps are `stepMs`. */
type WrittenTime = {readonly writtenAt: number; readonly stepMs: number};

const mostUrls = 256;

/**
 * Dates the answers of an interface, which may come from caches.
 *
 * - Only once a cache is known has an answer an age when it arrives: by headers, or as one answer came twice.
 * - The age is the time from the writing of the answer to its arrival, less that of a fresh one (`createWrittenAges`). The time
 *   of the writing is that of the envelope, else `Date`; if it is in whole seconds, the age is the least possible.
 * - `Age` bounds the age: whole seconds, rounded down, when the answer left the cache.
 * - An answer that comes again keeps its date, and one that was written later is dated later.
 * - A time that stays while the answer changes is ignored.
 */
export function createAnswerDates(): AnswerDates {
	const ages = createWrittenAges();
	/** By URL, the last two different answers, newest first. */
	const answersByUrl = new Map<string, readonly PastAnswer[]>();
	/** Operations whose envelopes have a time in more than whole seconds. */
	const exact = new Set<Operation>();
	let hasCache = false;

	/** When the answer was written, by the exchange's clock. */
	function writtenTime({operation, serverTime, headers}: Arrival): WrittenTime | undefined {
		if (serverTime !== undefined && isPlausible(serverTime)) {
			if (serverTime % secondMs !== 0) exact.add(operation);
			return {writtenAt: serverTime, stepMs: exact.has(operation) ? 1 : secondMs};
		}

		const date = Date.parse(headers.date ?? '');
		return isPlausible(date) ? {writtenAt: date, stepMs: secondMs} : undefined;
	}

	return {
		of(arrival) {
			const {operation, url, sentAt, receivedAt, headers} = arrival;
			const signs = cacheSigns(headers);
			const {ageMs: headerAgeMs} = signs ?? {};
			const onWayMs = Math.max(receivedAt - sentAt, 0);
			const isMiss = signs?.isHit === false && !headerAgeMs;
			const checksum = crc32(arrival.text);
			const earlier = answersByUrl.get(url) ?? [];
			const [last] = earlier;
			const time = writtenTime(arrival);
			const isRepeated = (each: PastAnswer) =>
				each.writtenAt === time?.writtenAt && sentAt > each.receivedAt + time.stepMs;
			const again = earlier.find(each => isRepeated(each) && each.checksum === checksum && !each.isTimeBroken);
			const isTimeBroken =
				last !== undefined && last.writtenAt === time?.writtenAt && (last.isTimeBroken || (isRepeated(last) && !again));
			if (signs || again) hasCache = true;

			function ageOnArrival(): number {
				if (!time || isTimeBroken) return headerAgeMs ? headerAgeMs + onWayMs : 0;
				const isNext = last !== undefined && time.writtenAt > last.writtenAt && !headerAgeMs;
				const writtenAfter = isMiss ? sentAt : isNext ? last.sentAt : undefined;
				const ageMs = ages.of({operation, ...time, receivedAt, writtenAfter, isCertain: isMiss});
				if (isMiss) return Math.min(ageMs, onWayMs);
				return headerAgeMs === undefined ? ageMs : clamp(ageMs, headerAgeMs, headerAgeMs + secondMs + onWayMs);
			}

			const ageMs = again ? receivedAt - again.answeredAt : ageOnArrival();
			const follows = last !== undefined && time !== undefined && time.writtenAt > last.writtenAt;
			const earliest = follows ? last.answeredAt + 1 : 0;
			const answeredAt = hasCache ? clamp(receivedAt - ageMs, earliest, receivedAt) : receivedAt;
			if (time) {
				const entry = {writtenAt: time.writtenAt, checksum, sentAt, receivedAt, answeredAt, isTimeBroken};
				const others = earlier.filter(each => each !== again);
				setLast(answersByUrl, url, [again ? {...again, sentAt} : entry, ...others].slice(0, 2), mostUrls);
			}

			if (!hasCache) return {answeredAt};
			// Else it was written after it was requested.
			const isHit = signs?.isHit === true || again !== undefined || ageMs > onWayMs;
			return {answeredAt, cache: {ageMs: receivedAt - answeredAt, isHit, isSaid: signs !== undefined}};
		},
	};
}
