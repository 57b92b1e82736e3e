import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {type Clock, waited} from '../../market/clock.ts';
import type {Interface} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';
import {AbortedError, type ErrorContext, ExchangeError, HeldError, HttpStatusError, RefusedError} from '../errors.ts';
import type {Answer, Observe, Outcome} from '../exchange.ts';
import type {Head, Http, JsonAnswer} from '../http.ts';
import {inspectionRetries, mostInspectionRetries, retryWaitMs} from '../retry.ts';
import {createRead, type Read} from '../wire/read.ts';
import type {InspectedOperation, Probe} from './operations.ts';

export type Session = ReturnType<typeof createSession>;

type ProbeAsk = {readonly query?: Readonly<Record<string, number>>; readonly fresh?: boolean};

type SessionOptions = {
	readonly http: Http;
	readonly baseUrls: Readonly<Partial<Record<Interface, URL>>>;
	/** Maximum size of an answer's body. Default: by operation. */
	readonly maxBytes?: number | undefined;
	readonly clock: Clock;
	/** In [0, 1), for jitter. */
	readonly random: () => number;
	readonly signal?: AbortSignal | undefined;
	readonly observe?: Observe | undefined;
	/** Called before each request, when the budget may yet hold it. */
	readonly onRequest: () => void;
	/** Called before the wait of a request that failed, with its end (epoch ms). */
	readonly onRetry: (until: number) => void;
};

const mostFailures = 2;
/** An exchange that asks to wait longer gets no further request. */
const longestWaitMs = minuteMs;

/** Probes one exchange, one request at a time. Every method rejects with an AbortedError and nothing else. */
export function createSession(options: SessionOptions) {
	const {http, baseUrls, maxBytes, clock, random, signal, observe, onRequest, onRetry} = options;
	const connections = countConnections();
	const probes: Probe[] = [];
	/** Hosts that got a request: whether they ever answered one, and whether they ask to wait too long. */
	const hosts = new Map<string, {hasAnswered: boolean; isHeld: boolean}>();
	/** They remember answers, which shows caches. */
	const reads: Partial<Record<Interface, Read>> = {};
	let symbol = '';
	let name = '';
	const tapped = tapHttp(http);
	/** Of the current probe. */
	let outcome: Outcome | undefined;
	const onOutcome: Observe = ended => {
		outcome = ended;
		observe?.(ended);
	};

	/**
	 * Sends one request. One that fails in a way that may pass is sent again after its wait, at most twice; only if the host
	 * has ever answered, or for its first operation. Resolves with the last. `fresh`: caches are asked for a new answer.
	 */
	async function probe<T>(operation: InspectedOperation<T>, ask: ProbeAsk = {}): Promise<Probe<T>> {
		const context = contextOf(operation);
		const {host} = new URL(context.url);
		const isFirst = !hosts.has(host);
		const state = hosts.get(host) ?? {hasAnswered: false, isHeld: false};
		hosts.set(host, state);
		if (state.isHeld) return {...unsent(operation), error: new HeldError(context)};
		for (let failures = 1; ; failures++) {
			const made = await request(operation, ask);
			const {error, status} = made;
			if (status !== undefined && status !== 429) state.hasAnswered = true;
			if ((error?.retryAfterMs ?? 0) > longestWaitMs) state.isHeld = true;
			const isHopeful = (isFirst || state.hasAnswered) && !state.isHeld && failures <= mostInspectionRetries;
			const repeated = isHopeful && error !== undefined && mayPass(error);
			probes.push({...made, repeated});
			if (!repeated) return made;
			// After a 429 the pace waits.
			if (status === 429) continue;
			const waitMs = retryWaitMs(error, {schedule: inspectionRetries, failures, random: random()});
			onRetry(clock.now() + waitMs);
			if (!(await waited(clock, waitMs, signal))) throw new AbortedError(context);
		}
	}

	function contextOf({operation, interface: source}: InspectedOperation): ErrorContext {
		const url = baseUrls[source];
		if (!url) throw new TypeError(`the ${source} interface is not configured`);
		return {operation, interface: source, url: url.href};
	}

	const unsent = ({operation, interface: source}: InspectedOperation) => ({
		...{operation, interface: source, startedAt: clock.now(), durationMs: 0, headers: {}, connected: false},
	});

	function readOf({interface: source, url}: ErrorContext): Read {
		const read = reads[source] ?? createRead(tapped.http, source, new URL(url), {clock, observe: onOutcome, maxBytes});
		reads[source] = read;
		return read;
	}

	async function request<T>(operation: InspectedOperation<T>, {query, fresh}: ProbeAsk) {
		onRequest();
		outcome = undefined;
		const connectionsBefore = connections.count();
		const read = readOf(contextOf(operation));
		const result = await read(operation.request(name, query), {signal, fresh}, operation.decode).then(
			answer => ({answer}),
			(error: unknown) => {
				if (!(error instanceof ExchangeError) || error instanceof AbortedError) throw error;
				return {error};
			},
		);
		const {head, raw} = tapped.last();
		const {startedAt = clock.now()} = outcome ?? {};
		const made: Probe<T> = {
			...unsent(operation),
			startedAt,
			durationMs: (raw?.receivedAt ?? clock.now()) - startedAt,
			status: head?.status,
			headers: head?.headers ?? {},
			connected: connections.count() > connectionsBefore,
			sentBytes: raw?.sentBytes,
			bytes: raw && Buffer.byteLength(raw.text),
			json: raw?.json,
			...result,
		};
		return made;
	}

	return {
		/** Every request, oldest first. */
		probes: probes as readonly Probe[],
		/** The market of the probes; empty until it is chosen. */
		symbol: () => symbol,
		/** Sets the market of all further probes. `ownName`: how the exchange is asked for it, if not by its symbol. */
		choose(chosen: string, ownName = chosen): void {
			symbol = chosen;
			name = ownName;
		},
		probe,
		/** Adds a probe to the operation's samples, unless it is hopeless: it has always failed, twice or after its retries. */
		async sample(operation: InspectedOperation): Promise<void> {
			const {samples} = operation;
			const isHopeless = samples.some(({error}) => error && mayPass(error)) || samples.length >= mostFailures;
			if (hasAnswered(operation) || !isHopeless) samples.push(await probe(operation));
		},
		close: connections.close,
	};
}

