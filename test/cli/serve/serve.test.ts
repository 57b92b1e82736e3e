import {once} from 'node:events';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {addressText, listenError} from '../../../source/cli/serve/listen.ts';
import {openHome, temporaryFolder} from '../../helpers/folders.ts';
import {newEd25519} from '../../serve/key-files.ts';
import {inProcess, startInProcess} from '../in-process.ts';

/** A port of 127.0.0.1 that another program has. */
async function takePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return address.port;
}

/** Of RFC 5737: no computer has it. */
const nowhere = '192.0.2.1:2223';

test.each([
	['--listen', nowhere, `cannot listen on ${nowhere}: this computer does not have that address; give another --listen`],
	[
		'--metrics',
		nowhere,
		`cannot serve metrics on ${nowhere}: this computer does not have that address; give another --metrics`,
	],
	['--listen', 'taken', '127.0.0.1:PORT is in use; give another --listen'],
	['--metrics', 'taken', '127.0.0.1:PORT is in use; give another --metrics'],
])('%s %s is refused in one line', async (flag, where, message) => {
	const port = await takePort();
	const address = where === 'taken' ? `127.0.0.1:${port}` : where;
	const free = flag === '--listen' ? [] : ['--listen', '127.0.0.1:0'];
	expect(await inProcess(['serve', '--anonymous', ...free, flag, address])).toEqual({
		stdout: '',
		stderr: `tapewatch: ${message.replace('PORT', String(port))}\n`,
		status: 2,
	});
});

test.each([
	['ENOTFOUND', 'there is no such host'],
	['EAFNOSUPPORT', 'this computer does not support such addresses'],
	['EACCES', 'permission denied'],
	['ENEW', 'ENEW'],
])('why the system refuses an address is said in words: %s', (code, words) => {
	const cause = Object.assign(new Error('listen'), {code});
	expect(listenError(cause, 'listen', {host: '::1', port: 80}, '--listen').message).toBe(
		`cannot listen on [::1]:80: ${words}; give another --listen`,
	);
});

test.each([
	[{host: '127.0.0.1', port: 2222}, '127.0.0.1:2222'],
	[{host: 'localhost', port: 2222}, 'localhost:2222'],
	[{host: '::1', port: 2222}, '[::1]:2222'],
])('an address is written as it is given: %j', (address, text) => {
	expect(addressText(address)).toBe(text);
});

test('the log has each reading of the keys: how many open, which lines are refused, why none opens, and whether they changed', async () => {
	const folder = temporaryFolder();
	const [keys, log] = [join(folder, 'keys'), join(folder, 'log')];
	writeFileSync(keys, `${newEd25519()}\nmarket="" ${newEd25519()}\n`, {mode: 0o600});
	const logged = () =>
		readFileSync(log, 'utf8')
			.split(/\n(?=.)/)
			.map(line => JSON.parse(line));
	const server = startInProcess([
		...['serve', '--authorized-keys', keys, '--log-file', log, '--listen', '127.0.0.1:0'],
	]);
	await server.wrote(text => text.endsWith('\n'));
	server.kill('SIGHUP');
	await expect.poll(() => logged().length).toBe(2);
	chmodSync(keys, 0o622);
	// Without a signal, within a second.
	await expect.poll(() => logged().length).toBe(3);
	server.kill('SIGHUP');
	await expect.poll(() => logged().length).toBe(4);
	server.kill('SIGTERM');
	const {stderr} = await server.outcome;
	const refused = [{line: 2, reason: 'market= names no market'}];
	const fault = 'others can write to it; run chmod go-w';
	const time = expect.any(Number);
	expect(logged()).toEqual([
		{level: 'info', time, keys: 1, refused, msg: 'keys'},
		{level: 'info', time, keys: 1, refused, isSame: true, msg: 'keys'},
		{level: 'warn', time, keys: 0, refused: [], fault, msg: 'keys'},
		{level: 'warn', time, keys: 0, refused: [], fault, isSame: true, msg: 'keys'},
	]);
	expect(stderr).toBe(
		[
			`tapewatch: ${keys}, line 2: market= names no market; this key is refused`,
			`tapewatch: 1 key in ${keys}`,
			'tapewatch: DEMO data of the embedded exchange',
			`tapewatch: ${keys} was read again, unchanged: 1 key`,
			`tapewatch: no key works: cannot read the keys in ${keys}: ${fault}`,
			`tapewatch: no key works: cannot read the keys in ${keys}: ${fault}`,
			'',
		].join('\n'),
	);
});

test('says at the start that it calls nobody', async () => {
	const {env} = openHome('on-alert = ["./call.sh"]\n[[alerts]]\nrule = "BTCUSDT last > 1"\n');
	const server = startInProcess(['serve', '--anonymous', '--listen', '127.0.0.1:0'], {env});
	await server.wrote(text => text.endsWith('\n'));
	server.kill('SIGTERM');
	const [first] = (await server.outcome).stderr.split('\n');
	expect(first).toBe(
		'tapewatch: not used by serve: alerts, on-alert; viewers set their own alerts, and tapewatch watch alerts you',
	);
});

const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);

test.skipIf(!addresses.some(({address}) => address === '::1'))('an IPv6 address stands in brackets', async () => {
	const places = ['--listen', '[::1]:0', '--metrics', '[::1]:0'];
	const texts: string[] = [];
	for (const format of [[], ['--json']]) {
		const server = startInProcess(['serve', '--anonymous', ...places, ...format]);
		await server.wrote(text => text.endsWith('\n'));
		server.kill('SIGTERM');
		const {stdout, stderr} = await server.outcome;
		texts.push(stdout, stderr);
	}

	const [text = '', note, json = ''] = texts;
	expect(text).toMatch(/^listening on \[::1\]:\d+, host key SHA256:\S+\n$/);
	expect(note).toMatch(/^tapewatch: metrics at http:\/\/\[::1\]:\d+\/metrics$/m);
	expect(JSON.parse(json)).toEqual({
		...{host: '::1', port: expect.any(Number), fingerprint: expect.stringMatching(/^SHA256:/)},
		metrics: expect.stringMatching(/^\[::1\]:\d+$/),
	});
});
