import {once} from 'node:events';
import {createServer} from 'node:net';
import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import {failureOf} from './fixture.ts';

afterEach(() => {
	vi.unstubAllEnvs();
});

/** The port of a server that answers every connection with these bytes and closes it. */
async function startServer(bytes: string): Promise<number> {
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.once('data', () => socket.end(bytes));
	}).listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const address = server.address();
	return typeof address === 'object' && address ? address.port : 0;
}

async function briefOf(baseUrl: string): Promise<string> {
	const exchange = connect({baseUrl});
	onTestFinished(() => exchange.close());
	return (await failureOf(exchange.trades('BTCUSDT', {}))).brief;
}

test.each([
	['a line that is no header', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n', 'unreadable answer'],
	['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'unreadable answer'],
	['100 kB of headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, 'headers too large'],
	['100 Continue first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'answered 100 Continue unasked'],
	['nothing', '', 'connection lost'],
])('names an answer that is not HTTP in its own words: %s', async (_, bytes, brief) => {
	expect(await briefOf(`http://127.0.0.1:${await startServer(bytes)}`)).toBe(brief);
});

test('hints at http where a port does not speak TLS', async () => {
	const port = await startServer('HTTP/1.1 400 Bad Request\r\n\r\n');
	expect(await briefOf(`https://127.0.0.1:${port}`)).toBe('no TLS at this address');
});

test.each(['http', 'https'])('names the proxy that is dead, and one that wants a password, for %s', async scheme => {
	const through = (port: number) => {
		for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) {
			vi.stubEnv(name, `http://127.0.0.1:${port}`);
		}

		return briefOf(`${scheme}://exchange.invalid`);
	};
	vi.stubEnv('NO_PROXY', '');
	vi.stubEnv('no_proxy', '');
	const port = await startServer('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
	expect(await through(port)).toBe('proxy needs a password');
	expect(await through(9)).toBe('no answer from the proxy 127.0.0.1:9');
});
