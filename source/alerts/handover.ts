import {isRedated} from '../market/continued-tape.ts';
import {mergeTape, type Tape, tradeKey} from '../market/tape.ts';
import {largestPage} from '../market/types.ts';
import type {Ready, Resource} from '../store/resource.ts';

type Sources<T> = ReadonlyArray<Resource<T> | undefined>;

/**
 * One resource from several sources, of which one at a time is polled: the latest answer of any, and from the next look on the
 * failure of the one that is polled. Absent sources have another market.
 */
export type Handover<T> = (sources: Sources<T>, polled: Resource<T>) => Resource<T>;

/** `join`: the data of the latest answer together with what was known before, of that source too. Default: as it came. */
export function createHandover<T>(
	join: (next: Ready<T>, known: Ready<T>, before: T | undefined) => T = next => next.data,
): Handover<T> {
	let latest: Ready<T> | undefined;
	let origin = -1;
	let last: Sources<T> = [];
	let isNew = false;

	function take(source: Ready<T>, index: number) {
		const before = last[index]?.status === 'ready' ? last[index] : undefined;
		const isAnswer = source.receivedAt !== before?.receivedAt || source.data !== before.data;
		if (isAnswer) {
			latest = {...source, data: latest ? join(source, latest, before?.data) : source.data};
			[origin, isNew] = [index, true];
		} else if (latest && index === origin) latest = {...source, data: latest.data};
	}

	return (sources, polled) => {
		isNew = false;
		for (const [index, source] of sources.entries()) if (source?.status === 'ready') take(source, index);
		last = sources;
		if (!latest) return polled;
		const failure = polled.status === 'waiting' ? (polled.held ?? latest.failure) : polled.failure;
		// What is new is judged, though a request has failed by now.
		return {...latest, failure: isNew ? undefined : failure};
	};
}

/** Continues a tape with another source's, so that no trade is lost or comes twice where one takes over from the other. */
export const createTapeHandover = (): Handover<Tape> =>
	createHandover((next, known, before) => {
		const isContinued = known.data === before;
		if (isContinued || next.interface !== known.interface) return next.data;
		const {trades, gaps} = next.data;
		// What came since is in the newest page, and only above a gap is that complete.
		const newest = trades.slice(0, largestPage);
		const gap = gaps.size > 0 ? newest.findIndex(trade => gaps.has(tradeKey(trade))) : -1;
		const page = gap < 0 ? newest : newest.slice(0, gap + 1);
		return isRedated(known.data, page) ? next.data : mergeTape(known.data, page);
	});
