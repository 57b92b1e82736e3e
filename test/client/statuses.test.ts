/** What is made of answers with a status other than 2xx. */
import {expect} from 'vitest';
import {wordsFor} from '../../source/client/messages.ts';
import {paths, sends} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {failureOf, test} from './fixture.ts';

const only = {use: 'v2'} as const;

test('keeps status and cleaned body of an HTML error page', async ({server, open}) => {
	const page = `<html>\u001b[31m<h1>Bad\ngateway</h1>${'x'.repeat(500)}`;
	server.answer(paths.depth, sends(page, {status: 500}));
	const body = `<html><h1>Bad gateway</h1>${'x'.repeat(174)}`;
	expect(body).toHaveLength(200);
	expect(await failureOf(open().depth('BTCUSDT', only))).toMatchObject({
		name: 'HttpStatusError',
		kind: 'http',
		brief: 'server error 500',
		status: 500,
		retryAfterMs: undefined,
		body,
		message: `HTTP 500: ${body} (v2 depth at ${server.url}${paths.depth}?symbol=BTCUSDT)`,
	});
});

test('sends one request after five minutes of an hour that the exchange asks for, or at once when told to', async ({
	server,
	open,
}) => {
	server.answer(paths.depth, sends({message: 'slow down'}, {status: 429, headers: {'retry-after': '3600'}}));
	const clock = createFakeClock();
	const exchange = open({clock, rate: 8});
	const refused = {status: 429, retryAfterMs: 3_600_000};
	expect(await failureOf(exchange.depth('BTCUSDT', only))).toMatchObject(refused);
	const reads = [exchange.depth('BTCUSDT', only), exchange.depth('ETHUSDT', only)].map(failureOf);
	await clock.advance(299_999);
	expect(server.requests).toHaveLength(1);
	await clock.advance(1);
	expect(await reads[0]).toMatchObject(refused);
	expect([server.requests.length, (exchange.budget().freeAt ?? 0) - clock.now()]).toEqual([2, 300_000]);
	exchange.retryNow();
	expect(await reads[1]).toMatchObject(refused);
	expect(server.requests).toHaveLength(3);
});

test.for([
	[429, 2],
	[503, 4],
] as const)(
	'a %s whose body never comes keeps its status, within a second',
	async ([status, allowed], {server, open}) => {
		const clock = createFakeClock();
		server.answer(paths.depth, response => {
			response.writeHead(status, {'content-length': '1000', 'retry-after': '7'});
			response.write('{');
		});
		const exchange = open({clock, rate: 4});
		const read = failureOf(exchange.depth('BTCUSDT', only));
		await server.received(1);
		// Slows down before the body is given up.
		while (clock.timers < 2) await clock.advance(0);
		expect(exchange.budget().allowed).toBe(allowed);
		await clock.advance(1000);
		expect(await read).toMatchObject({kind: 'http', status, retryAfterMs: 7000, body: ''});
		expect(clock.timers).toBe(0);
	},
);

test('an abort while the body of an error is awaited is an abort', async ({server, open}) => {
	const clock = createFakeClock();
	const controller = new AbortController();
	server.answer(paths.depth, response => {
		response.writeHead(500, {'content-length': '1000'});
		response.write('{');
	});
	const read = failureOf(open({clock}).depth('BTCUSDT', {...only, signal: controller.signal}));
	await server.received(1);
	while (clock.timers < 2) await clock.advance(0);
	controller.abort();
	expect((await read).kind).toBe('aborted');
	expect(clock.timers).toBe(0);
});

const long = '/a'.repeat(200);
test.for([
	['https://elsewhere.invalid/steal?token=1', 'https://elsewhere.invalid/steal', 'https://elsewhere.invalid/steal'],
	[
		`https://elsewhere.invalid${paths.depth}?token=1`,
		'https://elsewhere.invalid',
		`https://elsewhere.invalid${paths.depth}`,
	],
	[`https://elsewhere.invalid${long}`, 'https://elsewhere.invalid', `https://elsewhere.invalid${long}`.slice(0, 200)],
	['/login?token=1', '/login', 'SERVER/login'],
	[paths.depth, paths.depth, `SERVER${paths.depth}`],
] as const)('does not follow a redirect to %s, and names %s', async ([location, short, full], {server, open}) => {
	server.answer(paths.depth, sends('', {status: 302, headers: {location}}));
	const error = await failureOf(open().depth('BTCUSDT', only));
	expect(error).toMatchObject({kind: 'http', status: 302, brief: `redirected to ${short}`});
	expect(error.message).toBe(
		`HTTP 302: redirected to ${full.replace('SERVER', server.url)}, not followed (v2 depth at ${server.url}${paths.depth}?symbol=BTCUSDT)`,
	);
	expect(server.requests).toHaveLength(1);
});

test.for(['javascript:alert(1)', 'ftp://elsewhere.invalid/', 'http://[::bad', 'data:,x'])(
	'offers no address of a redirect to %s',
	async (location, {server, open}) => {
		server.answer(paths.depth, sends('', {status: 302, headers: {location}}));
		const error = await failureOf(open().depth('BTCUSDT', only));
		expect(error.words).toEqual(wordsFor('redirect-elsewhere'));
		expect(error.message).toMatch(/^HTTP 302: redirected to a non-HTTP address \(/);
	},
);

test.for(['br', 'deflate', 'zstd', 'gzip, gzip'])(
	'names an encoding that was not asked for: %s',
	async (encoding, {server, open}) => {
		const sendsIn = (status: number) =>
			sends(Buffer.from([0x1b, 0xff]), {status, headers: {'content-encoding': encoding}});
		server.answer(paths.depth, sendsIn(200));
		expect(await failureOf(open().depth('BTCUSDT', only))).toMatchObject({
			kind: 'schema',
			message: expect.stringContaining(
				`unreadable answer: the answer is in an encoding that was not requested: ${encoding} (`,
			),
		});
		server.answer(paths.depth, sendsIn(500));
		expect((await failureOf(open().depth('BTCUSDT', only))).message).toContain('HTTP 500: server error 500 (');
	},
);
