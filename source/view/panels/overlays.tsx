import {memo, useEffect, useMemo} from 'react';
import {pairName} from '../../market/symbol.ts';
import type {Interface} from '../../market/types.ts';
import {liveSkew} from '../../store/clock-skew.ts';
import type {Comparison} from '../../store/comparison.ts';
import type {DiagnosisStore} from '../../store/diagnosis.ts';
import {selectedMarket} from '../../store/state.ts';
import {stampsAhead} from '../../store/trade-time.ts';
import type {Command} from '../commands/command.ts';
import {type DrawnLevels, drawnLevelsOf} from '../drawn-levels.ts';
import type {LayoutName} from '../layout.ts';
import {Pane} from '../pane.tsx';
import {isStale, type PanelProps} from '../resource-panel.ts';
import type {UiState} from '../ui-state.ts';
import {
	useAlerts,
	useComparison,
	useDiagnosis,
	useMarket,
	useMarketValue,
	useNow,
	usePanelView,
	useSame,
} from '../use-market.ts';
import {lastPrices, neverJudgedIn} from './alerts/list.ts';
import {alertsPanel} from './alerts/rows.ts';
import type {CompareState} from './compare/compare-state.ts';
import {comparePanel, olderWanted} from './compare/rows.ts';
import {diagnosisPanel} from './diagnosis/rows.ts';
import {type HelpPanelInput, helpPanel} from './help/rows.ts';
import {infoPanel} from './info/rows.ts';
import {levelsPanel} from './levels/rows.ts';
import {automaticValues, deliveredStart, type SettingsStart, settingEntries} from './settings/model.ts';
import {settingsPanel} from './settings/rows.ts';

type HelpOverlayProps = PanelProps & Pick<HelpPanelInput, 'commands' | 'place' | 'find' | 'scroll'>;

export const HelpOverlay = memo((props: HelpOverlayProps) => {
	const view = usePanelView(props);
	return <Pane lines={helpPanel({...props, ...view})} size={view.size} />;
});

export const InfoOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const view = usePanelView(props);
	const {info} = useMarket('info');
	const lines = infoPanel({...view, info, scroll: props.scroll, now: useNow()});
	return <Pane lines={lines} size={view.size} stale={isStale(info)} />;
});

type DiagnosisOverlayProps = PanelProps & {readonly store: DiagnosisStore; readonly scroll: number};

export const DiagnosisOverlay = memo(({store, scroll, ...props}: DiagnosisOverlayProps) => {
	const view = usePanelView(props);
	const lines = diagnosisPanel({
		...{...view, scroll, ...useMarket('budget'), now: useNow()},
		diagnosis: useDiagnosis(store),
		skewMs: useMarketValue(liveSkew),
		stampsAheadMs: useMarketValue(({trades: tape}) => stampsAhead(tape)),
	});
	return <Pane lines={lines} size={view.size} />;
});

type AlertsOverlayProps = PanelProps & {
	readonly cursor: string | undefined;
	/** Of the exchange. */
	readonly interfaces: readonly Interface[];
};

export const AlertsOverlay = memo(({cursor, interfaces, ...props}: AlertsOverlayProps) => {
	const view = usePanelView(props);
	const state = useMarket('symbol', 'trades', 'tickers', 'depth', 'choice');
	const lastOf = useMemo(() => lastPrices(state), [state]);
	const neverJudged = useMemo(() => neverJudgedIn(interfaces, state), [interfaces, state]);
	const lines = alertsPanel({...view, alerts: useAlerts(), cursor, lastOf, neverJudged, now: useNow()});
	return <Pane lines={lines} size={view.size} />;
});

type LevelsOverlayProps = PanelProps & {readonly levels: DrawnLevels; readonly cursor: number | undefined};

export const LevelsOverlay = memo(({levels, cursor, ...props}: LevelsOverlayProps) => {
	const view = usePanelView(props);
	const state = useMarket('symbol', 'markets', 'trades', 'tickers', 'decimals');
	const market = selectedMarket(state);
	const lines = levelsPanel({
		...{...view, cursor, decimals: state.decimals.price},
		levels: drawnLevelsOf(levels, state.symbol),
		market: market && pairName(market),
		last: state.symbol === undefined ? undefined : lastPrices(state)(state.symbol),
	});
	return <Pane lines={lines} size={view.size} />;
});

type CompareOverlayProps = PanelProps & {
	readonly comparison: Comparison;
	readonly symbols: readonly string[];
	readonly compare: CompareState;
};

export const CompareOverlay = memo(({comparison, symbols, compare, ...props}: CompareOverlayProps) => {
	const view = usePanelView(props);
	const {markets, period, choice, paused} = useMarket('markets', 'period', 'choice', 'paused');
	useEffect(() => {
		if (!paused) comparison.show({symbols, period, choice});
		return () => comparison.show(undefined);
	}, [comparison, symbols, period, choice, paused]);
	const input = useSame({...view, compared: useComparison(comparison), markets, period, compare});
	// Each page that arrives draws the comparison again, which requests the next one if more is wanted.
	useEffect(() => {
		for (const symbol of olderWanted(input, view.size)) comparison.loadOlder(symbol);
	});
	return <Pane lines={comparePanel(input, useNow())} size={view.size} />;
});

type SettingsOverlayProps = PanelProps & {
	readonly ui: UiState;
	readonly layout: LayoutName;
	readonly start: SettingsStart | undefined;
	readonly commands: readonly Command[];
};

export const SettingsOverlay = memo(
	({ui, layout, start = deliveredStart, commands, ...props}: SettingsOverlayProps) => {
		const view = usePanelView(props);
		const market = useMarket('period', 'choice', 'symbol', 'markets', 'depth', 'decimals');
		const place = {layout, assets: selectedMarket(market) ?? {}, automatic: automaticValues(market)};
		const entries = settingEntries({ui, market}, start, place);
		const takesOf = (name: string) => commands.find(command => command.name === name)?.argument?.takes;
		return <Pane lines={settingsPanel({...view, entries, cursor: ui.settingsCursor, takesOf})} size={view.size} />;
	},
);
