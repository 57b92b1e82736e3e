/** Bounds of SECURITY.md at which no other test looks. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {maxHeaderSize} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished} from 'vitest';
import {mostFileBytes, readText} from '../source/cli/files.ts';
import {quotedLength} from '../source/client/body.ts';
import {errorBodyBytes} from '../source/client/http.ts';
import {nameLength} from '../source/client/wire/fields.ts';
import {emptyTape, mergeTape, mostTapeTrades} from '../source/market/tape.ts';
import {inProcess} from './cli/in-process.ts';
import {v2} from './cli/small-exchange.ts';
import {failureOf, test} from './client/fixture.ts';
import {paths, sends} from './helpers/exchange-server.ts';
import {market} from './helpers/wire-entries.ts';

describe('an answer with an error status', () => {
	test('is quoted up to 200 characters', async ({server, open}) => {
		server.answer(paths.trades, sends({message: 'x'.repeat(quotedLength + 1)}, {status: 400}));
		const {message} = await failureOf(open().trades('BTCUSDT', {use: 'v2'}));
		expect(message.match(/x+/)?.[0]).toHaveLength(quotedLength);
	});

	test('of more than 64 kB is not read', async ({server, open}) => {
		const body = (length: number) => sends(JSON.stringify({message: 'why'}).padEnd(length), {status: 400});
		server.answer(paths.trades, body(errorBodyBytes));
		server.answer(paths.depth, body(errorBodyBytes + 1));
		const errors = [open().trades('BTCUSDT', {use: 'v2'}), open().depth('BTCUSDT', {use: 'v2'})].map(failureOf);
		const [within, beyond] = await Promise.all(errors);
		expect([within?.message, beyond?.message]).toEqual([
			expect.stringMatching(/^HTTP 400: why /),
			expect.stringMatching(/^HTTP 400: bad request 400 /),
		]);
	});

	test('that never ends is given up long before the timeout', async ({server, open}) => {
		server.answer(paths.trades, response => response.writeHead(500).write('{'));
		const error = await failureOf(open({timeoutMs: 600_000}).trades('BTCUSDT', {use: 'v2'}));
		expect(error.status).toBe(500);
	});
});

test('a name of more than 64 characters is dropped', async ({server, open}) => {
	const names = [nameLength, nameLength + 1].map(length => 'X'.repeat(length));
	server.answer(paths.markets, v2(names.map((marketName, index) => market('BTC', {id: index + 1, marketName}))));
	const {data, dropped} = await open().markets({use: 'v2'});
	expect({names: data.filter(({unreadable}) => !unreadable).map(({symbol}) => symbol.length), dropped}).toEqual({
		names: [nameLength],
		dropped: 1,
	});
});

test('headers larger than Node allows are refused', async ({server, open}) => {
	const answer = (length: number) => sends({}, {headers: {x: 'x'.repeat(length)}});
	server.answer(paths.trades, answer(maxHeaderSize - 500));
	server.answer(paths.depth, answer(maxHeaderSize));
	const errors = [open().trades('BTCUSDT', {use: 'v2'}), open().depth('BTCUSDT', {use: 'v2'})].map(failureOf);
	expect((await Promise.all(errors)).map(({brief}) => brief)).toEqual(['unreadable answer', 'headers too large']);
});

test('--timeout ends a read that is not answered', async ({server}) => {
	server.answer(paths.trades, () => {});
	server.answer(paths.markets, () => {});
	const address = ['--base-url', server.url, '--interface', 'v2', '--retry', '0'];
	const {stderr, status} = await inProcess(['trades', 'BTCUSDT', '--timeout', '50', ...address]);
	expect([stderr, status]).toEqual([expect.stringMatching(/^tapewatch: no complete answer within 50 ms /), 1]);
});

test('a file of more than a megabyte is not read', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-bounds-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const path = join(folder, 'file');
	writeFileSync(path, 'x'.repeat(mostFileBytes));
	expect(await readText(path)).toHaveLength(mostFileBytes);
	writeFileSync(path, 'x'.repeat(mostFileBytes + 1));
	await expect(readText(path)).rejects.toThrow('it is larger than a megabyte');
});

test('of a longer tape the newest trades are kept', () => {
	const page = Array.from({length: mostTapeTrades + 1}, (_, index) => ({
		...{id: String(index), time: index, price: 1, quantity: 1},
	}));
	const {trades} = mergeTape(emptyTape, page);
	expect([trades.length, trades.at(-1)?.time]).toEqual([mostTapeTrades, 1]);
});
