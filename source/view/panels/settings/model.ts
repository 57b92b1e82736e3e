import {formatPlain} from '../../../format/number.ts';
import {stepSize} from '../../../market/depth.ts';
import type {MarketState} from '../../../store/state.ts';
import type {LayoutName} from '../../arrangement.ts';
import type {PaletteName, ThemeName} from '../../theme/names.ts';
import {initialUi, type UiState} from '../../ui-state.ts';
import {ladderStep} from '../book/rungs.ts';
import {currencyOf} from '../markets/entries.ts';

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

/** What the program chooses where a setting is left to it, by the name of the setting. Absent: that is not known yet. */
export function automaticValues({
	markets,
	depth,
	decimals,
}: Pick<MarketState, 'markets' | 'depth' | 'decimals'>): Readonly<Partial<Record<string, string>>> {
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

/** Stands for what the program chooses by itself. */
export const automatic = 'default';

export const originWords: Readonly<Record<Origin, string>> = {
	flag: 'flag',
	environment: 'environment',
	file: 'config file',
};
