import {once} from 'node:events';
import {connect, createServer} from 'node:net';
import {text} from 'node:stream/consumers';
import {setTimeout as pause} from 'node:timers/promises';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {parseAddressList} from '../../source/serve/addresses.ts';
import {parseProxyHeader} from '../../source/serve/proxy-header.ts';
import {createKeys, type Doors, openDoors} from './doors.ts';

/** Version 2, of these parts in hexadecimal. */
const binary = (command: string, family: string, rest: string): Buffer => {
	const head = Buffer.from(`0d0a0d0a000d0a515549540a${command}${family}0000${rest}`, 'hex');
	head.writeUInt16BE(head.length - 16, 14);
	return head;
};
const ports = '1234' + '0016';
const sixth = '20010db8000000000000000000000007';
const line = (words: string) => Buffer.from(`PROXY ${words}\r\n`);

describe('a PROXY header', () => {
	test.each([
		['TCP4', line('TCP4 203.0.113.7 10.0.0.1 51000 2222'), '203.0.113.7'],
		['TCP6', line('TCP6 2001:db8::7 2001:db8::1 51000 2222'), '2001:db8::7'],
		['UNKNOWN', line('UNKNOWN'), undefined],
		['binary over IPv4', binary('21', '11', `cb007107${'0a000001'}${ports}`), '203.0.113.7'],
		[
			'binary over IPv4 with more after it',
			binary('21', '11', `cb007107${'0a000001'}${ports}030004deadbeef`),
			'203.0.113.7',
		],
		['binary over IPv6', binary('21', '21', `${sixth}${sixth}${ports}`), '2001:db8::7'],
		[
			'binary over IPv6 of an IPv4 address',
			binary('21', '21', `${'0'.repeat(20)}ffffcb007107${sixth}${ports}`),
			'203.0.113.7',
		],
		['binary of a socket in the file system', binary('21', '31', '00'.repeat(216)), undefined],
	])('%s has an address and a length, once all of it is there', (_, header, address) => {
		const read = parseProxyHeader(Buffer.concat([header, Buffer.from('SSH-2.0-x\r\n')]));
		expect(read).toEqual({address, length: header.length});
		for (let length = 0; length < header.length; length++) {
			expect(parseProxyHeader(header.subarray(0, length))).toBeUndefined();
		}
	});

	test.each([
		['SSH', Buffer.from('SSH-2.0-x\r\n')],
		['another family', line('UDP4 203.0.113.7 10.0.0.1 1 2')],
		['a name', line('TCP4 example.com 10.0.0.1 1 2')],
		['an address of the other family', line('TCP4 2001:db8::7 2001:db8::1 1 2')],
		['a line without an end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
		['a later version', binary('31', '11', `cb007107${'0a000001'}${ports}`)],
		['too few bytes', binary('21', '11', 'cb007107')],
		['too many bytes', binary('21', '11', '00'.repeat(5000))],
	])('is not %s', (_, data) => {
		expect(parseProxyHeader(data)).toBe('none');
	});

	test('whatever comes is read, waited for or refused', () => {
		const begun = fc.constantFrom(Buffer.alloc(0), Buffer.from('PROXY '), binary('21', '11', '').subarray(0, 12));
		fc.assert(
			fc.property(begun, fc.uint8Array({maxLength: 300}), (begin, rest) => {
				const data = Buffer.concat([begin, rest]);
				const read = parseProxyHeader(data);
				if (typeof read === 'object') expect(read.length).toBeLessThanOrEqual(data.length);
			}),
		);
	});
});

describe('a server behind a balancer', {tags: 'ssh'}, () => {
	const keys = createKeys();
	let doors: Doors;
	let addresses: string[] = [];

	beforeAll(async () => {
		doors = await openDoors({
			folder: keys.folder,
			keys: ['user', 'from="203.0.113.0/24" guest'],
			trustedProxies: parseAddressList('127.0.0.1'),
			onViewer(viewer) {
				addresses.push(viewer.address);
				void viewer.end(0);
			},
		});
	});
	afterAll(async () => {
		await doors.close();
		keys.remove();
	});

	/** A balancer that sends these pieces before what the client sends, or the last one together with that; its port. */
	async function balance(pieces: readonly Buffer[], isJoined = false): Promise<string> {
		const balancer = createServer(async client => {
			const server = connect({port: doors.port, host: '127.0.0.1', noDelay: true});
			for (const socket of [client, server]) socket.on('error', () => {});
			const [first] = isJoined ? await once(client, 'data') : [];
			for (const piece of first ? [Buffer.concat([...pieces, first])] : pieces) {
				server.write(piece);
				await pause(5);
			}

			client.pipe(server).pipe(client);
		});
		onTestFinished(() => void balancer.close());
		balancer.listen(0, '127.0.0.1');
		await once(balancer, 'listening');
		const at = balancer.address();
		return String(typeof at === 'object' ? at?.port : at);
	}

	const header = line('TCP4 203.0.113.7 127.0.0.1 51000 2222');

	test.each([
		['in a line', [header]],
		['in two pieces', [header.subarray(0, 9), header.subarray(9)]],
		['in binary', [binary('21', '11', `cb007107${'7f000001'}${ports}`)]],
		['with the first bytes of the client', [header], true],
	])('knows where a viewer comes from that is told %s', async (_, pieces, isJoined = false) => {
		addresses = [];
		const options = ['-p', await balance(pieces, isJoined)];
		expect(await doors.call(['x'], {options, key: 'guest'})).toMatchObject({status: 0});
		expect(addresses).toEqual(['203.0.113.7']);
		expect(doors.events.findLast(({type}) => type === 'login')).toMatchObject({address: '203.0.113.7'});
	});

	test('asks a balancer for a header, and nobody else', async () => {
		const without = await doors.call(['x']);
		expect(without).toMatchObject({
			status: 255,
			stderr: expect.stringContaining('a trusted proxy must begin with a PROXY header'),
		});
		addresses = [];
		expect(await doors.call(['x'], {options: ['-b', '127.0.0.2']})).toMatchObject({status: 0});
		expect(addresses).toEqual(['127.0.0.2']);
	});

	test('believes no header of others', async () => {
		const socket = connect({port: doors.port, host: '127.0.0.1', localAddress: '127.0.0.2'});
		socket.write(header);
		expect(await text(socket)).toMatch(/^SSH-2\.0-OpenSSH_compatible_tapewatch\r\n/);
		expect(doors.server.viewers).toBe(0);
	});

	test('closes a balancer that says nothing, and forgets one that is gone', async () => {
		const [silent, gone] = [connect(doors.port, '127.0.0.1'), connect(doors.port, '127.0.0.1')];
		await Promise.all([silent, gone].map(socket => once(socket, 'connect')));
		gone.resetAndDestroy();
		const closed = once(silent, 'close');
		await doors.passUntil(() => silent.closed);
		await closed;
		await expect.poll(() => [doors.server.connecting, doors.clock.timers]).toEqual([0, 1]);
	});
});
