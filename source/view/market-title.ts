import {useLayoutEffect} from 'react';
import {formatPrice} from '../format/number.ts';
import {formatAgo} from '../format/time.ts';
import {pairName} from '../market/symbol.ts';
import {type MarketState, selectedMarket, selectedTicker} from '../store/state.ts';
import {quietIn} from '../store/trade-time.ts';
import {dotted} from './marks.ts';
import {isStale} from './resource-panel.ts';
import {useScreen} from './use-market.ts';

const titleParts = ['symbol', 'markets', 'tickers', 'trades', 'decimals', 'paused'] as const;

export type TitleOptions = {
	readonly demo: boolean;
	/** A recorded moment is shown. */
	readonly isRecorded: boolean;
	/** How many other markets the screen shows. */
	readonly others: number;
	readonly ascii: boolean;
};

/** The title of the window: the market, its last price, and why that is not the present one: `BTC/USDT 61,824.01 · stale`. */
export function marketTitle(
	state: Pick<MarketState, (typeof titleParts)[number]>,
	{demo, isRecorded, others, ascii}: TitleOptions,
): string {
	const {symbol = '', trades: tape, decimals, paused} = state;
	const market = selectedMarket(state);
	const lastTrade = tape.status === 'ready' ? tape.data.trades[0] : undefined;
	const price = lastTrade?.price ?? selectedTicker(state)?.last;
	const quiet = quietIn(tape);
	const why = isRecorded ? 'recorded' : paused ? 'paused' : isStale(tape) ? 'stale' : quiet ? formatAgo(quiet.ms) : '';
	const words = [
		market ? pairName(market) : symbol,
		// The exchange delays its ticker.
		price !== undefined && !lastTrade ? 'ticker' : '',
		price === undefined ? '' : formatPrice(price, {decimals: decimals.price, ascii}),
	];
	return dotted([words.filter(Boolean).join(' '), others > 0 ? `+${others}` : '', why, demo ? 'DEMO' : ''], ascii);
}

type TitleProps = Pick<TitleOptions, 'demo'> & {
	/** Absent: the title is not to be changed. */
	readonly setTitle?: ((text: string) => void) | undefined;
	/** Default 0. */
	readonly others?: number | undefined;
};

/** Keeps the title of the window; draws nothing. */
export function MarketTitle({setTitle, demo, others = 0}: TitleProps): null {
	const {ascii, store, replay} = useScreen();
	useLayoutEffect(() => {
		const show = (): void => {
			const isRecorded = replay?.getSnapshot() !== undefined;
			setTitle?.(marketTitle(store.getSnapshot(), {demo, isRecorded, others, ascii}));
		};
		show();
		const [end, endReplay] = [store.subscribe(show), replay?.subscribe(show)];
		return () => {
			end();
			endReplay?.();
		};
	}, [store, replay, ascii, setTitle, demo, others]);
	return null;
}
