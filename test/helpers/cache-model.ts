/** A cache before an exchange, in ms of one time that never jumps. */
export type CacheModel = {
	/** When the answer was written that a request at `at` gets. Times must not go back. */
	ask(at: number): number;
	/** Requests that reached the exchange. */
	readonly fetched: number;
};

/** When an answer expires that was fetched at a time. */
type Expiry = (fetchedAt: number) => number;

/** A cache keeps an answer for `ms`, like Varnish. */
export const keeps =
	(ms: number): Expiry =>
	at =>
		at + ms;

/** nginx counts in whole seconds, and keeps an answer up to the end of the last one. */
export const keepsWholeSeconds =
	(seconds: number): Expiry =>
	at =>
		(Math.floor(at / 1000) + seconds + 1) * 1000;

/** `others`: when other readers ask, in order. */
export function createCacheModel(expiry: Expiry, others: Iterable<number> = []): CacheModel {
	const readers = others[Symbol.iterator]();
	let next = readers.next();
	let kept: {readonly written: number; readonly until: number} | undefined;
	let fetched = 0;

	function serve(at: number): number {
		if (!kept || at >= kept.until) {
			kept = {written: at, until: expiry(at)};
			fetched++;
		}

		return kept.written;
	}

	return {
		ask(at) {
			for (; !next.done && next.value <= at; next = readers.next()) serve(next.value);
			return serve(at);
		},
		get fetched() {
			return fetched;
		},
	};
}

/** Times every `ms` from `from` on, without end. */
export function* every(ms: number, from = 0): Generator<number, never> {
	for (let at = from; ; at += ms) yield at;
}
