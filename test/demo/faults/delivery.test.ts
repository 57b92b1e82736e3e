import {setImmediate} from 'node:timers/promises';
import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import type {OperationName} from '../../../source/demo/operations.ts';
import {bodyOf, setUpDemo, until} from './set-up.ts';

const on: OperationName = 'v2.info';

test('hang: no answer, and the request counts as held until the client goes away', async () => {
	const {demo, answer} = await setUpDemo({faults: [{on, fault: 'hang'}]});
	const controller = new AbortController();
	const hanging = fetch(`${demo.url}/metadata/v2/exchange/info`, {signal: controller.signal});
	await until(() => demo.held() === 1);
	expect(demo.answering()).toBe(0);
	expect((await answer('v2.markets')).statusCode).toBe(200);
	controller.abort();
	await expect(hanging).rejects.toThrow('aborted');
	await until(() => demo.held() === 0);
});

test('refuse: the first request is cut, then all are refused until the fault is over', async () => {
	const {clock, demo, answer} = await setUpDemo({faults: [{on, fault: 'refuse', forMs: 30_000}]});
	expect((await answer('v2.markets')).statusCode).toBe(200);
	await expect(answer(on)).rejects.toMatchObject({code: 'ECONNRESET'});
	await expect(answer('v2.markets')).rejects.toMatchObject({code: 'ECONNREFUSED'});
	await clock.advance(29_999);
	await expect(answer('v2.markets')).rejects.toMatchObject({code: 'ECONNREFUSED'});
	await clock.advance(1);
	expect([(await answer(on)).statusCode, demo.faults.list()]).toEqual([200, []]);
});

test('refuse: the demo can be closed while its port is', async () => {
	const {demo, answer} = await setUpDemo({faults: [{on, fault: 'refuse'}]});
	await expect(answer(on)).rejects.toMatchObject({code: 'ECONNRESET'});
	await demo.close();
	await expect(answer(on)).rejects.toMatchObject({code: 'ECONNREFUSED'});
});

test('drip: the head comes at once, then one byte of the body a second', async () => {
	const {clock, demo, answer} = await setUpDemo({faults: [{on, fault: 'drip'}]});
	const response = await answer(on);
	let received = '';
	response.setEncoding('utf8').on('data', text => {
		received += text;
	});
	expect(demo.held()).toBe(1);
	for (const expected of ['{', '{"', '{"d']) {
		await clock.advance(1000);
		await until(() => received.length >= expected.length);
		expect(received).toBe(expected);
	}

	response.destroy();
	await until(() => demo.held() === 0);
	expect(clock.timers).toBe(0);
});

test('delay: the answer 2.5 s later', async () => {
	const {clock, demo, answer} = await setUpDemo({faults: [{on, fault: 'delay'}]});
	let status: number | undefined;
	const late = answer(on).then(response => {
		status = response.statusCode;
	});
	await until(() => demo.held() === 1);
	await clock.advance(2499);
	expect(status).toBeUndefined();
	await clock.advance(1);
	await late;
	expect([status, demo.held()]).toEqual([200, 0]);
});

test('endless-body: an endless list, generated only as fast as it is read', async () => {
	const {answer} = await setUpDemo({faults: [{on, fault: 'endless-body'}]});
	const before = process.memoryUsage().external;
	const response = await answer(on);
	for (let turn = 0; turn < 300; turn++) await setImmediate();
	expect(process.memoryUsage().external - before).toBeLessThan(16 * 1024 ** 2);
	let received = '';
	for await (const chunk of response) {
		received += chunk;
		if (received.length > 1024 ** 2) break;
	}

	expect(response.headers).not.toHaveProperty('content-length');
	expect(received).toMatch(/^\{"data":\[0(?:,0){500000}/);
});

test('gzip-bomb: little gzip that unpacks to 300 MB of JSON', async () => {
	const {answer} = await setUpDemo({faults: [{on, fault: 'gzip-bomb'}]});
	const response = await answer(on);
	const body = await bodyOf(response);
	expect(response.headers['content-encoding']).toBe('gzip');
	expect(body.length).toBeLessThan(400_000);
	// To unpack all of it takes seconds.
	const [head, , ...rest] = [...body.toString('latin1').matchAll(/\u001F\u008B\u0008/g)].map(({index}) => index);
	const [megabyteAt = 0, endAt = 0] = [rest[0], rest.at(-1)];
	const part = (from: number, to?: number) => gunzipSync(body.subarray(from, to)).toString();
	expect([head, rest.length, part(0, megabyteAt).length, part(endAt)]).toEqual([0, 300, 10 + 1024 ** 2, ']}']);
	expect(part(0, megabyteAt)).toMatch(/^\{"data":\[0(?:,0){500000}/);
});

test('counts a request as being answered until its answer is sent', async () => {
	const {demo, answer} = await setUpDemo();
	const body = answer('v2.ticker').then(bodyOf);
	await until(() => demo.answering() === 1);
	await body;
	await until(() => demo.answering() === 0);
});
