import type {originOf} from './documents.ts';
import type {WatchEvent} from './watch-events.ts';

type Pending = {
	/** A newer event with the same key makes this one outdated; absent: none does. */
	readonly key: string | undefined;
	readonly type: WatchEvent['type'];
	readonly line: string;
};

/** Buffers events for a reader that may be slow. */
export type EventQueue = {
	push(events: readonly WatchEvent[]): void;
	/** Settles when everything is written. Rejects, as `failed` does, when the output cannot be written. */
	drained(): Promise<void>;
	readonly failed: Promise<never>;
};

const defaultMostPending = 2 ** 20;

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
 * Writes events as lines, in order and with their exchange, one write at a time. If more than `mostPending` characters wait for the reader,
 * outdated tickers, books and candles are dropped, then the oldest of the other events. The next write begins with a line
 * `{type: 'dropped', symbol: null, time, dropped: {depth: 12, …}}` that counts them.
 */
export function createEventQueue(options: QueueOptions): EventQueue {
	const {write, origin, now, mostPending = defaultMostPending} = options;
	let pending: Pending[] = [];
	let pendingSize = 0;
	let dropped: Partial<Record<WatchEvent['type'], number>> = {};
	let writing: Promise<void> | undefined;
	const {promise: failed, reject: fail} = Promise.withResolvers<never>();
	// A failure after the end of the watch must not count as an unhandled rejection.
	failed.catch(() => {});

	const lineOf = (event: object): string => `${JSON.stringify({...event, ...origin})}\n`;

	function drop(isDropped: (event: Pending, index: number) => boolean) {
		const kept: Pending[] = [];
		for (const [index, event] of pending.entries()) {
			if (isDropped(event, index)) {
				dropped[event.type] = (dropped[event.type] ?? 0) + 1;
				pendingSize -= event.line.length;
			} else {
				kept.push(event);
			}
		}

		pending = kept;
	}

	function trim() {
		const newest = new Map(pending.map(({key}, index) => [key, index]));
		drop(({key}, index) => key !== undefined && newest.get(key) !== index);
		drop(({key}) => key === undefined && pendingSize > mostPending);
	}

	function take(): string {
		const lines = pending.map(({line}) => line);
		if (Object.keys(dropped).length > 0) {
			lines.unshift(lineOf({type: 'dropped', symbol: null, time: now(), dropped}));
		}

		pending = [];
		pendingSize = 0;
		dropped = {};
		return lines.join('');
	}

	async function writeAll() {
		while (pending.length > 0) await write(take());
		writing = undefined;
	}

	return {
		push(events) {
			for (const event of events) {
				const line = lineOf(event);
				pending.push({key: keyOf(event), type: event.type, line});
				pendingSize += line.length;
			}

			if (pendingSize > mostPending) trim();
			if (!writing && pending.length > 0) {
				writing = writeAll();
				writing.catch(fail);
			}
		},
		drained: async () => writing,
		failed,
	};
}

function keyOf({type, symbol, time}: WatchEvent): string | undefined {
	if (type === 'ticker' || type === 'depth') return `${type} ${symbol}`;
	return type === 'candle' ? `${type} ${symbol} ${time}` : undefined;
}
