import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import {selectedMarket, selectedTicker} from '../selected.ts';
import type {UiState} from '../ui-state.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {ladderPanel} from './panel.ts';

export const DepthLadder = memo((props: PanelProps & UiState['book']) => {
	const {ascii} = useScreen();
	const depth = useMarket(state => state.depth);
	const tape = useMarket(state => state.tape);
	const ticker = useMarket(selectedTicker);
	const market = useMarket(selectedMarket);
	const decimals = useMarket(state => state.decimals);
	const now = useNow();
	const size = sizeOf(props);
	const lines = ladderPanel({...props, depth, tape, ticker, market, decimals, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(depth)} />;
});
