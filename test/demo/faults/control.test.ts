import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {type Dispatcher, request} from 'undici';
import {expect, test} from 'vitest';
import {setUpDemo, start} from './set-up.ts';

async function setUp() {
	const all = await setUpDemo();
	async function send(method: Dispatcher.HttpMethod, sent?: string, headers: Record<string, string> = {}) {
		const options = {method, headers, ...(sent !== undefined && {body: sent})};
		const {statusCode: status, body} = await request(`${all.demo.url}/faults`, options);
		return {status, ...Object(await body.json())};
	}

	return {...all, send};
}

test('POST adds faults, GET lists them, DELETE removes all', async () => {
	const {send, answer} = await setUp();
	expect(await send('GET')).toEqual({status: 200, faults: [], held: 0});
	await send('POST', 'v2.info=status-503\n*.trades=reset,share=0.5,for=30s');
	expect((await answer('v2.info')).statusCode).toBe(503);
	const inForce = [
		{on: 'v2.info', fault: 'status-503', share: 1, until: null, requests: 1},
		{on: '*.trades', fault: 'reset', share: 0.5, until: start + 30_000, requests: 0},
	];
	expect(await send('GET')).toEqual({status: 200, faults: inForce, held: 0});
	expect(await send('POST', '{"on": "legacy.depth", "fault": "hang"}')).toEqual({
		status: 200,
		faults: [...inForce, {on: 'legacy.depth', fault: 'hang', share: 1, until: null, requests: 0}],
		held: 0,
	});
	expect(await send('DELETE')).toEqual({status: 200, faults: [], held: 0});
	expect((await answer('v2.info')).statusCode).toBe(200);
});

test('one bad rule refuses the whole POST with a reason', async () => {
	const {send} = await setUp();
	expect(await send('POST', 'v2.info=hang\nv2.info=rest')).toMatchObject({
		status: 400,
		message: 'unknown fault rest; did you mean reset?',
	});
	expect(await send('GET')).toMatchObject({faults: []});
});

test.each([
	['PUT', undefined, {}, 405, 'use GET, POST or DELETE'],
	['POST', 'x'.repeat(70_000), {}, 413, 'more than 65536 bytes'],
	['POST', 'v2.info=hang', {origin: 'https://page.example'}, 403, 'web pages cannot set faults'],
	['POST', 'v2.info=hang', {host: 'page.example'}, 403, 'name this server 127.0.0.1 or localhost'],
	['POST', 'v2.info=hang', {host: '127.0.0.300'}, 403, 'name this server 127.0.0.1 or localhost'],
	['POST', 'v2.info=hang', {host: '127.0.0.1.page.example'}, 403, 'name this server 127.0.0.1 or localhost'],
] as const)('%s is refused where it should be', async (method, body, headers, status, message) => {
	const {send, demo} = await setUp();
	expect(await send(method, body, headers)).toMatchObject({status, message});
	expect(demo.faults.list()).toEqual([]);
});

test.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.9.9.9:8080', '[::1]:80'])(
	'a request to %s is obeyed',
	async host => {
		const {send} = await setUp();
		expect(await send('GET', undefined, {host})).toMatchObject({status: 200});
	},
);

test('a request with two names of the server is refused', async () => {
	const {demo} = await setUp();
	const socket = connect(demo.port, '127.0.0.1');
	socket.write('DELETE /faults HTTP/1.1\r\nHost: localhost\r\nHost: page.example\r\nConnection: close\r\n\r\n');
	expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
});
