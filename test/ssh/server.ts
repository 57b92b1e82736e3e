import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir, userInfo} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {processLives} from '../e2e/program.ts';
import {demoNowInShell, programEnvironment} from '../helpers/environment.ts';
import {freePort} from '../helpers/tools.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A machine that is reached over SSH: this one, by a daemon of its own. */
export type Host = {
	/** For `ssh`, before the command. */
	readonly arguments: readonly string[];
	readonly port: number;
	/** For `ssh`, before `arguments`: to reach it through another port of loopback. */
	through(port: number): readonly string[];
	/** The folder of this host; gone when it is closed. */
	readonly folder: string;
	/** Processes of tapewatch on it so far. */
	programs(): readonly number[];
	/** Ends what is left on it. */
	close(): Promise<void>;
};

/** Where the daemon, started by root, wants to find a folder. */
const privilegeFolder = '/run/sshd';

/**
 * Starts sshd on a free port of loopback, with keys and configuration in a folder of its own; nothing of the user's or the
 * system's is read or changed. `tapewatch` is the built program, with a configuration of its own.
 */
export async function openHost(sshd: string): Promise<Host> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-ssh-'));
	const inFolder = (name: string) => join(folder, name);
	for (const name of ['bin', 'home', 'programs']) mkdirSync(inFolder(name));
	for (const name of ['host_key', 'user_key']) {
		execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', inFolder(name)]);
	}

	const port = await freePort();
	const hostKey = readFileSync(inFolder('host_key.pub'), 'utf8');
	writeFileSync(inFolder('known_hosts'), `[127.0.0.1]:${port} ${hostKey}`);
	writeFileSync(inFolder('authorized_keys'), readFileSync(inFolder('user_key.pub'), 'utf8'));
	const run = `echo > '${inFolder('programs')}'/$$; TAPEWATCH_DEMO_AT=${demoNowInShell} exec '${process.execPath}' '${program}' "$@"`;
	writeFileSync(inFolder('bin/tapewatch'), `#!/bin/sh\n${run}\n`, {mode: 0o755});
	const {TAPEWATCH_DEMO_AT: _, HOME: __, ...inherited} = programEnvironment();
	const environment = {
		...inherited,
		PATH: `${inFolder('bin')}:${process.env.PATH}`,
		XDG_CONFIG_HOME: inFolder('home'),
		XDG_STATE_HOME: inFolder('home'),
		XDG_DATA_HOME: inFolder('home'),
		XDG_CACHE_HOME: inFolder('home'),
	};
	const settings = {
		Port: port,
		ListenAddress: '127.0.0.1',
		HostKey: inFolder('host_key'),
		AuthorizedKeysFile: inFolder('authorized_keys'),
		PidFile: 'none',
		StrictModes: 'no',
		UsePAM: 'no',
		PasswordAuthentication: 'no',
		KbdInteractiveAuthentication: 'no',
		PermitRootLogin: 'prohibit-password',
		PrintMotd: 'no',
		PrintLastLog: 'no',
		SetEnv: Object.entries(environment)
			.map(([name, value]) => `"${name}=${value}"`)
			.join(' '),
	};
	const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
	writeFileSync(inFolder('sshd_config'), lines.join(''));
	const madeFolder = process.getuid?.() === 0 && !existsSync(privilegeFolder);
	if (madeFolder) mkdirSync(privilegeFolder, {mode: 0o755});

	const daemon = spawn(sshd, ['-D', '-e', '-f', inFolder('sshd_config')], {stdio: ['ignore', 'ignore', 'pipe']});
	const gone = once(daemon, 'exit');
	const log: string[] = [];
	for await (const line of createInterface(daemon.stderr)) {
		log.push(line);
		if (line.startsWith('Server listening')) break;
	}

	// What it says later is of no interest, but must be read.
	daemon.stderr.resume();
	if (daemon.exitCode !== null) throw new Error(`sshd does not start: ${log.join('; ')}`);
	const options = {
		IdentityFile: inFolder('user_key'),
		UserKnownHostsFile: inFolder('known_hosts'),
		StrictHostKeyChecking: 'yes',
		IdentitiesOnly: 'yes',
		BatchMode: 'yes',
		LogLevel: 'ERROR',
	};
	const programs = () => readdirSync(inFolder('programs')).map(Number);
	return {
		arguments: [
			...['-F', 'none', '-p', String(port)],
			...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
			`${userInfo().username}@127.0.0.1`,
		],
		port,
		through: other => ['-p', String(other), '-o', `HostKeyAlias=[127.0.0.1]:${port}`],
		folder,
		programs,
		async close() {
			for (const pid of programs().filter(processLives)) process.kill(pid, 'SIGKILL');
			daemon.kill('SIGTERM');
			await gone;
			rmSync(folder, {recursive: true});
			if (madeFolder) rmdirSync(privilegeFolder);
		},
	};
}
