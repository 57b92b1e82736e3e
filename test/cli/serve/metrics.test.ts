import {request} from 'node:http';
import {networkInterfaces} from 'node:os';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {serveMetrics} from '../../../source/cli/serve/metrics.ts';
import {createTally} from '../../../source/cli/serve/tally.ts';
import {isOwnName} from '../../../source/demo/operations.ts';

const tally = () => ({...createTally().now(), bytes: 0});

/** Asks for the metrics of a server that listens on `listen`, at `to`, under the names `hosts`. */
async function ask(listen: string, hosts: readonly string[], to = listen) {
	const {address, close} = await serveMetrics({
		...{listen: {host: listen, port: 0}, tally, viewers: () => 3, connecting: () => 0},
	});
	onTestFinished(close);
	const port = Number(address.split(':').at(-1));
	return Promise.all(hosts.map(host => get(to, port, host)));
}

async function get(to: string, port: number, host: string): Promise<readonly [number | undefined, string]> {
	const {promise, resolve, reject} = Promise.withResolvers<readonly [number | undefined, string]>();
	request({host: to, port, path: '/metrics', agent: false, headers: {host}}, answer => {
		void text(answer).then(body => resolve([answer.statusCode, /^tapewatch_viewers .*$/m.exec(body)?.[0] ?? body]));
	})
		.on('error', reject)
		.end();
	return promise;
}

const shown = [200, 'tapewatch_viewers 3'];
const refused = [403, 'name this server 127.0.0.1 or localhost\n'];

test('metrics on loopback are for who names this computer, and for no web page', async () => {
	const own = ['127.0.0.1', '127.0.0.1:9464', 'localhost:9464', 'LOCALHOST', '127.9.9.9', '[::1]:9464'];
	const others = ['page.example', 'page.example:9464', '127.0.0.1.page.example', '127.0.0.300', 'localhost.example'];
	expect(await ask('127.0.0.1', [...own, ...others])).toEqual([...own.map(() => shown), ...others.map(() => refused)]);
});

test.each([
	['wall', true],
	['Wall:9464', true],
	['wall.page.example', false],
	['', false],
])('the name that the address was given by is its own: %j %j', (host, isOwn) => {
	expect([isOwnName(host, 'wall:1'), isOwnName(host)]).toEqual([isOwn, false]);
});

const hasIPv6 = Object.values(networkInterfaces()).some(each => each?.some(({address}) => address === '::1'));

test.skipIf(!hasIPv6)('metrics on the loopback of IPv6 have the address as it was given', async () => {
	const hosts = ['[0:0:0:0:0:0:0:1]:9464', '[::1]', 'page.example'];
	expect(await ask('0:0:0:0:0:0:0:1', hosts)).toEqual([shown, shown, refused]);
});

test('metrics on all addresses are for who reaches them, under any name', async () => {
	expect(await ask('0.0.0.0', ['wall.example:9464', '192.0.2.7'], '127.0.0.1')).toEqual([shown, shown]);
});
