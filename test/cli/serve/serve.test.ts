import {once} from 'node:events';
import {createServer} from 'node:net';
import {networkInterfaces} from 'node:os';
import {expect, onTestFinished, test} from 'vitest';
import {addressText} from '../../../source/cli/serve/listen.ts';
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
	[{host: '127.0.0.1', port: 2222}, '127.0.0.1:2222'],
	[{host: 'localhost', port: 2222}, 'localhost:2222'],
	[{host: '::1', port: 2222}, '[::1]:2222'],
])('an address is written as it is given: %j', (address, text) => {
	expect(addressText(address)).toBe(text);
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
