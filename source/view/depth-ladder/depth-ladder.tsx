import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import {selectedTicker} from '../selected.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {ladderPanel} from './panel.ts';

export const DepthLadder = memo((props: PanelProps & {readonly grouping: number; readonly scroll: number}) => {
	const {ascii} = useScreen();
	const depth = useMarket(state => state.depth);
	const tape = useMarket(state => state.tape);
	const ticker = useMarket(selectedTicker);
	const decimals = useMarket(state => state.decimals);
	const now = useNow();
	const size = sizeOf(props);
	const {grouping, scroll, focused} = props;
	const lines = ladderPanel({depth, tape, ticker, decimals, grouping, scroll, focused, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(depth)} />;
});
