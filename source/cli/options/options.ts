import type {InterfaceChoice} from '../../client/exchange.ts';
import type {Zone} from '../../format/zone.ts';
import type {Period} from '../../market/types.ts';
import {hourMs} from '../../market/units.ts';
import type {Origin} from '../../view/panels/settings/model.ts';
import type {PaletteName, ThemeName, ToneColors} from '../../view/theme/names.ts';
import {UsageError} from '../exit.ts';
import type {CallCommand, NotifyWord} from './call-settings.ts';
import {configPath, readConfig} from './config.ts';
import {variableName} from './environment.ts';
import {type ConfigRule, type Field, readSettings, type Settings, settingNames} from './settings.ts';

/** The settings of one run, checked, with defaults filled in. */
export type Options = {
	/** Absent: the embedded demo exchange. */
	readonly exchange?: ExchangeAddress | undefined;
	readonly choice: InterfaceChoice;
	readonly timeoutMs: number;
	/** Requests per second to start with. */
	readonly rate: number;
	/** Most requests per second; absent: as many as the exchange allows. */
	readonly maxRate?: number | undefined;
	/** Of an answer's body. Absent: by operation. */
	readonly maxBytes?: number | undefined;
	/** In any spelling, not looked up yet. */
	readonly market?: string | undefined;
	/** Absent: the period saved in the state file, else 1h. */
	readonly period?: Period | undefined;
	/** Of the volumes in the list of markets, in capitals; absent: the exchange's usual one. */
	readonly quoteCurrency?: string | undefined;
	/** Of the times that people read; absent: the one saved in the state file, else UTC. */
	readonly zone?: Zone | undefined;
	readonly color: 'auto' | 'never' | 'always';
	readonly theme: ThemeName;
	readonly palette: PaletteName;
	/** In place of the theme's. */
	readonly colors: ToneColors;
	readonly ascii: boolean;
	/** Whether the monitor asks the terminal to report the mouse. */
	readonly mouse: boolean;
	/** Whether the terminal's title shows market and price. */
	readonly title: boolean;
	/** Most screen updates per second; absent: no limit. */
	readonly fps?: number | undefined;
	readonly logFile?: string | undefined;
	/** How the user is called. */
	readonly notify: readonly NotifyWord[];
	readonly onAlert?: CallCommand | undefined;
	/** Data that is older than this cannot be judged. */
	readonly blindAfterMs: number;
	/** For how long what the monitor reads is kept to step back to; 0: not. Default an hour. */
	readonly rewindMs: number;
	/** The rules of the config file. */
	readonly alerts: readonly ConfigRule[];
	/** Between two polls; an absent name keeps its default. */
	readonly intervalsMs: NonNullable<Settings['intervals']>;
	/** Names of the exchanges of the config file. */
	readonly exchanges: readonly string[];
	/** Where each setting that is no default comes from. */
	readonly origins: Readonly<Partial<Record<keyof Settings, Origin>>>;
	/** Keys that replace the default ones, by command. */
	readonly keys: NonNullable<Settings['keys']>;
};

/** Has at least one of the two addresses. */
export type ExchangeAddress = {
	/** The profile's name, or the host of the address. */
	readonly name: string;
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
};

export type Source = {
	/** For the user. */
	readonly name: string;
	readonly origin: Origin;
	readonly settings: Settings;
	/** Where it has a setting: a flag, a variable, or the file with the line. */
	where(field: Field): string;
};

/** The name of the embedded exchange. */
export const demoName = 'demo';

/** The options that commander parsed, by its names: `--base-url` is `baseUrl`. Not all of them are settings. */
export type Flags = Readonly<Record<string, unknown>>;

/**
 * Merges flags, environment, config file and defaults, in this order of precedence. Rejects with a `UsageError` that names
 * the flag, the variable, or the file with line and field.
 */
export async function readOptions(flags: Flags, env: NodeJS.ProcessEnv): Promise<Options> {
	return mergeSources(await readSources(flags, env));
}

