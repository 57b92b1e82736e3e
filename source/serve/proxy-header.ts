import {isIP} from 'node:net';
import {plainAddress} from './addresses.ts';

/** What a balancer says of a connection before anything that the other side sends. */
export type ProxyHeader = {
	/** Where the connection comes from; undefined: from the balancer itself, or from what has no IP address. */
	readonly address: string | undefined;
	/** Of the header, in bytes. */
	readonly length: number;
};

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const mostLineBytes = 107;
const mostHeaderBytes = 4096;

/**
 * Reads a header of the PROXY protocol, version 1 or 2, at the beginning of `data`. Undefined: more of it must come first;
 * `none`: there is none that can be read.
 */
export function parseProxyHeader(data: Buffer): ProxyHeader | 'none' | undefined {
	const isBinary = data[0] === signature[0];
	const begin = isBinary ? signature : Buffer.from('PROXY ');
	const length = Math.min(data.length, begin.length);
	if (!data.subarray(0, length).equals(begin.subarray(0, length))) return 'none';
	return isBinary ? parseBinary(data) : parseLine(data);
}

function parseLine(data: Buffer): ProxyHeader | 'none' | undefined {
	const end = data.subarray(0, mostLineBytes).indexOf('\r\n');
	if (end === -1 && data.length < mostLineBytes) return undefined;
	const [, family = '', from = ''] = data.toString('latin1', 0, Math.max(end, 0)).split(' ');
	const length = end + 2;
	if (family === 'UNKNOWN') return {address: undefined, length};
	const version = {TCP4: 4, TCP6: 6}[family];
	if (version === undefined || isIP(from) !== version) return 'none';
	return {address: plainAddress(from), length};
}

const headBytes = signature.length + 4;
/** By protocol and family: bytes of an address. */
const addressBytes: Readonly<Record<number, 4 | 16>> = {17: 4, 33: 16};

function parseBinary(data: Buffer): ProxyHeader | 'none' | undefined {
	if (data.length < headBytes) return undefined;
	const [command, family] = [data.readUInt8(12), data.readUInt8(13)];
	const length = headBytes + data.readUInt16BE(14);
	const isKnown = command === 0x20 || command === 0x21;
	const bytes = command === 0x21 ? addressBytes[family] : undefined;
	if (!isKnown || length > mostHeaderBytes || (bytes !== undefined && length < headBytes + 2 * bytes + 4)) {
		return 'none';
	}

	if (data.length < length) return undefined;
	if (bytes === undefined) return {address: undefined, length};
	const from = data.subarray(headBytes, headBytes + bytes);
	return {address: bytes === 4 ? from.join('.') : plainAddress(sixthOf(from)), length};
}

/** An IPv6 address as `plainAddress` reads it. */
function sixthOf(bytes: Buffer): string {
	const isMapped = bytes.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'));
	if (isMapped) return `::ffff:${bytes.subarray(12).join('.')}`;
	const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
	return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
