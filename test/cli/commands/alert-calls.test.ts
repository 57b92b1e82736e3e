import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Alert, Blindness} from '../../../source/alerts/judged-rule.ts';
import {parseRule} from '../../../source/alerts/rule.ts';
import {createAlertCalls} from '../../../source/cli/commands/alert-calls.ts';
import {type AlertCommand, alertCommand, type NotifyWord} from '../../../source/cli/options/option-types.ts';
import {systemClock} from '../../../source/market/clock.ts';
import {createWindowTitle} from '../../../source/terminal/window-title.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {folderOfFile} from '../../helpers/folders.ts';

const folder = folderOfFile();

/** A program of these lines of shell. */
async function program(name: string, ...lines: readonly string[]): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
	await chmod(path, 0o755);
	return path;
}

const ruleOf = (text: string) => parseRule(text, {marketNamed: name => ({key: name}), now: 0});

const alert = (time = 0): Alert => ({
	...{type: 'alert', time, symbol: 'BTCUSDT', values: {last: 1}},
	rule: ruleOf('last > 0'),
});

const blindness = (ended = false): Blindness => ({
	...{type: 'blind', time: 40_000, symbol: 'BTCUSDT', rule: ruleOf('last > 0'), since: 10_000, why: 'timeout', ended},
});

type Setting = {
	readonly command?: AlertCommand;
	readonly runsRules?: boolean;
	readonly notify?: readonly NotifyWord[];
	readonly environment?: NodeJS.ProcessEnv;
	readonly clock?: typeof systemClock;
};

function callsOf({
	command,
	runsRules,
	notify = ['bell', 'terminal', 'command'],
	environment,
	clock = systemClock,
}: Setting) {
	const failures: (string | undefined)[] = [];
	const written: string[] = [];
	const write = (text: string) => written.push(text);
	const calls = createAlertCalls({
		...{
			command,
			runsRules,
			notify,
			environment: {TERM: 'xterm-256color', PATH: process.env.PATH, ...environment},
			clock,
		},
		...{origin: {exchange: 'demo', demo: true, schemaVersion: 1}, onEnd: failure => failures.push(failure)},
		terminal: {write, title: createWindowTitle(write)},
	});
	return {calls, failures, written};
}

const commandOf = (...argv: readonly string[]) => alertCommand(argv);
const pathOf = (path: string) => alertCommand(path);

