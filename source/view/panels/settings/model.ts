import {formatPlain} from '../../../format/number.ts';
import {formatPeriod} from '../../../format/time.ts';
import {stepSize} from '../../../market/depth.ts';
import type {Assets} from '../../../market/fill.ts';
import {interfaceChoices} from '../../../market/types.ts';
import type {MarketState} from '../../../store/state.ts';
import {arrangementFor, type LayoutName, presetNames} from '../../arrangement.ts';
import {type PaletteName, paletteNames, type ThemeName, themeNames} from '../../theme/names.ts';
import {initialUi, type UiState} from '../../ui-state.ts';
import {bookViews} from '../book/book-state.ts';
import {ladderStep} from '../book/rungs.ts';
import {chartTypes, indicatorNames} from '../chart/chart-state.ts';
import {isSettable, lengthsText} from '../chart/indicator-lengths.ts';
import {currencyOf, sortNames} from '../markets/entries.ts';

/** Where a value is given for the start of the program. */
export type Origin = 'flag' | 'environment' | 'file';

/** A setting of the start, which cannot be changed while the program runs. */
export type FixedSetting = {
	readonly name: string;
	readonly value: string;
	/** Absent: it is the default. */
	readonly origin?: Origin | undefined;
	/** What changes it at the next start. */
	readonly how: string;
};

/** What settings in the view depend on. */
export type Chosen = {
	readonly ui: UiState;
	readonly market: Pick<MarketState, 'period' | 'choice'>;
};

/** How the view began, and by what. */
export type SettingsStart = {
	readonly begun: Chosen;
	/** Without flags, environment, config file and state file. */
	readonly standard: Chosen;
	/** By the name of the setting. Absent: it is remembered, or the default. */
	readonly origins: Readonly<Partial<Record<string, Origin>>>;
	/** The theme and the palette unless others are set. */
	readonly theme: ThemeName;
	readonly palette: PaletteName;
	/** Whether the view is remembered. */
	readonly isRemembered: boolean;
	readonly fixed: readonly FixedSetting[];
};

/** What the names of values depend on. */
export type Place = {
	readonly layout: LayoutName;
	readonly assets: Assets;
	/** What the program chooses by itself, by the name of the setting. Absent: that is not known yet. */
	readonly automatic?: Readonly<Partial<Record<string, string>>> | undefined;
};

/** What the program chooses where a setting is left to it. */
export function automaticValues({
	markets,
	depth,
	decimals,
}: Pick<MarketState, 'markets' | 'depth' | 'decimals'>): NonNullable<Place['automatic']> {
	return {
		columns: 'as many as fit',
		...(markets.status === 'ready' && {'quote-currency': currencyOf(markets.data, undefined)}),
		...(depth.status === 'ready' && {
			grouping: formatPlain(stepSize(ladderStep(depth.data, decimals, undefined))),
		}),
	};
}

/** As delivered, on a screen of this size. */
export const deliveredIn = (layout: LayoutName): Chosen => ({
	ui: initialUi(layout),
	market: {period: 60, choice: 'auto'},
});

const delivered = deliveredIn('standard');
/** Of a view of which nothing else is known. */
export const deliveredStart: SettingsStart = {
	...{begun: delivered, standard: delivered, origins: {}},
	...{theme: 'auto', palette: 'classic', isRemembered: false, fixed: []},
};

type View = Chosen & Place & Pick<SettingsStart, 'theme' | 'palette'>;

type ViewSetting = {
	readonly name: string;
	/** Its value, as `set` takes it. */
	value(view: View): string;
	/** The values that Enter goes through. Absent: there are too many. */
	readonly words?: readonly string[] | undefined;
	/** What it takes, if no command of its name says so. */
	readonly takes?: string | undefined;
	/** It is of a market or of a session, and not remembered. */
	readonly isForgotten?: boolean | undefined;
};

export const onOff = ['on', 'off'] as const;
/** Stands for what the program chooses by itself. */
export const automatic = 'default';
export const zoneText = 'local, UTC or a zone such as Europe/Berlin';
export const currencyText = `an asset such as USDT, or ${automatic}`;

const switched = (name: string, isOn: (ui: UiState) => boolean): ViewSetting => ({
	...{name, words: onOff},
	value: ({ui}) => (isOn(ui) ? 'on' : 'off'),
});

/** `20 50`, `on` or `off`. */
const indicator = (name: (typeof indicatorNames)[number]): ViewSetting => ({
	name,
	value({ui: {chart}}) {
		if (!chart.indicators.has(name)) return 'off';
		return isSettable(name) ? lengthsText(chart.lengths[name]) : 'on';
	},
	...(!isSettable(name) && {words: onOff}),
});

type Group = {readonly title: string; readonly settings: readonly ViewSetting[]};

