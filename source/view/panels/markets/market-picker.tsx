import {memo, useMemo} from 'react';
import type {AlertsState} from '../../../alerts/alerts.ts';
import {armedMarkets} from '../../../alerts/levels.ts';
import {Pane, type PanelProps, sizeOf} from '../../pane.tsx';
import {isStale} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {useAlertsPart, useFlash, useKeyHint, useMarket, useNow, useScreen, useZone} from '../../use-market.ts';
import {pickerListOf} from './list.ts';
import {pickerPanel} from './model.ts';

const armedIn = ({entries}: AlertsState) => armedMarkets(entries);

export const MarketPicker = memo((props: PanelProps & {readonly picker: UiState['picker']}) => {
	const {ascii} = useScreen();
	const zone = useZone();
	const state = useMarket('markets', 'tickers', 'symbol', 'priceTrails');
	const {markets, tickers, priceTrails} = state;
	const armed = useAlertsPart(armedIn);
	const alerts = useMemo(() => new Map(armed), [armed]);
	const keyHint = useKeyHint();
	const now = useNow();
	const receivedAt = tickers.status === 'ready' ? tickers.receivedAt : undefined;
	const flashAt = useFlash(receivedAt) ? receivedAt : undefined;
	const {picker, focused} = props;
	const {filter, sort, reversed, currency, quote, activeOnly, favourites, lists, list: name} = picker;
	const list = useMemo(() => {
		const query = {filter, sort, reversed, currency, quote, activeOnly, favourites, lists, list: name};
		return pickerListOf({markets, tickers, priceTrails}, query);
	}, [markets, tickers, priceTrails, filter, sort, reversed, currency, quote, activeOnly, favourites, lists, name]);
	const input = useMemo(
		() => ({state, keyHint, list, picker, alerts, flashAt, focused, size: sizeOf(props), ascii, zone}),
		[state, keyHint, list, picker, alerts, flashAt, focused, props, ascii, zone],
	);
	return <Pane lines={pickerPanel(input, now)} size={input.size} stale={isStale(tickers)} />;
});
