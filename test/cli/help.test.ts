import {describe, expect, test} from 'vitest';
import {demoHelp, mainHelp, watchHelp} from '../../source/cli/help.ts';
import {settingNames} from '../../source/cli/options/settings.ts';
import {faultNames, faults} from '../../source/demo/faults/table.ts';
import {operationNames} from '../../source/demo/operations.ts';
import {commands as delivered} from '../../source/view/commands/table.ts';
import {keyLabel} from '../../source/view/keys.ts';
import {inProcess} from './in-process.ts';

test('help names every command', async () => {
	const {stdout, stderr, status} = await inProcess(['--help']);
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	const [, list = ''] = stdout.split('\nCommands:\n');
	const commands = list.split('\n\n', 1)[0]?.match(/^ {2}[a-z]+/gm);
	expect(commands?.map(name => name.trim())).toEqual([
		...['monitor', 'watch', 'info', 'markets', 'ticker', 'depth', 'trades', 'candles', 'doctor', 'demo', 'help'],
	]);
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

describe('help has examples', () => {
	test.each(['monitor', 'watch', 'info', 'markets', 'ticker', 'depth', 'trades', 'candles', 'demo'])(
		'of %s',
		async name => {
			const {stdout, stderr, status} = await inProcess([name, '--help']);
			expect({stderr, status}).toEqual({stderr: '', status: 0});
			expect(stdout).toMatch(/\nExamples:\n {2}tapewatch/);
		},
	);
});

test.each([
	['monitor', '--base-url --color --palette --ascii --fps'],
	['watch', '--until --base-url --json --color --palette --ascii --fps'],
	['depth', '--retry --base-url --json --ascii'],
	['trades', '--retry --limit --base-url --json --ascii'],
	['doctor', '--samples --base-url --json --ascii'],
	['demo', '--seed --json'],
])('help of %s lists its options and none of other commands', async (name, expected) => {
	const ofSome = '--base-url --json --color --palette --ascii --fps --retry --limit --until --samples --seed'.split(
		' ',
	);
	const {stdout} = await inProcess([name, '--help']);
	const listed = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].flatMap(([, flag]) => flag ?? []);
	expect(listed.filter(flag => ofSome.includes(flag))).toEqual(expected.split(' '));
});

test('the help of watch names the default keys', () => {
	const labels = (name: string) => delivered.find(command => command.name === name)?.keys.map(key => keyLabel(key));
	expect(watchHelp).toContain(`the quit key (${labels('quit')})`);
	expect(watchHelp).toContain(`as ${labels('interrupt')} does`);
});