describe('the program of an alert', () => {
	test('that fails or is missing is said, and one that ends with status 0 as well', async () => {
		const failing = await program('failing', 'exit 3');
		const talking = await program(
			'talking',
			'echo first >&2',
			"printf 'no\\033[31m route\\r\\n\\n' >&2",
			'sleep 9 &',
			'exit 1',
		);
		const wordy = await program('wordy', "printf '%01000000d' 0 >&2", 'exit 4');
		const missing = join(folder, 'missing');
		const forbidden = join(folder, 'forbidden');
		await writeFile(forbidden, '');
		const uninterpreted = join(folder, 'uninterpreted');
		await writeFile(uninterpreted, '#! /no/such/sh\r\necho\n', {mode: 0o755});
		const ends = [];
		for (const path of [
			failing,
			talking,
			wordy,
			missing,
			forbidden,
			'no-such-program-on-path',
			uninterpreted,
			'uninterpreted',
			`${failing}/below`,
			'/bin/true',
		]) {
			const {calls, failures} = callsOf({command: commandOf(path), environment: {PATH: `/bin:${folder}`}});
			calls.call(alert());
			await calls.ended();
			ends.push(...failures);
		}

		expect(ends).toEqual([
			`${failing}: ended with status 3`,
			`${talking}: ended with status 1: no route`,
			`${wordy}: ended with status 4: ${'0'.repeat(200)}`,
			`${missing}: cannot be run: no such program`,
			`${forbidden}: cannot be run: permission denied`,
			'no-such-program-on-path: cannot be run: no such program',
			`${uninterpreted}: cannot be run: there is no "/no/such/sh\\r", its interpreter`,
			'uninterpreted: cannot be run: there is no "/no/such/sh\\r", its interpreter',
			`${failing}/below: cannot be run: ENOTDIR`,
			undefined,
		]);
	});

	test('that hangs is ended after 10 s with all that it started, and three run at once', async () => {
		const started = join(folder, 'started');
		const clock = createFakeClock();
		const path = await program('hanging', 'sleep 1000 &', `echo $! >> ${started}`, 'wait');
		const {calls, failures} = callsOf({command: pathOf(path), clock});
		for (let count = 0; count < 4; count++) calls.call(alert(count));
		const sleepers = async () => (await readFile(started, 'utf8').catch(() => '')).split('\n').filter(Boolean);
		await expect.poll(async () => (await sleepers()).length).toBe(3);
		await clock.advance(9999);
		expect(failures).toEqual([]);
		await clock.advance(1);
		await expect.poll(async () => (await sleepers()).length).toBe(4);
		await clock.advance(10_000);
		await calls.ended();
		expect(failures).toEqual(Array(4).fill(expect.stringMatching(/stopped after 10 s$/)));
		const isAlive = (pid: string) => readFile(`/proc/${pid}/stat`, 'utf8').then(stat => !stat.includes(' Z '));
		for (const pid of await sleepers()) await expect.poll(() => isAlive(pid).catch(() => false)).toBe(false);
	});

	test('that is slow holds up no end: what waits for it is not run, and that is said', async () => {
		const clock = createFakeClock();
		const path = await program('slow', 'exec sleep 5');
		const {calls, failures} = callsOf({command: pathOf(path), clock});
		for (let count = 0; count < 5; count++) calls.call(alert(count));
		const end = calls.ended();
		await clock.advance(1000);
		await end;
		expect(failures).toEqual([`${path}: not run for 2 alerts`]);
	});

	test('gets its arguments, its variables and its input, whatever the exchange or the user wrote', async () => {
		const seen = join(folder, 'seen');
		const path = await program(
			'printing',
			`{ for each; do printf '[%s]' "$each"; done; env | grep ^TAPEWATCH | sort; cat; } > ${seen}.part`,
			`mv ${seen}.part ${seen}`,
		);
		const command = commandOf(path, '{market}', '--m={message}', '{note}', '{rule} {time}', '$(id) `id` {"{market}"}');
		const {calls, failures} = callsOf({command});
		const rule = ruleOf('last > 0 note -e "; rm -rf $HOME\n@x\u001B[31m');
		calls.call({...alert(), symbol: '-A\u0000\u001B]0;x\u0007B\n', rule});
		await calls.ended();
		expect(failures).toEqual([undefined]);
		const note = '-e "; rm -rf $HOME @x';
		const message = `-AB last > 0: last 1, ${note}`;
		const [args, ...lines] = (await readFile(seen, 'utf8')).split('TAPEWATCH_ALERT_');
		const time = '1970-01-01T00:00:00.000Z';
		expect(args).toBe(
			[' -AB ', `--m=${message}`, ` ${note}`, `last > 0 note ${note} ${time}`, '$(id) `id` {"-AB "}']
				.map(each => `[${each}]`)
				.join(''),
		);
		const [rest = '', document = ''] = lines.join('').split(/\n(?=\{)/);
		expect(rest.split('\n')).toEqual([
			'MARKET=-AB ',
			`MESSAGE=${message}`,
			`NOTE=${note}`,
			`RULE=last > 0 note ${note}`,
			`TIME=${time}`,
		]);
		expect(JSON.parse(document)).toMatchObject({type: 'alert', symbol: '-A\u0000\u001B]0;x\u0007B\n', demo: true});
	});

	test('is not run for a blind rule, unless that is wanted', async () => {
		const {calls, failures, written} = callsOf({command: commandOf('/bin/true')});
		calls.call(blindness());
		await calls.ended();
		expect({failures, written}).toEqual({failures: [], written: []});
		const notify = ['bell', 'terminal', 'command', 'blind'] as const;
		const wanted = callsOf({command: commandOf('/bin/true'), notify});
		for (const ended of [false, true]) wanted.calls.call(blindness(ended));
		await wanted.calls.ended();
		expect(wanted.failures).toEqual([undefined]);
		expect(wanted.written).toEqual(['\u0007\u001B]9;! BTCUSDT last > 0: blind since 00:00:10: timeout\u0007']);
	});

	test('is that of the rule where it names one, and none where it names only ways', async () => {
		const called = join(folder, 'called');
		const path = await program('own', `echo "$@" >> ${called}`);
		const rule = (text: string) => ({...alert(), rule: ruleOf(`last > 0 ${text}`)});
		const {calls, failures, written} = callsOf({command: commandOf(path, 'all'), notify: ['title', 'command']});
		calls.call(rule(`call bell,"${path} own '{market}  {note}'" note x`));
		calls.call(rule('call bell'));
		calls.call(alert());
		await calls.ended();
		expect((await readFile(called, 'utf8')).split('\n').sort()).toEqual(['', 'all', 'own BTCUSDT  x']);
		expect(failures).toEqual([undefined, undefined]);
		const bell = '\u0007';
		expect(written.filter(text => text === bell)).toEqual([bell, bell]);
		expect(written.slice(2).join('')).toContain('! BTCUSDT');
	});

	test('is not run of a rule where rules may run none', async () => {
		const {calls, failures, written} = callsOf({notify: [], runsRules: false});
		calls.call({...alert(), rule: ruleOf('last > 0 call bell,"false"')});
		await calls.ended();
		expect({failures, written}).toEqual({failures: [], written: ['\u0007']});
	});

	test('is not run if command is no way to call', async () => {
		const {calls, failures} = callsOf({command: commandOf('/bin/false'), notify: ['bell']});
		calls.call(alert());
		await calls.ended();
		expect(failures).toEqual([]);
	});
});

describe('a notification of the terminal', () => {
	const shown = '! BTCUSDT last > 0: last 1';
	test.each<readonly [environment: NodeJS.ProcessEnv, text: string]>([
		[{}, `\u001B]9;${shown}\u0007`],
		[{TERM: 'xterm-kitty'}, `\u001B]99;;${shown}\u001B\\`],
		[{KITTY_WINDOW_ID: '1'}, `\u001B]99;;${shown}\u001B\\`],
		[{TERM: 'foot'}, `\u001B]777;notify;Tapewatch;${shown}\u0007`],
		[{VTE_VERSION: '7600'}, `\u001B]777;notify;Tapewatch;${shown}\u0007`],
		[{TMUX: '/tmp/tmux'}, `\u001BPtmux;\u001B\u001B]9;${shown}\u0007\u001B\\`],
		[{TMUX: '/tmp/tmux', KITTY_WINDOW_ID: '1'}, `\u001BPtmux;\u001B\u001B]99;;${shown}\u001B\u001B\\\u001B\\`],
		[{STY: '1.pts', KITTY_WINDOW_ID: '1'}, `\u001BP\u001B]99;;${shown}\u0007\u001B\\`],
		[{TERM: 'dumb'}, ''],
	])('follows the bell, with %j', (environment, text) => {
		const {calls, written} = callsOf({environment});
		calls.call(alert());
		expect(written).toEqual([`\u0007${text}`]);
	});

	test('is bounded, and begins with no number, which is a command to some terminals', () => {
		const {calls, written} = callsOf({notify: ['terminal']});
		calls.call({...alert(), symbol: `4;1;50\u0007\u001B]0;x\u001B\\${'A'.repeat(1000)}`});
		expect(written).toEqual([`\u001B]9;! 4;1;50${'A'.repeat(242)}\u0007`]);
	});

	test('says that it is a test', () => {
		const {calls, written} = callsOf({notify: ['terminal']});
		calls.call({...alert(), isTest: true});
		expect(written).toEqual(['\u001B]9;TEST BTCUSDT last > 0: last 1\u0007']);
	});
});

describe('the window title', () => {
	const saved = '\u001B[22;2t';
	const title = '\u001B]2;! BTCUSDT last > 0\u0007';
	const restored = '\u001B]2;\u0007\u001B[23;2t';

	const titleOf = (text: string) => `\u001B]2;${text}\u0007`;

	test('is that of the newest alert that waits, and in the end the one before', async () => {
		const {calls, written} = callsOf({notify: ['title']});
		const [first, second] = [alert(), {...alert(1), symbol: 'ETHUSDT'}];
		calls.call(first);
		calls.waiting([first]);
		calls.call(second);
		calls.waiting([second, first]);
		calls.waiting([first]);
		calls.waiting([first]);
		calls.waiting([]);
		calls.waiting([]);
		calls.call(first);
		await calls.ended();
		expect(written).toEqual([
			...[saved + title, titleOf('! ETHUSDT last > 0'), title, restored],
			...[saved + title, restored],
		]);
	});

	test('says that a rule is blind until it is judged again', () => {
		const {calls, written} = callsOf({notify: ['title', 'blind']});
		const {rule} = blindness();
		calls.call({...blindness(), rule});
		calls.waiting([]);
		calls.call({...blindness(true), rule, symbol: 'ETHUSDT'});
		calls.call({...blindness(true), rule});
		expect(written).toEqual([saved + titleOf('blind: BTCUSDT last > 0'), restored]);
	});

	test('of an alert stays when that of a test ends, and comes back after it', async () => {
		const clock = createFakeClock();
		const {calls, written} = callsOf({notify: ['title'], clock});
		const [tested, first, second] = [{...alert(), isTest: true as const}, alert(), alert(1)];
		calls.call(tested);
		calls.call(first);
		calls.waiting([first]);
		await clock.advance(5000);
		calls.call(tested);
		calls.waiting([first]);
		await clock.advance(5000);
		calls.call(second);
		expect(written).toEqual([
			...[saved + titleOf('TEST BTCUSDT last > 0'), title],
			...[titleOf('TEST BTCUSDT last > 0'), title],
			title,
		]);
	});

	test('of a test is shown for 5 s', async () => {
		const clock = createFakeClock();
		const {calls, written} = callsOf({notify: ['title'], clock});
		calls.call({...alert(), isTest: true});
		await clock.advance(4999);
		expect(written).toEqual([`${saved}\u001B]2;TEST BTCUSDT last > 0\u0007`]);
		await clock.advance(1);
		expect(written.slice(1)).toEqual([restored]);
	});

	test('is given back for the time that another program has the terminal', () => {
		const written: string[] = [];
		const window = createWindowTitle(text => written.push(text));
		window.lend()();
		window.show('A');
		const retake = window.lend();
		retake();
		window.clear();
		expect(written.join('|')).toBe(
			[`${saved}\u001B]2;A\u0007`, restored, `${saved}\u001B]2;A\u0007`, restored].join('|'),
		);
	});
});
