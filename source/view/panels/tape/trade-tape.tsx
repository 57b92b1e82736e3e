import {memo} from 'react';
import {selectedMarket} from '../../../store/state.ts';
import {Pane} from '../../pane.tsx';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import {useMarket, useNow, usePanelView, useSame} from '../../use-market.ts';
import type {TapeView} from './list.ts';
import {tapePanel} from './model.ts';

export const TradeTape = memo((props: PanelProps & TapeView & {readonly zoomed: boolean}) => {
	const {trades: tape, decimals, ...listed} = useMarket('trades', 'decimals', 'symbol', 'markets');
	const input = useSame({...props, ...usePanelView(props), tape, decimals, assets: selectedMarket(listed)});
	return <Pane lines={tapePanel(input, useNow())} size={input.size} stale={isStale(tape)} />;
});
