import {isDeepStrictEqual} from 'node:util';
import type {Channel, PlaybackReader, RecordedRead} from './playback-reader.ts';
import type {Session} from './player.ts';

/** Reads of a channel that are looked through at once. */
const pageReads = 100;
/** A market in which so many pages change nothing is stepped through by them. */
const mostPages = 6;

/** Finds when what is known of a market changed. */
export type RecordedChanges = {
	/** When the first change after `time` became known in a session, or (-1) the last one before it, epoch ms; undefined: there is none. */
	near(session: Session, symbol: string | undefined, time: number, by: 1 | -1): number | undefined;
};

export function createRecordedChanges(reader: PlaybackReader): RecordedChanges {
	/** Whether a read tells something else than the one of its channel before. */
	function isChange({operation, symbol = ''}: Channel, read: RecordedRead, before: RecordedRead | undefined): boolean {
		if ('failure' in read || !before || 'failure' in before) {
			const failures = [read, before].map(each => each && 'failure' in each && each.failure.brief);
			return !isDeepStrictEqual(failures[0], failures[1]);
		}

		if (operation === 'trades') return reader.trades(symbol, read.id).trades.length > 0;
		if (operation === 'ticker') return reader.hasTicker(symbol, read.id);
		return !isDeepStrictEqual(reader.book(symbol, before.id), reader.book(symbol, read.id));
	}

	/** The reads, oldest first, that follow the answer `id`, or (-1) that end with it. */
	function page(session: Session, channel: Channel, id: number, by: 1 | -1): readonly RecordedRead[] {
		if (by < 0) return reader.last(session.id, asked(channel), id, {from: -Infinity, count: pageReads});
		const reads: RecordedRead[] = [];
		let read = reader.next(session.id, asked(channel), id);
		while (read && reads.push(read) < pageReads) read = reader.next(session.id, asked(channel), read.id);
		return reads;
	}

	/** The first change of a channel after the answer `id`, or the last one before `time`. */
	function nearIn(session: Session, channel: Channel, id: number, time: number, by: 1 | -1): number | undefined {
		let from = id;
		let unchanged: number | undefined;
		for (let count = 0; count < mostPages; count++) {
			const reads = page(session, channel, from, by).filter(({endedAt}) => by > 0 || endedAt < time);
			const [first] = reads;
			const end = by > 0 ? reads.at(-1) : first;
			if (!first || !end) return undefined;
			let [before] = reader.last(session.id, asked(channel), first.id - 1, {from: -Infinity, count: 1});
			const changes: number[] = [];
			for (const read of reads) {
				if (isChange(channel, read, before)) changes.push(read.endedAt);
				before = read;
				if (by > 0 && changes.length > 0) break;
			}

			const found = changes.at(-1);
			if (found !== undefined) return found;
			unchanged = end.endedAt;
			from = by > 0 ? end.id : end.id - 1;
		}

		return unchanged;
	}

	return {
		near(session, symbol, time, by) {
			const id = reader.idAt(session.id, time);
			if (symbol === undefined) return undefined;
			const operations = ['ticker', 'depth', 'trades'] as const;
			const times = operations.flatMap(operation => nearIn(session, {operation, symbol}, id, time, by) ?? []);
			if (times.length === 0) return undefined;
			return by > 0 ? Math.min(...times) : Math.max(...times);
		},
	};
}

/** The tickers of all markets are one answer. */
const asked = ({operation, symbol}: Channel): Channel => (operation === 'ticker' ? {operation} : {operation, symbol});
