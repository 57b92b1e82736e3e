import {formatExact} from '../../format/number.ts';
import {formatDuration} from '../../format/time.ts';
import {pollIntervals} from '../../store/polling.ts';
import type {LayoutName} from '../../view/layout.ts';
import {type Chosen, deliveredIn, type FixedSetting, type SettingsStart} from '../../view/panels/settings/model.ts';
import {variableName} from './environment.ts';
import {demoName, type Options} from './options.ts';
import type {Settings} from './settings.ts';

/** How a setting of the start is shown: its value, and the argument of its flag. */
type Shown = {
	readonly name: keyof Settings;
	value(options: Options): string;
	/** Absent: it has neither a flag nor a variable. */
	readonly argument?: string | undefined;
	/** Default: by its name. */
	readonly flag?: string | undefined;
};

const none = 'none';
const seconds = (ms: number): string => `${formatExact(ms / 1000)} s`;
const unlimited = (value: number | undefined): string => (value === undefined ? 'no limit' : formatExact(value));

const shown: readonly Shown[] = [
	{name: 'exchange', argument: 'NAME', value: ({exchange}) => exchange?.name ?? demoName},
	{name: 'timeout', argument: 'MS', value: ({timeoutMs}) => `${formatExact(timeoutMs)} ms`},
	{name: 'rate', argument: 'N', value: ({rate}) => `${formatExact(rate)} requests/s`},
	{name: 'max-rate', argument: 'N', value: ({maxRate}) => unlimited(maxRate)},
	{
		...{name: 'max-body', argument: 'MB'},
		value: ({maxBytes}) => (maxBytes === undefined ? 'by operation' : `${formatExact(maxBytes / 1_000_000)} MB`),
	},
	{name: 'color', argument: 'auto, never or always', value: ({color}) => color},
	{name: 'ascii', argument: '', value: ({ascii}) => (ascii ? 'on' : 'off')},
	{name: 'title', flag: '--no-title', argument: '', value: ({title}) => (title ? 'on' : 'off')},
	{name: 'fps', argument: 'N', value: ({fps}) => unlimited(fps)},
	{name: 'rewind', argument: 'TIME', value: ({rewindMs}) => (rewindMs === 0 ? 'off' : formatDuration(rewindMs))},
	{name: 'log-file', argument: 'FILE', value: ({logFile}) => logFile ?? none},
	{name: 'notify', argument: 'WAYS', value: ({notify}) => notify.join(', ') || none},
	{
		name: 'on-alert',
		argument: 'PROGRAM',
		value: ({onAlert}) => (onAlert ? [onAlert.program, ...onAlert.args].join(' ') : none),
	},
	{name: 'blind-after', argument: 'SECONDS', value: ({blindAfterMs}) => seconds(blindAfterMs)},
	{name: 'alerts', value: ({alerts}) => formatExact(alerts.length)},
	{name: 'colors', value: ({colors}) => Object.keys(colors).join(', ') || none},
	{name: 'keys', value: ({keys}) => Object.keys(keys).join(', ') || none},
];

/** How the monitor begins with these options. */
export const settingsStart = (options: Options, begun: Chosen, layout: LayoutName): SettingsStart => ({
	...{begun, standard: deliveredIn(layout), origins: options.origins, theme: options.theme, palette: options.palette},
	isRemembered: true,
	fixed: fixedSettings(options),
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

/** What only the start of the program sets, with what sets it. */
export function fixedSettings(options: Options): readonly FixedSetting[] {
	const {origins, intervalsMs} = options;
	const settings = shown.map(({name, argument, flag = `--${name}`, value}): FixedSetting => {
		const flags = argument === undefined ? [] : [`${flag} ${argument}`.trimEnd(), variableName(name)];
		const table = name === 'alerts' ? '[[alerts]]' : name === 'keys' || name === 'colors' ? `[${name}]` : name;
		return {
			name,
			value: value(options),
			origin: originOf(name, options),
			how: [...flags, `${table} in config.toml`].join(', '),
		};
	});
	const {depth, tape, tickers, candles, markets} = pollIntervals(intervalsMs);
	const intervals = Object.entries({depth, trades: tape, tickers, candles, markets}).map(([name, ms]): FixedSetting => {
		const isGiven = Object.entries(intervalsMs).some(([given, value]) => given === name && value !== undefined);
		const origin = isGiven ? origins.intervals : undefined;
		return {name: `intervals.${name}`, value: seconds(ms), origin, how: `${name} in [intervals] of config.toml`};
	});
	return [...settings, ...intervals];
}

/** From the strongest to the weakest. */
const ranked: ReadonlyArray<FixedSetting['origin']> = ['flag', 'environment', 'file'];

/** An address names an exchange, too. */
function originOf(name: keyof Settings, {origins}: Options): FixedSetting['origin'] {
	if (name !== 'exchange') return origins[name];
	const given = [origins.exchange, origins['base-url'], origins['legacy-base-url']];
	return ranked.find(origin => given.includes(origin));
}
