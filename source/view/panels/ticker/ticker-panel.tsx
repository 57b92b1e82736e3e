import {memo, useEffect} from 'react';
import type {Size} from '../../../format/cells.ts';
import type {Interface} from '../../../market/types.ts';
import type {MarketStore} from '../../../store/state.ts';
import {bodySize} from '../../frame.ts';
import {Pane} from '../../pane.tsx';
import {isStale, type PanelProps} from '../../resource-panel.ts';
import {useMarket, useNow, usePanelView, useRecording, useScreen, useSecondTicker} from '../../use-market.ts';
import {tickerHeader} from './header.ts';
import {tickerParts} from './model.ts';
import {notAsked, type OtherTickers, otherInterface, tickerPanel, whyNotAsked} from './panel.ts';
import {isWhole} from './whole.ts';

export const TickerHeader = memo((props: PanelProps & {readonly rows: 1 | 2}) => {
	const view = usePanelView(props);
	const state = useMarket(...tickerParts);
	const lines = tickerHeader(state, {...props, ...view, now: useNow(), recording: useRecording()});
	return <Pane lines={lines} size={view.size} stale={isStale(state.trades)} />;
});

type TickerPanelProps = PanelProps & {
	/** Polls the tickers of the other interface, and nothing else. Absent: they cannot be asked for. */
	readonly secondTicker?: MarketStore | undefined;
	/** The interfaces that are configured. */
	readonly interfaces: readonly Interface[];
};

export const TickerPanel = memo((props: TickerPanelProps) => {
	const view = usePanelView(props);
	const state = useMarket(...tickerParts);
	const other = useOtherTickers(props, view.size, otherInterface(state));
	const lines = tickerPanel(state, {...view, now: useNow(), other});
	return <Pane lines={lines} size={view.size} stale={isStale(state.trades)} />;
});

/** The tickers of the interface `use`, which are polled while a panel shows them. */
function useOtherTickers(
	{secondTicker, interfaces}: TickerPanelProps,
	size: Size,
	use: Interface | undefined,
): OtherTickers {
	const {replay} = useScreen();
	const {paused} = useMarket('paused');
	const answer = useSecondTicker(secondTicker);
	const isPast = replay?.getSnapshot() !== undefined;
	const why = whyNotAsked({interfaces, use, paused, isPast, isAvailable: secondTicker !== undefined});
	const asked = why === undefined && isWhole(bodySize(size)) ? use : undefined;
	useEffect(() => {
		if (asked) secondTicker?.setChoice(asked);
		if (asked) secondTicker?.show(new Set(['tickers']));
		return () => secondTicker?.show(new Set());
	}, [secondTicker, asked]);
	// What came before a pause stays.
	return answer && (why === undefined || (paused && !isPast && answer.status === 'ready'))
		? answer
		: notAsked(why ?? '');
}
