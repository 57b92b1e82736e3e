import {once} from 'node:events';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {documents} from '../helpers/documents.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {schemaFaults} from '../helpers/json-schemas.ts';
import {findTool} from '../helpers/tools.ts';
import {answered, recordSample} from '../recording/recordings.ts';
import {type PagedExchange, startPagedExchange} from './paged-exchange.ts';
import {createNats, createPostgres, end, endAll, start} from './pipe-servers.ts';
import {command} from './program.ts';

const text = documents.find(({name}) => name === 'docs/pipelines.md')?.text ?? '';
const blocks = (language: string, of = text): readonly string[] =>
	[...of.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
/** What a shell runs of a chapter. */
const scriptsOf = (chapter: string) => blocks('sh', text.match(new RegExp(`^## ${chapter}\\n.*?(?=^## )`, 'ms'))?.[0]);

const folder = mkdtempSync(join(tmpdir(), 'tapewatch-pipelines-'));
const inFolder = (name: string) => join(folder, name);

/** Runs a script of the document, which polls and stores sooner than it says. */
const run = (script: string, exchange: PagedExchange, env: Readonly<Record<string, string>> = {}) =>
	start('sh', ['-c', script.replaceAll('--interval 1 ', '--interval 0.5 ').replace('--lines=50', '--lines=40')], {
		cwd: folder,
		env: {
			...programEnvironment(),
			...{TAPEWATCH_BASE_URL: exchange.url, TAPEWATCH_RATE: '1000', ...env},
			PATH: `${inFolder('bin')}${delimiter}${process.env.PATH}`,
		},
	});

describe('a pipe', {tags: ['initdb', 'jq', 'nats-server', 'nc']}, () => {
	let exchange: PagedExchange;
	beforeAll(async () => {
		exchange = await startPagedExchange(70);
		chmodSync(folder, 0o755);
		mkdirSync(inFolder('bin'));
		const scripts = {
			psql: `exec ${findTool('psql')} "$@"`,
			tapewatch: `exec ${command} "$@"`,
			sleep: `exec ${findTool('sleep')} 0.2`,
		};
		for (const [name, script] of Object.entries(scripts)) {
			writeFileSync(inFolder(`bin/${name}`), `#!/bin/sh\n${script}\n`);
			chmodSync(inFolder(`bin/${name}`), 0o755);
		}

		const [schema = '', load = ''] = blocks('sql');
		const [publish = ''] = blocks('jq');
		for (const [name, block] of Object.entries({'schema.sql': schema, 'load.sql': load, 'publish.jq': publish})) {
			expect(text).toContain(`\`${name}\``);
			writeFileSync(inFolder(name), block);
		}
	});
	afterAll(async () => {
		await endAll();
		await exchange.close();
		rmSync(folder, {recursive: true});
	});

	test('into PostgreSQL stores each trade once and the last state of each candle, whatever fails in between', async () => {
		const {env, query, open, close} = await createPostgres(folder);
		const stored = (trades: number) => {
			const counts = 'count(*), count(DISTINCT id), count(*) FILTER (WHERE gap)';
			return expect
				.poll(() => query(`SELECT market, ${counts} FROM trades GROUP BY 1 ORDER BY 1`), {interval: 1000})
				.toBe(['BTCUSDT', 'ETHUSDT'].map(market => `${market}|${trades}|${trades}|1`).join('\n'));
		};

		const [script = '', ofRecording = ''] = scriptsOf('PostgreSQL');
		const pipe = run(script, exchange, env);
		await stored(70);
		// Nothing can be stored for a while: nobody reads the pipe.
		const locked = query('BEGIN; LOCK trades IN SHARE MODE; SELECT pg_sleep(1)');
		await expect.poll(() => query("SELECT 1 FROM pg_locks WHERE mode = 'ShareLock' AND granted")).toBe('1');
		exchange.newest = 80;
		await locked;
		await stored(80);

		// The watch ends with its reader, and the next one goes on.
		await close();
		exchange.newest = 90;
		await open();
		await stored(90);
		const candle = "period, to_char(time AT TIME ZONE 'UTC', 'HH24:MI'), close, closed";
		await expect
			.poll(() => query(`SELECT ${candle} FROM candles WHERE market = 'BTCUSDT' ORDER BY time`), {interval: 1000})
			.toBe('60|09:00|10|t\n60|10:00|10.09|f');
		await end(pipe);

		const trade = 'id, event_id, (extract(epoch FROM time) * 1000)::bigint, price, quantity, side';
		expect(await query(`SELECT ${trade} FROM trades WHERE id = '90' AND market = 'BTCUSDT'`)).toBe(
			`90|${new URL(exchange.url).host}:BTCUSDT:trade:v2:90|${exchange.timeOf(90)}|10.09|0.5|buy`,
		);
		const time = Date.UTC(2026, 10, 20, 14);
		const recorded = ['BTCUSDT', 'ETHUSDT'].map(market =>
			answered.trades([{id: '5', time, price: 1e-10, quantity: 3}], time, {}, market),
		);
		recordSample(recorded, inFolder('night.twr'), time);
		expect(await once(run(ofRecording, exchange, env), 'exit')).toEqual([0, null]);
		expect(await query("SELECT event_id, price, side FROM trades WHERE exchange = 'sample.example' ORDER BY 1")).toBe(
			['BTCUSDT', 'ETHUSDT'].map(market => `sample.example:${market}:trade:v2:5|0.0000000001|`).join('\n'),
		);
		await close();
	});

	test('into NATS publishes each event under its market and type, and JetStream keeps each trade once', async () => {
		exchange.newest = 70;
		const {port, ask, open, close, signal} = await createNats(folder);
		const [script = '', stream = ''] = scriptsOf('NATS').map(each => each.replace('4222', String(port)));
		expect(await once(run(stream, exchange), 'exit')).toEqual([0, null]);
		const subjects = async () =>
			(await ask('$JS.API.STREAM.INFO.TAPEWATCH', {subjects_filter: 'tapewatch.*.trade'}))?.state?.subjects;
		const kept = (trades: number) =>
			expect
				.poll(subjects, {interval: 1000})
				.toEqual({'tapewatch.BTCUSDT.trade': trades, 'tapewatch.ETHUSDT.trade': trades});

		const pipe = run(script, exchange);
		await kept(70);

		// It stops reading for a while.
		signal('SIGSTOP');
		exchange.newest = 80;
		await exchange.received(exchange.requests.length + 20);
		signal('SIGCONT');
		await kept(80);

		await close();
		exchange.newest = 90;
		await open();
		await kept(90);
		await end(pipe);

		const last = await ask('$JS.API.STREAM.MSG.GET.TAPEWATCH', {last_by_subj: 'tapewatch.ETHUSDT.trade'});
		const decoded = (part = '') => Buffer.from(part, 'base64').toString();
		const event = JSON.parse(decoded(last?.message?.data));
		expect(schemaFaults('watch-event', event)).toEqual([]);
		expect(event).toMatchObject({type: 'trade', symbol: 'ETHUSDT', id: '90', price: 10.09});
		expect(decoded(last?.message?.hdrs)).toBe(`NATS/1.0\r\nNats-Msg-Id: ${event.eventId}\r\n\r\n`);
		await close();
	});
});
