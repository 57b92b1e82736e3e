import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Clock} from '../../market/clock.ts';
import type {Interface} from '../../market/types.ts';
import {AbortedError, ExchangeError} from '../errors.ts';
import type {Observe, Outcome} from '../exchange.ts';
import type {Head, Http, JsonAnswer} from '../http.ts';
import {createRead} from '../wire/read.ts';
import type {InspectedOperation, Probe} from './operations.ts';

/** Probes one exchange, one request at a time. Every method rejects with an AbortedError and nothing else. */
export type Session = {
	/** Oldest first. */
	readonly probes: readonly Probe[];
	/** Sets the market of all further probes. */
	choose(symbol: string): void;
	probe<T>(operation: InspectedOperation<T>, query?: Readonly<Record<string, number>>): Promise<Probe<T>>;
	/** Adds a probe to the operation's samples, unless it has been probed twice and always failed. */
	sample(operation: InspectedOperation): Promise<void>;
	close(): void;
};

type SessionOptions = {
	readonly http: Http;
	readonly baseUrls: Readonly<Partial<Record<Interface, URL>>>;
	readonly clock: Clock;
	readonly signal?: AbortSignal | undefined;
	readonly observe?: Observe | undefined;
	/** Called before each request with the number of earlier ones. */
	readonly onRequest: (made: number) => void;
};

const mostFailures = 2;

export function createSession({http, baseUrls, clock, signal, observe, onRequest}: SessionOptions): Session {
	const connections = countConnections();
	const probes: Probe[] = [];
	let symbol = '';
	/** What is captured of the current probe. */
	let wire: {head?: Head; raw?: JsonAnswer; outcome?: Outcome} = {};

	const tappedHttp: Http = {
		...http,
		async get(request) {
			const onHead = (answerHead: Head) => {
				wire.head = answerHead;
			};
			const raw = await http.get({...request, onHead});
			wire.raw = raw;
			return raw;
		},
	};
	const onOutcome: Observe = ended => {
		wire.outcome = ended;
		observe?.(ended);
	};

	async function probe<T>(operation: InspectedOperation<T>, query?: Readonly<Record<string, number>>) {
		const source = operation.interface;
		const url = baseUrls[source];
		if (!url) throw new TypeError(`the ${source} interface is not configured`);
		onRequest(probes.length);
		wire = {};
		const connectionsBefore = connections.count();
		const read = createRead(tappedHttp, source, url, {clock, observe: onOutcome});
		const result = await read(operation.request(symbol, query), {signal}, operation.decode).then(
			answer => ({answer}),
			(error: unknown) => {
				if (!(error instanceof ExchangeError) || error instanceof AbortedError) throw error;
				return {error};
			},
		);
		const {head, raw, outcome} = wire;
		const startedAt = outcome?.startedAt ?? clock.now();
		const made: Probe<T> = {
			operation: operation.operation,
			interface: source,
			startedAt,
			durationMs: (raw?.receivedAt ?? clock.now()) - startedAt,
			status: head?.status,
			headers: head?.headers ?? {},
			connected: connections.count() > connectionsBefore,
			sentBytes: raw?.sentBytes,
			bytes: raw && Buffer.byteLength(raw.text),
			json: raw && JSON.parse(raw.text),
			...result,
		};
		probes.push(made);
		return made;
	}

	return {
		probes,
		choose(chosen) {
			symbol = chosen;
		},
		probe,
		async sample(operation) {
			if (operation.samples.length < mostFailures || hasAnswered(operation)) {
				operation.samples.push(await probe(operation));
			}
		},
		close: connections.close,
	};
}

export const hasAnswered = ({samples}: InspectedOperation): boolean => samples.some(({answer}) => answer);

/** The decoded data of the last good sample. */
export const lastAnswer = <T>({samples}: InspectedOperation<T>): T | undefined =>
	samples.findLast(({answer}) => answer)?.answer?.data;

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
