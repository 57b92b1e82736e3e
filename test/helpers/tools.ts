import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {createServer} from 'node:net';
import {delimiter, join} from 'node:path';

/** The first of the places where the tool is; `sshd` is not on everybody's PATH. */
export function findTool(name: string): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
	return folders.map(folder => join(folder, name)).find(path => existsSync(path));
}

/** A port of loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('no port');
	return address.port;
}
