import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, request} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {startDemo} from '../../source/demo/server.ts';
import {systemClock} from '../../source/market/clock.ts';
import {frameFault, isLive} from '../e2e/frame.ts';
import {demoNow, programEnvironment} from '../helpers/environment.ts';
import {keyBytes, openTerminal, type Terminal} from '../helpers/terminal.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

type Called = {readonly status: number | null; readonly stdout: string; readonly stderr: string};

type ViewerOptions = {
	/** The name of the key; undefined: `ann`. */
	readonly key?: string | undefined;
	readonly columns?: number;
	readonly rows?: number;
	/** Sent too, besides TERM. Default in a terminal: COLORTERM. */
	readonly env?: Readonly<Record<string, string>>;
	/** Before the host. */
	readonly options?: readonly string[];
};

/** `tapewatch serve`, built and running, and its exchange, whose requests are counted. */
export type Served = {
	readonly folder: string;
	readonly port: number;
	readonly fingerprint: string;
	/** Paths of the requests to the exchange so far. */
	readonly requests: readonly string[];
	/** Standard error so far. */
	errors(): string;
	/** Its log so far. */
	log(): ReadonlyArray<Readonly<Record<string, unknown>>>;
	/** Each line is the options and the name of a key. */
	authorize(...lines: readonly string[]): void;
	/** `ssh` as a shell writes it, up to the host. */
	readonly command: string;
	/** `ssh -t` in a terminal, killed when the test ends. */
	open(words: readonly string[], options?: ViewerOptions): Terminal;
	/** `ssh` without a terminal, to its end. */
	call(words: readonly string[], options?: ViewerOptions): Promise<Called>;
	metrics(): Promise<string>;
	/** The value of a metric. */
	metric(name: string): Promise<number>;
	kill(signal: NodeJS.Signals): void;
	/** Settles with the exit status. */
	readonly ended: Promise<number | null>;
	close(): Promise<void>;
};

const keyNames = ['ann', 'bob', 'owner', 'only', 'stranger'];

export const press = (terminal: Terminal, keys: string) => terminal.write(keyBytes(keys).join(''));
export const isWhole = (columns: number, rows: number) => (text: readonly string[]) =>
	isLive(text) && frameFault(text, {columns, rows}) === undefined;
/** The monitor shows this market, such as BTC/USDT, and has its data. */
export const shows = (pair: string) => (text: readonly string[]) =>
	isLive(text) && (text[0] ?? '').startsWith(` ${pair} `);
/** Types into the command line, and waits until that is closed again, as what was understood closes it. */
export async function type(terminal: Terminal, line: string): Promise<void> {
	terminal.write(`:${line}`);
	await terminal.waitFor(rows => rows.some(row => row.startsWith(` :${line}`)));
	terminal.write('\r');
	await terminal.waitFor(rows => !rows.some(row => row.startsWith(' :')));
}
/** The terminal has its own screen and its cursor again. */
export const isRestored = (terminal: Terminal) => !terminal.alternate() && terminal.cursorVisible();

