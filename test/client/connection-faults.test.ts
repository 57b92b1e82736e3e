import {expect, onTestFinished, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import type {Words} from '../../source/client/messages.ts';
import {startTcpServer} from '../helpers/tcp-server.ts';
import {failureOf} from './fixture.ts';

/** Each connection is answered with these bytes and closed. */
const startServer = async (bytes: string): Promise<number> =>
	(await startTcpServer(socket => socket.end(bytes, 'latin1'))).port;

async function wordsAt(baseUrl: string): Promise<Words> {
	const exchange = connect({baseUrl});
	onTestFinished(() => exchange.close());
	return (await failureOf(exchange.trades('BTCUSDT', {}))).words;
}

const refusal = (text: string) => `HTTP/1.0 400 Bad Request\r\n\r\n${text}`;

test.each([
	['a line that is no header', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n', 'unreadable answer'],
	['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'unreadable answer'],
	['100 kB of headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, 'headers too large'],
	['100 Continue first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'answered 100 Continue unasked'],
	['a status of 000', 'HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 'unreadable answer'],
	['nothing', '', 'closed without an answer'],
	['a TLS alert', '\u0015\u0003\u0001\u0000\u0002\u0002\u0046', 'only TLS at this address'],
	['nginx at a port for TLS', refusal('The plain HTTP request was sent to HTTPS port'), 'only TLS at this address'],
	['Apache', refusal("You're speaking plain HTTP to an SSL-enabled server port."), 'only TLS at this address'],
	['Go', refusal('Client sent an HTTP request to an HTTPS server.'), 'only TLS at this address'],
])('names an answer that is not HTTP in its own words: %s', async (_, bytes, brief) => {
	expect((await wordsAt(`http://127.0.0.1:${await startServer(bytes)}`)).brief).toBe(brief);
});

test('hints at http where a port does not speak TLS', async () => {
	const port = await startServer('HTTP/1.1 400 Bad Request\r\n\r\n');
	expect(await wordsAt(`https://127.0.0.1:${port}`)).toMatchObject({
		brief: 'no TLS at this address',
		advice: 'the port may be for http://',
	});
});

test('a request whose answer is not HTTP is not sent again', async () => {
	let requests = 0;
	const {port} = await startTcpServer(socket => {
		requests++;
		socket.write('HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n');
	});
	await wordsAt(`http://127.0.0.1:${port}`);
	expect(requests).toBe(1);
});
