import {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {createGzip} from 'node:zlib';

const megabytes = 300;

let packed: Promise<Uint8Array> | undefined;

/** A list of 300 MB in 300 kB of gzip. Packed once, and never held unpacked. */
export function gzipBomb(): Promise<Uint8Array> {
	packed ??= buffer(Readable.from(longList()).pipe(createGzip()));
	return packed;
}

function* longList(): Generator<Uint8Array> {
	yield Buffer.from('{"data":[0');
	const megabyte = Buffer.from(',0'.repeat(1024 ** 2 / 2));
	for (let count = 0; count < megabytes; count++) yield megabyte;
	yield Buffer.from(']}');
}
