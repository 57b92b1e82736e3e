import {memo, useEffect, useMemo} from 'react';
import type {Interface} from '../../market/types.ts';
import {liveSkew} from '../../store/clock-skew.ts';
import type {Comparison} from '../../store/comparison.ts';
import type {DiagnosisStore} from '../../store/diagnosis.ts';
import type {Command} from '../commands/command.ts';
import type {PanelName} from '../layout.ts';
import {Pane, type PanelProps, sizeOf} from '../pane.tsx';
import {isStale} from '../resource-panel.ts';
import {
	useAlerts,
	useComparison,
	useDiagnosis,
	useKeyHint,
	useMarket,
	useMarketValue,
	useNow,
	useScreen,
} from '../use-market.ts';
import {lastPrices, neverJudgedIn} from './alerts/list.ts';
import {alertsPanel} from './alerts/rows.ts';
import {comparePanel} from './compare/rows.ts';
import {diagnosisPanel} from './diagnosis/rows.ts';
import {helpPanel} from './help/rows.ts';
import {infoPanel} from './info/rows.ts';

type HelpOverlayProps = PanelProps & {
	readonly commands: readonly Command[];
	/** The focused panel. */
	readonly focus: PanelName;
	readonly scroll: number;
};

export const HelpOverlay = memo((props: HelpOverlayProps) => {
	const {ascii} = useScreen();
	const size = sizeOf(props);
	const {commands, focus, scroll} = props;
	return <Pane lines={helpPanel({commands, focus, size, scroll, ascii})} size={size} />;
});

export const InfoOverlay = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const {info} = useMarket('info');
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	return (
		<Pane
			lines={infoPanel({info, keyHint, scroll: props.scroll, size, now, ascii})}
			size={size}
			stale={isStale(info)}
		/>
	);
});

type DiagnosisOverlayProps = PanelProps & {readonly store: DiagnosisStore; readonly scroll: number};

export const DiagnosisOverlay = memo((props: DiagnosisOverlayProps) => {
	const {ascii} = useScreen();
	const diagnosis = useDiagnosis(props.store);
	const {budget} = useMarket('budget');
	const skewMs = useMarketValue(liveSkew);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	const lines = diagnosisPanel({diagnosis, keyHint, budget, skewMs, now, size, scroll: props.scroll, ascii});
	return <Pane lines={lines} size={size} />;
});

type AlertsOverlayProps = PanelProps & {
	readonly cursor: string | undefined;
	/** Of the exchange. */
	readonly interfaces: readonly Interface[];
};

export const AlertsOverlay = memo((props: AlertsOverlayProps) => {
	const {ascii} = useScreen();
	const {cursor, interfaces} = props;
	const alerts = useAlerts();
	const state = useMarket('symbol', 'tape', 'tickers', 'depth', 'choice');
	const lastOf = useMemo(() => lastPrices(state), [state]);
	const neverJudged = useMemo(() => neverJudgedIn(interfaces, state), [interfaces, state]);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	return <Pane lines={alertsPanel({alerts, cursor, lastOf, neverJudged, keyHint, now, size, ascii})} size={size} />;
});

type CompareOverlayProps = PanelProps & {readonly comparison: Comparison; readonly symbols: readonly string[]};

export const CompareOverlay = memo((props: CompareOverlayProps) => {
	const {ascii} = useScreen();
	const {comparison, symbols} = props;
	const {markets, period, choice, paused} = useMarket('markets', 'period', 'choice', 'paused');
	const compared = useComparison(comparison);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	useEffect(() => {
		if (!paused) comparison.show({symbols, period, choice});
		return () => comparison.show(undefined);
	}, [comparison, symbols, period, choice, paused]);
	return <Pane lines={comparePanel({compared, keyHint, markets, period, size, now, ascii})} size={size} />;
});
