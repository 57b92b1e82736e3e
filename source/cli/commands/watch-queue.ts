import type {originOf} from './documents.ts';
import {afterGap, createEventLines, eventLine, kindOf} from './event-lines.ts';
import {ofNoAnswer, type WatchEvent} from './watch-events.ts';

type Pending = {
	/** A newer event with the same key makes this one outdated; absent: none does. */
	readonly key: string | undefined;
	readonly event: WatchEvent;
	readonly line: string;
};

/** More than all trades and candles of a first answer. */
export const defaultMostPending = 2 ** 20;

type QueueOptions = {
	readonly write: (text: string) => Promise<void>;
	/** Part of each event. */
	readonly origin: ReturnType<typeof originOf>;
	/** Epoch ms. */
	readonly now: () => number;
	/** Characters. */
	readonly mostPending?: number | undefined;
};

/**
 * Writes events as lines for a reader that may be slow, in order, with their ids and their exchange, one write at a time. If more than `mostPending` characters wait for the reader,
 * outdated tickers, books and candles are dropped, then the oldest of the other events. The next write begins with a line
 * `{type: 'dropped', symbol: null, time, dropped: {depth: 12, …}}` that counts them, and `gap` is true of the next of each type and
 * market.
 */
export function createEventQueue(options: QueueOptions) {
	const {write, origin, now, mostPending = defaultMostPending} = options;
	let pending: Pending[] = [];
	let pendingSize = 0;
	let dropped: Partial<Record<WatchEvent['type'], number>> = {};
	let writing: Promise<void> | undefined;
	const {promise: failed, reject: fail} = Promise.withResolvers<never>();
	// A failure after the end of the watch must not count as an unhandled rejection.
	failed.catch(() => {});

	const lines = createEventLines(origin);

	function drop(isDropped: (event: Pending, index: number) => boolean) {
		const kept: Pending[] = [];
		const lacking = new Map<string, WatchEvent>();
		for (const [index, each] of pending.entries()) {
			const {event, line} = each;
			const kind = kindOf(event);
			if (isDropped(each, index)) {
				dropped[event.type] = (dropped[event.type] ?? 0) + 1;
				pendingSize -= line.length;
				lacking.set(kind, event);
			} else if (lacking.delete(kind)) {
				const marked = eventLine(afterGap(event), origin);
				pendingSize += marked.length - line.length;
				kept.push({...each, line: marked});
			} else kept.push(each);
		}

		for (const event of lacking.values()) lines.leaveOut(event);
		pending = kept;
	}

	function trim() {
		const newest = new Map(pending.map(({key}, index) => [key, index]));
		drop(({key}, index) => key !== undefined && newest.get(key) !== index);
		drop(({key}) => key === undefined && pendingSize > mostPending);
	}

	function take(): string {
		const texts = pending.map(({line}) => line);
		if (Object.keys(dropped).length > 0) {
			texts.unshift(lines.lineOf({type: 'dropped', symbol: null, time: now(), dropped, ...ofNoAnswer}));
		}

		pending = [];
		pendingSize = 0;
		dropped = {};
		return texts.join('');
	}

	async function writeAll() {
		while (pending.length > 0) await write(take());
		writing = undefined;
	}

	return {
		push(events: readonly WatchEvent[]): void {
			for (const event of events) {
				const line = lines.lineOf(event);
				pending.push({key: keyOf(event), event, line});
				pendingSize += line.length;
			}

			if (pendingSize > mostPending) trim();
			if (!writing && pending.length > 0) {
				writing = writeAll();
				writing.catch(fail);
			}
		},
		/** Settles when everything is written. Rejects, as `failed` does, when the output cannot be written. */
		drained: async () => writing,
		failed,
	};
}

function keyOf({type, symbol, time}: WatchEvent): string | undefined {
	if (type === 'ticker' || type === 'depth') return `${type} ${symbol}`;
	return type === 'candle' ? `${type} ${symbol} ${time}` : undefined;
}
