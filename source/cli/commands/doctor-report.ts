import {createHmac} from 'node:crypto';
import {arch, hostname, release, type, userInfo} from 'node:os';
import {stripControl} from '../../format/control.ts';
import {fileFault, hasCode} from '../../format/file-fault.ts';
import type {Clock} from '../../market/clock.ts';
import {programVersion} from '../../recording/program-version.ts';
import {terminalCapabilities} from '../../terminal/capabilities.ts';
import {table} from '../../view/kit/table.ts';
import {originWords} from '../../view/panels/settings/model.ts';
import {UsageError} from '../exit.ts';
import {inTime, readText} from '../files.ts';
import {homeFolder} from '../folders.ts';
import {demoName} from '../options/option-table.ts';
import type {Options} from '../options/options.ts';
import {startSettings} from '../options/settings-start.ts';
import {changeFile} from '../replace-file.ts';
import {type Diagnosed, doctorTable} from './doctor-table.ts';
import {labelled} from './tables.ts';

/** The computer and the terminal that a report is about. */
export type Surroundings = {
	readonly env: NodeJS.ProcessEnv;
	readonly system: string;
	readonly stdin: {readonly isTTY?: boolean};
	readonly stdout: {readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number};
	readonly timeZone: string;
	/** Private: home folder, user and computer. */
	readonly home: string;
	readonly user: string;
	readonly computer: string;
};

export const ownSurroundings = (env: NodeJS.ProcessEnv): Surroundings => ({
	env,
	system: `${type()} ${release()} ${arch()}`,
	...{stdin: process.stdin, stdout: process.stdout},
	timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
	...{home: homeFolder(env), user: userName(env), computer: hostname()},
});

function userName({USER = ''}: NodeJS.ProcessEnv): string {
	try {
		return userInfo().username;
	} catch {
		// The system does not know the user.
		return USER;
	}
}

const heading = 'Tapewatch report';

/**
 * What a bug report needs: versions, terminal, settings with their sources, and what `doctor` found. Each host is a hash made with
 * `key`: the same host has the same hash, and without the key nobody can find it by trying names.
 */
export function reportText(
	diagnosed: Diagnosed,
	options: Options,
	surroundings: Surroundings,
	key: Uint8Array,
): string {
	const {env, system, stdin, stdout, timeZone} = surroundings;
	const hashOf = (text: string) => createHmac('sha256', key).update(text.toLowerCase()).digest('hex').slice(0, 8);
	const redact = createRedactor(surroundings, hostsOf(options, env), host => `host-${hashOf(host)}`);
	const exchangeName = options.exchange ? `exchange-${hashOf(options.exchange.name)}` : demoName;
	const {color, unicode} = terminalCapabilities(env, stdin, stdout);
	const answer = (isTrue: boolean) => (isTrue ? 'yes' : 'no');
	const isSet = (...names: readonly string[]) => answer(names.some(name => env[name]));
	const part = (title: string, rows: ReadonlyArray<readonly string[]>) => [
		'',
		title,
		...table(labelled, rows, {ascii: true}).lines,
	];
	const lines = [
		heading,
		...part('Versions', [
			['tapewatch', programVersion],
			['Node', process.versions.node],
			['system', system],
		]),
		...part('Terminal', [
			['TERM', env.TERM || 'not set'],
			['program', env.TERM_PROGRAM || 'unknown'],
			['size', stdout.isTTY ? `${stdout.columns}x${stdout.rows}` : 'standard output is not a terminal'],
			['colours', ['none', '16', '256', '16 million'][color] ?? ''],
			['UTF-8', answer(unicode)],
			['tmux', isSet('TMUX')],
			['SSH', isSet('SSH_CONNECTION', 'SSH_TTY')],
			['locale', env.LC_ALL || env.LC_CTYPE || env.LANG || 'not set'],
			['time zone', timeZone],
			[
				'proxy',
				proxiesOf(env)
					.map(url => url?.href ?? 'not an address')
					.join(' ') || 'none',
			],
		]),
		...part('Settings', settingRows(options, exchangeName)),
		'',
		...doctorTable({...diagnosed, exchangeName}, {ascii: true}).lines,
	];
	return lines.map(line => `${redact(stripControl(line)).trimEnd()}\n`).join('');
}

