import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import type {DoorEvent} from '../../source/serve/guest.ts';
import {openHostKey} from '../../source/serve/host-key.ts';
import {type SshServer, type SshServerOptions, startSshServer} from '../../source/serve/ssh-server.ts';
import type {Viewer} from '../../source/serve/viewer.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {findTool} from '../helpers/tools.ts';

/** How `ssh` ended, and what it printed. */
type Ended = {readonly status: number | null; readonly stdout: string; readonly stderr: string};

/** An `ssh` that runs. */
type Running = {
	readonly ended: Promise<Ended>;
	hasEnded(): boolean;
	/** What it has printed so far. */
	stdout(): string;
	/** Reads what it prints, where that is held. */
	read(): void;
	write(text: string): void;
	kill(signal: NodeJS.Signals): void;
};

type CallOptions = {
	/** The name of the key; default `user`. */
	readonly key?: string;
	/** Standard input; default: none. `open`: stays open. */
	readonly input?: string | 'open';
	readonly env?: Readonly<Record<string, string>>;
	/** Before the host. */
	readonly options?: readonly string[];
	readonly name?: string;
	readonly tool?: 'ssh' | 'sftp' | 'scp';
	/** What it prints is not read until it is told so. */
	readonly isHeld?: boolean;
};

/** An SSH server in this process, whose time stands still until it is moved, and a folder with keys. */
export type Doors = {
	readonly server: SshServer;
	readonly port: number;
	readonly clock: FakeClock;
	readonly folder: string;
	readonly events: readonly DoorEvent[];
	/** Those that are there now. */
	readonly viewers: ReadonlySet<Viewer>;
	readonly keyFile: string;
	/** Writes the file of the keys: each line is its options and the name of a key. */
	authorize(...lines: readonly string[]): void;
	/** Arguments of `ssh` that lead here, the host and the command last. */
	arguments(command: readonly string[], options?: CallOptions): readonly string[];
	start(command: readonly string[], options?: CallOptions): Running;
	call(command: readonly string[], options?: CallOptions): Promise<Ended>;
	/** Lets seconds pass until the condition holds. */
	passUntil(condition: () => boolean): Promise<void>;
	close(): Promise<void>;
};

/** Keys for all servers of a file. `others`: of these types and names; to make one of RSA takes a while. */
export function createKeys(...others: readonly ('ecdsa' | 'rsa')[]): {readonly folder: string; remove(): void} {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-doors-'));
	for (const name of findTool('ssh-keygen') ? ['user', 'stranger', 'guest', ...others] : []) {
		const type = others.find(other => other === name) ?? 'ed25519';
		execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', join(folder, name)]);
	}

	return {folder, remove: () => rmSync(folder, {recursive: true})};
}

type DoorsOptions = Partial<Omit<SshServerOptions, 'onViewer' | 'clock'>> & {
	readonly folder: string;
	readonly keys?: readonly string[];
	readonly onViewer: (viewer: Viewer) => void;
};

export async function openDoors({folder, keys = ['user'], onViewer, ...options}: DoorsOptions): Promise<Doors> {
	const clock = createFakeClock(Date.UTC(2026, 10, 20, 12));
	const path = join(mkdtempSync(join(folder, 'server-')), 'authorized_keys');
	const events: DoorEvent[] = [];
	const viewers = new Set<Viewer>();

	function authorize(...lines: readonly string[]): void {
		const entries = lines.map(line => {
			const [name = '', ...how] = line.split(' ').reverse();
			return `${how.reverse().join(' ')} ${readFileSync(join(folder, `${name}.pub`), 'utf8')}`;
		});
		writeFileSync(path, entries.join(''));
		chmodSync(path, 0o600);
	}

	authorize(...keys);
	const {privateKey} = await openHostKey(join(folder, 'host_key'));
	const server = await startSshServer({
		host: '127.0.0.1',
		port: 0,
		hostKey: privateKey,
		authorizedKeys: path,
		anonymous: false,
		...options,
		clock,
		onEvent: event => events.push(event),
		onViewer(viewer) {
			viewers.add(viewer);
			viewer.gone.addEventListener('abort', () => viewers.delete(viewer));
			onViewer(viewer);
		},
	});
	const {port} = server.address;

	function argumentsFor(command: readonly string[], call: CallOptions = {}) {
		const {key = 'user', options = [], name = 'ann', tool} = call;
		const settings = {
			IdentityFile: join(folder, key),
			IdentitiesOnly: 'yes',
			UserKnownHostsFile: '/dev/null',
			StrictHostKeyChecking: 'no',
			BatchMode: 'yes',
			LogLevel: 'INFO',
		};
		return [
			...['-F', 'none', ...options],
			...Object.entries(settings).flatMap(([setting, value]) => ['-o', `${setting}=${value}`]),
			...['-o', `Port=${port}`],
			...(tool === 'scp' ? [`${name}@127.0.0.1:file`, ...command] : [`${name}@127.0.0.1`, ...command]),
		];
	}

	function start(command: readonly string[], call: CallOptions = {}): Running {
		const {input = '', env = {}, tool = 'ssh', isHeld = false} = call;
		const child = spawn(tool, [...argumentsFor(command, call)], {
			env: {PATH: process.env.PATH, HOME: folder, TERM: 'xterm', ...env},
		});
		const exit = once(child, 'close');
		let stdout = '';
		function read(): void {
			child.stdout.setEncoding('utf8').on('data', piece => {
				stdout += piece;
			});
		}

		if (!isHeld) read();
		child.stdin.on('error', () => {});
		if (input !== 'open') child.stdin.end(input);
		const stderr = text(child.stderr);
		return {
			ended: exit.then(async ([status]) => ({status, stdout, stderr: await stderr})),
			hasEnded: () => child.exitCode !== null || child.signalCode !== null,
			stdout: () => stdout,
			read,
			write: data => child.stdin.write(data),
			kill: signal => child.kill(signal),
		};
	}

	async function passUntil(condition: () => boolean): Promise<void> {
		while (!condition()) {
			await clock.advance(1000);
			// Files and sockets need real time.
			await pause(5);
		}
	}

	return {
		server,
		port,
		clock,
		folder,
		events,
		viewers,
		keyFile: path,
		authorize,
		arguments: argumentsFor,
		start,
		call: (command, call) => start(command, call).ended,
		passUntil,
		async close() {
			let isClosed = false;
			void server.close('the server stops').then(() => {
				isClosed = true;
			});
			await passUntil(() => isClosed);
		},
	};
}
