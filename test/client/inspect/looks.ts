import type {Look} from '../../../source/client/inspect/look.ts';

type Sample<T> = {
	readonly data: T;
	/** Epoch ms. */
	readonly startedAt?: number;
	readonly durationMs?: number;
	readonly serverTime?: number | undefined;
	readonly dropped?: number;
};

/** A look that found `data`. */
export function looked<T>({data, startedAt = 0, durationMs = 0, serverTime, dropped = 0}: Sample<T>): Look<T> {
	return {
		operation: 'trades',
		interface: 'v2',
		startedAt,
		durationMs,
		status: 200,
		headers: {},
		connected: false,
		json: {data},
		answer: {data, interface: 'v2', receivedAt: startedAt + durationMs, serverTime, dropped},
	};
}
