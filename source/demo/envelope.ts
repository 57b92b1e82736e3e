import type {Interface} from '../market/types.ts';
import type {DemoAnswer} from './handler.ts';
import {isoTimestamp} from './wire.ts';

/** A request that gets an error status and the interface's envelope. The message is for whoever sent it. */
export class Refusal extends Error {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.headers = headers;
	}
}

/** The envelope of an unknown path, too, follows its version segment. */
export function interfaceOf(path: string): Interface {
	return path.includes('/api/v1/') ? 'v1' : 'v2';
}

/** @param now epoch ms */
export function success(shape: Interface, data: unknown, now: number): DemoAnswer {
	return {status: 200, body: envelope(shape, 200, data, 'OK', now)};
}

/** @param now epoch ms */
export function failure(shape: Interface, {status, message, headers}: Refusal, now: number): DemoAnswer {
	return {status, headers, body: envelope(shape, status, null, message, now)};
}

function envelope(shape: Interface, status: number, data: unknown, message: string, now: number): string {
	const succeeded = status === 200;
	return JSON.stringify(
		shape === 'v2'
			? {data, success: succeeded, message, timestamp: now}
			: {data, message, status, timestamp: isoTimestamp(now, now), isSuccess: succeeded},
	);
}
