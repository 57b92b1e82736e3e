import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {reportText} from '../../../source/cli/commands/doctor-report.ts';
import {readOptions} from '../../../source/cli/options/options.ts';
import {programEnvironment} from '../../helpers/environment.ts';
import {paths, sends, startExchangeServer} from '../../helpers/exchange-server.ts';
import {folderOfFile} from '../../helpers/folders.ts';
import {freePort} from '../../helpers/tools.ts';
import {inProcess} from '../in-process.ts';
import {healthy} from './inspection.ts';

const quick = ['doctor', '--samples', '1', '--rate', '1000'];
const home = folderOfFile();

/** Nothing of them is for others. */
const secrets = {
	...{host: 'api.hidden-exchange.example', proxy: 'gate.hidden-company.example', target: 'www.hidden-target.example'},
	...{user: 'hidden-user', password: 'hidden-password', token: 'hidden-token', path: 'hidden-path'},
	...{profile: 'hidden-profile', list: 'hidden-list', market: 'HIDDENUSDT', home},
};

const config = `exchange = "${secrets.profile}"
log-file = "${home}/tapewatch.log"
on-alert = ["notify", "--token=${secrets.token}"]
[exchanges.${secrets.profile}]
base-url = "http://${secrets.host}/${secrets.path}"
legacy-base-url = "LEGACY"
[[alerts]]
rule = "${secrets.market} last > 1"
`;

