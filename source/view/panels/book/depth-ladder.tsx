import {memo, useMemo} from 'react';
import {selectedMarket, selectedTicker} from '../../../store/state.ts';
import {type DrawnLevels, drawnLevelsOf} from '../../drawn-levels.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {
	useAlertLevels,
	useFlash,
	useKeyHint,
	useMarket,
	useMarketValue,
	useNow,
	useScreen,
	useZone,
} from '../../use-market.ts';
import type {BookState} from './book-state.ts';
import {bookPanel, showsTrades} from './model.ts';

export const DepthLadder = memo((props: PanelProps & BookState & {readonly drawnLevels: DrawnLevels}) => {
	const {
		ascii,
		theme: {hasHeat},
	} = useScreen();
	const zone = useZone();
	const {depth, bookHistory: history, decimals} = useMarket('depth', 'bookHistory', 'decimals');
	const tape = useMarketValue(state => (showsTrades(props) ? state.trades : undefined));
	const ticker = useMarketValue(selectedTicker);
	const market = useMarketValue(selectedMarket);
	const levels = useAlertLevels();
	const symbol = useMarketValue(state => state.symbol);
	const drawnLevels = drawnLevelsOf(props.drawnLevels, symbol);
	const keyHint = useKeyHint();
	const now = useNow();
	const flashes = useFlash(depth.status === 'ready' && history.previous ? depth.receivedAt : undefined);
	const input = useMemo(
		() => ({
			...props,
			keyHint,
			depth,
			history,
			flashes,
			tape,
			ticker,
			market,
			decimals,
			levels,
			drawnLevels,
			size: sizeOf(props),
			ascii,
			hasHeat,
			zone,
		}),
		[
			props,
			keyHint,
			depth,
			history,
			flashes,
			tape,
			ticker,
			market,
			decimals,
			levels,
			drawnLevels,
			ascii,
			hasHeat,
			zone,
		],
	);
	return <Pane lines={bookPanel(input, now)} size={input.size} stale={isStale(depth)} />;
});
