import {mkdirSync} from 'node:fs';
import {afterAll, expect, onTestFinished, test, vi} from 'vitest';
import {printRule} from '../../../source/alerts/rule.ts';
import {readWatchRules, refuseUnavailable} from '../../../source/cli/commands/watch-rules.ts';
import {readOptions} from '../../../source/cli/options/options.ts';
import {readCondition} from '../../../source/cli/options/rule-options.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openHome} from '../../helpers/folders.ts';
import {inProcess, startInProcess} from '../in-process.ts';
import {startSmallExchange} from '../small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

type User = {
	/** Texts of the rules of the config file. */
	readonly rules?: readonly string[];
	/** What the state file has of the exchange. */
	readonly state?: object;
};

function surroundings({rules = [], state = {}}: User) {
	const tables = rules.map(rule => `[[alerts]]\nrule = '${rule}'\n`);
	return openHome(tables.join(''), {[new URL(exchange.url).host]: state});
}

const argumentsOf = (...args: readonly string[]) => [
	...['watch', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];

const alertsIn = (stdout: string): readonly {readonly symbol: string; readonly rule: string}[] =>
	stdout
		.split('\n')
		.filter(line => line.startsWith('{"type":"alert"'))
		.map(line => JSON.parse(line));

/** The alerts, by rule and market, of a watch that ends when there are as many. */
async function alertsOf(count: number, user: User, ...args: readonly string[]) {
	const run = startInProcess(argumentsOf(...args, '--json'), surroundings(user));
	await run.wrote(stdout => alertsIn(stdout).length >= count);
	run.kill('SIGTERM');
	const {stdout, stderr, status} = await run.outcome;
	const alerts = alertsIn(stdout).map(({rule, symbol}) => `${rule} → ${symbol}`);
	return {alerts: alerts.toSorted(), stderr, status};
}

test('rules of the config file are judged with those of flags, each once, also for markets that are not watched', async () => {
	const user = {rules: ['PEPEBTC last > 1', 'btc-usdt last>1 note a', 'BTCUSDT.last < 1']};
	const flags = ['--alert', 'BTCUSDT last > 1 note a', '--alert', 'last > 2', '--alert', 'BTCUSDT.last > 3'];
	expect(await alertsOf(5, user, 'BTCUSDT', 'ETHUSDT', ...flags)).toEqual({
		alerts: [
			'BTCUSDT last > 1 note a → BTCUSDT',
			'BTCUSDT last > 3 → BTCUSDT',
			'PEPEBTC last > 1 → PEPEBTC',
			'last > 2 → BTCUSDT',
			'last > 2 → ETHUSDT',
		],
		...{stderr: '', status: 143},
	});
});

test('* is each favourite, and --list NAME each market of a list of the state file', async () => {
	const user = {
		rules: ['* last crosses 1 or last > 1', '--list small last crosses 1 or last > 2'],
		state: {favourites: ['ETHUSDT', 'PEPEBTC'], lists: {small: ['PEPEBTC'], other: ['ETHUSDT']}},
	};
	expect(await alertsOf(3, user, 'BTCUSDT')).toEqual({
		alerts: [
			'* last crosses 1 or last > 1 → ETHUSDT',
			'* last crosses 1 or last > 1 → PEPEBTC',
			'--list small last crosses 1 or last > 2 → PEPEBTC',
		],
		...{stderr: '', status: 143},
	});
});

test('tiles judge the rules of the monitor too, each once', async () => {
	const alerts = {
		'BTCUSDT last > 1': {origin: 'user', armedAt: 1, markets: {}},
		'ETHUSDT last > 2': {origin: 'user', isOff: true, armedAt: 1, markets: {}},
	};
	const {env} = surroundings({rules: ['PEPEBTC last > 3'], state: {alerts}});
	for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
	onTestFinished(() => void vi.unstubAllEnvs());
	const options = await readOptions({baseUrl: exchange.url}, env);
	const texts = ['BTCUSDT last > 1', 'last > 4'];
	const read = async (withUsers: boolean) => {
		const {stated} = await readWatchRules(options, {texts, watched: ['BTCUSDT'], withUsers}, createFakeClock());
		return stated.map(({rule, origin, isOff}) => `${origin} ${printRule(rule)}${isOff ? ' off' : ''}`);
	};
	expect(await read(false)).toEqual(['config PEPEBTC last > 3', 'flag BTCUSDT last > 1', 'flag last > 4']);
	expect(await read(true)).toEqual([
		...['config PEPEBTC last > 3', 'user BTCUSDT last > 1', 'user ETHUSDT last > 2 off', 'flag last > 4'],
	]);
});

test('a rule of the config file that has fired is remembered by the next watch, one of a flag is not', async () => {
	const {env} = surroundings({rules: ['PEPEBTC last > 1', 'PEPEBTC last > 2 every 1s']});
	const watch = async (count: number) => {
		const run = startInProcess(argumentsOf('BTCUSDT', '--alert', 'last > 3', '--json'), {env});
		await run.wrote(stdout => alertsIn(stdout).length >= count);
		run.kill('SIGTERM');
		const {stdout, stderr} = await run.outcome;
		return {alerts: alertsIn(stdout).map(({rule}) => rule), stderr};
	};
	const first = await watch(3);
	expect({...first, alerts: first.alerts.toSorted()}).toEqual({
		alerts: ['PEPEBTC last > 1', 'PEPEBTC last > 2 every 1s', 'last > 3'],
		stderr: '',
	});
	expect(await watch(1)).toEqual({
		alerts: ['last > 3'],
		stderr: expect.stringMatching(
			/^tapewatch: PEPEBTC last > 1: fired for PEPEBTC at [-\d]+ [:\d]+ UTC, and without every it will not fire again\n$/,
		),
	});
});

test.each<readonly [what: string, rule: string, state: object, line: string]>([
	['no favourites', '* last > 1', {}, '* last > 1: not judged: there are no favourites (f in the monitor marks them)'],
	['an empty list', '--list a last > 1', {lists: {a: []}}, '--list a last > 1: not judged: the list a is empty'],
])('a rule of %s is noted', async (_, rule, state, line) => {
	const run = startInProcess(argumentsOf('BTCUSDT', '--alert', rule, '--json'), surroundings({state}));
	await run.wrote(stdout => stdout.includes('"trade"'));
	run.kill('SIGTERM');
	const {stderr, status} = await run.outcome;
	expect({stderr, status}).toEqual({stderr: `tapewatch: ${line}\n`, status: 143});
});

test.each<readonly [what: string, args: readonly string[], user: User, message: string]>([
	[
		'a misspelled list',
		['--alert', '--list majros last > 1'],
		{state: {lists: {majors: ['BTCUSDT']}}},
		'tapewatch: --alert: --list majros last > 1: no list majros; did you mean majors? (see tapewatch watch --help)',
	],
	[
		'an unknown list',
		[],
		{rules: ['--list x last > 1'], state: {lists: {majors: [], minors: []}}},
		'config.toml:2: alerts.rule: --list x last > 1: no list x; lists: majors, minors',
	],
	[
		'a list where there is none',
		[],
		{rules: ['--list x last > 1']},
		'config.toml:2: alerts.rule: --list x last > 1: no list x; there are no lists (:list-add in the monitor makes one)',
	],
])('%s is refused', async (_, args, user, message) => {
	expect(await inProcess(argumentsOf('BTCUSDT', ...args), surroundings(user))).toEqual({
		...{stdout: '', stderr: expect.stringContaining(`${message}\n`), status: 2},
	});
});

test('a rule of the config file that this exchange never lets be judged is named by its line', async () => {
	const {env, configFile} = surroundings({rules: ['BTCUSDT last > 1', 'BTCUSDT bid > 1']});
	const {stderr, status} = await inProcess(['watch', 'BTCUSDT', '--base-url', exchange.url], {env});
	const place = `${configFile}:4: alerts.rule`;
	const reason = 'bid is never available: the v2 order book shows no bids; set --legacy-base-url';
	expect({stderr, status}).toEqual({stderr: `tapewatch: ${place}: ${reason}\n`, status: 2});
});

test('a rule of the config file for a market that is not listed is noted', async () => {
	const user = {rules: ['ETHUSD last > 1', 'BTCUSDT last > 1']};
	expect(await alertsOf(2, user, 'BTCUSDT')).toEqual({
		alerts: ['BTCUSDT last > 1 → BTCUSDT', 'ETHUSD last > 1 → ETHUSD'],
		stderr: expect.stringMatching(
			/^tapewatch: ETHUSD last > 1: no market ETHUSD in .*; did you mean ETHUSDT or BTCUSDT\?\n$/,
		),
		status: 143,
	});
});

test('a state file that can be written no more is said at once, and the rules call', async () => {
	const user = surroundings({rules: ['BTCUSDT last > 1']});
	const run = startInProcess(argumentsOf('BTCUSDT', '--json'), user);
	const lock = `${user.stateFile}.lock`;
	mkdirSync(lock);
	await run.wrote(stdout => alertsIn(stdout).length >= 1);
	run.kill('SIGTERM');
	const {stderr, status} = await run.outcome;
	const notice = `cannot use the state file ${user.stateFile}: ${lock} is a folder; favourites, layout and alerts are not saved`;
	expect({stderr, status}).toEqual({stderr: `tapewatch: ${notice}\n`, status: 143});
});

test('--once judges no rules of the config file', async () => {
	const {stdout, status} = await inProcess(
		argumentsOf('BTCUSDT', '--once'),
		surroundings({rules: ['BTCUSDT last > 1']}),
	);
	expect({alerts: stdout.includes('ALERT'), status}).toEqual({alerts: false, status: 0});
});

const v2 = {name: 'a', baseUrl: 'http://a'};
const legacy = {name: 'b', legacyBaseUrl: 'http://b'};

test.each([
	['volume > 1', {...v2, ...legacy}, 'auto', undefined],
	[
		'last > 1 or volume > 1',
		legacy,
		'auto',
		/^--until: volume is never available: the legacy .* unit .* has; set --base-url$/,
	],
	['change > 1', undefined, 'legacy', /^--until: change is never available: .*; use --interface auto$/],
	[
		'BTCUSDT.bidDepth(1%) > 1',
		undefined,
		'v2',
		/^--until: bidDepth\(1%\) is never available: .*; use --interface auto$/,
		false,
	],
	['spread > 1', v2, 'auto', undefined],
	['spread > 1', v2, 'auto', /^--until: spread is never available: the v2 .* no bids; set --legacy-base-url$/, false],
] as const)(
	'of what an exchange never shows: %s with %j and %s: %s',
	(text, address, choice, message, hasV2Bids?: boolean) => {
		const condition = readCondition(text, ['BTCUSDT'], {once: false});
		const check = () => refuseUnavailable({condition, where: '--until'}, {exchange: address, choice}, hasV2Bids);
		if (message) expect(check).toThrow(message);
		else expect(check).not.toThrow();
	},
);
