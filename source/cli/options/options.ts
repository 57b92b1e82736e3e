import type {Origin} from '../../view/panels/settings/model.ts';
import {UsageError} from '../exit.ts';
import {configPath, readConfig} from './config.ts';
import {
	camel,
	demoName,
	type ExchangeAddress,
	type Flags,
	type Settings,
	type SettingValues,
	settings,
} from './option-table.ts';
import type {Field, NotifyWord} from './option-types.ts';
import {colorConvention, readEnvironment, readSettings, variableName} from './settings.ts';

/** Settings that together name the exchange. */
export const namesOfExchange = ['exchange', 'base-url', 'legacy-base-url'] as const;

/** The settings of one run, checked, with defaults filled in. */
export type Options = Omit<SettingValues, 'exchange' | 'baseUrl' | 'legacyBaseUrl' | 'notify'> & {
	/** Absent: the embedded demo exchange. */
	readonly exchange?: ExchangeAddress | undefined;
	/** How the user is called. */
	readonly notify: readonly NotifyWord[];
	/** Where each setting that is no default comes from. */
	readonly origins: Readonly<Partial<Record<keyof Settings, Origin>>>;
};

export type Source = {
	/** For the user. */
	readonly name: string;
	readonly origin: Origin;
	readonly settings: Settings;
	/** Where it has a setting: a flag, a variable, or the file with the line. */
	where(field: Field): string;
};

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

/** The options of a viewer: its own flags and variables go before the settings of the program, of which it has no calls. */
export function viewerOptions(owners: readonly Source[], flags: Flags, env: NodeJS.ProcessEnv): Options {
	const none = Object.fromEntries(settings.flatMap(({key, isOwners}) => (isOwners ? [[key, undefined]] : [])));
	const kept = owners.map(source => ({...source, settings: {...source.settings, ...none}}));
	return mergeSources([commandLineOf(flags), environmentOf(env, {color: colorConvention(env)}), ...kept]);
}

/** Commander sets what `--no-` turns off to false, and to true without that flag. */
function readFlags(flags: Flags): Settings {
	const given = settings.map(({key, flag = ''}) => {
		const value = flags[camel(key)];
		if (key === 'color' && value === false) return [key, 'never'];
		return [key, flag.startsWith('--no-') && value !== false ? undefined : value];
	});
	return readSettings(Object.fromEntries(given), field => `--${field.join('.')}`);
}

/** Takes each setting from the first source that has it, but the exchange as a whole from one source. */
export function mergeSources(sources: readonly Source[]): Options {
	const given: Settings = Object.assign({}, ...sources.toReversed().map(source => withoutAbsent(source.settings)));
	const merged = settings
		.filter(({key}) => !namesOfExchange.some(name => name === key))
		.map(({key, name = camel(key), default: standard}) => [name, given[key as keyof Settings] ?? standard]);
	const values = Object.fromEntries(merged) as SettingValues;
	const exchange = chooseExchange(sources);
	refuseUnconfigured(values.choice, exchange);
	const onAlert = isSilenced(sources) ? undefined : values.onAlert;
	const notify = values.notify ?? ['bell', 'terminal', ...(onAlert ? (['command'] as const) : [])];
	return {...values, exchange, onAlert, notify, origins: originsOf(sources)};
}

const withoutAbsent = (settings: Settings): Settings =>
	Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** The first source that has a setting is the one that counts. */
function originsOf(sources: readonly Source[]): Options['origins'] {
	const weakestFirst = sources
		.toReversed()
		.map(({origin, settings}) => Object.fromEntries(Object.keys(withoutAbsent(settings)).map(name => [name, origin])));
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
