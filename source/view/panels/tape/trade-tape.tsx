import {memo, useMemo} from 'react';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useKeyHint, useMarket, useNow, useScreen} from '../../use-market.ts';
import type {TapeView} from './list.ts';
import {tapePanel} from './model.ts';

export const TradeTape = memo((props: PanelProps & TapeView) => {
	const {ascii} = useScreen();
	const {tape, decimals} = useMarket('tape', 'decimals');
	const keyHint = useKeyHint();
	const now = useNow();
	const input = useMemo(
		() => ({...props, keyHint, tape, decimals, size: sizeOf(props), ascii}),
		[props, keyHint, tape, decimals, ascii],
	);
	return <Pane lines={tapePanel(input, now)} size={input.size} stale={isStale(tape)} />;
});
