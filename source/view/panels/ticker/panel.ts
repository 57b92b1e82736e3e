import {formatCount} from '../../../format/number.ts';
import {formatAge} from '../../../format/time.ts';
import {fromLocal, localDayOf, utc} from '../../../format/zone.ts';
import {dayAverage, tapeSums} from '../../../market/tape-sums.ts';
import type {Interface} from '../../../market/types.ts';
import {dayMs} from '../../../market/units.ts';
import type {Resource} from '../../../store/resource.ts';
import {type MarketState, selectedMarket, selectedTicker} from '../../../store/state.ts';
import {completeTo, tradeTime} from '../../../store/trade-time.ts';
import {bodySize, framePanel} from '../../frame.ts';
import {noKeyHint} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {outdatedAt, type PanelView, panelStatuses} from '../../resource-panel.ts';
import {tickerFacts} from './facts.ts';
import type {InterfaceTicker} from './interface-rows.ts';
import type {MarketFactsInput} from './market-rows.ts';
import {type TickerInput, type TickerState, type TickerView, tickerInput, whyAbsent} from './model.ts';
import {type WholeTickerInput, wholeTicker} from './whole.ts';

/** The tickers of the other interface, or why they are not asked for. */
export type OtherTickers = MarketState['tickers'] | {readonly status: 'not asked'; readonly why: string};

export const notAsked = (why: string): OtherTickers => ({status: 'not asked', why});

export type TickerPanelView = TickerView & PanelView & {readonly other?: OtherTickers | undefined};

/** The framed ticker panel. */
export function tickerPanel(state: TickerState, view: TickerPanelView): readonly Line[] {
	const {keyHint = noKeyHint, size, focused, ascii, now, zone} = view;
	const input = tickerInput(state, view);
	const titles = [`Ticker ${input.pair}`, input.pair, 'Ticker'];
	const statuses = panelStatuses(state.trades, now, ascii, zone, [state.depth]);
	const frame = {key: keyHint('', 'go-to-ticker'), titles, statuses};
	const whole: WholeTickerInput = {
		...input,
		interfaces: {tickers: bothTickers(state, view), base: input.base, decimals: input.decimals, ascii},
		market: marketFacts(state, stateText(input), view),
		tape: state.trades.status === 'ready' ? state.trades.data : undefined,
	};
	return framePanel({...frame, focused, ascii, size}, wholeTicker(whole, bodySize(size)));
}

/** The interface whose ticker is asked for beside that of the monitor; undefined: not before that has answered. */
export const otherInterface = ({tickers}: Pick<TickerState, 'tickers'>): Interface | undefined =>
	tickers.status === 'ready' ? (tickers.interface === 'v2' ? 'legacy' : 'v2') : undefined;

/** Why the interface `use` is not asked for its tickers; undefined: it is. */
export function whyNotAsked(situation: {
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
	{other = notAsked('not polled'), now}: TickerPanelView,
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

function marketFacts(
	state: TickerState,
	exchangeState: string,
	{now, ascii, zone = utc}: TickerView,
): MarketFactsInput {
	const {symbol = '', trades: tape, depth, decimals, markets} = state;
	const market = selectedMarket(state);
	const trades = tape.status === 'ready' ? tape.data : undefined;
	const tradesNow = tradeTime(tape, now);
	// Counted when the trades came: after an outage the last minute would seem quiet.
	const sums = tape.status === 'ready' ? tapeSums(tape.data, completeTo(tape)) : undefined;
	return {
		...{symbol, market, decimals, ascii, zone},
		state: market || selectedTicker(state) ? exchangeState : undefined,
		type: market?.type ?? selectedTicker(state)?.type,
		book: depth.status === 'ready' ? depth.data : undefined,
		...{sums, countedAt: outdatedAt(tape, now)},
		trades: trades?.trades.length ?? 0,
		average: trades && dayAverage(trades, fromLocal(localDayOf(tradesNow, zone) * dayMs, zone)),
		listed:
			markets.status === 'ready'
				? `${markets.interface} list of ${formatCount(markets.data.length, 'market')}${market ? '' : ', not in it'}`
				: (whyAbsent(markets) ?? ''),
		ages: agesOf(state, now),
	};
}

/** `active`, or `active (ticker) · halted (list, 40 s ago)`. */
function stateText(input: TickerInput): string {
	const {state, contradiction} = tickerFacts(input);
	return contradiction.text === '' ? input.state : `${state.text} ${contradiction.text}`;
}

/**
 * `trades v2, 0.4 s old` for each source that has answered, from long to short; for any other, why it has not. The age of a ticker is
 * that of its answer.
 */
function agesOf({trades: tape, depth, tickers, markets}: TickerState, now: number): ReadonlyArray<readonly string[]> {
	const sources = {trades: tape, book: depth, ticker: tickers, list: markets};
	return Object.entries(sources).map(([name, resource]: readonly [string, Resource<unknown>]) => {
		if (resource.status !== 'ready') return [`${name}: ${whyAbsent(resource)}`];
		const [source, age] = [`${name} ${resource.interface}`, formatAge(now - resource.receivedAt)];
		const stale = resource.failure ? ', stale' : '';
		if (name !== 'ticker') return [`${source}, ${age} old${stale}`];
		const text = `${source}, answer ${age} old${stale}`;
		return [`${text} (prices may be delayed)`, text, `${source} answer ${age}${stale}`];
	});
}
