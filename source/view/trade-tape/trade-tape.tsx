import {memo} from 'react';
import {Pane} from '../pane.tsx';
import {type PanelProps, sizeOf} from '../panel-props.ts';
import {isStale} from '../panel-status.ts';
import {useMarket, useNow, useScreen} from '../use-market.ts';
import {tapePanel} from './panel.ts';

export const TradeTape = memo((props: PanelProps & {readonly scroll: number}) => {
	const {ascii} = useScreen();
	const tape = useMarket(state => state.tape);
	const decimals = useMarket(state => state.decimals);
	const now = useNow();
	const size = sizeOf(props);
	const {scroll, focused} = props;
	const lines = tapePanel({tape, decimals, scroll, focused, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(tape)} />;
});
