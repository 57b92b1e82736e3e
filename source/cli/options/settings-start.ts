import {formatExact} from '../../format/number.ts';
import {pollIntervals} from '../../store/polling.ts';
import {settingNames} from '../../view/commands/view-settings.ts';
import type {LayoutName} from '../../view/layout.ts';
import {type Chosen, deliveredIn, type FixedSetting, type SettingsStart} from '../../view/panels/settings/model.ts';
import {camel, longOf, type SettingOf, type Settings, settings} from './option-table.ts';
import {type Field, orWords} from './option-types.ts';
import {namesOfExchange, type Options} from './options.ts';
import {variableName} from './settings.ts';

/** A setting with its value at the start of the program. */
export type StartSetting = FixedSetting & {
	/** What gives the value, as a path in the config file. */
	readonly field: Field;
};

/** Every setting. No value has a secret. */
export function startSettings(options: Options): readonly StartSetting[] {
	const {origins, intervalsMs, exchange} = options;
	const values: Readonly<Record<string, unknown>> = options;
	const shown = settings
		.filter(({key}) => key !== 'intervals')
		.map((setting): StartSetting => {
			const {key, name = camel(key), show} = setting;
			const given = namesOfExchange.some(each => each === key) ? exchangeField(origins) : key;
			const value = show?.(values[name], exchange) ?? '';
			return {name: key, field: [given], value, origin: origins[given as keyof Settings], how: howToSet(setting)};
		});
	const {depth, trades, tickers, candles, markets} = pollIntervals(intervalsMs);
	const intervals = Object.entries({depth, trades, tickers, candles, markets}).map(([name, ms]): StartSetting => {
		const isGiven = Object.entries(intervalsMs).some(([given, value]) => given === name && value !== undefined);
		const origin = isGiven ? origins.intervals : undefined;
		const how = `${name} in [intervals] of config.toml`;
		const value = `${formatExact(ms / 1000)} s`;
		return {name: `intervals.${name}`, field: ['intervals', name], value, origin, how};
	});
	return [...shown, ...intervals];
}

/** `--fps N, TAPEWATCH_FPS, fps in config.toml`. */
function howToSet({key, flag, table, type}: SettingOf): string {
	if (table !== undefined) return `${table} in config.toml`;
	const argument = type.words && !type.isList ? orWords(type.words) : (/<(.*)>/.exec(flag ?? '')?.[1] ?? '');
	const given = flag === undefined ? `the argument ${key.toUpperCase()}` : `${longOf({flag})} ${argument}`.trimEnd();
	return `${given}, ${variableName(key)}, ${key} in config.toml`;
}

/** From the strongest to the weakest. */
const ranked: ReadonlyArray<FixedSetting['origin']> = ['flag', 'environment', 'file'];

/** An address names an exchange, too: that of the strongest source. */
const exchangeField = (origins: Options['origins']): (typeof namesOfExchange)[number] =>
	ranked.flatMap(origin => namesOfExchange.filter(name => origin && origins[name] === origin))[0] ?? 'exchange';

/** How the monitor begins with these options. */
export const settingsStart = (options: Options, begun: Chosen, layout: LayoutName): SettingsStart => ({
	...{begun, standard: deliveredIn(layout), origins: options.origins, theme: options.theme, palette: options.palette},
	isRemembered: true,
	fixed: startSettings(options).filter(({name}) => !settingNames.includes(name)),
});

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