/** Flags, environment and config file, the strongest first. Rejects as `readOptions` does. */
export async function readSources(flags: Flags, env: NodeJS.ProcessEnv): Promise<readonly Source[]> {
	const path = configPath(env);
	return [commandLineOf(flags), environmentOf(env), await fileSource(path)];
}

const commandLineOf = (flags: Flags): Source => ({
	...{name: 'the command line', origin: 'flag', settings: readFlags(flags)},
	where: ([name = '']) => (flags[name] === false ? `--no-${name}` : `--${name}`),
});

function environmentOf(env: NodeJS.ProcessEnv, settings = readEnvironment(env)): Source {
	const convention = env.FORCE_COLOR ? 'FORCE_COLOR' : 'NO_COLOR';
	const where = ([name = '']: Field) =>
		name === 'color' && !env[variableName(name)] ? convention : variableName(name);
	return {name: 'the environment', origin: 'environment', settings, where};
}

/** The settings of the config file at `path` alone. Rejects as `readConfig` does. */
async function fileSource(path: string): Promise<Source> {
	const {settings, lineOf} = await readConfig(path);
	const where = (field: Field) => [path, lineOf(field)].filter(part => part !== undefined).join(':');
	return {name: path, origin: 'file', settings, where};
}

/** Settings of the owner that act on the owner's computer, or call the owner. */
const ownersSettings = ['alerts', 'log-file', 'notify', 'on-alert'] as const;

/** The options of a viewer: its own flags and variables go before the settings of the program, of which it has no calls. */
export function viewerOptions(owners: readonly Source[], flags: Flags, env: NodeJS.ProcessEnv): Options {
	const kept = owners.map(source => {
		const none = Object.fromEntries(ownersSettings.map(name => [name, undefined]));
		return {...source, settings: {...source.settings, ...none}};
	});
	return mergeSources([commandLineOf(flags), environmentOf(env, {color: colorConvention(env)}), ...kept]);
}

const flagKey = (setting: string) => setting.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function readFlags(flags: Flags): Settings {
	const entries = settingNames.map(name => [name, flags[flagKey(name)]]);
	// Commander sets `color` to false for `--no-color`.
	const noColor = flags.color === false ? {color: 'never'} : {};
	// Without `--no-mouse`, commander sets `mouse` to true.
	const unlessOff = (name: string) => (flags[name] === false ? false : undefined);
	const switches = {mouse: unlessOff('mouse'), title: unlessOff('title')};
	return readSettings({...Object.fromEntries(entries), ...noColor, ...switches}, field => `--${field.join('.')}`);
}

/** An empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv): Settings {
	const entries = settingNames.map(name => [name, env[variableName(name)] || undefined]);
	const color = env[variableName('color')] || colorConvention(env);
	return readSettings({...Object.fromEntries(entries), color}, field => variableName(field.join('_')));
}

/** FORCE_COLOR overrides NO_COLOR, as in Node itself. */
function colorConvention(env: NodeJS.ProcessEnv): Settings['color'] {
	if (env.FORCE_COLOR) return ['0', 'false'].includes(env.FORCE_COLOR) ? 'never' : 'always';
	return env.NO_COLOR ? 'never' : undefined;
}

const bytesOf = (megabytes: number | undefined): number | undefined => megabytes && megabytes * 1_000_000;

