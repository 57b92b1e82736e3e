import {memo} from 'react';
import {selectedMarket, selectedTicker} from '../../../store/state.ts';
import {type DrawnLevels, drawnLevelsOf} from '../../drawn-levels.ts';
import {Pane} from '../../pane.tsx';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import {
	useAlertLevels,
	useFlash,
	useMarket,
	useMarketValue,
	useNow,
	usePanelView,
	useSame,
	useScreen,
} from '../../use-market.ts';
import type {BookState} from './book-state.ts';
import {bookPanel, showsTrades} from './model.ts';

export const DepthLadder = memo((props: PanelProps & BookState & {readonly drawnLevels: DrawnLevels}) => {
	const {theme} = useScreen();
	const {depth, bookHistory: history, decimals, symbol} = useMarket('depth', 'bookHistory', 'decimals', 'symbol');
	const input = useSame({
		...{...props, ...usePanelView(props), depth, history, decimals, hasHeat: theme.hasHeat},
		flashes: useFlash(depth.status === 'ready' && history.previous ? depth.receivedAt : undefined),
		tape: useMarketValue(state => (showsTrades(props) ? state.trades : undefined)),
		ticker: useMarketValue(selectedTicker),
		market: useMarketValue(selectedMarket),
		levels: useAlertLevels(),
		drawnLevels: drawnLevelsOf(props.drawnLevels, symbol),
	});
	return <Pane lines={bookPanel(input, useNow())} size={input.size} stale={isStale(depth)} />;
});
