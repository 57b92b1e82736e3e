import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startDemo} from '../../source/demo/server.ts';
import {examples} from '../helpers/examples.ts';
import {readCsv, recordsOf} from '../helpers/separated.ts';
import {findTool} from '../helpers/tools.ts';
import {recordQuarterHour} from '../recording/recordings.ts';
import {newEd25519} from '../serve/key-files.ts';
import {inProcess, startInProcess} from './in-process.ts';

const home = mkdtempSync(join(tmpdir(), 'tapewatch-examples-'));
const file = (name: string): string => join(home, name);
let demo: Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
	demo = await startDemo({});
	writeFileSync(file('call.sh'), '#!/bin/sh\ncat\n');
	chmodSync(file('call.sh'), 0o755);
	writeFileSync(file('keys'), newEd25519());
	mkdirSync(file('tapewatch'));
	const mine = `[exchanges.mine]\nbase-url = "${demo.url}"\nlegacy-base-url = "${demo.url}"\n`;
	writeFileSync(file('tapewatch/config.toml'), `${mine}[[alerts]]\nrule = "BTCUSDT last > 1"\n`);
	const state = {lists: {majors: ['BTCUSDT', 'ETHUSDT']}};
	writeFileSync(file('tapewatch/state.json'), JSON.stringify({version: 1, exchanges: {demo: state}, view: {}}));
});
afterAll(async () => {
	await demo.close();
	rmSync(home, {recursive: true});
});

/** What stands for something of the user's, or takes what this computer may not have. */
const replaced = (line: string): string =>
	line
		.replace(/--out (?=\w+\.twr)/, '--out new-')
		.replaceAll(/https:\/\/(?:api|old)\.example\.com|http:\/\/127\.0\.0\.1:8787/g, demo.url)
		.replaceAll(
			/\b[\w-]+\.twr\b|(?<= export )[\w-]+|\breport\.txt$|\.\/call\.sh|\bkeys$|\bkeys\b(?= --metrics)|~\/\.ssh\/authorized_keys/g,
			name => file(name.replace('./', '').replace(/^~.*/, 'keys')),
		)
		.replace(/0\.0\.0\.0:2222|127\.0\.0\.1:9464/g, '127.0.0.1:0')
		.replace('--anonymous', '--anonymous --listen 127.0.0.1:0')
		.replace('--port 8787', '--port 0')
		// Minutes, at the rate of a polite visitor.
		.replace(/doctor(.*?)(?: --samples 20 --rate 2)?(?= \||$)/, 'doctor$1 --samples 1 --rate 1000');

