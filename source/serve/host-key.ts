import {constants} from 'node:fs';
import {link, mkdtemp, open, rm} from 'node:fs/promises';
import {join} from 'node:path';
import ssh2 from 'ssh2';
import {fingerprintOf} from './authorized-keys.ts';

export type HostKey = {
	/** In OpenSSH's format. */
	readonly privateKey: string;
	/** `SHA256:…`, as `ssh` asks its user to compare. */
	readonly fingerprint: string;
	/** It was made now. */
	readonly isNew: boolean;
};

const type = 'ssh-ed25519';
export const mostHostKeyBytes = 16_384;

/**
 * Reads the ed25519 key of the server, or makes it in an existing folder where there is no file, in one step, also when two servers start at once.
 * Rejects for a file that others can read, that belongs to another user, or that is no such key; it is never overwritten.
 */
export async function openHostKey(path: string): Promise<HostKey> {
	const found = await read(path);
	if (found) return found;
	const workshop = await mkdtemp(`${path}.`);
	const draft = join(workshop, 'draft');
	let isNew = true;
	try {
		const file = await open(draft, 'wx', 0o600);
		try {
			await file.writeFile(newHostKey());
			await file.sync();
		} finally {
			await file.close();
		}

		// Unlike a new name, a link never replaces a file that came meanwhile.
		await link(draft, path).catch(error => {
			if (error.code !== 'EEXIST') throw error;
			isNew = false;
		});
	} finally {
		await rm(workshop, {recursive: true});
	}

	const made = await read(path);
	if (!made) throw new Error(`the host key ${path} vanished`);
	return {...made, isNew};
}

/** A private key in OpenSSH's format. One in 300 that ssh2 writes, it cannot read. */
export function newHostKey(): string {
	for (;;) {
		const {private: written} = ssh2.utils.generateKeyPairSync('ed25519', {comment: 'tapewatch'});
		if (!(ssh2.utils.parseKey(written) instanceof Error)) return written;
	}
}

async function read(path: string): Promise<HostKey | undefined> {
	const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(error => {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	});
	if (!file) return undefined;
	try {
		const stats = await file.stat();
		const own = process.getuid?.();
		if (!stats.isFile()) throw new Error(`the host key ${path} is not a regular file`);
		if (own !== undefined && stats.uid !== own && stats.uid !== 0) {
			throw new Error(`the host key ${path} belongs to another user`);
		}

		const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
		if (own !== undefined && (stats.mode & 0o077) !== 0) {
			throw new Error(`others can read the host key ${path} (mode ${mode}): run chmod 600 on it`);
		}

		if (stats.size > mostHostKeyBytes) throw new Error(`the host key ${path} is larger than ${mostHostKeyBytes} bytes`);
		return {...parse(path, await file.readFile('utf8')), isNew: false};
	} finally {
		await file.close();
	}
}

function parse(path: string, privateKey: string): Omit<HostKey, 'isNew'> {
	const key = ssh2.utils.parseKey(privateKey);
	if (key instanceof Error || !key.isPrivateKey()) {
		throw new Error(`the host key ${path} is not a private key in OpenSSH's format without a passphrase`);
	}

	if (key.type !== type) throw new Error(`the host key ${path} is of type ${key.type}, not ${type}`);
	return {privateKey, fingerprint: fingerprintOf(key.getPublicSSH())};
}