describe('tapewatch doctor --report', () => {
	let env: Readonly<Record<string, string>>;
	beforeAll(async () => {
		const server = await startExchangeServer();
		const redirect = sends('', {status: 302, headers: {location: `https://${secrets.target}/${secrets.path}`}});
		for (const path of [paths.legacyTicker, paths.legacyDepth, paths.legacyTrades]) server.answer(path, redirect);
		for (const folder of ['config', 'state']) mkdirSync(join(home, folder, 'tapewatch'), {recursive: true});
		writeFileSync(join(home, 'config/tapewatch/config.toml'), config.replace('LEGACY', server.url));
		const saved = {favourites: [secrets.market], lists: {[secrets.list]: [secrets.market]}};
		writeFileSync(
			join(home, 'state/tapewatch/state.json'),
			JSON.stringify({version: 1, exchanges: {[secrets.profile]: saved}, view: {}}),
		);
		const credentials = `${secrets.user}:${secrets.password}`;
		env = {
			...{HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state')},
			...{TMUX: `${home}/tmux,1,0`, SSH_CONNECTION: '203.0.113.7 50000 203.0.113.8 22', TERM: 'xterm-256color'},
			HTTP_PROXY: `http://${credentials}@127.0.0.1:${await freePort()}`,
			HTTPS_PROXY: `http://${credentials}@${secrets.proxy}:3128`,
			TAPEWATCH_DEMO_AT: '',
		};
		return () => server.close();
	});

	test('writes a file with versions, terminal, settings and findings, without a secret, for the user alone', async () => {
		const file = join(home, 'report.txt');
		const {stderr, status} = await inProcess([...quick, 'ETHUSDT', '--max-rate', '7', '--report', file], {env});
		expect([status, stderr.trim().split('\n').at(-1)]).toEqual([
			1,
			`tapewatch: wrote ${file}; read it before you pass it on`,
		]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(readdirSync(home).filter(name => name.startsWith('report'))).toEqual(['report.txt']);
		const report = readFileSync(file, 'utf8');
		for (const secret of [...Object.values(secrets), '203.0.113.7']) {
			expect(report.toLowerCase()).not.toContain(secret.toLowerCase());
		}

		const lines = report.split('\n').map(line => line.replaceAll(/ {2,}/g, ' '));
		const hash = String.raw`[\da-f]{8}`;
		for (const pattern of [
			...[
				/^Tapewatch report$/,
				/^tapewatch from source$/,
				/^Node \d+\.\d+\.\d+$/,
				/^TERM xterm-256color$/,
				/^tmux yes$/,
			],
			...[
				/^SSH yes$/,
				/^locale C\.UTF-8$/,
				/^time zone Pacific\/Chatham$/,
				/^max-rate 7 \(flag\)$/,
				/^alerts 1 \(config file\)$/,
			],
			...[
				/^log-file ~\/tapewatch\.log \(config file\)$/,
				/^on-alert a program \(config file\)$/,
				/^theme auto \(default\)$/,
			],
			...[/^Unusable: /, /^WARNING legacy: no operation answers \(redirected to https:\/\/host-[\da-f]{8}\/…/],
			new RegExp(`^exchange exchange-${hash} \\(config file\\)$`),
			new RegExp(`^base-url http://host-${hash}/… `),
			new RegExp(`^proxy http://127\\.0\\.0\\.1:\\d+ http://host-${hash}:3128$`),
			/^legacy-base-url http:\/\/127\.0\.0\.1:\d+ /,
		]) {
			expect(lines).toContainEqual(expect.stringMatching(pattern));
		}
	});

	test('replaces a report, and nothing else', async () => {
		const [report, other] = [join(home, 'again.txt'), join(home, 'notes.txt')];
		writeFileSync(report, 'Tapewatch report\nof yesterday\n');
		writeFileSync(other, 'mine');
		const demo = ['--exchange', 'demo'];
		await inProcess([...quick, ...demo, '--report', report], {env});
		expect(readFileSync(report, 'utf8')).toMatch(/^Tapewatch report\n.*\nDEMO \| doctor \| demo /s);
		for (const [path, reason] of [
			[other, 'it exists and is no report'],
			['/dev/null', 'it is not a regular file'],
			[home, 'it is a folder'],
		] as const) {
			expect(await inProcess([...quick, ...demo, '--report', path], {env})).toEqual({
				...{stdout: '', status: 2},
				stderr: `tapewatch: --report: cannot write ${path}: ${reason}; choose another file (see tapewatch doctor --help)\n`,
			});
		}

		expect(readFileSync(other, 'utf8')).toBe('mine');
	});

	test('prints the report in place of the table with -, and refuses to print JSON as well', async () => {
		const printed = await inProcess([...quick, '--exchange', 'demo', '--report', '-'], {env});
		expect(printed.stdout).toMatch(/^Tapewatch report\n.*\nDEMO \| doctor \| demo /s);
		expect(await inProcess([...quick, '--json', '--report', '-'], {env})).toEqual({
			...{stdout: '', status: 2},
			stderr: expect.stringMatching(/^tapewatch: --report - and --json both print; give --report a file/),
		});
	});
});

test('a report hides user, computer and hosts wherever they stand, and gives one host one hash', async () => {
	const env = {...programEnvironment(), XDG_CONFIG_HOME: '/nowhere'};
	const addresses = {baseUrl: 'https://api.example.com', legacyBaseUrl: 'https://api.example.com:8443'};
	const options = await readOptions({...addresses, logFile: '/data/ada/own.log'}, env);
	const texts = [
		'answers of api.example.com, API.EXAMPLE.COM:443 and 198.51.100.7 differ from [2001:db8::7]',
		'data.symbol.name is "mail ops@example.org", not "example.net/x"; see /media/ada/x on adas-pc, not on nevada',
		'127.0.0.1, [::1] and localhost stay',
	];
	const findings = texts.map(text => ({severity: 'note' as const, code: 'x', text}));
	const diagnosed = {
		...{inspection: healthy, facts: [], findings, verdict: 'healthy' as const},
		...{exchangeName: 'api.example.com', demo: false, checkedAt: 0},
	};
	const surroundings = {
		...{env, system: 'Linux', stdin: {}, stdout: {isTTY: true, columns: 80, rows: 24}, timeZone: 'UTC'},
		...{home: '/home/ada', user: 'ada', computer: 'adas-pc'},
	};
	const report = reportText(diagnosed, options, surroundings, Buffer.from('key'));
	const [, host] = report.match(/^base-url +https:\/\/(host-\S+) /m) ?? [];
	expect(report).toMatch(new RegExp(`^legacy-base-url +https://${host}:8443 `, 'm'));
	expect(report).toMatch(/^size +80x24$/m);
	expect(report).toContain('log-file           /data/…/own.log');
	const other = 'host-[\\da-f]{8}';
	expect(report).toMatch(new RegExp(`answers of ${host}, ${host}:443 and ${other} differ from ${other}\n`));
	expect(report).toMatch(
		new RegExp(`data.symbol.name is "mail ops@${other}", not "${other}/x"; see /media/…/x on …, not on nevada\n`),
	);
	expect(report).toContain('127.0.0.1, [::1] and localhost stay\n');
	expect(reportText(diagnosed, options, surroundings, Buffer.from('other key'))).not.toContain(host);
});