/** Without names that the user gave, and the program of alerts. */
function settingRows(options: Options, exchangeName: string): ReadonlyArray<readonly string[]> {
	const replaced: Readonly<Record<string, string>> = {
		exchange: exchangeName,
		exchanges: String(options.exchanges.length),
		'on-alert': options.onAlert ? 'a program' : 'none',
	};
	return startSettings(options).map(({name, value, origin}) => [
		name,
		`${replaced[name] ?? value} (${origin ? originWords[origin] : 'default'})`,
	]);
}

const urlOf = (address: string): URL | undefined => {
	const url = URL.parse(address);
	return url?.hostname ? url : undefined;
};

/** Undefined: it is no address. */
const proxiesOf = (env: NodeJS.ProcessEnv): ReadonlyArray<URL | undefined> =>
	['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].flatMap(name => env[name] || []).map(urlOf);

const hostsOf = ({exchange}: Options, env: NodeJS.ProcessEnv): readonly string[] =>
	[urlOf(exchange?.baseUrl ?? ''), urlOf(exchange?.legacyBaseUrl ?? ''), ...proxiesOf(env)].flatMap(
		url => url?.hostname ?? [],
	);

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?|0\.0\.0\.0)$/i.test(host);

/** Replaces hosts wherever they stand, the credentials and the path of an address, the home folder, the user and the computer. */
function createRedactor(
	{home, user, computer}: Pick<Surroundings, 'home' | 'user' | 'computer'>,
	hosts: readonly string[],
	hashOf: (host: string) => string,
): (text: string) => string {
	const hidden = (host: string) => (isLoopback(host) ? host : hashOf(host));
	const addressOf = (text: string) => {
		const url = urlOf(text);
		if (!url) return text;
		const port = url.port === '' ? '' : `:${url.port}`;
		return `${url.protocol}//${hidden(url.hostname)}${port}${url.pathname.length > 1 || url.search ? '/…' : ''}`;
	};
	const word = (text: string) => `(?<![\\w.-])${text.replaceAll(/\W/g, '\\$&')}(?![\\w-])`;
	const known = hosts.filter(host => !isLoopback(host)).map(word);
	const patterns = [...known, '\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b', '\\[[\\da-f]*:[\\da-f:.]*\\]', quotedDomain];
	const anyHost = new RegExp(patterns.join('|'), 'gi');
	const person = [user, computer].filter(name => name.length > 1).map(word);
	return text => {
		const anonymous = text
			.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]*[^\s"'<>`.,;:)\]]/gi, addressOf)
			.replaceAll(anyHost, hidden);
		const placed = home === '/' ? anonymous : anonymous.replaceAll(home, '~');
		return person.length === 0 ? placed : placed.replaceAll(new RegExp(person.join('|'), 'g'), '…');
	};
}

/** A name such as api.example.com in an example of what the exchange sent; without quotes it could be the path of a field. */
const quotedDomain = '(?<="(?:[^"]*[\\s@])?)(?:[a-z\\d-]+\\.)+[a-z]{2,}(?=(?:[\\s:/][^"]*)?")';

/** Throws a `UsageError` if `path` cannot take a report: what is there and is no report is never replaced. */
export async function refuseOther(path: string): Promise<void> {
	const refuse = (reason: string, cause?: unknown): never => {
		throw new UsageError(`--report: cannot write ${path}: ${reason}; choose another file`, {cause});
	};
	const text = await readText(path).catch(error =>
		hasCode(error, 'ENOENT') ? undefined : refuse(fileFault(error), error),
	);
	if (text !== undefined && text !== '' && !text.startsWith(heading)) refuse('it exists and is no report');
}

/** Writes a report to a file for the user alone. Rejects with the reason if it cannot be written. */
export async function writeReport(path: string, text: string, clock: Clock): Promise<void> {
	try {
		await inTime(clock, signal =>
			changeFile(path, {clock, signal}, async () => {
				await refuseOther(path);
				return text;
			}),
		);
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new Error(`cannot write ${path}: ${fileFault(error)}`, {cause: error});
	}
}
