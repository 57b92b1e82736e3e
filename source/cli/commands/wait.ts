import type {Clock} from '../../market/clock.ts';

/** Settles when `signal` is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	signal.addEventListener('abort', () => resolve(), {once: true});
	return promise;
}

/** Settles as `promise` does, or sooner, with `undefined`, when `signal` is aborted. Leaves nothing on the signal. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	const {promise: ended, resolve} = Promise.withResolvers<undefined>();
	const end = () => resolve(undefined);
	if (signal.aborted) end();
	signal.addEventListener('abort', end, {once: true});
	try {
		return await Promise.race([promise, ended]);
	} finally {
		signal.removeEventListener('abort', end);
	}
}

/** Settles after `ms`, or sooner when `signal` is aborted. */
export async function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const cancel = clock.after(ms, resolve);
	await unlessAborted(promise, signal);
	cancel();
}

/** Timers of the system hold 2³¹ ms at most, less than 25 days. */
const longestTimerMs = 86_400_000;

/** Calls once after `ms`, be it a year; the returned function cancels. */
export function afterLong(clock: Clock, ms: number, callback: () => void): () => void {
	let cancel = () => {};
	const wait = (leftMs: number) => {
		const nowMs = Math.min(leftMs, longestTimerMs);
		cancel = clock.after(nowMs, () => (leftMs > nowMs ? wait(leftMs - nowMs) : callback()));
	};

	wait(ms);
	return () => cancel();
}
