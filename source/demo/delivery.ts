import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {Readable} from 'node:stream';
import type {Clock} from '../market/clock.ts';

/** A request to answer, and what a delivery can do with it. */
type Line = {
	readonly response: ServerResponse;
	readonly clock: Clock;
	/** The answer without the fault. */
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly body: string | Uint8Array;
	/** Sends the whole answer. */
	send(): void;
	/** Counts the request as held until the returned function is called or the client has gone. */
	hold(): () => void;
	/** Cuts every connection and refuses new ones until the promise settles. */
	closePort(until: Promise<void>): void;
};

/** How an answer is sent. Never throws. */
export type Delivery = (line: Line) => void;

const dripMs = 1000;
const lateMs = 2500;
const endlessBytes = 4 * 1024 ** 3;
const chunkBytes = 64 * 1024;

/** Never answers, and keeps the connection open. */
export const hang: Delivery = ({hold}) => {
	hold();
};

/** Ends the connection with a TCP reset. */
export const reset: Delivery = ({response}) => {
	response.socket?.resetAndDestroy();
};

/** Closes the port to every operation, as a connection shows its operation only once it is made. */
export const refuse =
	(until: Promise<void>): Delivery =>
	({closePort}) =>
		closePort(until);

/** Sends one byte of the body per second. */
export const drip: Delivery = ({response, clock, status, headers, body, hold}) => {
	const bytes = Buffer.from(body);
	let sent = 0;
	let cancel = () => {};
	const release = hold();
	response.on('close', () => cancel());
	response.writeHead(status, headers).flushHeaders();
	const next = () => {
		response.write(bytes.subarray(sent, sent + 1));
		sent++;
		if (sent < bytes.length) {
			cancel = clock.after(dripMs, next);
			return;
		}

		release();
		response.end();
	};
	cancel = clock.after(dripMs, next);
};

export const late: Delivery = ({response, clock, send, hold}) => {
	const release = hold();
	const cancel = clock.after(lateMs, () => {
		release();
		send();
	});
	response.on('close', cancel);
};

/** Sends 4 GB of a list that does not end, generated as they are read: only a few chunks are in memory. */
export const endless: Delivery = ({response, status}) => {
	response.writeHead(status, {'content-type': 'application/json; charset=utf-8'});
	const body = Readable.from(zeroes());
	response.on('close', () => body.destroy());
	body.pipe(response);
};

function* zeroes(): Generator<Uint8Array> {
	yield Buffer.from('{"data":[0');
	const chunk = Buffer.from(',0'.repeat(chunkBytes / 2));
	for (let left = endlessBytes; left > 0; left -= chunk.length) yield chunk;
}

const bombMegabytes = 300;

let bomb: Promise<Uint8Array> | undefined;

/** A list of 300 MB in 400 kB of gzip, never in memory uncompressed. */
export function gzipBomb(): Promise<Uint8Array> {
	bomb ??= packBomb();
	return bomb;
}

async function packBomb(): Promise<Uint8Array> {
	// Imported here, because the table of faults is loaded with the help.
	const {gzipSync} = await import('node:zlib');
	// Gzip may have several members, one after the other: to compress all of it takes seconds.
	const megabyte = gzipSync(',0'.repeat(1024 ** 2 / 2));
	const megabytes = Array.from({length: bombMegabytes}, () => megabyte);
	return Buffer.concat([gzipSync('{"data":[0'), ...megabytes, gzipSync(']}')]);
}
