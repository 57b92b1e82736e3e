import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stripControl} from '../../source/format/control.ts';
import {folderOfFile} from '../helpers/folders.ts';
import {inProcess} from './in-process.ts';

const folder = folderOfFile();

let count = 0;
/** The environment with this config file. */
function withConfig(toml: string, name = String(count++)) {
	const home = join(folder, name);
	mkdirSync(join(home, 'tapewatch'), {recursive: true});
	writeFileSync(join(home, 'tapewatch', 'config.toml'), toml);
	return {XDG_CONFIG_HOME: home};
}

type Line = readonly [words: readonly string[], env?: Readonly<Record<string, string>>];

/** Where a person can type something that the program refuses with what was typed. */
const places: Readonly<Record<string, (typed: string) => Line>> = {
	command: typed => [[typed, 'x']],
	help: typed => [['help', `x${typed}`]],
	option: typed => [[`--${typed}`]],
	'option of a command': typed => [['watch', `--${typed}`]],
	'short option': typed => [['info', `-${typed}`]],
	number: typed => [['trades', 'BTCUSDT', '--limit', typed]],
	choice: typed => [['ticker', '--sort', typed]],
	'too many': typed => [['setup', 'x', typed]],
	name: typed => [['setup', typed, '--base-url', 'http://127.0.0.1:1']],
	shell: typed => [['completion', typed]],
	action: typed => [['alerts', typed]],
	time: typed => [['candles', 'BTCUSDT', '--from', typed]],
	market: typed => [['depth', typed]],
	markets: typed => [['watch', '--once', typed]],
	exchange: typed => [['info', '--exchange', typed]],
	address: typed => [['info', '--base-url', typed]],
	'place to listen': typed => [['serve', '--listen', `${typed} :1`]],
	log: typed => [['info', '--log-file', join(folder, 'no', typed)]],
	recording: typed => [['recording', join(folder, typed)]],
	replay: typed => [['replay', join(folder, typed)]],
	condition: typed => [['watch', '--until', typed]],
	rule: typed => [['watch', 'BTCUSDT', '--alert', `lst > 1 ${typed}`]],
	fault: typed => [['demo', '--fault', typed]],
	'name of a variable': typed => [['info', '--timeout', 'x'], {[`TAPEWATCH_${typed}`]: '1'}],
	variable: typed => [['info'], {TAPEWATCH_TIMEZONE: typed}],
	'clock of the demo': typed => [['info'], {TAPEWATCH_DEMO_AT: typed}],
	setting: typed => [['info'], withConfig(`${JSON.stringify(typed)} = 1\n`)],
	'setting of a table': typed => [['info'], withConfig(`[keys]\n${JSON.stringify(typed)} = "n"\n`)],
	value: typed => [['info'], withConfig(`exchange = ${JSON.stringify(typed)}\n`)],
	'rule of the config file': typed => [['info'], withConfig(`[[alerts]]\nrule = ${JSON.stringify(typed)}\n`)],
	'broken config file': typed => [['info'], withConfig(`rate = ${typed}\n`)],
	'folder of the config file': typed => [['info'], withConfig('rate = "x"\n', typed.replaceAll(/[/\0]/g, ''))],
};

const hostile = fc.constantFrom('\u001B[2J', '\u001B]0;x\u0007', '\r', '\n', '\u009B31m', '\u202E', '\u0008', '\u007F');
const typedText = fc
	.tuple(fc.string({unit: 'grapheme', maxLength: 8}), hostile, fc.constant('q'), fc.string({maxLength: 8}))
	.map(parts => parts.join('').replaceAll('\0', ''));

test.each(Object.keys(places))('nothing raw reaches the terminal that a person typed as %s', async place => {
	await fc.assert(
		fc.asyncProperty(typedText, async typed => {
			const [words, env] = places[place]?.(typed) ?? [[]];
			const {stdout, stderr} = await inProcess(words, {env: env ?? {}});
			const lines = `${stdout}${stderr}`.split('\n');
			expect(lines.map(stripControl)).toEqual(lines);
			expect(stderr).toMatch(/^tapewatch: /);
		}),
		{numRuns: 3},
	);
});
