import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {UsageError} from '../../../source/cli/exit.ts';
import {readConfig} from '../../../source/cli/options/config.ts';
import {folderOfFile} from '../../helpers/folders.ts';

const folder = folderOfFile();
const path = join(folder, 'config.toml');

async function read(toml: string) {
	writeFileSync(path, toml);
	return (await readConfig(path)).settings;
}

test('every setting is read, intervals as milliseconds, a byte order mark or not', async () => {
	const toml = `
exchange = "mine"
interface = "legacy"
timeout = 2500
rate = 2.5
market = "btc-usdt"
period = "4h"
color = "always"
palette = "swapped"
ascii = true

[exchanges.mine]
base-url = "https://api.example.com/v"
[exchanges."the other"]
legacy-base-url = "http://10.0.0.7:8080"

[intervals]
depth = 0.5
trades = 2
tickers = 10
candles = 60
markets = 600
`;
	const expected = {
		exchange: 'mine',
		interface: 'legacy',
		timeout: 2500,
		rate: 2.5,
		market: 'btc-usdt',
		period: 240,
		color: 'always',
		palette: 'swapped',
		ascii: true,
		exchanges: {
			mine: {'base-url': 'https://api.example.com/v'},
			'the other': {'legacy-base-url': 'http://10.0.0.7:8080/'},
		},
		intervals: {depth: 500, trades: 2000, tickers: 10_000, candles: 60_000, markets: 600_000},
	};
	expect(await read(toml)).toEqual(expected);
	expect(await read(`\uFEFF${toml}`)).toEqual(expected);
});

test('the ways to call and the rules are read; a rule may be over', async () => {
	const settings = await read(`
notify = ["bell", "blind"]
on-alert = ["notify-send", '{"text": "{message}"}', "{time}"]
blind-after = 45

[[alerts]]
rule = "* changePercent(5m) < -2 every 10m"
[[alerts]]
rule = "BTCUSDT.last > 1 until 2020-01-01"
`);
	expect(settings).toEqual({
		notify: ['bell', 'blind'],
		'on-alert': {program: 'notify-send', args: ['{"text": "{message}"}', '{time}'], isPath: false},
		'blind-after': 45_000,
		alerts: [
			{rule: '* changePercent(5m) < -2 every 10m', where: expect.stringMatching(/config\.toml:7: alerts\.rule$/)},
			{rule: 'BTCUSDT.last > 1 until 2020-01-01', where: expect.stringMatching(/config\.toml:9: alerts\.rule$/)},
		],
	});
});

test('a missing file gives no settings', async () => {
	for (const absent of [join(folder, 'absent.toml'), join(path, 'below-a-file.toml')])
		expect((await readConfig(absent)).settings).toEqual({});
});

