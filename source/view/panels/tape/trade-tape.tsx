import {memo, useMemo} from 'react';
import {selectedMarket} from '../../../store/state.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useKeyHint, useMarket, useNow, useScreen, useZone} from '../../use-market.ts';
import type {TapeView} from './list.ts';
import {tapePanel} from './model.ts';

export const TradeTape = memo((props: PanelProps & TapeView & {readonly zoomed: boolean}) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const {trades: tape, decimals, ...listed} = useMarket('trades', 'decimals', 'symbol', 'markets');
	const assets = selectedMarket(listed);
	const keyHint = useKeyHint();
	const now = useNow();
	const input = useMemo(
		() => ({...props, keyHint, tape, decimals, assets, size: sizeOf(props), ascii, zone}),
		[props, keyHint, tape, decimals, assets, ascii, zone],
	);
	return <Pane lines={tapePanel(input, now)} size={input.size} stale={isStale(tape)} />;
});
