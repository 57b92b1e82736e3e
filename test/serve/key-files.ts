import {generateKeyPairSync} from 'node:crypto';

/** A string as messages of SSH have it: after its length. */
export function sshString(value: string | Buffer): Buffer {
	const bytes = Buffer.from(value);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
}

/** `type base64` of a new ed25519 key. */
export function newEd25519(): string {
	const {x = ''} = generateKeyPairSync('ed25519').publicKey.export({format: 'jwk'});
	const blob = Buffer.concat([sshString('ssh-ed25519'), sshString(Buffer.from(x, 'base64url'))]);
	return `ssh-ed25519 ${blob.toString('base64')}`;
}
