import {hasCode} from '../../format/file-fault.ts';
import {UsageError} from '../exit.ts';
import type {Address} from '../options/option-types.ts';

/** `127.0.0.1:2222`, `[::1]:2222` or `localhost:2222`. */
export const addressText = ({host, port}: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const faults: Readonly<Record<string, string>> = {
	EADDRNOTAVAIL: 'this computer does not have that address',
	EAFNOSUPPORT: 'this computer does not support such addresses',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name cannot be looked up',
	EACCES: 'permission denied',
	EPERM: 'permission denied',
	EMFILE: 'too many files are open',
};

/** Why the system does not let `what`, such as `listen`, be done on the address that `flag` gave. */
export function listenError(cause: unknown, what: string, address: Address, flag: string): UsageError {
	const where = addressText(address);
	if (hasCode(cause, 'EADDRINUSE')) return new UsageError(`${where} is in use; give another ${flag}`, {cause});
	const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
	const fault = faults[code] ?? (code || String(cause));
	return new UsageError(`cannot ${what} on ${where}: ${fault}; give another ${flag}`, {cause});
}
