import {memo, useEffect, useMemo, useState} from 'react';
import {bestAsk, bestBid, lastTradePrice} from '../../../store/state.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useAlertLevels, useKeyHint, useMarket, useMarketValue, useNow, useScreen} from '../../use-market.ts';
import type {ChartState} from './chart-state.ts';
import {createChartPanel} from './model.ts';

export const CandleChart = memo((props: PanelProps & {readonly chart: ChartState}) => {
	const {store, ascii} = useScreen();
	const {candles, history, period, decimals} = useMarket('candles', 'history', 'period', 'decimals');
	const bid = useMarketValue(bestBid);
	const ask = useMarketValue(bestAsk);
	const touch = useMemo(() => ({bid, ask}), [bid, ask]);
	const lastTrade = useMarketValue(lastTradePrice);
	const levels = useAlertLevels();
	const keyHint = useKeyHint();
	const now = useNow();
	const [panel] = useState(createChartPanel);
	const size = sizeOf(props);
	const {chart, focused} = props;
	const {lines, wantsOlder} = panel({
		candles,
		keyHint,
		history,
		period,
		decimals,
		chart,
		levels,
		touch,
		lastTrade,
		focused,
		size,
		now,
		ascii,
	});
	// Each page that arrives draws the chart again, which requests the next one if more is wanted.
	useEffect(() => {
		if (wantsOlder) store.loadOlder();
	});
	return <Pane lines={lines} size={size} stale={isStale(candles)} />;
});
