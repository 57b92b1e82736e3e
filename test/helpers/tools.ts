import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {createServer} from 'node:net';
import {delimiter, join} from 'node:path';
import {duckdb, oldestNode} from './npm-tools.ts';

/** Debian's package of each tool that not every computer has. A test that needs one has its name as a tag. */
export const packages = {
	fish: 'fish',
	initdb: 'postgresql',
	jq: 'jq',
	man: 'man-db',
	mandoc: 'mandoc',
	'nats-server': 'nats-server',
	nc: 'netcat-openbsd',
	nginx: 'nginx',
	sqlite3: 'sqlite3',
	ssh: 'openssh-client',
	sshd: 'openssh-server',
	'systemd-analyze': 'systemd',
	tmux: 'tmux',
	varnishd: 'varnish',
	zsh: 'zsh',
} as const;

type Tool = keyof typeof packages;
const tools = Object.keys(packages) as Tool[];
export const isTool = (name: string): name is Tool => name in packages;

declare module 'vitest' {
	interface TestTags {
		need: Tool | keyof typeof npmTools;
	}
}

const postgres = '/usr/lib/postgresql';

/** The first of the places where the tool is; not every one is on everybody's PATH. */
export function findTool(name: string): string | undefined {
	const versions = existsSync(postgres) ? readdirSync(postgres).map(version => join(postgres, version, 'bin')) : [];
	// First those of PostgreSQL: what Debian has on the PATH is a script that looks for them, which takes longer than most queries.
	const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
	return folders.map(folder => join(folder, name)).find(path => existsSync(path));
}

/** What CI installs from npm, by tag: where it is, and by which folder of .ci. */
export const npmTools = {
	'oldest-node': {path: oldestNode, folder: 'nodes'},
	duckdb: {path: duckdb, folder: 'duckdb'},
} as const;

const npmNames = Object.keys(npmTools) as (keyof typeof npmTools)[];
const isNpmTool = (name: string): name is keyof typeof npmTools => name in npmTools;

/** Whether a tag names what this computer lacks. */
export const isMissing = (name: string): boolean =>
	isTool(name) ? findTool(name) === undefined : isNpmTool(name) && !existsSync(npmTools[name].path);

/** The limit of a test of real programs, which wait for each other. */
export const programTimeoutMs = 120_000;

/** For Vitest: a test that needs what is missing is skipped, but never in CI. */
export const tags = [...tools, ...npmNames].map(name => ({
	...{name, timeout: programTimeoutMs},
	skip: isMissing(name) && !process.env.CI,
}));

export const missingPackages = (): readonly string[] => tools.filter(isMissing).map(tool => packages[tool]);

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
