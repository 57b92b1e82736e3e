// @module-tag ssh
import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import ssh2 from 'ssh2';
import {describe, expect, test} from 'vitest';
import {newHostKey, openHostKey} from '../../source/serve/host-key.ts';
import {folderOfFile} from '../helpers/folders.ts';

const folder = folderOfFile();
let count = 0;
function newPath(): string {
	const place = join(folder, String(count++));
	mkdirSync(place);
	return join(place, 'host_key');
}

const keygen = (...args: readonly string[]): string => execFileSync('ssh-keygen', args, {encoding: 'utf8'});

test('a key is made once, for the user alone, and is the one that ssh-keygen reads', async () => {
	const path = newPath();
	const made = await openHostKey(path);
	expect([made.isNew, statSync(path).mode & 0o777]).toEqual([true, 0o600]);
	expect(readdirSync(join(path, '..'))).toEqual(['host_key']);
	expect(await openHostKey(path)).toEqual({...made, isNew: false});
	expect(keygen('-l', '-f', path)).toContain(` ${made.fingerprint} tapewatch (ED25519)`);
});

test('every key that is made can be read', () => {
	// Of so many, ssh2 makes some that it cannot read itself, but for one time in 200.
	const made = Array.from({length: 1500}, newHostKey);
	expect(made.filter(key => ssh2.utils.parseKey(key) instanceof Error)).toEqual([]);
});

test('servers that start at once use the same key', async () => {
	const path = newPath();
	const made = await Promise.all(Array.from({length: 5}, () => openHostKey(path)));
	expect(new Set(made.map(({fingerprint}) => fingerprint)).size).toBe(1);
	expect(made.filter(({isNew}) => isNew)).toHaveLength(1);
	expect(readdirSync(join(path, '..'))).toEqual(['host_key']);
});

test('a key of ssh-keygen is used', async () => {
	const path = join(folder, 'own');
	keygen('-q', '-t', 'ed25519', '-N', '', '-f', path);
	const {fingerprint, isNew} = await openHostKey(path);
	expect([isNew, keygen('-l', '-f', path)]).toEqual([false, expect.stringContaining(` ${fingerprint} `)]);
});

describe('a file is refused, and left as it is,', () => {
	function prepare(...args: readonly string[]): string {
		const path = newPath();
		if (args.length > 0) keygen('-q', ...args, '-f', path);
		return path;
	}

	const withText = (text: string): string => {
		const path = prepare();
		writeFileSync(path, text, {mode: 0o600});
		return path;
	};

	test.each([
		[
			'that others may read',
			() => {
				const path = prepare('-t', 'ed25519', '-N', '');
				chmodSync(path, 0o640);
				return path;
			},
			'others can read the host key PATH (mode 0640): run chmod 600 on it',
		],
		[
			'of another type',
			() => prepare('-t', 'ecdsa', '-N', ''),
			'the host key PATH is of type ecdsa-sha2-nistp256, not ssh-ed25519',
		],
		[
			'with a passphrase',
			() => prepare('-t', 'ed25519', '-N', 'secret'),
			"the host key PATH is not a private key in OpenSSH's format without a passphrase",
		],
		[
			'that is no key',
			() => withText('x'),
			"the host key PATH is not a private key in OpenSSH's format without a passphrase",
		],
		[
			'that is empty',
			() => withText(''),
			"the host key PATH is not a private key in OpenSSH's format without a passphrase",
		],
		['that is too large', () => withText('x'.repeat(16_385)), 'the host key PATH is larger than 16384 bytes'],
	])('%s', async (_, make, message) => {
		const path = make();
		const before = readFileSync(path);
		await expect(openHostKey(path)).rejects.toThrow(message.replace('PATH', path));
		expect([readFileSync(path), readdirSync(join(path, '..')).filter(name => name.endsWith('.tmp'))]).toEqual([
			before,
			[],
		]);
	});

	test('that is a folder', async () => {
		const path = prepare();
		mkdirSync(path);
		await expect(openHostKey(path)).rejects.toThrow(`the host key ${path} is not a regular file`);
	});
});
