import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {UsageError} from '../../../source/cli/exit.ts';
import type {Settings} from '../../../source/cli/options/option-table.ts';
import {
	mergeSources,
	type Options,
	readOptions,
	type Source,
	viewerOptions,
} from '../../../source/cli/options/options.ts';
import {readEnvironment, readSettings} from '../../../source/cli/options/settings.ts';
import type {Origin} from '../../../source/view/panels/settings/model.ts';

const defaults: Partial<Options> = {
	exchange: undefined,
	choice: 'auto',
	timeoutMs: 5000,
	rate: 5,
	market: undefined,
	period: undefined,
	zone: undefined,
	color: 'auto',
	theme: 'auto',
	palette: 'classic',
	colors: {},
	ascii: false,
	mouse: true,
	title: true,
	notify: ['bell', 'terminal'],
	onAlert: undefined,
	blindAfterMs: 30_000,
	rewindMs: 3_600_000,
	alerts: [],
	holdings: [],
	intervalsMs: {},
	exchanges: {},
	origins: {},
	keys: {},
};

const named = (...settings: readonly Settings[]) =>
	settings.map((each, index) => ({
		name: ['the command line', 'the environment', 'config.toml'][index] ?? '',
		where: () => ['--exchange', 'TAPEWATCH_EXCHANGE', 'config.toml:1'][index] ?? '',
		origin: (['flag', 'environment', 'file'] as const)[index] ?? 'file',
		settings: each,
	}));

const merged = (...settings: readonly Settings[]) => mergeSources(named(...settings));

const noFile = {XDG_CONFIG_HOME: '/nowhere'};

test('without settings there are the defaults and the demo exchange', async () => {
	expect(await readOptions({}, noFile)).toEqual(defaults);
});

/** Every setting: its name in the config file, its texts as flag and as variable, its value in the config file, and what is read. */
const given: ReadonlyArray<
	readonly [name: string, flag: unknown, variable: string, file: unknown, read: Partial<Options>]
> = [
	['interface', 'v2', 'v2', 'v2', {choice: 'v2'}],
	['timeout', '250', '250', 250, {timeoutMs: 250}],
	['rate', '2.5', '2.5', 2.5, {rate: 2.5}],
	['max-rate', '20', '20', 20, {maxRate: 20}],
	['max-body', '2.5', '2.5', 2.5, {maxBytes: 2_500_000}],
	['market', 'btc-usdt', 'btc-usdt', 'btc-usdt', {market: 'btc-usdt'}],
	['period', '15m', '15m', 15, {period: 15}],
	['quote-currency', 'eur', 'eur', 'EUR', {quoteCurrency: 'EUR'}],
	['color', false, 'never', 'never', {color: 'never'}],
	['theme', 'gruvbox-dark', 'gruvbox-dark', 'gruvbox-dark', {theme: 'gruvbox-dark'}],
	['palette', 'blue-orange', 'blue-orange', 'blue-orange', {palette: 'blue-orange'}],
	['ascii', true, 'yes', true, {ascii: true}],
	['mouse', false, 'no', false, {mouse: false}],
	['title', false, '0', false, {title: false}],
	['notify', 'bell, title', 'bell,title', ['bell', 'title'], {notify: ['bell', 'title']}],
	['on-alert', '/bin/call', '/bin/call', '/bin/call', {onAlert: {program: '/bin/call', args: [], isPath: true}}],
	['blind-after', '60', '60', 60, {blindAfterMs: 60_000}],
	['rewind', '2h', '2h', '2h', {rewindMs: 7_200_000}],
	[
		...(['base-url', 'https://api.example.com', 'https://api.example.com', 'https://api.example.com'] as const),
		{exchange: {name: 'api.example.com', baseUrl: 'https://api.example.com/', legacyBaseUrl: undefined}},
	],
];

test('flags, variables and the config file read the same settings', async () => {
	const from = (origin: Origin) => ({
		...Object.assign({}, defaults, ...given.map(([, , , , read]) => read)),
		origins: Object.fromEntries(given.map(([name]) => [name, origin])),
	});
	const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
	const flags = Object.fromEntries(given.map(([name, flag]) => [camel(name), flag]));
	const env = given.map(([name, , text]) => [`TAPEWATCH_${name.toUpperCase().replaceAll('-', '_')}`, text]);
	const config = Object.fromEntries(given.map(([name, , , value]) => [name, value]));
	// Two flags that are no settings.
	expect(await readOptions({...flags, json: true, limit: 5}, noFile)).toEqual(from('flag'));
	expect(merged({}, readEnvironment(Object.fromEntries(env)))).toEqual(from('environment'));
	expect(merged({}, {}, readSettings(config, String))).toEqual(from('file'));
});

test('each setting comes from the first source that has it', () => {
	const settings = fc.record(
		{
			timeout: fc.integer({min: 1, max: 9}),
			rate: fc.integer({min: 1, max: 9}),
			period: fc.integer({min: 1, max: 9}),
			market: fc.constantFrom('A', 'B', 'C'),
			color: fc.constantFrom('auto', 'never', 'always'),
			palette: fc.constantFrom('classic', 'swapped'),
			ascii: fc.boolean(),
			intervals: fc.record({depth: fc.integer({min: 1, max: 9})}),
		},
		{requiredKeys: []},
	);
	fc.assert(
		fc.property(settings, settings, settings, (flags, environment, config) => {
			const {origins, ...all} = merged(flags, environment, config);
			const {origins: _, ...expected} = merged({...config, ...environment, ...flags});
			expect(all).toEqual(expected);
			const from = (given: object, origin: Origin) =>
				Object.fromEntries(Object.keys(given).map(name => [name, origin]));
			expect(origins).toEqual({...from(config, 'file'), ...from(environment, 'environment'), ...from(flags, 'flag')});
		}),
	);
});

