/** Proxies of the environment that fail. */
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {type ClientOptions, connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {proxyOf} from '../../source/client/proxy.ts';
import {startTcpServer} from '../helpers/tcp-server.ts';
import {failureOf} from './fixture.ts';

const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
beforeEach(() => {
	for (const name of names) vi.stubEnv(name, undefined);
});
afterEach(() => {
	vi.unstubAllEnvs();
});

const secure = 'https://exchange.invalid';

/** An exchange behind a proxy for https and http. */
function behind(proxy: string, {baseUrl = secure, ...options}: ClientOptions = {}): Exchange {
	vi.stubEnv('https_proxy', proxy);
	vi.stubEnv('http_proxy', proxy);
	const exchange = connect({baseUrl, rate: 1000, ...options});
	onTestFinished(() => exchange.close());
	return exchange;
}

const read = (exchange: Exchange, signal?: AbortSignal) => failureOf(exchange.trades('BTCUSDT', {signal}));

describe.each([
	['says nothing', ''],
	['never ends its headers', 'HTTP/1.1 200 OK\r\nx: '],
])('a proxy that accepts and %s', (_, start) => {
	test('costs one deadline, is named, and loses its connection', async () => {
		const {port, sockets} = await startTcpServer(socket => {
			if (start === '') return;
			const drip = setInterval(() => socket.write(start), 20);
			socket.on('close', () => clearInterval(drip));
		});
		const error = await read(behind(`http://127.0.0.1:${port}`, {timeoutMs: 200}));
		expect(error).toMatchObject({kind: 'timeout', brief: `timed out through the proxy 127.0.0.1:${port}`});
		expect(error.message).toMatch(`no complete answer within 200 ms through the proxy 127.0.0.1:${port} (`);
		await vi.waitFor(() => expect(sockets.size).toBe(0));
	});

	test('is asked on another connection by the next read', async () => {
		let requests = 0;
		const {port} = await startTcpServer((socket, request) => {
			expect(request).toMatch(/^CONNECT exchange\.invalid:443 /);
			requests++;
			if (requests === 1) socket.write(start);
			else socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		});
		const exchange = behind(`http://127.0.0.1:${port}`, {timeoutMs: 500});
		expect((await read(exchange)).kind).toBe('timeout');
		expect((await read(exchange)).brief).toBe(`proxy 127.0.0.1:${port}: answered 502`);
	});

	test('holds up neither an abort nor the end', async () => {
		const {port, sockets} = await startTcpServer(socket => void (start && socket.write(start)));
		const exchange = behind(`http://127.0.0.1:${port}`, {timeoutMs: 600_000});
		const controller = new AbortController();
		const [aborted, closed] = [read(exchange, controller.signal), read(exchange)];
		await vi.waitFor(() => expect(sockets.size).toBe(1));
		controller.abort();
		expect((await aborted).kind).toBe('aborted');
		await exchange.close();
		expect((await closed).kind).toBe('aborted');
		await vi.waitFor(() => expect(sockets.size).toBe(0));
	});
});

const wanted = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n';
test.each([
	[secure, 'HTTP/1.1 502 Bad Gateway\r\n\r\n', ': answered 502'],
	[secure, 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n', ': answered 403'],
	[secure, 'HTTP/1.1 301 Moved\r\nlocation: http://portal.example/login\r\n\r\n', ': answered 301'],
	[secure, wanted, undefined],
	[secure, 'SSH-2.0-OpenSSH_9.6\r\n', ': answer is not HTTP'],
	[secure, '', ': connection lost'],
	[secure, undefined, ': connection reset'],
	['http://exchange.invalid', wanted, undefined],
	['http://exchange.invalid', 'SSH-2.0-OpenSSH_9.6\r\n', ': answer is not HTTP'],
	['http://exchange.invalid', '', ': closed without an answer'],
	['http://exchange.invalid', undefined, ': connection reset'],
])('names the proxy on the way to %s that answers %j', async (baseUrl, answer, what) => {
	const {port} = await startTcpServer(socket => {
		if (answer === undefined) socket.resetAndDestroy();
		else socket.end(answer);
	});
	const proxy = `127.0.0.1:${port}`;
	const {kind, words, message} = await read(behind(`http://me:secret@${proxy}`, {baseUrl}));
	const brief = what === undefined ? 'proxy needs a password' : `proxy ${proxy}${what}`;
	expect([kind, words.brief]).toEqual(['network', brief]);
	expect(message).not.toMatch(/secret|UND_ERR|HPE_/);
});

test.each(['http', 'https'])('names a dead proxy for %s', async scheme => {
	for (const proxy of ['http', 'https', 'socks5'].map(each => `${each}://127.0.0.1:9`)) {
		expect((await read(behind(proxy, {baseUrl: `${scheme}://exchange.invalid`}))).words).toEqual({
			brief: 'proxy 127.0.0.1:9: connection refused',
			text: 'proxy 127.0.0.1:9: connection refused',
			own: 'proxy …: connection refused',
			advice: 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
		});
	}
});

test.each([
	['https://a.example', '', 'https'],
	['http://a.example', '', 'http'],
	['https://a.example', 'b.example', 'https'],
	['https://a.example', 'b.example A.EXAMPLE', undefined],
	['https://a.example.', 'a.example', undefined],
	['https://b.a.example', 'a.example', undefined],
	['https://b.a.example', '.a.example', undefined],
	['https://a.example', '.a.example', undefined],
	['https://b.a.example', '*.a.example', undefined],
	['https://a.example', '*.a.example', 'https'],
	['https://ba.example', 'a.example', 'https'],
	['https://a.example', 'a.example:443', undefined],
	['https://a.example', 'a.example:80,*:8443', 'https'],
	['https://a.example:8443', '*:8443', undefined],
	['https://a.example', ' * ', undefined],
	['https://[2001:db8::1]', '2001:db8::1', undefined],
	['https://[2001:db8::1]', '[2001:db8::1]:443', undefined],
	['https://[2001:db8::1]', '[2001:db8::1]:80', 'https'],
	['http://127.0.0.1:4900', '', undefined],
	['http://localhost', '', undefined],
	['http://[::1]', '', undefined],
])('%s with NO_PROXY=%j goes through the proxy for %s', (url, noProxy, proxy) => {
	vi.stubEnv('HTTPS_PROXY', 'https');
	vi.stubEnv('HTTP_PROXY', 'http');
	vi.stubEnv('NO_PROXY', noProxy);
	expect(proxyOf(new URL(url))).toBe(proxy);
});

test('https goes through the proxy for http where it has none', () => {
	vi.stubEnv('HTTP_PROXY', 'http');
	expect(proxyOf(new URL(secure))).toBe('http');
});
