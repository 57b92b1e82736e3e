import type {InterfaceChoice} from '../../client/exchange.ts';
import type {Period} from '../../market/types.ts';
import {UsageError} from '../exit.ts';
import {configPath, readConfig} from './config.ts';
import {readSettings, type Settings, settingNames} from './settings.ts';

/** What the user asked for, checked, with every default filled in. */
export type Options = {
	/** Absent: the embedded demo exchange. */
	readonly exchange?: ExchangeAddress | undefined;
	readonly choice: InterfaceChoice;
	readonly timeoutMs: number;
	/** Requests a second to start with. */
	readonly rate: number;
	/** Requests a second at most; absent: as many as the exchange allows. */
	readonly maxRate?: number | undefined;
	/** Any spelling, not yet looked up. */
	readonly market?: string | undefined;
	/** Absent: nobody says; then 1h. */
	readonly period?: Period | undefined;
	readonly color: 'auto' | 'never' | 'always';
	readonly palette: 'classic' | 'swapped' | 'blue-orange';
	readonly ascii: boolean;
	/** Frames a second at most; absent: as many as there are. */
	readonly fps?: number | undefined;
	/** Where failures and recoveries are logged; absent: nowhere. */
	readonly logFile?: string | undefined;
	/** Between two polls; a name that is absent keeps its default. */
	readonly intervalsMs: NonNullable<Settings['intervals']>;
	/** Keys in place of the delivered ones, by the name of what they do. */
	readonly keys: NonNullable<Settings['keys']>;
};

/** At least one of the two addresses is there. */
export type ExchangeAddress = {
	/** The profile's name, or the host of the address. */
	readonly name: string;
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
};

/** One place that settings come from; `name` is how an error speaks of it. */
export type Source = {readonly name: string; readonly settings: Settings};

const demoName = 'demo';

/** What commander read, by its names: `--base-url` is `baseUrl`. Other flags than settings may be among them. */
export type Flags = Readonly<Record<string, unknown>>;

/**
 * Flag, environment, config file, default, in this order.
 * Throws a `UsageError` that names the flag, the variable, or the file with line and field.
 */
export async function readOptions(flags: Flags, env: NodeJS.ProcessEnv): Promise<Options> {
	const path = configPath(env);
	return mergeSources([
		{name: 'the command line', settings: readFlags(flags)},
		{name: 'the environment', settings: readEnvironment(env)},
		{name: path, settings: await readConfig(path)},
	]);
}

const flagKey = (setting: string) => setting.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function readFlags(flags: Flags): Settings {
	const said = settingNames.flatMap(name => {
		// `--no-color` reads as false.
		const value = name === 'color' && flags.color === false ? 'never' : flags[flagKey(name)];
		return value === undefined ? [] : [[name, value] as const];
	});
	return readSettings(Object.fromEntries(said), field => `--${field.join('.')}`);
}

const variableName = (setting: string) => `TAPEWATCH_${setting.toUpperCase().replaceAll('-', '_')}`;

/** An empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv): Settings {
	const said = settingNames.flatMap(name => {
		const value = env[variableName(name)];
		return value ? [[name, value] as const] : [];
	});
	return readSettings({...colorHabit(env), ...Object.fromEntries(said)}, field => variableName(field.join('_')));
}

/** FORCE_COLOR goes before NO_COLOR, as in Node itself. */
function colorHabit(env: NodeJS.ProcessEnv): Settings {
	if (env.FORCE_COLOR) return {color: ['0', 'false'].includes(env.FORCE_COLOR) ? 'never' : 'always'};
	return env.NO_COLOR ? {color: 'never'} : {};
}

/** The first source wins, setting by setting; only the exchange is taken whole from one source. */
export function mergeSources(sources: readonly Source[]): Options {
	const first = <Name extends keyof Settings>(name: Name): Settings[Name] =>
		sources.find(({settings}) => settings[name] !== undefined)?.settings[name];
	const choice = first('interface') ?? 'auto';
	return {
		exchange: chooseExchange(sources),
		choice: choice === 'legacy' ? 'v1' : choice,
		timeoutMs: first('timeout') ?? 5000,
		rate: first('rate') ?? 5,
		maxRate: first('max-rate'),
		market: first('market'),
		period: first('period'),
		color: first('color') ?? 'auto',
		palette: first('palette') ?? 'classic',
		ascii: first('ascii') ?? false,
		fps: first('fps'),
		logFile: first('log-file'),
		intervalsMs: first('intervals') ?? {},
		keys: first('keys') ?? {},
	};
}

/**
 * From the first source that names an exchange at all: two addresses out of two sources could be two exchanges,
 * and then one's book would be shown under the other's trades.
 */
function chooseExchange(sources: readonly Source[]): ExchangeAddress | undefined {
	for (const {name: source, settings} of sources) {
		const {exchange: name, 'base-url': baseUrl, 'legacy-base-url': legacyBaseUrl} = settings;
		if (name !== undefined && (baseUrl ?? legacyBaseUrl) !== undefined) {
			throw new UsageError(`${source} names the exchange ${name} and an address as well: give one of the two`);
		}

		if (name !== undefined) return profileNamed(name, source, sources);
		const address = baseUrl ?? legacyBaseUrl;
		if (address !== undefined) return {name: new URL(address).host, baseUrl, legacyBaseUrl};
	}

	return undefined;
}

function profileNamed(name: string, source: string, sources: readonly Source[]): ExchangeAddress | undefined {
	if (name === demoName) return undefined;
	const profiles: NonNullable<Settings['exchanges']> = Object.assign(
		{},
		...sources.map(({settings}) => settings.exchanges),
	);
	const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
	if (!profile) {
		const known = [...Object.keys(profiles), demoName].join(', ');
		throw new UsageError(`${source} names the exchange ${name}, the config file knows ${known}`);
	}

	return {name, baseUrl: profile['base-url'], legacyBaseUrl: profile['legacy-base-url']};
}
