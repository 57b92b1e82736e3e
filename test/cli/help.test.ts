import {beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {settingNames} from '../../source/cli/options/settings.ts';
import {demoHelp, mainHelp, watchHelp} from '../../source/cli/program/help.ts';
import {faultNames, faults} from '../../source/demo/faults/table.ts';
import {operationNames} from '../../source/demo/operations.ts';
import {commands as delivered} from '../../source/view/commands/table.ts';
import {keyLabel} from '../../source/view/keys.ts';
import {inProcess} from './in-process.ts';

const commands = [
	'monitor',
	'watch',
	'record',
	'replay',
	'alerts',
	'info',
	'markets',
	'ticker',
	'depth',
	'trades',
	'candles',
	'recording',
	'doctor',
	'serve',
	'setup',
	'config',
	'demo',
	'completion',
];

test('help names every command', async () => {
	const {stdout, stderr, status} = await inProcess(['--help']);
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	const [, list = ''] = stdout.split('\nCommands:\n');
	const listed = list.split('\n\n', 1)[0]?.match(/^ {2}[a-z]+/gm);
	expect(listed?.map(name => name.trim())).toEqual([...commands, 'help']);
});

test('help without a command lists the options of the monitor, as its own help does', async () => {
	const optionsIn = async (...args: readonly string[]) => {
		const {stdout} = await inProcess([...args, '--help']);
		return new Set(stdout.match(/^ {2}(?:-\w, )?--[\w-]+/gm));
	};
	const options = await optionsIn();
	expect(options).toEqual(await optionsIn('monitor'));
	expect([...options]).toContain('  --record');
});

test('help of a command lists only the display options that change something about it', async () => {
	const lists = async (command: string, flag: string) =>
		(await inProcess([command, '--help'])).stdout.includes(`\n  ${flag} `);
	const [colorless, ascii]: string[][] = [[], []];
	for (const command of commands) {
		if (!(await lists(command, '--no-color'))) colorless?.push(command);
		if (!(await lists(command, '--ascii'))) ascii?.push(command);
	}

	const screens = ['monitor', 'watch', 'replay', 'serve'];
	expect(colorless).toEqual(commands.filter(command => !screens.includes(command)));
	expect(ascii).toEqual(['record', 'setup', 'demo', 'completion']);
});

test('help names every variable that is read', () => {
	const variables = settingNames.map(name => `TAPEWATCH_${name.toUpperCase().replaceAll('-', '_')}`);
	expect(mainHelp.match(/TAPEWATCH_\w+/g)?.toSorted()).toEqual(variables.toSorted());
});

test('help of demo names every operation and every fault, each with what it does', () => {
	const help = demoHelp();
	for (const name of operationNames) expect(help).toContain(name);
	const listed = [...help.matchAll(/^ {4}(\S+) +(\S.*)$/gm)].map(([, name, text]) => [name, text]);
	expect(listed).toEqual(faultNames.map(name => [name, faults[name].help]));
});

test.each(commands)('help of %s fits into 80 columns, but for commands to copy', async name => {
	const lines = (await inProcess([name, '--help'])).stdout.split('\n');
	expect(lines.filter(line => line.length > 80 && !/^ {2}(?:tapewatch|curl) /.test(line))).toEqual([]);
});

test.each([0, 7, 45, 300])('help says the same on a terminal of %i columns', async columns => {
	const words = async () => (await inProcess(['watch', '--help'])).stdout.split(/\s+/);
	const usual = await words();
	const own = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
	Object.defineProperty(process.stdout, 'columns', {value: columns, configurable: true});
	onTestFinished(() => {
		if (own) Object.defineProperty(process.stdout, 'columns', own);
		else Reflect.deleteProperty(process.stdout, 'columns');
	});
	expect(await words()).toEqual(usual);
});

test('the main help fits into 80 columns, but for commands to copy', async () => {
	const lines = (await inProcess(['--help'])).stdout.split('\n');
	expect(lines.filter(line => line.length > 80 && !line.startsWith('  tapewatch '))).toEqual([]);
});

describe('help has examples', () => {
	test.each(commands)('of %s', async name => {
		const {stdout, stderr, status} = await inProcess([name, '--help']);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(stdout).toMatch(/\nExamples:\n {2}tapewatch/);
	});
});

describe('help lists all options that a command takes, and no others', () => {
	/** A value for each placeholder. */
	const values: Readonly<Record<string, string>> = {
		...{
			URL: 'http://127.0.0.1:1',
			NAME: 'demo',
			WHICH: 'auto',
			MS: '1000',
			N: '5',
			WHEN: 'never',
			FILE: 'log',
			MB: '5',
		},
		...{ADDRESS: '127.0.0.1:0', WAYS: 'bell', PROGRAM: '/bin/true', RULE: 'last > 1'},
		...{
			PERIOD: '15m',
			SECONDS: '5',
			DURATION: '5s',
			CONDITION: 'last > 1',
			TIME: '2026-11-20',
			ASSET: 'EUR',
			FAULT: 'v2.depth=hang',
		},
		...{
			'--output': 'json',
			...{'--sort': 'symbol', 'depth --sort': 'price'},
			'--palette': 'classic',
			'--theme': 'dark',
			'--blind-after': '60',
			'--rewind': '2h',
			'--timezone': 'Europe/Berlin',
		},
	};
	/** Each option in the help of a command, as it can be given. */
	const lists = new Map<string, readonly string[]>();
	beforeAll(async () => {
		for (const command of commands) {
			lists.set(command, optionsIn((await inProcess([command, '--help'])).stdout, command));
		}
	});
	const optionsIn = (help: string, command = ''): readonly string[] =>
		[...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: <(\w+)>)?/gm)].map(([, flag = '', placeholder]) =>
			placeholder === undefined
				? flag
				: `${flag}=${values[`${command} ${flag}`] ?? values[flag] ?? values[placeholder]}`,
		);
	const endsAtOnce = ['--help', '--version'];
	/** Accepted by all commands, and listed where they have an effect. */
	const displayOptions = async (): Promise<readonly string[]> => {
		const [, group = ''] = /^Display options .*\n((?: .*\n)+)/m.exec((await inProcess(['--help'])).stdout) ?? [];
		return optionsIn(group);
	};
	/** What a command needs beside an option. */
	const needed: Readonly<Record<string, readonly string[]>> = {
		...{depth: ['BTCUSDT'], candles: ['BTCUSDT'], trades: ['BTCUSDT']},
		...{record: ['BTCUSDT', '--out=day.twr'], completion: ['bash'], replay: ['day.twr'], recording: ['day.twr']},
	};

	test('the display options are those of colours, characters, times, mouse, title and updates', async () => {
		expect(await displayOptions()).toEqual([
			...['--color=never', '--no-color', '--theme=dark', '--palette=classic', '--timezone=Europe/Berlin'],
			...['--ascii', '--no-mouse', '--no-title', '--fps=5'],
		]);
	});

	test.each(commands)('%s takes all display options, before and after its name, as an alias gives them', async name => {
		const options = await displayOptions();
		// Refused before anything is done.
		const words = name === 'demo' ? ['--port=x'] : (needed[name] ?? []);
		const env = {TAPEWATCH_TIMEOUT: 'x'};
		const without = await inProcess([name, ...words], {env});
		for (const line of [
			[...options, name, ...words],
			[name, ...options, ...words],
			[name, ...words, ...options],
		])
			expect(await inProcess(line, {env}), line.join(' ')).toEqual(without);
	});

	test.each(commands)('%s', async name => {
		const all = new Set([...lists.values()].flat());
		const display = await displayOptions();
		const own = [...(lists.get(name) ?? []), ...display];
		expect(all.size).toBeGreaterThan(own.length);
		const help = `(see tapewatch ${name === 'monitor' ? '' : `${name} `}--help)\n`;
		for (const option of [...all].filter(option => !endsAtOnce.includes(option))) {
			const words = option.startsWith('--market-id') ? [] : (needed[name] ?? []);
			// Read after the command line, and refused before anything is done.
			const env = {TAPEWATCH_TIMEOUT: 'never'};
			const {stderr, status} = await inProcess([name, option, ...words], {env});
			// A shell reads the script when it starts, whatever the environment.
			if (name === 'completion' && own.includes(option)) {
				expect({stderr, status}, option).toEqual({stderr: '', status: 0});
				continue;
			}

			expect(status, option).toBe(2);
			if (own.includes(option)) expect(stderr, option).toContain('TAPEWATCH_TIMEOUT must be a number of milliseconds');
			else expect(stderr.endsWith(help), `${option}: ${stderr}`).toBe(true);
		}
	});
});

test('the help of watch names the default keys', () => {
	const labels = (name: string) => delivered.find(command => command.name === name)?.keys.map(key => keyLabel(key));
	expect(watchHelp).toContain(`the quit key (${labels('quit')})`);
	expect(watchHelp).toContain(`as ${labels('interrupt')} does`);
});
