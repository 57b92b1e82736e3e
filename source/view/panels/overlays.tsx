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
import {Pane, type PanelProps, sizeOf} from '../pane.tsx';
import {isStale} from '../resource-panel.ts';
import type {UiState} from '../ui-state.ts';
import {
	useAlerts,
	useComparison,
	useDiagnosis,
	useKeyHint,
	useMarket,
	useMarketValue,
	useNow,
	useScreen,
	useZone,
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
	const {ascii} = useScreen();
	const size = sizeOf(props);
	const {commands, place, find, scroll} = props;
	return <Pane lines={helpPanel({commands, place, find, size, scroll, ascii})} size={size} />;
});

export const InfoOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const {info} = useMarket('info');
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	return (
		<Pane
			lines={infoPanel({info, keyHint, scroll: props.scroll, size, now, ascii, zone})}
			size={size}
			stale={isStale(info)}
		/>
	);
});

type DiagnosisOverlayProps = PanelProps & {readonly store: DiagnosisStore; readonly scroll: number};

export const DiagnosisOverlay = memo((props: DiagnosisOverlayProps) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const diagnosis = useDiagnosis(props.store);
	const {budget} = useMarket('budget');
	const skewMs = useMarketValue(liveSkew);
	const stampsAheadMs = useMarketValue(({trades: tape}) => stampsAhead(tape));
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	const clocks = {skewMs, stampsAheadMs};
	const lines = diagnosisPanel({diagnosis, keyHint, budget, ...clocks, now, size, scroll: props.scroll, ascii, zone});
	return <Pane lines={lines} size={size} />;
});

type AlertsOverlayProps = PanelProps & {
	readonly cursor: string | undefined;
	/** Of the exchange. */
	readonly interfaces: readonly Interface[];
};

export const AlertsOverlay = memo((props: AlertsOverlayProps) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const {cursor, interfaces} = props;
	const alerts = useAlerts();
	const state = useMarket('symbol', 'trades', 'tickers', 'depth', 'choice');
	const lastOf = useMemo(() => lastPrices(state), [state]);
	const neverJudged = useMemo(() => neverJudgedIn(interfaces, state), [interfaces, state]);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	return (
		<Pane lines={alertsPanel({alerts, cursor, lastOf, neverJudged, keyHint, now, size, ascii, zone})} size={size} />
	);
});

type LevelsOverlayProps = PanelProps & {readonly levels: DrawnLevels; readonly cursor: number | undefined};

export const LevelsOverlay = memo((props: LevelsOverlayProps) => {
	const {ascii} = useScreen();
	const {cursor} = props;
	const state = useMarket('symbol', 'markets', 'trades', 'tickers', 'decimals');
	const market = selectedMarket(state);
	const keyHint = useKeyHint();
	const size = sizeOf(props);
	const lines = levelsPanel({
		...{cursor, keyHint, size, ascii, decimals: state.decimals.price},
		levels: drawnLevelsOf(props.levels, state.symbol),
		market: market && pairName(market),
		last: state.symbol === undefined ? undefined : lastPrices(state)(state.symbol),
	});
	return <Pane lines={lines} size={size} />;
});

type CompareOverlayProps = PanelProps & {
	readonly comparison: Comparison;
	readonly symbols: readonly string[];
	readonly compare: CompareState;
};

export const CompareOverlay = memo((props: CompareOverlayProps) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const {comparison, symbols, compare} = props;
	const {markets, period, choice, paused} = useMarket('markets', 'period', 'choice', 'paused');
	const compared = useComparison(comparison);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	useEffect(() => {
		if (!paused) comparison.show({symbols, period, choice});
		return () => comparison.show(undefined);
	}, [comparison, symbols, period, choice, paused]);
	const input = {compared, markets, period, compare};
	// Each page that arrives draws the comparison again, which requests the next one if more is wanted.
	useEffect(() => {
		for (const symbol of olderWanted(input, size)) comparison.loadOlder(symbol);
	});
	return <Pane lines={comparePanel({...input, keyHint, size, now, ascii, zone})} size={size} />;
});

type SettingsOverlayProps = PanelProps & {
	readonly ui: UiState;
	readonly layout: LayoutName;
	readonly start: SettingsStart | undefined;
	readonly commands: readonly Command[];
};

export const SettingsOverlay = memo(
	({ui, layout, start = deliveredStart, commands, ...props}: SettingsOverlayProps) => {
		const {ascii} = useScreen();
		const market = useMarket('period', 'choice', 'symbol', 'markets', 'depth', 'decimals');
		const keyHint = useKeyHint();
		const size = sizeOf(props);
		const place = {layout, assets: selectedMarket(market) ?? {}, automatic: automaticValues(market)};
		const entries = settingEntries({ui, market}, start, place);
		const takesOf = (name: string) => commands.find(command => command.name === name)?.argument?.takes;
		const lines = settingsPanel({entries, cursor: ui.settingsCursor, takesOf, keyHint, size, ascii});
		return <Pane lines={lines} size={size} />;
	},
);
