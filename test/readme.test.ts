import {existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {exitStatus} from '../source/cli/exit.ts';
import {settingNames, variableName} from '../source/cli/options/settings.ts';
import type {Trade} from '../source/market/types.ts';
import {commands} from '../source/view/commands/table.ts';
import {keyHelp} from '../source/view/panels/help/rows.ts';
import {themeNames, toneNames} from '../source/view/theme/names.ts';
import {inProcess} from './cli/in-process.ts';
import {documents, everyDocument} from './helpers/documents.ts';
import {readFiles} from './helpers/source-files.ts';
import {answered, failed, query, recordSample, startedAt, symbol} from './recording/recordings.ts';

const between = (start: string, end: string): string => {
	const from = everyDocument.indexOf(start) + start.length;
	return everyDocument.slice(from, everyDocument.indexOf(end, from)).trim();
};

test('docs/keys.md lists the keys of all commands', () => {
	const rows = keyHelp(commands).map(({where, keys, help}) => `| ${where} | \`${keys}\` | ${help} |`);
	expect(between('commands, checked by a test -->', '<!-- /keys -->').split('\n')).toEqual([
		'| in | key | |',
		'| --- | --- | --- |',
		...rows,
	]);
});

test('docs/configuration.md lists every setting, theme and tone', () => {
	const rows = between('settings: checked by a test -->', '<!-- /settings -->').split('\n').slice(2);
	const named = rows.flatMap(row => row.match(/\bTAPEWATCH_\w+/g) ?? []);
	expect(named.toSorted()).toEqual(settingNames.map(variableName).toSorted());
	const colours = between('## Colours', '## What is saved');
	const words = new Set([...colours.matchAll(/`([a-z0-9-]+)`/g)].map(([, word]) => word));
	expect([...themeNames, ...toneNames].filter(name => !words.has(name) && !/^series[2-5]$/.test(name))).toEqual([]);
});

test('every key that the documents name is a key of a command', () => {
	const text = everyDocument
		.replace(between('commands, checked by a test -->', '<!-- /keys -->'), '')
		.replaceAll(/^```.*?^```$/gms, '');
	const words = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
	const named = words.filter(word => /^[!-~]$/.test(word));
	const keys = new Set(commands.flatMap(command => command.keys));
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter(key => !keys.has(key))).toEqual([]);
});

