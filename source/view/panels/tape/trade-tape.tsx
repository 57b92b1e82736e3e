import {memo} from 'react';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useKeyHint, useMarket, useNow, useScreen} from '../../use-market.ts';
import type {TapeView} from './list.ts';
import {tapePanel} from './rows.ts';

export const TradeTape = memo((props: PanelProps & TapeView) => {
	const {ascii} = useScreen();
	const {tape, decimals} = useMarket('tape', 'decimals');
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	const lines = tapePanel({...props, keyHint, tape, decimals, size, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(tape)} />;
});