/** The arguments of a command, of which the shell would take off the quotes. */
const wordsOf = (command: string): readonly string[] =>
	[...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Of a command that does not end by itself: what it has printed when it is interrupted. */
const untilPrinted = (words: readonly string[]): ((stdout: string) => boolean) | undefined => {
	const [command = ''] = words;
	if (words.includes('--recording')) return undefined;
	if (command === 'watch' && words.includes('--json')) return stdout => stdout.includes('"type":"trade"');
	if (command === 'watch') return stdout => marketsOf(words).every(market => stdout.includes(`  ${market}  `));
	if (command === 'record')
		return stdout => /recording/.test(stdout) && marketsOf(words).every(each => stdout.includes(each));
	if (command === 'serve') return stdout => stdout.includes('SHA256:');
	return command === 'demo' ? stdout => stdout.startsWith('DEMO exchange, both interfaces, at http') : undefined;
};

const marketsOf = ([, ...words]: readonly string[]): readonly string[] =>
	words.filter(word => /^[A-Z]+\/?USDT$/.test(word)).map(word => word.replace('/', ''));

/** What a command that ends by itself prints. */
const prints: Readonly<Record<string, RegExp>> = {
	watch: /BTCUSDT/,
	replay: /BTCUSDT.*last crosses 70000|^\d{13}\n/,
	alerts:
		/^DEMO · alerts of demo · 1 rule\n|^BTCUSDT last > 1\n|^bell +not sent|^terminal +not sent.*\ncommand .*: ended with status 0\n/,
	info: /^name +Tapewatch Demo Exchange$/m,
	recording: /^BTCUSDT +180 +180|^\[\]$|^trades +(?:180|360) +1$/m,
	doctor: /^(?:Healthy|No problem found|Usable with)|^(?:v2|legacy) .*: median latency |^$/m,
	setup: /^ {2}v2 .*\n(?:.*\n)* {2}legacy .*\n.* added to /m,
	completion: /tapewatch complete/,
};

const lists: Readonly<Record<string, string>> = {
	markets: 'markets',
	ticker: 'tickers',
	trades: 'trades',
	candles: 'candles',
};

/** The entries that a read has printed, as records of texts. */
function entriesOf(
	command: string,
	words: readonly string[],
	stdout: string,
): ReadonlyArray<Readonly<Record<string, unknown>>> {
	if (words.includes('--json')) return JSON.parse(stdout)[lists[command] ?? 'asks'];
	if (words.includes('csv')) return recordsOf(readCsv(stdout));
	const lines = stdout.trimEnd().split('\n');
	if (words.includes('ndjson')) return lines.map(line => JSON.parse(line));
	const [names = [], ...rows] = lines.slice(1).map(line => line.trim().split(/ {2,}/));
	return rows.map(row => Object.fromEntries(names.map((name, index) => [name.replace(/ \(.*/, ''), row[index] ?? ''])));
}

/** The columns of the table with the values of a field. */
const columnsOf: Readonly<Record<string, readonly string[]>> = {base: ['market'], quantity: ['bid size', 'ask size']};

/** Asserts that a list has what the options of its read ask for. */
function expectPromised(words: readonly string[], stdout: string): void {
	const [command = ''] = words;
	const given = (flag: string) => words[words.indexOf(flag) + 1] ?? '';
	const entries = entriesOf(command, words, stdout);
	expect(entries.length).toBeGreaterThan(0);
	const isNamed = !['depth', 'candles'].includes(command) || !words.includes('csv');
	for (const market of isNamed ? marketsOf(words) : []) expect(stdout.replaceAll('/', '')).toContain(market);
	if (words.includes('--limit')) {
		const sides = command === 'depth' && words.includes('csv') ? 2 : 1;
		expect(entries).toHaveLength(Number(given('--limit')) * sides);
	}

	if (words.includes('--quote'))
		expect(stdout).toMatch(new RegExp(`^(?:DEMO · )?\\w*\\/?${given('--quote')}\\b|^\\w+${given('--quote')}\\b`, 'm'));
	if (!words.includes('--sort')) return;
	const [, minus, field = ''] = /^(-?)(.*)$/.exec(given('--sort')) ?? [];
	for (const column of words.includes('csv') ? [field] : (columnsOf[field] ?? [field])) {
		const values = entries.map(entry => entry[column]).filter(value => value !== '');
		const numbers = values.map(value => Number(String(value).replaceAll(',', '')));
		const sorted = numbers.some(Number.isNaN) ? values.toSorted() : numbers.toSorted((a, b) => a - b);
		expect(new Set(values).size, `values of ${column}`).toBeGreaterThan(1);
		expect(numbers.some(Number.isNaN) ? values : numbers).toEqual(minus ? sorted.toReversed() : sorted);
	}
}

const jq = ['jq' as const];
/** Runs elsewhere, each with the test that does. */
const notRun: Readonly<Record<string, string>> = {
	'tapewatch setup': 'asks: test/e2e/setup.test.ts',
	'tapewatch config edit': 'opens an editor: test/cli/commands/config-command.test.ts',
};
const all = await examples();
const linesOnScreen = (on: boolean) => all.filter(({isOnScreen}) => isOnScreen === on).map(({line}) => line);
const lines = linesOnScreen(false);

test('what is not run is an example', () => {
	expect(lines).toEqual(expect.arrayContaining(Object.keys(notRun)));
});

// The tests of test/e2e draw the screens.
test.each(linesOnScreen(true))('an example of a screen misses only the terminal: %s', async line => {
	const [, ...words] = wordsOf(replaced(line));
	if (words[0] === 'replay') recordQuarterHour(file('day.twr'), 70_000);
	const {stderr, status} = await inProcess(words);
	expect({stderr, status}).toEqual({stderr: expect.stringContaining(' needs a terminal: '), status: 2});
});

// They take some seconds: each of them is run, as users copy them.
describe('an example of the help or of a document shows on the demo exchange what it promises', () => {
	const tagged = lines.filter(line => !(line in notRun)).map(line => ({line, tags: line.includes('| jq ') ? jq : []}));
	for (const {line, tags} of tagged) test(line, {tags}, () => run(line));
});

/** One exchange for all: the embedded one is begun anew by each command. */
const isOfShared = /^tapewatch (?:info|markets|ticker|depth|trades|candles|record|watch)\b(?!.*--(?:recording|list) )/;
const shared = () => ({
	...{TAPEWATCH_BASE_URL: demo.url, TAPEWATCH_LEGACY_BASE_URL: demo.url},
	...{TAPEWATCH_RATE: '1000', TAPEWATCH_DEMO_AT: ''},
});

async function run(line: string): Promise<void> {
	for (const [name] of line.matchAll(/(?<!--out )\b\w+\.twr\b/g))
		if (!existsSync(file(name))) recordQuarterHour(file(name), 70_000);
	// Not within quotes.
	const [command = '', ...after] = replaced(line).split(/ (?:\||&&|>>) (?=(?:[^']*'[^']*')*[^']*$)/);
	const [program, ...words] = wordsOf(command);
	if (program === 'curl') {
		const [, body = '', url = ''] = words;
		expect(await (await fetch(url, {method: 'POST', body})).text()).toContain('reset');
		await fetch(url, {method: 'DELETE'});
		return;
	}

	const config = words[0] === 'setup' ? file('new') : home;
	const isNamed = /example\.com|--exchange/.test(line);
	const named = isNamed ? {TAPEWATCH_DEMO_AT: ''} : isOfShared.test(line) ? shared() : {};
	const env = {XDG_CONFIG_HOME: config, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, ...named};
	const printed = untilPrinted(words);
	const started = startInProcess(words, {env});
	if (printed) {
		await started.wrote(printed);
		started.kill('SIGINT');
	}

	const {stdout, stderr, status} = await started.outcome;
	const [name = ''] = words;
	const notes =
		/^(?:tapewatch: (?:DEMO data|RECORDED|\d+ requests|trying|added to|wrote)\b.*\n| {2}(?:v2|legacy) .*\n)*$/;
	if (!printed) expect(stderr).toMatch(notes);
	// A slow computer makes doctor warn of latency.
	expect(name === 'doctor' ? [0, 3] : printed ? [130] : [0]).toContain(status);
	if (name in lists || name === 'depth') expectPromised(words, stdout);
	const [filter] = after.filter(each => each.startsWith('jq ')).map(wordsOf);
	const piped = filter
		? spawnSync(findTool('jq') ?? '', filter.slice(1), {input: stdout, encoding: 'utf8'}).stdout
		: stdout + stderr;
	expect(piped).toMatch((printed ? undefined : prints[name]) ?? /./);
}
