import {verify} from 'node:crypto';
import type {AuthContext, PublicKeyAuthContext} from 'ssh2';
import type {Clock} from '../market/clock.ts';
import type {AuthorizedKey} from './authorized-keys.ts';
import type {KeyRing} from './key-ring.ts';

export type LogInOptions = {
	/** Undefined: no key opens. */
	readonly ring: KeyRing | undefined;
	/** Who has no key may log in too: under any name, or as `anonymous` where there are keys. */
	readonly anonymous: boolean;
	readonly clock: Clock;
};

/** What came of a try. */
export type Try =
	/** `key` undefined: an anonymous viewer. */
	| {readonly type: 'in'; readonly key: AuthorizedKey | undefined}
	/** The key opens, and its owner has yet to sign. */
	| {readonly type: 'known'}
	/** Undefined: the client only asked how to log in. */
	| {readonly type: 'refused'; readonly reason: string | undefined};

/** Clients ask without a key first: were that enough for everybody, no key would ever be looked at. */
const anonymousName = 'anonymous';

/** Judges one try of a log-in from `address`. The caller answers it. */
export async function judgeTry(
	context: AuthContext,
	address: string,
	{ring, anonymous, clock}: LogInOptions,
): Promise<Try> {
	if (context.method === 'none') {
		const isIn = anonymous && (!ring || context.username === anonymousName);
		return isIn ? {type: 'in', key: undefined} : refused(undefined);
	}

	if (context.method !== 'publickey') return refused(`${context.method} log-in is not supported`);
	await ring?.refresh();
	const key = ring?.find(context.key.data);
	if (!key) return refused('unknown key');
	const reason = key.refusal(address, clock.now());
	if (reason !== undefined) return refused(reason);
	if (context.key.algo !== key.type) return refused('the key is not of the type that it claims');
	const hash = hashOf(key.type, context);
	if (hash === undefined) return refused('signatures with SHA-1 are not accepted');
	if (context.signature === undefined || context.blob === undefined) return {type: 'known'};
	const isSigned = verify(hash, context.blob, key.publicKey, context.signature);
	return isSigned ? {type: 'in', key} : refused('wrong signature');
}

const refused = (reason: string | undefined): Try => ({type: 'refused', reason});

const hashes: Readonly<Record<string, string | null>> = {
	'ssh-ed25519': null,
	'ecdsa-sha2-nistp256': 'sha256',
	'ecdsa-sha2-nistp384': 'sha384',
	'ecdsa-sha2-nistp521': 'sha512',
};

/** Null: the key does without; undefined: one that is not accepted. */
function hashOf(type: string, {hashAlgo}: PublicKeyAuthContext): string | null | undefined {
	return type === 'ssh-rsa' ? hashAlgo : hashes[type];
}