/** Counts what is asked of `target` on its way there. */
async function openCounter(target: string) {
	const requests: string[] = [];
	const server = createServer((incoming, outgoing) => {
		requests.push(incoming.url ?? '');
		const {host: _, ...headers} = incoming.headers;
		const forwarded = request(new URL(incoming.url ?? '/', target), {headers}, answer => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		forwarded.on('error', () => outgoing.destroy());
		forwarded.end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {requests, url: `http://127.0.0.1:${address.port}`, close: () => void server.close().closeAllConnections()};
}

export type ServedOptions = {
	readonly args?: readonly string[];
	/** Of the config file. */
	readonly config?: (folder: string) => string;
};

export async function openServed({args = [], config = () => ''}: ServedOptions = {}): Promise<Served> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-served-'));
	const inFolder = (name: string) => join(folder, name);
	mkdirSync(inFolder('tapewatch'));
	writeFileSync(inFolder('tapewatch/config.toml'), config(folder));
	for (const name of keyNames) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder(name)]);
	const authorize = (...lines: readonly string[]) => {
		const entries = lines.map(line => {
			const [name = '', ...how] = line.split(' ').toReversed();
			return `${how.toReversed().join(' ')} ${readFileSync(inFolder(`${name}.pub`), 'utf8')}`;
		});
		writeFileSync(inFolder('keys'), entries.join(''), {mode: 0o600});
	};
	authorize('ann', 'bob', 'owner owner', 'market="ETHUSDT" only');
	const demo = await startDemo({clock: {...systemClock, now: demoNow}});
	const counter = await openCounter(demo.url);
	const server = spawn(
		process.execPath,
		[
			...[program, 'serve', '--listen', '127.0.0.1:0', '--authorized-keys', inFolder('keys'), '--json'],
			...['--metrics', '127.0.0.1:0', '--base-url', counter.url, '--legacy-base-url', counter.url, '--rate', '50'],
			...['--log-file', inFolder('log'), ...args],
		],
		{
			cwd: folder,
			env: {...programEnvironment(), XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder},
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	const ended = once(server, 'exit').then(([status]): number | null => status);
	let errors = '';
	server.stderr.setEncoding('utf8').on('data', piece => {
		errors += piece;
	});
	const announced = await Promise.race([once(server.stdout, 'data'), ended]);
	if (!Array.isArray(announced)) throw new Error(`the server ended: ${errors}`);
	const {port, fingerprint, metrics: metricsAddress} = JSON.parse(String(announced[0]));
	const hostKey = execFileSync('ssh-keygen', ['-y', '-f', inFolder('tapewatch/host_key')], {encoding: 'utf8'});
	writeFileSync(inFolder('known_hosts'), `[127.0.0.1]:${port} ${hostKey}`);

	function argumentsFor(words: readonly string[], options: ViewerOptions = {}): readonly string[] {
		const {key = 'ann', env = {}} = options;
		const settings = {
			IdentityFile: inFolder(key),
			IdentitiesOnly: 'yes',
			UserKnownHostsFile: inFolder('known_hosts'),
			StrictHostKeyChecking: 'yes',
			BatchMode: 'yes',
			LogLevel: 'ERROR',
			Port: String(port),
		};
		return [
			...['-F', 'none', ...(options.options ?? [])],
			...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
			...Object.keys(env).flatMap(name => ['-o', `SendEnv=${name}`]),
			...['viewer@127.0.0.1', ...words],
		];
	}

	const metrics = async () => (await fetch(`http://${metricsAddress}/metrics`)).text();
	return {
		...{folder, port, fingerprint, requests: counter.requests, authorize, ended},
		command: ['ssh', ...argumentsFor([])].join(' '),
		errors: () => errors,
		log: () =>
			readFileSync(inFolder('log'), 'utf8')
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line)),
		open(words, options = {}) {
			const {columns = 120, rows = 40, env = {COLORTERM: 'truecolor'}} = options;
			// A pseudo-terminal sets TERM itself.
			const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
			const args = [...variables, 'ssh', '-t', ...argumentsFor(words, {...options, env})];
			const terminal = openTerminal({file: 'env', args, columns, rows, env});
			onTestFinished(async () => {
				terminal.kill('SIGKILL');
				await terminal.exit;
			});
			return terminal;
		},
		async call(words, options = {}) {
			const child = spawn('ssh', [...argumentsFor(words, options)], {
				env: {PATH: process.env.PATH, HOME: folder, ...options.env},
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			onTestFinished(() => void child.kill('SIGKILL'));
			const [stdout, stderr, [status]] = await Promise.all([
				text(child.stdout),
				text(child.stderr),
				once(child, 'exit'),
			]);
			return {status, stdout, stderr};
		},
		metrics,
		async metric(name) {
			const line = (await metrics()).split('\n').find(each => each.startsWith(`${name} `));
			return Number(line?.split(' ')[1]);
		},
		kill: signal => void server.kill(signal),
		async close() {
			server.kill('SIGKILL');
			await ended;
			counter.close();
			await demo.close();
			rmSync(folder, {recursive: true});
		},
	};
}
