import {formatExact} from '../../format/number.ts';
import {formatDuration, formatPeriod} from '../../format/time.ts';
import {pollIntervals} from '../../store/polling.ts';
import type {LayoutName} from '../../view/layout.ts';
import {
	type Chosen,
	deliveredIn,
	type FixedSetting,
	groups,
	type SettingsStart,
} from '../../view/panels/settings/model.ts';
import {variableName} from './environment.ts';
import {demoName, type Options} from './options.ts';
import type {Field, Settings} from './settings.ts';

/** How a setting is shown: its value, and the argument of its flag. */
type Shown = {
	value(options: Options): string;
	/** Absent: it has neither a flag nor a variable. */
	readonly argument?: string | undefined;
	/** Default: by its name. */
	readonly flag?: string | undefined;
	/** As it stands in the config file. Default: by its name. */
	readonly field?: string | undefined;
};

const none = 'none';
const seconds = (ms: number): string => `${formatExact(ms / 1000)} s`;
const unlimited = (value: number | undefined): string => (value === undefined ? 'no limit' : formatExact(value));
const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
const namesOf = (table: object): string => Object.keys(table).join(', ') || none;
/** Without its path, where a token can be. */
function addressText(address: string | undefined): string {
	if (address === undefined) return none;
	const {origin, pathname} = new URL(address);
	return pathname === '/' ? origin : `${origin}/…`;
}

/** In this order. */
const shown: Readonly<Record<Exclude<keyof Settings, 'intervals'>, Shown>> = {
	exchange: {argument: 'NAME', value: ({exchange}) => exchange?.name ?? demoName},
	'base-url': {argument: 'URL', value: ({exchange}) => addressText(exchange?.baseUrl)},
	'legacy-base-url': {argument: 'URL', value: ({exchange}) => addressText(exchange?.legacyBaseUrl)},
	exchanges: {field: '[exchanges.NAME]', value: ({exchanges}) => exchanges.join(', ') || none},
	interface: {argument: 'auto, v2 or legacy', value: ({choice}) => choice},
	timeout: {argument: 'MS', value: ({timeoutMs}) => `${formatExact(timeoutMs)} ms`},
	rate: {argument: 'N', value: ({rate}) => `${formatExact(rate)} requests/s`},
	'max-rate': {argument: 'N', value: ({maxRate}) => unlimited(maxRate)},
	'max-body': {
		argument: 'MB',
		value: ({maxBytes}) => (maxBytes === undefined ? 'by operation' : `${formatExact(maxBytes / 1_000_000)} MB`),
	},
	market: {flag: 'the argument MARKET', argument: '', value: ({market}) => market ?? 'the last one'},
	period: {argument: 'PERIOD', value: ({period = 60}) => formatPeriod(period)},
	'quote-currency': {argument: 'ASSET', value: ({quoteCurrency}) => quoteCurrency ?? 'by the exchange'},
	timezone: {argument: 'ZONE', value: ({zone}) => zone?.word ?? 'UTC'},
	color: {argument: 'auto, never or always', value: ({color}) => color},
	theme: {argument: 'NAME', value: ({theme}) => theme},
	palette: {argument: 'NAME', value: ({palette}) => palette},
	ascii: {argument: '', value: ({ascii}) => onOff(ascii)},
	mouse: {flag: '--no-mouse', argument: '', value: ({mouse}) => onOff(mouse)},
	title: {flag: '--no-title', argument: '', value: ({title}) => onOff(title)},
	fps: {argument: 'N', value: ({fps}) => unlimited(fps)},
	rewind: {argument: 'TIME', value: ({rewindMs}) => (rewindMs === 0 ? 'off' : formatDuration(rewindMs))},
	'log-file': {argument: 'FILE', value: ({logFile}) => logFile ?? none},
	notify: {argument: 'WAYS', value: ({notify}) => notify.join(', ') || none},
	'on-alert': {argument: 'PROGRAM', value: ({onAlert}) => onAlertText(onAlert)},
	'blind-after': {argument: 'SECONDS', value: ({blindAfterMs}) => seconds(blindAfterMs)},
	alerts: {field: '[[alerts]]', value: ({alerts}) => formatExact(alerts.length)},
	colors: {field: '[colors]', value: ({colors}) => namesOf(colors)},
	keys: {field: '[keys]', value: ({keys}) => namesOf(keys)},
};

const settingKeys = Object.keys(shown) as readonly (keyof typeof shown)[];

/** Without its arguments, where a token can be. */
const onAlertText = (command: Options['onAlert']): string =>
	command ? [command.program, ...(command.args.length > 0 ? ['…'] : [])].join(' ') : none;

/** A setting with its value at the start of the program. */
export type StartSetting = FixedSetting & {
	/** What gives the value, as a path in the config file. */
	readonly field: Field;
};

/** Every setting. No value has a secret. */
export function startSettings(options: Options): readonly StartSetting[] {
	const {origins, intervalsMs} = options;
	const settings = settingKeys.map((name): StartSetting => {
		const {argument, flag = `--${name}`, field = name, value} = shown[name];
		const flags = argument === undefined ? [] : [`${flag} ${argument}`.trimEnd(), variableName(name)];
		const how = [...flags, `${field} in config.toml`].join(', ');
		const given = isOfExchange(name) ? exchangeField(origins) : name;
		return {name, field: [given], value: value(options), origin: origins[given], how};
	});
	const {depth, trades, tickers, candles, markets} = pollIntervals(intervalsMs);
	const intervals = Object.entries({depth, trades, tickers, candles, markets}).map(([name, ms]): StartSetting => {
		const isGiven = Object.entries(intervalsMs).some(([given, value]) => given === name && value !== undefined);
		const origin = isGiven ? origins.intervals : undefined;
		const how = `${name} in [intervals] of config.toml`;
		return {name: `intervals.${name}`, field: ['intervals', name], value: seconds(ms), origin, how};
	});
	return [...settings, ...intervals];
}

const ofExchange = ['exchange', 'base-url', 'legacy-base-url'] as const;
const isOfExchange = (name: keyof Settings): boolean => ofExchange.some(each => each === name);

/** From the strongest to the weakest. */
const ranked: ReadonlyArray<FixedSetting['origin']> = ['flag', 'environment', 'file'];

/** An address names an exchange, too: that of the strongest source. */
const exchangeField = (origins: Options['origins']): (typeof ofExchange)[number] =>
	ranked.flatMap(origin => ofExchange.filter(name => origin && origins[name] === origin))[0] ?? 'exchange';

/** How the monitor begins with these options. */
export const settingsStart = (options: Options, begun: Chosen, layout: LayoutName): SettingsStart => ({
	...{begun, standard: deliveredIn(layout), origins: options.origins, theme: options.theme, palette: options.palette},
	isRemembered: true,
	fixed: startSettings(options).filter(({name}) => !isOfView(name)),
});

/** Whether it can be changed while the monitor runs. */
const isOfView = (name: string): boolean =>
	groups.some(({settings}) => settings.some(setting => setting.name === name));

/** How the monitor of a viewer begins: what the program was started with is its owner's. */
export const viewerSettings = (options: Options, begun: Chosen, layout: LayoutName): SettingsStart => ({
	...settingsStart(options, begun, layout),
	fixed: [],
});

/** How a replay begins: it asks no exchange and calls nobody, and nothing of it is remembered. */
export const replaySettings = (options: Options, begun: Chosen, layout: LayoutName): SettingsStart => ({
	...settingsStart(options, begun, layout),
	...{origins: {...options.origins, interface: undefined}, isRemembered: false, fixed: []},
});