/** Takes each setting from the first source that has it, but the exchange as a whole from one source. */
export function mergeSources(sources: readonly Source[]): Options {
	const first = <Name extends keyof Settings>(name: Name): Settings[Name] =>
		sources.find(({settings}) => settings[name] !== undefined)?.settings[name];
	const exchange = chooseExchange(sources);
	const choice = first('interface') ?? 'auto';
	refuseUnconfigured(choice, exchange);
	const onAlert = isSilenced(sources) ? undefined : first('on-alert');
	return {
		exchange,
		choice,
		timeoutMs: first('timeout') ?? 5000,
		rate: first('rate') ?? 5,
		maxRate: first('max-rate'),
		maxBytes: bytesOf(first('max-body')),
		market: first('market'),
		period: first('period'),
		quoteCurrency: first('quote-currency'),
		zone: first('timezone'),
		color: first('color') ?? 'auto',
		theme: first('theme') ?? 'auto',
		palette: first('palette') ?? 'classic',
		colors: first('colors') ?? {},
		ascii: first('ascii') ?? false,
		mouse: first('mouse') ?? true,
		title: first('title') ?? true,
		fps: first('fps'),
		logFile: first('log-file'),
		notify: first('notify') ?? ['bell', 'terminal', ...(onAlert ? (['command'] as const) : [])],
		onAlert,
		blindAfterMs: first('blind-after') ?? 30_000,
		rewindMs: first('rewind') ?? hourMs,
		alerts: first('alerts') ?? [],
		intervalsMs: first('intervals') ?? {},
		exchanges: Object.keys(first('exchanges') ?? {}),
		origins: originsOf(sources),
		keys: first('keys') ?? {},
	};
}

/** The first source that has a setting is the one that counts. */
function originsOf(sources: readonly Source[]): Options['origins'] {
	const weakestFirst = sources.toReversed().map(({origin, settings}) => {
		const given = Object.entries(settings).filter(([, value]) => value !== undefined);
		return Object.fromEntries(given.map(([name]) => [name, origin]));
	});
	return Object.assign({}, ...weakestFirst);
}

/** Whether a source leaves `command` out of `notify`, and a weaker one sets the program: it is not to be run this time. */
function isSilenced(sources: readonly Source[]): boolean {
	const at = sources.findIndex(({settings}) => settings.notify !== undefined);
	const program = sources.findIndex(({settings}) => settings['on-alert'] !== undefined);
	return at >= 0 && at < program && sources[at]?.settings.notify?.includes('command') === false;
}

/** Throws a `UsageError` if the exchange has no address of the one interface that is chosen. */
function refuseUnconfigured(choice: Settings['interface'], exchange: ExchangeAddress | undefined): void {
	if (!exchange || choice === 'auto') return;
	const [address, name] =
		choice === 'v2' ? [exchange.baseUrl, 'base-url'] : [exchange.legacyBaseUrl, 'legacy-base-url'];
	if (address !== undefined) return;
	throw new UsageError(`interface ${choice} is chosen, but ${exchange.name} has no ${name}; set it, or choose auto`);
}

/**
 * Takes the exchange from the first source that names one. Addresses from two sources could be two exchanges, and the book
 * of one would be shown with the trades of the other.
 */
function chooseExchange(sources: readonly Source[]): ExchangeAddress | undefined {
	for (const {name: source, origin, where, settings} of sources) {
		const {exchange: name, 'base-url': baseUrl, 'legacy-base-url': legacyBaseUrl} = settings;
		if (name !== undefined && (baseUrl ?? legacyBaseUrl) !== undefined) {
			throw new UsageError(`${source} names both the exchange ${name} and an address; give one of the two`);
		}

		const place = where(['exchange']);
		if (name !== undefined) return profileNamed(name, origin === 'file' ? `${place}: exchange` : place, sources);
		const address = baseUrl ?? legacyBaseUrl;
		if (address !== undefined) return {name: new URL(address).host, baseUrl, legacyBaseUrl};
	}

	return undefined;
}

function profileNamed(name: string, place: string, sources: readonly Source[]): ExchangeAddress | undefined {
	if (name === demoName) return undefined;
	const profiles: NonNullable<Settings['exchanges']> = Object.assign(
		{},
		...sources.map(({settings}) => settings.exchanges),
	);
	const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
	if (!profile) {
		const names = [...Object.keys(profiles), demoName].join(', ');
		throw new UsageError(`${place}: unknown exchange ${name} (known: ${names})`);
	}

	return {name, baseUrl: profile['base-url'], legacyBaseUrl: profile['legacy-base-url']};
}
