import {type Clock, systemClock} from '../../market/clock.ts';
import type {Interface} from '../../market/types.ts';
import {longNumbersIn, quote} from '../body.ts';
import {createBodyLimits} from '../body-limits.ts';
import {ExchangeError, HeldError, HttpStatusError, type Operation, RefusedError} from '../errors.ts';
import type {Answer, CallOptions, Observe} from '../exchange.ts';
import type {Http} from '../http.ts';
import type {Repeats} from '../retry.ts';
import {createAnswerDates} from './answer-dates.ts';
import {type Decoder, expectRecord, failWith} from './decode.ts';
import {parseWireTime} from './fields.ts';

export type Request = {
	readonly operation: Operation;
	/** Appended to the base address. */
	readonly path: string;
	/** Undefined values are not sent. */
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly jsonContentType?: boolean;
};

/** One read of one interface: request, envelope, `data`. Rejects with an ExchangeError and nothing else. */
export type Read = <T>(request: Request, options: CallOptions, decode: Decoder<T>) => Promise<Answer<T>>;

export type ReadOptions = {
	/** Default: the system clock. */
	readonly clock?: Clock | undefined;
	readonly observe?: Observe | undefined;
	/** Default: no request is repeated. */
	readonly repeats?: Repeats | undefined;
	/** Maximum size of an answer's body, as sent and decompressed. Default: by operation, see body-limits.ts. */
	readonly maxBytes?: number | undefined;
};

/** Maximum texts of rounded numbers that are kept of an answer. */
const mostSentNumbers = 100;

export function createRead(
	http: Http,
	source: Interface,
	baseUrl: URL,
	{clock = systemClock, observe, repeats, maxBytes}: ReadOptions = {},
): Read {
	const limits = createBodyLimits(maxBytes);
	const dates = createAnswerDates();
	const addressOf = (path: string) => baseUrl.href.replace(/\/+$/, '') + path;
	const readOnce: Read = async (
		{operation, path, query = {}, jsonContentType = false},
		{signal, priority = 1, owners, fresh, onSent},
		decode,
	) => {
		const url = new URL(addressOf(path));
		for (const [key, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(key, String(value));
		}

		const context = {operation, interface: source, url: url.href};
		let startedAt = clock.now();
		const onStart = () => {
			startedAt = clock.now();
			onSent?.();
		};
		const symbol = query.symbol === undefined ? {} : {symbol: String(query.symbol)};
		const ended = () => ({...context, ...symbol, startedAt, durationMs: Math.max(clock.now() - startedAt, 0)});
		try {
			const limit = limits.of(operation);
			const answer = await http.get({context, jsonContentType, fresh, limit, priority, owners, signal, onStart});
			const {json, text, status, headers, sentBytes, receivedAt} = answer;
			const fail = failWith(context);
			const envelope = expectRecord(json, '', fail);
			// Each interface has its own flag, but an exchange may mix them up.
			if (envelope.success === false || envelope.isSuccess === false) {
				throw new RefusedError({...context, status, ...quote(text, envelope)});
			}

			const serverTime = parseWireTime(envelope.timestamp);
			const {data, dropped, rounded, cut, misdated, besideDropped} = decode(
				envelope.data,
				fail,
				Math.max(serverTime ?? 0, receivedAt),
			);
			limits.learn(operation, data);
			const arrival = {operation, url: url.href, sentAt: startedAt, receivedAt, serverTime, headers, text};
			const {answeredAt, cache} = dates.of(arrival);
			const cached = cache && {cache};
			observe?.({...ended(), status, bytes: sentBytes, dropped, ...cached});
			const sent = rounded && {rounded, sentNumbers: longNumbersIn(envelope.data, mostSentNumbers)};
			const doubtful = {...(misdated && {misdated}), ...(besideDropped && besideDropped.length > 0 && {besideDropped})};
			const counts = {dropped, ...sent, ...(cut && {cut}), ...doubtful};
			const sentAt = cache?.isHit ? {} : {sentAt: startedAt};
			return {data, interface: source, ...sentAt, receivedAt: answeredAt, ...cached, serverTime, ...counts};
		} catch (error) {
			if (error instanceof ExchangeError && error.kind !== 'aborted') {
				observe?.({...ended(), status: error.status, dropped: 0, error});
			}

			throw error;
		}
	};
	if (!repeats) return readOnce;
	return async (request, ...rest) => {
		const {operation, path} = request;
		const context = {operation, interface: source, url: addressOf(path)};
		const pause = http.pause(context);
		if (pause.waitMs > repeats.longestWaitMs) throw new HeldError({...context, ...pause});

		return repeated(() => readOnce(request, ...rest), repeats, http);
	};
}

/** Sends a request that is answered 429 again when the pace allows. Fails at once where that would take too long. */
async function repeated<T>(read: () => Promise<T>, {most, longestWaitMs, onRepeat}: Repeats, http: Http): Promise<T> {
	let waitedMs = 0;
	for (let number = 1; ; number++) {
		try {
			return await read();
		} catch (failure) {
			if (!(failure instanceof HttpStatusError && failure.status === 429) || number > most) throw failure;
			const {waitMs} = http.pause(failure);
			if (waitedMs + waitMs > longestWaitMs) throw waitTooLong(failure, {waitedMs, waitMs, longestWaitMs});
			waitedMs += waitMs;
			onRepeat({number, most, waitMs, failure});
		}
	}
}

type Waits = {readonly waitedMs: number; readonly waitMs: number; readonly longestWaitMs: number};

function waitTooLong(failure: HttpStatusError, {waitedMs, waitMs, longestWaitMs}: Waits): HttpStatusError {
	const {operation, interface: source, url, status, body, retryAfterMs = 0} = failure;
	const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
	// What the exchange asks for, unless only the spread on top of it is too much.
	const next = seconds(waitedMs + retryAfterMs > longestWaitMs ? retryAfterMs : waitMs);
	const limit = `the ${longestWaitMs / 1000} s that a read may wait`;
	const message =
		waitedMs === 0
			? `rate-limited for ${next}, longer than ${limit}`
			: `rate-limited: waited ${seconds(waitedMs)}, and the next wait of ${next} exceeds ${limit}`;
	return new HttpStatusError({
		...{operation, interface: source, url, status, body, message, cause: failure},
		retryAfterMs: failure.retryAfterMs,
	});
}
