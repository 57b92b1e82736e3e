import {formatAge} from '../../../format/time.ts';
import type {Interface} from '../../../market/types.ts';
import {type MarketState, selectedTicker} from '../../../store/state.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {noKeyHint} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {type PanelView, panelStatuses} from '../../resource-panel.ts';
import type {InterfaceTicker} from './interface-rows.ts';
import {type TickerState, type TickerView, tickerInput, whyAbsent} from './model.ts';
import {wholeTicker} from './whole.ts';

/** The tickers of the other interface, or why they are not asked for. */
export type OtherTickers = MarketState['tickers'] | {readonly status: 'not asked'; readonly why: string};

export const notPolled = (why: string): OtherTickers => ({status: 'not asked', why});

export type TickerPanelView = TickerView & PanelView & {readonly other?: OtherTickers | undefined};

/** The framed ticker panel. */
export function tickerPanel(state: TickerState, view: TickerPanelView): readonly Line[] {
	const {keyHint = noKeyHint, size, focused, ascii, now, zone} = view;
	const input = tickerInput(state, view);
	const titles = [`Ticker ${input.pair}`, input.pair, 'Ticker'];
	const statuses = panelStatuses(state.trades, now, ascii, zone, [state.depth]);
	const whole = {state, input, tickers: bothTickers(state, view), view};
	return framePanel(
		{key: keyHint('', 'go-to-ticker'), titles, statuses, focused, ascii, size},
		wholeTicker(whole, bodySize(size)),
	);
}

/** The interface whose ticker is asked for beside that of the monitor; undefined: not before that has answered. */
export const otherInterface = ({tickers}: Pick<TickerState, 'tickers'>): Interface | undefined =>
	tickers.status === 'ready' ? (tickers.interface === 'v2' ? 'legacy' : 'v2') : undefined;

/** Why the interface `use` is not asked for its tickers; undefined: it is. */
export function whyNotPolled(situation: {
	/** The interfaces that are configured. */
	readonly interfaces: readonly Interface[];
	readonly use: Interface | undefined;
	readonly paused: boolean;
	/** A recorded moment is shown. */
	readonly isPast: boolean;
	/** This screen can ask. */
	readonly isAvailable: boolean;
}): string | undefined {
	const {interfaces, use, paused, isPast, isAvailable} = situation;
	if (isPast) return 'not recorded';
	if (use === undefined) return 'polled after v2';
	if (!interfaces.includes(use)) return 'not configured';
	if (!isAvailable) return 'not polled';
	return paused ? 'not polled while paused' : undefined;
}

function bothTickers(
	state: TickerState,
	{other = notPolled('not polled'), now}: TickerPanelView,
): Readonly<Record<Interface, InterfaceTicker>> {
	const {tickers, symbol} = state;
	const second = otherInterface(state);
	if (tickers.status !== 'ready' || !second) {
		const why = whyAbsent(tickers);
		return {v2: {why}, legacy: {why: 'polled after v2'}};
	}

	const mine: InterfaceTicker = {
		ticker: selectedTicker(state),
		age: formatAge(now - tickers.receivedAt),
		why: tickers.failure?.error.brief ?? (selectedTicker(state) ? undefined : 'not in the ticker list'),
	};
	const theirs = otherTicker(other, symbol, second, now);
	return second === 'legacy' ? {v2: mine, legacy: theirs} : {v2: theirs, legacy: mine};
}

function otherTicker(other: OtherTickers, symbol: string | undefined, name: Interface, now: number): InterfaceTicker {
	if (other.status === 'not asked') return {why: other.why};
	if (other.status !== 'ready') return {why: whyAbsent(other)};
	// Another interface was asked before.
	if (other.interface !== name) return {why: other.failure?.error.brief ?? 'still loading'};
	const ticker = selectedTicker({tickers: other, symbol});
	return {
		ticker,
		age: formatAge(now - other.receivedAt),
		why: other.failure?.error.brief ?? (ticker ? undefined : 'not in the ticker list'),
	};
}
