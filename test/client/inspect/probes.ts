import type {Probe} from '../../../source/client/inspect/operations.ts';

type Sample<T> = {
	readonly data: T;
	/** Epoch ms. */
	readonly startedAt?: number;
	readonly durationMs?: number;
	readonly serverTime?: number | undefined;
	readonly dropped?: number;
	/** From a cache. */
	readonly isHit?: boolean;
};

const aged = {ageMs: 0, isHit: true, isSaid: true};

/** A probe that was answered with `data`. */
export function probeOf<T>({
	data,
	startedAt = 0,
	durationMs = 0,
	serverTime,
	dropped = 0,
	isHit = false,
}: Sample<T>): Probe<T> {
	return {
		operation: 'trades',
		interface: 'v2',
		startedAt,
		durationMs,
		status: 200,
		headers: {},
		connected: false,
		json: {data},
		answer: {
			data,
			interface: 'v2',
			receivedAt: startedAt + durationMs,
			serverTime,
			dropped,
			...(isHit && {cache: aged}),
		},
	};
}
