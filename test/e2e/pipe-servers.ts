import {type ChildProcess, execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, mkdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect} from 'vitest';
import {findTool, freePort} from '../helpers/tools.ts';

/** The servers that docs/pipelines.md feeds, each private, with its files in a folder of the test. */

const started: ChildProcess[] = [];

/** Starts a program in a group of its own, which ends with the tests. */
export function start(file: string, args: readonly string[], options: Parameters<typeof spawn>[2] = {}): ChildProcess {
	const child = spawn(file, args, {detached: true, stdio: 'ignore', ...options});
	started.push(child);
	return child;
}

/** Ends a program with all that it started. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	const ended = once(child, 'exit');
	process.kill(-child.pid, signal);
	await ended;
}

export const endAll = (): Promise<unknown> => Promise.all(started.map(child => end(child)));

type Server = {
	/** Settles when it answers. */
	open(): Promise<void>;
	close(): Promise<void>;
};

export type Postgres = Server & {
	/** Of programs that use it. */
	readonly env: Readonly<Record<string, string>>;
	/** What a query gives, as text: columns separated by |. Undefined: there is no server. */
	query(sql: string): Promise<string | undefined>;
};

/** A new cluster that listens on a socket in the folder. */
export async function createPostgres(folder: string): Promise<Postgres> {
	const env = {PGHOST: folder, PGUSER: 'tester', PGDATABASE: 'postgres'};
	const data = join(folder, 'data');
	mkdirSync(data, {mode: 0o700});
	// PostgreSQL refuses to run as root.
	const user = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};
	if (user.uid) for (const path of [data, folder]) chownSync(path, user.uid, user.gid);
	const tool = (name: string) => findTool(name) ?? name;
	const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
	const made = start(tool('initdb'), ['-D', data, '-U', env.PGUSER, '--auth=trust', '--no-sync', ...locale], {
		...{...user, cwd: folder},
	});
	expect(await once(made, 'exit')).toEqual([0, null]);
	const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'autovacuum=off'];
	const postgres: Postgres & {server?: ChildProcess} = {
		env,
		query: sql =>
			promisify(execFile)(tool('psql'), ['-qXAt', '-c', sql], {env: {...process.env, ...env}}).then(
				({stdout}) => stdout.trim(),
				() => undefined,
			),
		async open() {
			const flags = settings.flatMap(setting => ['-c', setting]);
			postgres.server = start(tool('postgres'), ['-D', data, ...flags], {...user, cwd: folder});
			await expect.poll(() => postgres.query('SELECT 1')).toBe('1');
		},
		close: async () => postgres.server && end(postgres.server, 'SIGINT'),
	};
	await postgres.open();
	return postgres;
}

export type Nats = Server & {
	readonly port: number;
	/** What it answers to a request; undefined: there is no server. */
	ask(subject: string, body: object): Promise<NatsAnswer | undefined>;
	/** Stops and continues the process. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
};

type NatsAnswer = {
	readonly state?: {readonly subjects?: Readonly<Record<string, number>>};
	readonly message?: {readonly data: string; readonly hdrs: string};
};

/** A server with JetStream on a port of loopback. */
export async function createNats(folder: string): Promise<Nats> {
	const port = await freePort();
	const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, 'jetstream')];
	const nats: Nats & {server?: ChildProcess} = {
		port,
		ask: (subject, body) => request(port, subject, body).catch(() => undefined),
		signal: signal => nats.server?.kill(signal),
		async open() {
			nats.server = start(findTool('nats-server') ?? '', args);
			await expect.poll(() => nats.ask('$JS.API.INFO', {})).toBeDefined();
		},
		close: async () => nats.server && end(nats.server),
	};
	await nats.open();
	return nats;
}

/** Speaks the text protocol of NATS. Rejects when the connection ends before the answer. */
async function request(port: number, subject: string, body: object): Promise<NatsAnswer> {
	const socket = connect(port, '127.0.0.1');
	const json = JSON.stringify(body);
	socket.write(
		`CONNECT {"verbose":false}\r\nSUB inbox 1\r\nPUB ${subject} inbox ${Buffer.byteLength(json)}\r\n${json}\r\n`,
	);
	let received = '';
	for await (const chunk of socket) {
		received += chunk;
		const [, length, rest = ''] = received.match(/MSG inbox 1 (\d+)\r\n(.*)/s) ?? [];
		if (length !== undefined && rest.length >= Number(length)) return JSON.parse(rest.slice(0, Number(length)));
	}

	throw new Error(`no answer: ${received}`);
}
