import {memo, useEffect, useState} from 'react';
import {bestAsk, bestBid, lastTradePrice} from '../../../store/state.ts';
import {quietTo} from '../../../store/trade-time.ts';
import {type DrawnLevels, drawnLevelsOf} from '../../drawn-levels.ts';
import {Pane} from '../../pane.tsx';
import type {RangeFitter} from '../../plot/price-scale.ts';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import {useAlertLevels, useMarket, useMarketValue, useNow, usePanelView, useSame, useScreen} from '../../use-market.ts';
import type {ChartState} from './chart-state.ts';
import {createChartPanel} from './model.ts';

type CandleChartProps = PanelProps & {
	readonly chart: ChartState;
	readonly drawnLevels: DrawnLevels;
	readonly fitRange: RangeFitter;
};

export const CandleChart = memo(({chart, drawnLevels, fitRange, ...props}: CandleChartProps) => {
	const {store} = useScreen();
	const {symbol, trades: tape, ...state} = useMarket('candles', 'history', 'period', 'decimals', 'symbol', 'trades');
	const view = usePanelView(props);
	const [panel] = useState(() => createChartPanel(fitRange));
	const {lines, wantsOlder} = panel({
		...{...state, ...view, tape, chart, now: useNow()},
		touch: useSame({bid: useMarketValue(bestBid), ask: useMarketValue(bestAsk)}),
		lastTrade: useMarketValue(lastTradePrice),
		quietTo: useMarketValue(quietTo),
		levels: useAlertLevels(),
		drawnLevels: drawnLevelsOf(drawnLevels, symbol),
	});
	// Each page that arrives draws the chart again, which requests the next one if more is wanted.
	useEffect(() => {
		if (wantsOlder) store.loadOlder();
	});
	return <Pane lines={lines} size={view.size} stale={isStale(state.candles)} />;
});
