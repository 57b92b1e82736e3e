import type {Clock} from '../../market/clock.ts';
import type {Interface} from '../../market/types.ts';
import {createHttp} from '../http.ts';
import type {Observe} from '../outcome.ts';
import {createPaces} from '../pace.ts';
import {watchConnections} from './connections.ts';
import type {Inspection} from './inspection.ts';
import {createLookAt} from './look.ts';
import {askAll, type InspectRequest} from './questions.ts';

export type InspectOptions = InspectRequest & {
	/** One of the two addresses is needed; both are checked already. */
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
	/** For a whole request. */
	readonly timeoutMs: number;
	/** Requests a second at most. */
	readonly rate: number;
	readonly clock: Clock;
	/** In [0, 1), for jitter. */
	readonly random: () => number;
	readonly signal?: AbortSignal | undefined;
	readonly observe?: Observe | undefined;
};

/** The same as a client's. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Looks an exchange over. What fails becomes part of the report; rejects only with an AbortedError, or with what `choose`
 * throws.
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
	const {baseUrl, legacyBaseUrl, timeoutMs, rate, clock, random, signal, observe} = options;
	const baseUrls: Partial<Record<Interface, URL>> = {
		...(baseUrl !== undefined && {v2: new URL(baseUrl)}),
		...(legacyBaseUrl !== undefined && {v1: new URL(legacyBaseUrl)}),
	};
	const paces = createPaces(Object.values(baseUrls), {rate, maxRate: rate, clock, random});
	const http = createHttp({timeoutMs, maxBytes, userAgent: 'tapewatch', paceOf: paces.of, clock});
	const connections = watchConnections();
	try {
		const lookAt = createLookAt({http, baseUrls, connections, clock, signal, observe});
		const interfaces = (['v2', 'v1'] as const).filter(name => baseUrls[name]);
		return await askAll(options, {lookAt, interfaces, budget: paces.budget});
	} finally {
		connections.close();
		await http.close();
	}
}
