import {memo} from 'react';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import {useKeyHint, useMarket, useNow, useRecording, useScreen} from '../../use-market.ts';
import {tickerHeader} from './header.ts';
import {tickerParts} from './model.ts';
import {tickerPanel} from './rows.ts';

export const TickerHeader = memo((props: PanelProps & {readonly rows: 1 | 2}) => {
	const {ascii} = useScreen();
	const state = useMarket(...tickerParts);
	const now = useNow();
	const recording = useRecording();
	return (
		<Pane
			lines={tickerHeader(state, {...props, now, ascii, recording})}
			size={sizeOf(props)}
			stale={isStale(state.tape)}
		/>
	);
});

export const TickerPanel = memo((props: PanelProps) => {
	const {ascii} = useScreen();
	const state = useMarket(...tickerParts);
	const keyHint = useKeyHint();
	const now = useNow();
	const size = sizeOf(props);
	const lines = tickerPanel(state, {keyHint, size, focused: props.focused, now, ascii});
	return <Pane lines={lines} size={size} stale={isStale(state.tape)} />;
});
