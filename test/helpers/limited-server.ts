import type {Pace} from '../../source/client/pace.ts';
import type {Clock} from '../../source/market/clock.ts';

/** How a server counts: tokens that come back steadily, or the requests of the last while. */
export type Counting = 'bucket' | 'window';

/** A server that lets a hidden number of requests a second through. */
export type LimitedServer = {
	/** Whether a request that arrives now is let through. */
	admit(): boolean;
};

/** @param perSecond also below 1: then one request in `1 / perSecond` seconds. */
export function createLimitedServer(clock: Clock, perSecond: number, counting: Counting): LimitedServer {
	const size = Math.max(perSecond, 1);
	const windowMs = (size / perSecond) * 1000;
	let tokens = size;
	let filledAt = clock.now();
	let admitted: readonly number[] = [];

	function admitFromBucket(now: number): boolean {
		tokens = Math.min(size, tokens + ((now - filledAt) * perSecond) / 1000);
		filledAt = now;
		if (tokens < 1) return false;
		tokens -= 1;
		return true;
	}

	function admitInWindow(now: number): boolean {
		admitted = admitted.filter(time => time > now - windowMs);
		if (admitted.length >= size) return false;
		admitted = [...admitted, now];
		return true;
	}

	return {
		admit: () => (counting === 'bucket' ? admitFromBucket : admitInWindow)(clock.now()),
	};
}

/** One request as a client saw it; `at`: its start, epoch ms. */
export type Sent = {readonly at: number; readonly admitted: boolean};

type Demand = {
	readonly clock: Clock;
	readonly pace: Pace;
	readonly server: LimitedServer;
	/** Panels that each ask again as soon as they are answered. */
	readonly panels: number;
	readonly latencyMs: number;
	/** What a refusal says. */
	readonly retryAfterMs?: number | undefined;
};

/** Steady demand for as long as the clock runs; returns what it sent so far. */
export function demandSteadily({clock, pace, server, panels, latencyMs, retryAfterMs}: Demand): readonly Sent[] {
	const sent: Sent[] = [];
	async function panel(): Promise<never> {
		for (;;) {
			const at = await pace.start({operation: 'depth', priority: 1});
			const admitted = server.admit();
			sent.push({at, admitted});
			await new Promise<void>(resolve => clock.after(latencyMs, resolve));
			if (admitted) pace.accepted('depth', at);
			else pace.refused('depth', at, retryAfterMs);
		}
	}

	for (let index = 0; index < panels; index++) void panel();
	return sent;
}