/** The anchors of the headings, as GitHub names them. */
const anchors = (text: string): readonly string[] =>
	[...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

test('every picture, file and heading that a document links to is there', () => {
	const links = documents.flatMap(({url, text}) =>
		[...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => new URL(link, url)),
	);
	expect(links.length).toBeGreaterThan(20);
	for (const link of links) expect(existsSync(link), link.pathname).toBe(true);
	const broken = links.filter(({hash, pathname}) => {
		const to = documents.find(({url}) => url.pathname === pathname);
		return hash !== '' && !anchors(to?.text ?? '').includes(hash.slice(1));
	});
	expect(broken.map(String)).toEqual([]);
});

const readme = documents.find(({name}) => name === 'README.md')?.text ?? '';

test('the README begins with the commands of the demo and of the tests, and names the Node that package.json needs', () => {
	const [, block = ''] = readme.match(/^```sh\n(.*?)^```/ms) ?? [];
	const commands = block.matchAll(/^npm ci --ignore-scripts && npm (\w+) +# \w/gm);
	expect([...commands].map(([, name]) => name)).toEqual(['start', 'test']);
	const {engines, scripts} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']));
	expect(new Set(readme.match(/\d+\.\d+(?= or newer)/g))).toEqual(new Set([engines.node.replace('>=', '')]));
});

test('CHANGELOG.md dates every version, the newest first, which is that of package.json', () => {
	const changes = documents.find(({name}) => name === 'CHANGELOG.md')?.text ?? '';
	const headings = [...changes.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
	const versions = headings.filter(heading => heading !== '[Unreleased]');
	expect(versions).toEqual(versions.map(() => expect.stringMatching(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/)));
	expect(versions.toSorted((a, b) => b.localeCompare(a, 'en', {numeric: true}))).toEqual(versions);
	const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	expect(versions[0]).toContain(`[${version}]`);
});

test('the README fits on a screen and links to every document', () => {
	expect(readme.split('\n').length).toBeLessThanOrEqual(80);
	const linked = documents.map(({name}) => name).filter(name => readme.includes(`](${name})`));
	expect(linked).toEqual(documents.map(({name}) => name).filter(name => name !== 'README.md'));
});

test('every message that docs/troubleshooting.md explains is one of the program', () => {
	const [, table = ''] = everyDocument.match(/^## Messages\n(.*?)^## /ms) ?? [];
	const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
	const explained = cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message));
	const sources = readFiles('source').map(({text}) => text);
	const parts = explained.flatMap(message => message.split('…').map(part => part.trim()));
	expect(parts.length).toBeGreaterThan(20);
	expect(parts.filter(part => !sources.some(text => text.includes(part)))).toEqual([]);
});

const blocks = (language: string): readonly string[] =>
	[...everyDocument.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** The environment of a user with this config file, a favourite and the list `majors`. */
function homeWith(config: string): Readonly<Record<string, string>> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-readme-'));
	const folder = join(home, 'tapewatch');
	mkdirSync(folder);
	writeFileSync(join(folder, 'config.toml'), config);
	const demo = {favourites: ['BTCUSDT'], lists: {majors: ['BTCUSDT', 'ETHUSDT']}};
	writeFileSync(join(folder, 'state.json'), JSON.stringify({version: 1, exchanges: {demo}, view: {}}));
	return {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home};
}

describe('the recipes of the documents', () => {
	test.each(blocks('toml'))('have a config file that is read:\n%s', async config => {
		// The demo exchange's time is refused for another computer; nothing is asked of it.
		const env = {...homeWith(config), TAPEWATCH_DEMO_AT: ''};
		expect(await inProcess(['alerts'], {env})).toEqual({
			stdout: expect.stringMatching(/./),
			...{stderr: '', status: exitStatus.done},
		});
	});

	test('have a config file whose rules are read', async () => {
		const [config = ''] = blocks('toml').filter(text => text.includes('[[alerts]]'));
		const {stdout, ...ended} = await inProcess(['alerts', '--json'], {env: homeWith(config)});
		expect(ended).toEqual({stderr: '', status: exitStatus.done});
		const rules = [...config.matchAll(/^rule = "(.*)"$/gm)].map(([, rule]) => rule);
		expect(JSON.parse(stdout).rules.map(({rule}: {rule: string}) => rule)).toEqual(rules);
	});

	test('have queries that read a recording', () => {
		const at = (seconds: number) => startedAt + seconds * 1000;
		const trade = (id: number, price: number, quantity: number): Trade => ({
			...{id: String(id), time: at(id), price, quantity, side: 'buy', sideText: 'buy'},
		});
		const book = (ask: number) => ({asks: [[ask, 1]] as const, bids: [[100, 1]] as const});
		const path = recordSample([
			answered.depth(book(101), at(1)),
			answered.depth(book(104), at(2)),
			answered.trades(
				[2, 1, 0].map(id => trade(id, 100 + id, 2 - id)),
				at(2),
			),
			failed({ask: 'depth', market: symbol}, at(30)),
			answered.depth(book(102), at(61)),
		]);
		const sql = [
			...blocks('sh')
				.join('')
				.matchAll(/^sqlite3 [^"]*"([^"]*)"$/gm),
		].map(([, text = '']) => text);
		expect(sql.map(text => query(path, text))).toEqual([
			[
				{utc: '2026-11-22 14:00:00', price: 100, quantity: 2, side: 'buy'},
				{utc: '2026-11-22 14:00:01', price: 101, quantity: 1, side: 'buy'},
				{utc: '2026-11-22 14:00:02', price: 102, quantity: 0, side: 'buy'},
			],
			[
				{minute: '11-22 14:00', 'avg(ask - bid)': 2.5, 'max(ask - bid)': 4},
				{minute: '11-22 14:01', 'avg(ask - bid)': 2, 'max(ask - bid)': 2},
			],
			[
				{market: symbol, operation: 'depth', utc: '2026-11-22 14:00:02', seconds: 59, reason: 'timeout'},
				{market: symbol, operation: 'trades', utc: '2026-11-22 14:00:02', seconds: 59, reason: 'not recorded'},
			],
		]);
		const [inPython] = [
			...blocks('python')
				.join('')
				.matchAll(/read_sql\("([^"]*)"/g),
		].map(([, text = '']) => text);
		expect(query(path, inPython ?? '').map(({id, price}) => ({id, price}))).toEqual([
			...[0, 1, 2].map(id => ({id: String(id), price: 100 + id})),
		]);
	});

	test('do not start a service again that can never run', () => {
		expect(blocks('ini').join()).toContain(`\nRestartPreventExitStatus=${exitStatus.usage}\n`);
	});
});

test('every file of the source that docs/contributing.md names is there', () => {
	const text = readFileSync('docs/contributing.md', 'utf8');
	const named = [...text.matchAll(/`((?:[a-z0-9-]+\/)+[a-z0-9-]+\.ts)`/g)].map(([, file = '']) => file);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter(file => !existsSync(join('source', file)))).toEqual([]);
});