test('a command is a way to call if one is given and the ways are not', () => {
	const notifyOf = (settings: object) => merged(readSettings(settings, String)).notify;
	expect(notifyOf({'on-alert': ['notify-send']})).toEqual(['bell', 'terminal', 'command']);
	expect(notifyOf({'on-alert': ['notify-send'], notify: ['bell']})).toEqual(['bell']);
	expect(notifyOf({notify: ''})).toEqual([]);
});

test('a program is not run if a stronger source names other ways to call', () => {
	const program = readSettings({'on-alert': ['notify-send']}, String);
	const bell = readSettings({notify: ['bell']}, String);
	const both = {...program, ...bell};
	expect(merged(bell, program)).toMatchObject({notify: ['bell'], onAlert: undefined});
	for (const sources of [[both], [program, bell]]) expect(merged(...sources).onAlert?.program).toBe('notify-send');
});

test('what the program of an alert gets is no setting', () => {
	expect(readEnvironment({TAPEWATCH_ALERT_MARKET: 'BTCUSDT'})).toEqual(readEnvironment({}));
});

describe('the exchange', () => {
	const exchanges = {mine: {'base-url': 'https://v2.mine.example/', 'legacy-base-url': 'https://v1.mine.example/'}};
	const mine = {
		name: 'mine',
		baseUrl: 'https://v2.mine.example/',
		legacyBaseUrl: 'https://v1.mine.example/',
	};

	test('is the profile that any source names', () => {
		expect(merged({exchange: 'mine'}, {}, {exchanges}).exchange).toEqual(mine);
		expect(merged({}, {exchange: 'mine'}, {exchanges}).exchange).toEqual(mine);
		expect(merged({}, {}, {exchange: 'mine', exchanges}).exchange).toEqual(mine);
	});

	test('is taken from one source: addresses of two are never combined', () => {
		const flags = {'base-url': 'https://other.example/'};
		const environment = {'legacy-base-url': 'https://v1.mine.example/'};
		const other = {name: 'other.example', baseUrl: 'https://other.example/', legacyBaseUrl: undefined};
		expect(merged(flags, environment).exchange).toEqual(other);
		expect(merged(flags, {}, {exchange: 'mine', exchanges}).exchange).toEqual(other);
	});

	test('is the embedded one when demo is named, whatever the config file names', () => {
		expect(merged({exchange: 'demo'}, {}, {exchange: 'mine', exchanges}).exchange).toBeUndefined();
	});

	test('is refused when its profile does not exist', () => {
		expect(() => merged({exchange: 'constructor'}, {}, {exchanges})).toThrow(
			new UsageError('--exchange: unknown exchange constructor (known: mine, demo)'),
		);
	});

	test('is refused when a profile and an address are named together', () => {
		expect(() => merged({}, {exchange: 'mine', 'base-url': 'https://other.example/'}, {exchanges})).toThrow(
			new UsageError('the environment names both the exchange mine and an address; give one of the two'),
		);
	});
});

describe('the environment', () => {
	test('counts an empty variable as unset', () => {
		expect(readEnvironment({TAPEWATCH_TIMEOUT: '', TAPEWATCH_BASE_URL: ''})).toEqual({});
	});

	test.each([
		[{NO_COLOR: '1'}, 'never'],
		[{FORCE_COLOR: '1'}, 'always'],
		[{FORCE_COLOR: '0'}, 'never'],
		[{NO_COLOR: '1', FORCE_COLOR: '3'}, 'always'],
		[{NO_COLOR: '1', TAPEWATCH_COLOR: 'auto'}, 'auto'],
	])('%j means color %s', (env, color) => {
		expect(readEnvironment(env)).toEqual({color});
	});

	test('errors name the wrong variable', () => {
		expect(() => readEnvironment({TAPEWATCH_LEGACY_BASE_URL: 'http://me:secret@host'})).toThrow(
			/^TAPEWATCH_LEGACY_BASE_URL must not contain a user name or password/,
		);
	});
});

test('no error repeats an address that carries a password', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-z]{12}$/), password => {
			const raw = {'base-url': `https://me:${password}@example.com/?q=1#h`};
			let message = '';
			try {
				readSettings(raw, String);
			} catch (error) {
				message = String(error);
			}

			expect(message).toMatch(/^UsageError: /);
			expect(message).not.toContain(password);
		}),
	);
});

test('a viewer has the settings of the server, but neither its holdings nor its alerts', () => {
	const settings: Settings = {
		...{theme: 'light', holdings: [{asset: 'BTC', amount: 1}]},
		alerts: [{rule: 'BTCUSDT last > 1'}],
	};
	const file: Source = {name: 'config.toml', origin: 'file', settings, where: () => 'config.toml'};
	expect(viewerOptions([file], {}, {})).toMatchObject({theme: 'light', holdings: [], alerts: []});
});

test('a viewer passes on no setting in variables, but whether colours are wanted', () => {
	const variables = {TAPEWATCH_MARKET: 'ETHUSDT', TAPEWATCH_THEME: 'light', TAPEWATCH_COLOR: 'always', NO_COLOR: '1'};
	const {market, theme, color} = viewerOptions([], {}, variables);
	expect([market, theme, color]).toEqual([undefined, 'auto', 'never']);
});