/** What can be changed in the view, in the order of the list. */
export const groups: readonly Group[] = [
	{
		title: 'Everywhere',
		settings: [
			{name: 'timezone', takes: zoneText, value: ({ui}) => ui.zone.word},
			{name: 'palette', words: paletteNames, value: ({ui, palette}) => ui.palette ?? palette},
			{name: 'theme', words: themeNames, value: ({ui, theme}) => ui.theme ?? theme},
			{
				name: 'layout',
				words: presetNames,
				value: ({ui, layout}) => arrangementFor(layout, ui.layouts).preset,
			},
			{
				...{name: 'interface', words: interfaceChoices, isForgotten: true},
				value: ({market: {choice}}) => choice,
			},
			{...switched('mouse', ({mouse}) => mouse), isForgotten: true},
		],
	},
	{
		title: 'Markets',
		settings: [
			{name: 'sort', words: sortNames, value: ({ui}) => ui.picker.sort},
			{name: 'columns', value: ({ui}) => ui.picker.columns?.join(' ') ?? automatic},
			{
				...{name: 'quote-currency', takes: currencyText, isForgotten: true},
				value: ({ui}) => ui.picker.currency ?? automatic,
			},
			switched('reverse-sort', ({picker}) => picker.reversed),
			switched('active-only', ({picker}) => picker.activeOnly),
		],
	},
	{
		title: 'Chart',
		settings: [
			{name: 'period', value: ({market}) => formatPeriod(market.period)},
			{name: 'chart-type', words: chartTypes, value: ({ui}) => ui.chart.type},
			switched('logarithmic', ({chart}) => chart.log),
			...indicatorNames.map(indicator),
		],
	},
	{
		title: 'Book',
		settings: [
			{name: 'book-view', words: bookViews, value: ({ui}) => ui.book.view},
			{name: 'total', words: ['total', 'value'], value: ({ui}) => ui.book.total},
			{
				name: 'grouping',
				value: ({ui: {book}}) => (book.grouping ? formatPlain(stepSize(book.grouping)) : automatic),
			},
		],
	},
	{
		title: 'Tape',
		settings: [
			{
				...{name: 'min', isForgotten: true},
				value: ({ui: {tape}, assets}) =>
					tape.minimum.size === 0
						? 'off'
						: [formatPlain(tape.minimum.size), assets[tape.minimum.unit]?.toLowerCase()].filter(Boolean).join(' '),
			},
			switched('merge-fills', ({tape}) => tape.merged),
		],
	},
];

/** A row of the list. */
export type Entry = {
	readonly name: string;
	readonly group: string;
	readonly value: string;
	/** Where the value comes from. */
	readonly source: string;
	/** What happens at the next start, if the value was changed; undefined: nothing was. */
	readonly later?: string | undefined;
	/** The values that Enter goes through. Absent: there are too many. */
	readonly words?: readonly string[] | undefined;
	/** What it takes; absent: that follows from `words`, or the command of its name says so. */
	readonly takes?: string | undefined;
	/** What changes it at the next start, if nothing does now. */
	readonly how?: string | undefined;
};

export const originWords: Readonly<Record<Origin, string>> = {
	flag: 'flag',
	environment: 'environment',
	file: 'config file',
};

const fixedTitle = 'At the start';

/** Every setting with its present value and where that comes from. */
export function settingEntries(now: Chosen, start: SettingsStart, place: Place): readonly Entry[] {
	const valueIn = (chosen: Chosen, {value}: ViewSetting, {theme, palette}: SettingsStart = start) =>
		value({...chosen, ...place, theme, palette});
	const shown = groups.flatMap(({title, settings}) =>
		settings.map((setting): Entry => {
			const {name, words, takes} = setting;
			const value = valueIn(now, setting);
			const present = value === automatic ? (place.automatic?.[name] ?? value) : value;
			const of = {name, group: title, value: present, words, takes};
			const origin = start.origins[name];
			if (value !== valueIn(start.begun, setting)) {
				return {...of, source: 'set now', later: laterText(setting, origin, start)};
			}

			if (origin !== undefined) return {...of, source: originWords[origin]};
			const standard = valueIn(start.standard, setting, deliveredStart);
			return {...of, source: value === standard ? 'default' : 'remembered'};
		}),
	);
	const fixed = start.fixed.map(
		({name, value, origin, how}): Entry => ({
			...{name, group: fixedTitle, value, how},
			source: origin === undefined ? 'default' : originWords[origin],
		}),
	);
	return [...shown, ...fixed];
}

function laterText({isForgotten}: ViewSetting, origin: Origin | undefined, {isRemembered}: SettingsStart): string {
	// A flag is given for one start.
	if (origin !== undefined && origin !== 'flag') return `next time as the ${originWords[origin]} says`;
	return isForgotten || !isRemembered ? 'not remembered' : 'remembered';
}
