import {existsSync, readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {legacy, paths, sends, startExchangeServer} from '../../helpers/exchange-server.ts';
import {temporaryFolder} from '../../helpers/folders.ts';
import {legacyTicker, startSpecifiedExchange} from '../../helpers/specified-exchange.ts';
import {inProcess} from '../in-process.ts';

const setUp = (...args: readonly string[]) => setUpWith({}, ...args);

/** Runs setup with an empty configuration; `file`: the config file afterwards, if there is one. */
async function setUpWith(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
	const home = temporaryFolder();
	const path = join(home, 'tapewatch', 'config.toml');
	const outcome = await inProcess(['setup', '--rate', '1000', ...args], {env: {XDG_CONFIG_HOME: home, ...env}});
	const withoutPlace = (text: string) => text.replaceAll(path, 'FILE').replace(/[\d,]+ ms/g, 'N ms');
	return {
		...outcome,
		stderr: withoutPlace(outcome.stderr).split('\n').slice(0, -1),
		file: existsSync(path) ? readFileSync(path, 'utf8') : undefined,
	};
}

/** Answers everything with one body. */
async function startOther(body: string, head: Parameters<typeof sends>[1]): Promise<string> {
	const server = await startExchangeServer();
	onTestFinished(() => server.close());
	for (const path of Object.values(paths)) server.answer(path, sends(body, head));
	return server.url;
}

describe('tapewatch setup, without questions', () => {
	test('adds the addresses that answer, without the path of an operation, and makes the first exchange the default', async () => {
		const {url} = await startSpecifiedExchange();
		const flags = ['--base-url', `${url.replace('http://', '')}${paths.markets}`, '--legacy-base-url', `${url}/`];
		const {stdout, stderr, status, file} = await setUp('mine', ...flags);
		expect(file).toBe(`exchange = "mine"\n\n[exchanges.mine]\nbase-url = "${url}"\nlegacy-base-url = "${url}"\n`);
		expect([stdout, status]).toEqual([file, 0]);
		expect(stderr).toEqual([
			`tapewatch: trying ${url}`,
			'  v2      1 market in N ms: market list, ticker, order book (asks only), trades, candles',
			`tapewatch: trying ${url}`,
			'  legacy  1 market in N ms: market list, ticker, order book, trades',
			'tapewatch: added to FILE; next: tapewatch, or tapewatch doctor to check it in full',
		]);
	});

	test('adds the exchange that the environment names already', async () => {
		const {url} = await startSpecifiedExchange();
		const outcome = await setUp('mine', '--base-url', url);
		expect(outcome.status).toBe(0);
		const named = await setUpWith({TAPEWATCH_EXCHANGE: 'mine'}, 'mine', '--base-url', url);
		expect([named.file, named.status]).toEqual([outcome.file, 0]);
	});

	test('says which operations of an exchange fail, and adds it all the same', async () => {
		const {url} = await startSpecifiedExchange({
			[paths.markets]: sends('', {status: 503}),
			[paths.candles]: sends('{}', {status: 404}),
		});
		const {stderr, status} = await setUp('--base-url', url);
		expect(stderr[1]).toMatch(
			/^ {2}v2 {6}\d markets? in N ms: ticker, order book \(asks only\), trades, no market list \(server error 503\), no candles \(not found\)$/,
		);
		expect(status).toBe(0);
	});

	test.each([
		[
			'a web page',
			'<html><head><title>Welcome to nginx!</title>',
			{headers: {'content-type': 'text/html; charset=utf-8'}},
			'a web page, “Welcome to nginx!”',
		],
		['a missing page', '<!DOCTYPE html><p>Nothing here', {status: 404}, 'HTTP 404 (a web page)'],
		['a blocked country', '', {status: 451}, 'unavailable for legal reasons'],
		[
			'another JSON interface',
			'{"code":-1121,"msg":"Invalid symbol."}',
			{},
			'unexpected JSON, {"code":-1121,"msg":"Invalid symbol."}',
		],
		['a text', 'pong', {headers: {'content-type': 'text/plain'}}, 'text/plain, pong'],
		['nothing', '', {}, 'an empty answer'],
		['an empty list', '{"data":[],"success":true}', {}, 'a list without a market'],
		[
			'a redirect',
			'',
			{status: 301, headers: {location: 'https://www.example.com/'}},
			'redirected to https://www.example.com/',
		],
	])('says what it found where %s answers, and writes nothing', async (_, body, head, found) => {
		const {stdout, stderr, status, file} = await setUp('--base-url', await startOther(body, head));
		expect(stderr[1]).toBe(`  v2      not found: ${found}`);
		expect(stderr.at(-1)).toBe('tapewatch: nothing was written to FILE');
		expect([stdout, status, file]).toEqual(['', 1, undefined]);
	});

	test('says that the other interface answers at an address of one', async () => {
		const server = await startExchangeServer();
		onTestFinished(() => server.close());
		server.answer(paths.legacyTicker, legacy({BTCUSDT: legacyTicker}));
		const {stderr, status} = await setUp('--base-url', server.url);
		expect([stderr[1], stderr[3]?.replace(/ in .*/, ''), status]).toEqual([
			'  v2      not found: HTTP 404 (unexpected JSON, {"message":"no such path"})',
			'  legacy  1 market',
			1,
		]);
	});

	test('tries a server that is no web server once, and one that is away', async () => {
		const other = createServer(socket => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
		await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void other.close());
		const {port} = other.address() as {port: number};
		const closed = await startExchangeServer();
		await closed.close();
		const [ssh, away] = [await setUp('--base-url', `127.0.0.1:${port}`), await setUp('--base-url', closed.url)];
		expect(ssh.stderr).toEqual([
			`tapewatch: trying http://127.0.0.1:${port}`,
			'  v2      not found: the answer is not HTTP',
			'tapewatch: nothing was written to FILE',
		]);
		expect(away.stderr[1]).toBe('  v2      no answer: connection refused; check the address, or start the exchange');
		expect([ssh.status, away.status]).toEqual([1, 1]);
	});

	test('refuses names and addresses that cannot be in the file, and a missing terminal: status 2', async () => {
		const lines = [];
		for (const args of [
			['demo', '--base-url', 'https://api.example.com'],
			['a b', '--base-url', 'https://api.example.com'],
			['mine', '--base-url', 'https://user:secret@api.example.com'],
			['mine', '--legacy-base-url', 'ftp://api.example.com'],
			['--exchange', 'mine'],
			[],
		]) {
			const {stderr, status} = await setUp(...args);
			lines.push(...stderr, status);
		}

		expect(lines).toEqual([
			...['tapewatch: demo is the embedded exchange; choose another name', 2],
			...['tapewatch: the name must be letters, digits, - and _, not a b', 2],
			...[
				'tapewatch: --base-url must not contain a user name or password: the interface is public (see tapewatch setup --help)',
				2,
			],
			...['tapewatch: --legacy-base-url must begin with http:// or https:// (see tapewatch setup --help)', 2],
			...[expect.stringMatching(/^tapewatch: --exchange does not apply to setup, /), 2],
			...[expect.stringMatching(/^tapewatch: setup asks questions on a terminal; without one, give --base-url/), 2],
		]);
	});

	test('quotes a hostile page without its control characters', async () => {
		const url = await startOther('<title>\u001B]0;owned\u0007\u202Enginx</title>', {status: 404});
		const {stderr} = await setUp('--base-url', url);
		expect(stderr[1]).toBe('  v2      not found: HTTP 404 (a web page, “nginx”)');
	});
});
