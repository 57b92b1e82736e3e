import {isIPv4} from 'node:net';

const nameIn = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Whether a `Host` header names this computer, or is `own`, a name with a port. */
export function isOwnName(host: string, own?: string): boolean {
	const name = nameIn(host);
	const isLoopback = name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
	return isLoopback || (own !== undefined && name === nameIn(own));
}
