import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import type {UiState} from '../ui-state.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {chartPanel} from './panel.ts';

export const CandleChart = memo((props: PanelProps & {readonly chart: UiState['chart']}) => {
	const {ascii} = useScreen();
	const candles = useMarket(state => state.candles);
	const period = useMarket(state => state.period);
	const decimals = useMarket(state => state.decimals);
	const now = useNow();
	const size = sizeOf(props);
	const {chart, focused} = props;
	const lines = chartPanel({...chart, candles, period, decimals, focused, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(candles)} />;
});