/** Whether the same request may succeed a little later. */
function mayPass(error: ExchangeError): boolean {
	if (error instanceof HttpStatusError) return error.status === 429 || error.status >= 500;
	return error.kind === 'network' || error.kind === 'timeout';
}

export const hasAnswered = ({samples}: InspectedOperation): boolean => samples.some(({answer}) => answer);

/** The last good answer among the samples. */
export const lastAnswer = <T>({samples}: InspectedOperation<T>): Answer<T> | undefined =>
	samples.findLast(({answer}) => answer)?.answer;

/** Whether the exchange refused the request for what it asks. */
export const isRefusal = ({error}: Probe): boolean =>
	error instanceof RefusedError || (error instanceof HttpStatusError && error.status < 500 && error.status !== 429);

/** Captures what is sent back to each request; `last`: to the last one. */
export function tapHttp(http: Http): {readonly http: Http; last(): {head?: Head; raw?: JsonAnswer}} {
	let wire: {head?: Head; raw?: JsonAnswer} = {};
	return {
		http: {
			...http,
			async get(request) {
				const own: typeof wire = {};
				wire = own;
				own.raw = await http.get({...request, onHead: head => Object.assign(own, {head})});
				return own.raw;
			},
		},
		last: () => wire,
	};
}

/** Counts the connections that are opened by the whole process. */
function countConnections(): {count(): number; close(): void} {
	const channel = 'undici:client:sendHeaders';
	const sockets = new WeakSet<object>();
	let count = 0;
	const onSend = (message: unknown) => {
		if (typeof message !== 'object' || message === null || !('socket' in message)) return;
		const {socket} = message;
		if (typeof socket !== 'object' || socket === null || sockets.has(socket)) return;
		sockets.add(socket);
		count += 1;
	};

	subscribe(channel, onSend);
	return {count: () => count, close: () => void unsubscribe(channel, onSend)};
}
