import type {Interface} from '../market/types.ts';
import {type Decoder, expectRecord, failWith} from './decode.ts';
import {type Operation, RefusedError} from './errors.ts';
import type {Answer, CallOptions} from './exchange.ts';
import type {Http} from './http.ts';
import {quote} from './quote.ts';
import {parseWireTime} from './wire-time.ts';

export type Request = {
	readonly operation: Operation;
	/** Appended to the base address. */
	readonly path: string;
	/** Absent values are not sent. */
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly jsonContentType?: boolean;
};

/** One read of one interface: request, envelope, `data`. Rejects with an ExchangeError and nothing else. */
export type Read = <T>(request: Request, options: CallOptions, decode: Decoder<T>) => Promise<Answer<T>>;

export function createRead(http: Http, source: Interface, baseUrl: URL): Read {
	return async ({operation, path, query = {}, jsonContentType = false}, {signal, priority = 1}, decode) => {
		const url = new URL(baseUrl.href.replace(/\/+$/, '') + path);
		for (const [key, value] of Object.entries(query)) {
			if (value !== undefined) url.searchParams.set(key, String(value));
		}

		const context = {operation, interface: source, url: url.href};
		const {json, text, status, receivedAt} = await http.get({context, jsonContentType, priority, signal});
		const fail = failWith(context);
		const envelope = expectRecord(json, '', fail);
		// Each interface names its own flag; an exchange that mixes them still means it.
		if (envelope.success === false || envelope.isSuccess === false) {
			throw new RefusedError({...context, status, ...quote(text)});
		}

		const {data, dropped} = decode(envelope.data, fail);
		return {data, interface: source, receivedAt, serverTime: parseWireTime(envelope.timestamp), dropped};
	};
}
