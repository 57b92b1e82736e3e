import {memo} from 'react';
import {Pane} from '../../pane.tsx';
import {type PanelProps, sizeOf} from '../../panel-props.ts';
import {isStale} from '../../panel-status.ts';
import {selectedMarket, selectedTicker} from '../../selected.ts';
import type {UiState} from '../../ui-state.ts';
import {useFlash} from '../../use-flash.ts';
import {useMarket, useNow, useScreen} from '../../use-market.ts';
import {bookPanel} from './model.ts';

export const DepthLadder = memo((props: PanelProps & UiState['book']) => {
	const {ascii} = useScreen();
	const depth = useMarket(state => state.depth);
	const history = useMarket(state => state.bookHistory);
	const tape = useMarket(state => state.tape);
	const ticker = useMarket(selectedTicker);
	const market = useMarket(selectedMarket);
	const decimals = useMarket(state => state.decimals);
	const now = useNow();
	const flashes = useFlash(depth.status === 'ready' && history.previous ? depth.receivedAt : undefined);
	const size = sizeOf(props);
	const lines = bookPanel({...props, depth, history, flashes, tape, ticker, market, decimals, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(depth)} />;
});
