import {memo, useMemo} from 'react';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {armedMarkets} from '../../../alerts/levels.ts';
import {Pane} from '../../pane.tsx';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {useAlertsPart, useFlash, useMarket, useNow, usePanelView, useSame} from '../../use-market.ts';
import {pickerListOf} from './list.ts';
import {pickerPanel} from './model.ts';

const armedIn = ({entries}: AlertsState) => armedMarkets(entries);

export const MarketPicker = memo((props: PanelProps & {readonly picker: UiState['picker']}) => {
	const state = useMarket('markets', 'tickers', 'symbol', 'priceTrails');
	const {markets, tickers, priceTrails} = state;
	const armed = useAlertsPart(armedIn);
	const alerts = useMemo(() => new Map(armed), [armed]);
	const receivedAt = tickers.status === 'ready' ? tickers.receivedAt : undefined;
	const flashAt = useFlash(receivedAt) ? receivedAt : undefined;
	const {picker} = props;
	// Moving the cursor lists nothing else.
	const query = useSame({...picker, editing: false, cursor: undefined, cursorBefore: undefined, columns: undefined});
	const list = useMemo(
		() => pickerListOf({markets, tickers, priceTrails}, query),
		[markets, tickers, priceTrails, query],
	);
	const input = useSame({...usePanelView(props), state, list, picker, alerts, flashAt});
	return <Pane lines={pickerPanel(input, useNow())} size={input.size} stale={isStale(tickers)} />;
});
