import type {Clock} from '../../market/clock.ts';
import type {Interface} from '../../market/types.ts';
import {AbortedError, ExchangeError, type Operation} from '../errors.ts';
import type {Answer} from '../exchange.ts';
import type {Head, Http, JsonAnswer} from '../http.ts';
import type {Observe, Outcome} from '../outcome.ts';
import type {Headers} from '../transport.ts';
import type {Decoder} from '../wire/decode.ts';
import {createRead, type Request} from '../wire/read.ts';
import type {Connections} from './connections.ts';

/** One request, seen from the wire up to the decoded answer. */
export type Look<T = unknown> = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** When the budget let it go, epoch ms. */
	readonly startedAt: number;
	/** From then to the last byte, or to the failure. */
	readonly durationMs: number;
	/** Absent where no head came. */
	readonly status?: number | undefined;
	readonly headers: Headers;
	/** Whether a connection had to be made for it. */
	readonly connected: boolean;
	/** The body's size, as sent and unpacked; absent where it did not come whole, or was no JSON. */
	readonly sentBytes?: number | undefined;
	readonly bytes?: number | undefined;
	/** The whole answer, as JSON.parse reads it. */
	readonly json?: unknown;
	/** Either this or `error` is there. */
	readonly answer?: Answer<T> | undefined;
	readonly error?: ExchangeError | undefined;
};

/** Asks once, one question at a time. Rejects with an AbortedError and nothing else. */
export type LookAt = <T>(source: Interface, request: Request, decode: Decoder<T>) => Promise<Look<T>>;

type LookOptions = {
	readonly http: Http;
	readonly baseUrls: Readonly<Partial<Record<Interface, URL>>>;
	readonly connections: Connections;
	readonly clock: Clock;
	readonly signal?: AbortSignal | undefined;
	readonly observe?: Observe | undefined;
};

export function createLookAt({http, baseUrls, connections, clock, signal, observe}: LookOptions): LookAt {
	let head: Head | undefined;
	let raw: JsonAnswer | undefined;
	let outcome: Outcome | undefined;

	const tap: Http = {
		...http,
		async get(request) {
			raw = await http.get({
				...request,
				onHead: answered => {
					head = answered;
				},
			});
			return raw;
		},
	};
	const onEnd: Observe = ended => {
		outcome = ended;
		observe?.(ended);
	};

	return async <T>(source: Interface, request: Request, decode: Decoder<T>): Promise<Look<T>> => {
		const url = baseUrls[source];
		if (!url) throw new TypeError(`the ${source} interface is not configured`);
		[head, raw, outcome] = [undefined, undefined, undefined];
		const before = connections.used();
		const seen = () => ({
			operation: request.operation,
			interface: source,
			startedAt: outcome?.startedAt ?? clock.now(),
			durationMs: (raw?.receivedAt ?? clock.now()) - (outcome?.startedAt ?? clock.now()),
			status: head?.status,
			headers: head?.headers ?? {},
			connected: connections.used() > before,
			sentBytes: raw?.sentBytes,
			bytes: raw && Buffer.byteLength(raw.text),
			json: raw && JSON.parse(raw.text),
		});
		try {
			const answer = await createRead(tap, source, url, {clock, observe: onEnd})(request, {signal}, decode);
			return {...seen(), answer};
		} catch (error) {
			if (!(error instanceof ExchangeError) || error instanceof AbortedError) throw error;
			return {...seen(), error};
		}
	};
}
