import {memo, useEffect, useMemo, useState} from 'react';
import {bestAsk, bestBid, lastTradePrice} from '../../../store/state.ts';
import {quietTo} from '../../../store/trade-time.ts';
import {type DrawnLevels, drawnLevelsOf} from '../../drawn-levels.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import type {RangeFitter} from '../../plot/price-scale.ts';
import {isStale} from '../../resource-panel.ts';
import {useAlertLevels, useKeyHint, useMarket, useMarketValue, useNow, useScreen, useZone} from '../../use-market.ts';
import type {ChartState} from './chart-state.ts';
import {createChartPanel} from './model.ts';

type CandleChartProps = PanelProps & {
	readonly chart: ChartState;
	readonly drawnLevels: DrawnLevels;
	readonly fitRange: RangeFitter;
};

export const CandleChart = memo((props: CandleChartProps) => {
	const {store, ascii} = useScreen();
	const zone = useZone();
	const {candles, history, period, decimals} = useMarket('candles', 'history', 'period', 'decimals');
	const tape = useMarketValue(state => state.trades);
	const bid = useMarketValue(bestBid);
	const ask = useMarketValue(bestAsk);
	const touch = useMemo(() => ({bid, ask}), [bid, ask]);
	const lastTrade = useMarketValue(lastTradePrice);
	const quiet = useMarketValue(quietTo);
	const levels = useAlertLevels();
	const symbol = useMarketValue(state => state.symbol);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	const {chart, focused, fitRange} = props;
	const [panel] = useState(() => createChartPanel(fitRange));
	const {lines, wantsOlder} = panel({
		candles,
		tape,
		keyHint,
		history,
		period,
		decimals,
		chart,
		levels,
		drawnLevels: drawnLevelsOf(props.drawnLevels, symbol),
		touch,
		lastTrade,
		quietTo: quiet,
		focused,
		size,
		now,
		ascii,
		zone,
	});
	// Each page that arrives draws the chart again, which requests the next one if more is wanted.
	useEffect(() => {
		if (wantsOlder) store.loadOlder();
	});
	return <Pane lines={lines} size={size} stale={isStale(candles)} />;
});
