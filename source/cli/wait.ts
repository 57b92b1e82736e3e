import type {Clock} from '../market/clock.ts';

/** Settles when `signal` is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	signal.addEventListener('abort', () => resolve(), {once: true});
	return promise;
}

/** Settles after `ms`, or sooner when `signal` is aborted. */
export async function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const cancel = clock.after(ms, resolve);
	await Promise.race([promise, aborted(signal)]);
	cancel();
}
