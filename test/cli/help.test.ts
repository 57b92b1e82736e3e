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
	'holdings',
	'recording',
	'doctor',
	'serve',
	'setup',
	'config',
	'demo',
	'completion',
];

/** The help of the program, under an empty name, and of each command. */
const helps = new Map<string, string>();
beforeAll(async () => {
	for (const name of ['', ...commands]) {
		const {stdout, stderr, status} = await inProcess(name === '' ? ['--help'] : [name, '--help']);
		expect({stderr, status}, name).toEqual({stderr: '', status: 0});
		helps.set(name, stdout);
	}
});
const helpOf = (name: string): string => helps.get(name) ?? '';

test('help names every command', () => {
	const [, list = ''] = helpOf('').split('\nCommands:\n');
	const listed = list.split('\n\n', 1)[0]?.match(/^ {2}[a-z]+/gm);
	expect(listed?.map(name => name.trim())).toEqual([...commands, 'help']);
});

test('help without a command lists the options of the monitor, as its own help does', () => {
	const optionsIn = (name: string) => new Set(helpOf(name).match(/^ {2}(?:-\w, )?--[\w-]+/gm));
	expect(optionsIn('')).toEqual(optionsIn('monitor'));
	expect([...optionsIn('')]).toContain('  --record');
});

test('help of a command lists only the display options that change something about it', () => {
	const without = (flag: string) => commands.filter(command => !helpOf(command).includes(`\n  ${flag} `));
	const screens = ['monitor', 'watch', 'replay', 'serve'];
	expect(without('--no-color')).toEqual(commands.filter(command => !screens.includes(command)));
	expect(without('--ascii')).toEqual(['record', 'setup', 'demo', 'completion']);
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

test('help fits into 80 columns, but for commands to copy, of which every command has some', () => {
	const lines = [...helps.values()].flatMap(help => help.split('\n'));
	expect(lines.filter(line => line.length > 80 && !/^ {2}(?:tapewatch|curl) /.test(line))).toEqual([]);
	expect(commands.filter(name => !/\nExamples:\n {2}tapewatch/.test(helpOf(name)))).toEqual([]);
});

test.each([0, 7, 45, 300])('help says the same on a terminal of %i columns', async columns => {
	const own = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
	Object.defineProperty(process.stdout, 'columns', {value: columns, configurable: true});
	onTestFinished(() => {
		if (own) Object.defineProperty(process.stdout, 'columns', own);
		else Reflect.deleteProperty(process.stdout, 'columns');
	});
	expect((await inProcess(['watch', '--help'])).stdout.split(/\s+/)).toEqual(helpOf('watch').split(/\s+/));
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
	/** How many commands share the trial of an option that none of them takes. */
	const sharing = 4;
	const optionsIn = (help: string, command = ''): readonly string[] =>
		[...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: <(\w+)>)?/gm)].map(([, flag = '', placeholder]) =>
			placeholder === undefined
				? flag
				: `${flag}=${values[`${command} ${flag}`] ?? values[flag] ?? values[placeholder]}`,
		);
	const endsAtOnce = ['--help', '--version'];
	/** Accepted by all commands, and listed where they have an effect. */
	const displayOptions = (): readonly string[] => {
		const [, group = ''] = /^Display options .*\n((?: .*\n)+)/m.exec(helpOf('')) ?? [];
		return optionsIn(group);
	};
	/** What a command needs beside an option. */
	const needed: Readonly<Record<string, readonly string[]>> = {
		...{depth: ['BTCUSDT'], candles: ['BTCUSDT'], trades: ['BTCUSDT']},
		...{record: ['BTCUSDT', '--out=day.twr'], completion: ['bash'], replay: ['day.twr'], recording: ['day.twr']},
	};

	test('the display options are those of colours, characters, times, mouse, title and updates', () => {
		expect(displayOptions()).toEqual([
			...['--color=never', '--no-color', '--theme=dark', '--palette=classic', '--timezone=Europe/Berlin'],
			...['--ascii', '--no-mouse', '--no-title', '--fps=5'],
		]);
	});

	test.each(commands)('%s takes all display options, before and after its name, as an alias gives them', async name => {
		const options = displayOptions();
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

	/** What excludes others: a recording is read without an exchange, and an id takes the place of a market. */
	const excluding = /^--(?:recording|at|from|to|market-id)\b/;

	test.each(commands)('%s', async name => {
		const all = [...new Set(commands.flatMap(command => optionsIn(helpOf(command), command)))];
		const own = [...optionsIn(helpOf(name), name), ...displayOptions()];
		expect(all.length).toBeGreaterThan(own.length);
		// Read after the command line, and refused before anything is done.
		const env = {TAPEWATCH_TIMEOUT: 'never'};
		const compatible = own.filter(option => !endsAtOnce.includes(option) && !excluding.test(option));
		for (const options of [compatible, ...own.filter(option => excluding.test(option)).map(option => [option])]) {
			const words = options[0]?.startsWith('--market-id') ? [] : (needed[name] ?? []);
			const {stderr, status} = await inProcess([name, ...options, ...words], {env});
			const what = options.join(' ');
			// A shell reads the script when it starts, whatever the environment.
			if (name === 'completion') expect({stderr, status}, what).toEqual({stderr: '', status: 0});
			else expect(stderr, what).toContain('TAPEWATCH_TIMEOUT must be a number of milliseconds');
		}

		const turn = commands.indexOf(name) % sharing;
		for (const option of all.filter((each, index) => !own.includes(each) && index % sharing === turn)) {
			const {stderr, status} = await inProcess([name, option, ...(needed[name] ?? [])], {env});
			expect(status, option).toBe(2);
			const help = `(see tapewatch ${name === 'monitor' ? '' : `${name} `}--help)\n`;
			expect(stderr.endsWith(help), `${option}: ${stderr}`).toBe(true);
		}
	});
});

test('the help of watch names the default keys', () => {
	const labels = (name: string) => delivered.find(command => command.name === name)?.keys.map(key => keyLabel(key));
	expect(watchHelp).toContain(`the quit key (${labels('quit')})`);
	expect(watchHelp).toContain(`as ${labels('interrupt')} does`);
});
