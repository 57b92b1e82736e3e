import {memo, useMemo} from 'react';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {armedMarkets} from '../../../alerts/levels.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {useAlertsPart, useFlash, useKeyHint, useMarket, useNow, useScreen} from '../../use-market.ts';
import {pickerListOf} from './list.ts';
import {pickerPanel} from './model.ts';

const armedIn = ({entries}: AlertsState) => armedMarkets(entries);

export const MarketPicker = memo((props: PanelProps & {readonly picker: UiState['picker']}) => {
	const {ascii} = useScreen();
	const state = useMarket('markets', 'tickers', 'symbol', 'priceTrails');
	const {markets, tickers} = state;
	const armed = useAlertsPart(armedIn);
	const alerts = useMemo(() => new Map(armed), [armed]);
	const keyHint = useKeyHint();
	const now = useNow();
	const receivedAt = tickers.status === 'ready' ? tickers.receivedAt : undefined;
	const flashAt = useFlash(receivedAt) ? receivedAt : undefined;
	const {picker, focused} = props;
	const {filter, sort, reversed, quote, activeOnly, favourites, lists, list: name} = picker;
	const list = useMemo(() => {
		const query = {filter, sort, reversed, quote, activeOnly, favourites, lists, list: name};
		return pickerListOf({markets, tickers}, query);
	}, [markets, tickers, filter, sort, reversed, quote, activeOnly, favourites, lists, name]);
	const input = useMemo(
		() => ({state, keyHint, list, picker, alerts, flashAt, focused, size: sizeOf(props), ascii}),
		[state, keyHint, list, picker, alerts, flashAt, focused, props, ascii],
	);
	return <Pane lines={pickerPanel(input, now)} size={input.size} stale={isStale(tickers)} />;
});