describe('a wrong file is refused with line and field, and stays as it is', () => {
	const cases: ReadonlyArray<readonly [problem: string, toml: string, message: string]> = [
		[
			'a string without its end',
			'rate = 5\nmarket = "BTC\n',
			':2:10: the string is not closed: " is missing at its end',
		],
		[
			'a long string without its end',
			'market = """BTC\nrate = 5\n',
			':1:10: the string is not closed: """ is missing at its end',
		],
		[
			'a string without its beginning',
			'market = BTC"\n',
			':1:10: the string is not opened: " is missing at its beginning',
		],
		['text without quotes', 'base-url = https://a.example # mine\n', ':1:12: text needs quotes: "https://a.example"'],
		['a control character', 'market = "a\u0001"\n', ':1:12: the string has a control character; write it as \\u0001'],
		['round quotes', 'market = “BTC”\n', ':1:10: quotes must be straight: " or \''],
		['a large letter', 'title = True\n', ':1:9: True must be in small letters: true'],
		['a comma in a number', 'rate = 2,5\n', ':1:9: decimals are separated by a dot, not a comma'],
		['a unit', 'timeout = 5s\n', ':1:11: 5s is not a number; text needs quotes: "5s"'],
		['no value', 'rate = # five\n', ':1:8: the value is missing'],
		['= twice', 'rate = 5\ntimeout = = 3\n', ':2:11: there is one = too many'],
		['no =', 'rate 5\n', ':1:6: = is missing after the name of the setting'],
		[': in place of =', 'rate: 5\n', ':1:5: a setting and its value are separated by =, not :'],
		['no name', '= 5\n', ':1:1: the name is missing before ='],
		['a setting twice', 'rate = 5\nrate = 6\n', ':2:1: rate is set a second time'],
		['a table without ]', '[keys\nsort = "S"\n', ':1:6: ] is missing after the name of the table'],
		['two values', 'rate = 5 6\n', ':1:10: 6 cannot follow the value: one setting a line, and # before a comment'],
		['a list without a comma', 'on-alert = ["a" "b"]\n', ':1:17: a comma or the end of the list is missing before "b"'],
		[
			'a list without its end',
			'on-alert = ["a",\n"b"\n',
			':3:1: the list or table is not closed: ] or } is missing at its end',
		],
		['another mistake', 'timeout = 2026-99-99\n', ':1:11: not valid TOML: invalid date'],
		[
			'an unknown setting',
			'volume = 11\n',
			':1: volume does not exist; choose from exchange, base-url, legacy-base-url, exchanges, interface, timeout, rate, max-rate, max-body, log-file, color, theme, palette, timezone, ascii, mouse, title, fps, market, period, quote-currency, rewind, notify, on-alert, blind-after, alerts, holdings, colors, keys, intervals',
		],
		[
			'a wrong field of a table',
			'rate = 5\n[intervals] # seconds\nrate = 1\ndepth = 0\n',
			':4: intervals.depth must be a number of seconds from 0.2 to 86400',
		],
		[
			'a wrong field of an exchange',
			'[exchanges.a]\nbase-url = "https://a.example"\n[exchanges."b c"]\nbase-url = "https://me:pw@b.example"\n',
			':4: exchanges.b c.base-url must not contain a user name or password: the interface is public',
		],
		[
			'a misspelled tone',
			'[colors]\nup = "red"\nborde = "#123456"\n',
			':3: colors.borde does not exist; did you mean border?',
		],
		['what is no colour', '[colors]\nup = "redd"\n', ':2: colors.up must be a colour such as #26c281 or bright-green'],
		['an unknown name of a key', '[keys]\n"next-market" = "N"\nsrot = ["ctrl+s"]\n', ':3: keys.srot '],
		[
			'a key that is taken',
			'rate = 5\nkeys.sort = ["ctrl+s", "n"]\n',
			':2: keys.sort cannot take n: it is already the key of next-market; choose another key',
		],
		['what is no list of keys', '[keys]\nsort = 5\n', ':2: keys.sort must be a key or a list of keys'],
		['a misspelled way to call', 'notify = ["bel"]\n', ':1: notify does not know bel, did you mean bell?'],
		[
			'a command that is no list',
			'on-alert = 5\n',
			':1: on-alert must be a list such as ["notify-send", "{market}", "{message}"], or the path of a program',
		],
		['an empty command', 'rate = 5\non-alert = []\n', ':2: on-alert must be a list such as ["notify-send", '],
		[
			'a misspelled placeholder',
			'on-alert = [\n"say",\n"{mesage}",\n]\n',
			':1: on-alert has no {mesage}; did you mean {message}?',
		],
		['a placeholder for the program', 'on-alert = ["{market}"]\n', ':1: on-alert cannot begin with {market}: '],
		['a NUL', 'on-alert = ["say", "a\\u0000b"]\n', ':1: on-alert must not contain a NUL character'],
		[
			'an argument that is too long',
			`on-alert = ["say", "${'a'.repeat(4001)}"]\n`,
			':1: on-alert has an argument of more than 4000 characters',
		],
		[
			'a wrong rule',
			'[[alerts]]\nrule = "BTCUSDT last > 1"\n\n[[alerts]]\nrule = "BTCUSDT lst > 1"\n',
			':5: alerts.rule: unknown quantity lst; did you mean last?\n  BTCUSDT lst > 1\n          ^',
		],
		[
			'a rule without markets',
			'alerts = [{rule = "last > 1"}]\n',
			':1: alerts.rule names no market: begin with one, with *, or with --list NAME\n  last > 1',
		],
		['a table for rules', '[alerts]\nrule = "a"\n', ':1: alerts must be tables [[alerts]]'],
		['an exchange without an address', '[exchanges.a]\n', ':1: exchanges.a needs base-url, legacy-base-url or both'],
		[
			'a dotted key',
			'exchanges.a.base-url = "a"\n',
			':1: exchanges.a.base-url must be an address such as https://api.example.com',
		],
		[
			'an inline table',
			'rate = 1\nintervals = {depth = "x"}\n',
			':2: intervals.depth must be a number of seconds from 0.2 to 86400',
		],
		[
			'a time zone that does not exist',
			'timezone = "Berlin"\n',
			':1: timezone is wrong: there is no time zone Berlin; did you mean Europe/Berlin?',
		],
		['a holding without an amount', '[[holdings]]\nasset = "BTC"\n', ':1: holdings needs asset and amount'],
		[
			'a holding with a cost in nothing',
			'[[holdings]]\nasset = "BTC"\namount = 1\ncost = 5\n',
			':1: holdings needs both cost and quote, or neither',
		],
		[
			'an asset that would act on the terminal',
			'[[holdings]]\nasset = "\\u001b[31mX"\namount = 1\n',
			':2: holdings.asset must be an asset such as BTC',
		],
		[
			'a cost in an asset that reorders the text',
			'[[holdings]]\nasset = "BTC"\namount = 1\ncost = 5\nquote = "\\u202eX"\n',
			':5: holdings.quote must be an asset such as USDT',
		],
		[
			'an asset that is held twice',
			'[[holdings]]\nasset = "BTC"\namount = 1\n[[holdings]]\nasset = "btc"\namount = 2\n',
			':5: holdings.asset is BTC a second time',
		],
		['a key that would poison objects', '[__proto__]\nrate = 1\n', ':1:2: not valid TOML: '],
	];
	test.each(cases)('%s', async (_, toml, message) => {
		const failure = await read(toml).then(
			() => undefined,
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(UsageError);
		const {details} = failure as UsageError;
		expect([(failure as UsageError).message, ...details].join('\n')).toContain(`${path}${message}`);
		expect((failure as UsageError).message).not.toContain('\n');
		expect(readFileSync(path, 'utf8')).toBe(toml);
	});

	test.each([
		['a folder', (place: string) => mkdirSync(place), 'it is a folder'],
		['a pipe', (place: string) => execFileSync('mkfifo', [place]), 'it is not a regular file'],
		['a large file', (place: string) => writeFileSync(place, '#'.repeat(1_000_001)), 'it is larger than a megabyte'],
	] as const)('%s in its place', async (name, create, fault) => {
		const place = join(folder, `${name}.toml`);
		create(place);
		await expect(readConfig(place)).rejects.toThrow(
			new UsageError(`cannot read ${place}: ${fault}; make it a readable file or remove it`),
		);
	});
});
