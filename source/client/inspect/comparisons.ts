import {stampsAheadMs} from '../../market/trade-clock.ts';
import {activeState, type DepthBook, type Interface, type Market, type Ticker, type Trade} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import type {Operation} from '../errors.ts';
import type {
	Agreement,
	BookAgreement,
	Inspection,
	Obstacle,
	ShortList,
	StateAgreement,
	SummaryAgreement,
	TickerAgreement,
	TradeAgreement,
} from './inspection.ts';
import type {createV1Operations, createV2Operations, InspectedOperation} from './operations.ts';
import {hasBadTimes} from './reports.ts';
import {lastAnswer, type Session} from './session.ts';
import {aheadOf, tickerDelay, tradeClockOf} from './timing.ts';

export type Three<T> = {
	/** Two answers of one interface, and an answer of the other one between them. */
	readonly before: T;
	readonly between: T;
	readonly after: T;
};

/**
 * Compares the prices that are equal before and after; a price missing on either interface is not compared. A price may
 * have changed and changed back: of the differences of an `earlier` comparison only those that last are kept.
 */
export const tickerAgreement = (three: Three<readonly Ticker[]>, earlier?: TickerAgreement): TickerAgreement => ({
	last: fieldAgreement('last', three, earlier?.last),
	bid: fieldAgreement('bid', three, earlier?.bid),
	ask: fieldAgreement('ask', three, earlier?.ask),
});

/** `tickerAgreement`, also on the states of the markets. */
export const summaryAgreement = (three: Three<readonly Ticker[]>, earlier?: SummaryAgreement): SummaryAgreement => ({
	...tickerAgreement(three, earlier),
	state: fieldAgreement('state', three, earlier?.state),
});

function fieldAgreement(
	name: keyof SummaryAgreement,
	three: Three<readonly Ticker[]>,
	earlier: Agreement | undefined,
): Agreement {
	const fields = (tickers: readonly Ticker[]) => new Map(tickers.map(ticker => [ticker.symbol, ticker[name]]));
	const values = {before: fields(three.before), between: fields(three.between), after: fields(three.after)};
	return agreementOf(values, symbol => values.between.get(symbol) !== undefined, earlier);
}

/** Compares the levels that are equal before and after, as deep as the book in the middle goes. `earlier`: as for tickers. */
export function bookAgreement(three: Three<DepthBook>, earlier?: BookAgreement): BookAgreement {
	const agreementOn = (name: keyof BookAgreement, order: 1 | -1): Agreement => {
		const levels = ({[name]: side = []}: DepthBook) => new Map(side);
		const values = {before: levels(three.before), between: levels(three.between), after: levels(three.after)};
		const deepest = three.between[name]?.at(-1)?.[0] ?? Number.NaN;
		return agreementOf(values, price => price * order <= deepest * order, earlier?.[name]);
	};
	return {asks: agreementOn('asks', 1), bids: three.between.bids && agreementOn('bids', -1)};
}

/** `isCovered`: whether the answer in the middle should have the value. */
function agreementOf<K extends string | number>(
	{before, between, after}: Three<ReadonlyMap<K, number | string | undefined>>,
	isCovered: (key: K) => boolean,
	earlier?: Agreement,
): Agreement {
	const unchanged = [...before].filter(([key, value]) => value !== undefined && after.get(key) === value);
	const comparable = unchanged.filter(([key]) => isCovered(key));
	const different = comparable.filter(([key, value]) => between.get(key) !== value).map(([key]) => String(key));
	const differing = earlier ? earlier.differing.filter(key => different.includes(key)) : different;
	const compared = earlier?.compared ?? comparable.length;
	return {compared, agreeing: compared - differing.length, differing};
}

/**
 * Compares the states that markets have in the list with those that they have in the entries of another operation. `lists` and
 * `entries` are the answers of one inspection: a state that changed meanwhile is not compared. Legacy has other words than v2: of
 * its states only whether they are `active` counts.
 */
export function stateAgreement(
	lists: ReadonlyArray<readonly Market[]>,
	entries: ReadonlyArray<readonly Ticker[]>,
	{interface: source, operation}: Pick<StateAgreement, 'interface' | 'operation'>,
): StateAgreement {
	const [listed, found] = [constantStates(lists.map(readableMarkets)), constantStates(entries)];
	const both = [...listed].flatMap(([symbol, state]) => {
		const other = found.get(symbol);
		return other === undefined ? [] : [{symbol, listed: state, found: other}];
	});
	const isActive = (state: string) => state.toLowerCase() === activeState;
	const differs = (of: StateAgreement['differing'][number]) =>
		source === 'legacy' ? isActive(of.listed) !== isActive(of.found) : of.listed !== of.found;
	return {interface: source, operation, compared: both.length, differing: both.filter(differs)};
}

const readableMarkets = (markets: readonly Market[]) => markets.filter(({unreadable}) => !unreadable);

/** The states that every answer with the market has. */
function constantStates(
	answers: ReadonlyArray<ReadonlyArray<Pick<Market, 'symbol' | 'state'>>>,
): ReadonlyMap<string, string> {
	const bySymbol = Map.groupBy(answers.flat(), ({symbol}) => symbol);
	return new Map(
		[...bySymbol].flatMap(([symbol, entries]) => {
			const states = new Set(entries.map(({state}) => state));
			const [state] = states;
			return states.size === 1 && state !== undefined ? [[symbol, state] as const] : [];
		}),
	);
}

/** A list of markets in one operation. */
export type MarketList = {
	readonly interface: Interface;
	readonly operation: Operation;
	readonly symbols: ReadonlySet<string>;
};

export function shortLists(lists: readonly MarketList[]): readonly ShortList[] {
	const all = [...new Set(lists.flatMap(({symbols}) => [...symbols]))];
	return lists
		.map(({symbols, ...list}) => ({...list, missing: all.filter(symbol => !symbols.has(symbol)), of: all.length}))
		.filter(({missing}) => missing.length > 0);
}

/** Trades, newest first, and the time (epoch ms) until which they are complete. */
type Page = {readonly trades: readonly Trade[]; readonly until: number};

/** How late an exchange may publish a trade. */
const publishedWithinMs = secondMs;

/** Compares the trades that both pages must have; undefined if there are none. */
export function tradeAgreement(v2: Page, legacy: Page): TradeAgreement | undefined {
	const pages = [v2, legacy];
	// One interface may write whole seconds.
	const stepMs = pages.some(({trades}) => trades.every(({time}) => time % secondMs === 0)) ? secondMs : 1;
	const instant = (time: number) => Math.floor(time / stepMs);
	// The oldest instant of a page may be cut.
	const from = instant(Math.max(...pages.map(({trades}) => trades.at(-1)?.time ?? Infinity)));
	const to = instant(Math.min(v2.until, legacy.until) - publishedWithinMs);
	const keyOf = ({time, price, quantity}: Trade) => `${instant(time)} ${price} ${quantity}`;
	const withinBoth = ({trades}: Page): ReadonlyMap<string, Trade> => {
		const within = trades.filter(({time}) => instant(time) > from && instant(time) < to);
		return new Map(within.map(trade => [keyOf(trade), trade]));
	};
	const [v2Trades, legacyTrades] = [withinBoth(v2), withinBoth(legacy)];
	if (v2Trades.size + legacyTrades.size === 0) return undefined;

	const agreeing = [...v2Trades].filter(([key]) => legacyTrades.has(key));
	const onlyV2: Trade[] = [];
	const onlyLegacy = new Set([...legacyTrades].flatMap(([key, trade]) => (v2Trades.has(key) ? [] : [trade])));
	const differing: TradeAgreement['differing'][number][] = [];
	for (const [key, trade] of v2Trades) {
		if (legacyTrades.has(key)) continue;
		const others = [...onlyLegacy];
		const other =
			others.find(({id}) => id === trade.id) ?? others.find(({time}) => stepMs === 1 && time === trade.time);
		if (other) {
			onlyLegacy.delete(other);
			const fields = (['time', 'price', 'quantity'] as const).filter(name => trade[name] !== other[name]);
			differing.push({v2: trade, legacy: other, fields});
		} else {
			onlyV2.push(trade);
		}
	}

	return {
		agreeing: agreeing.length,
		sameIds: agreeing.filter(([key, {id}]) => legacyTrades.get(key)?.id === id).length,
		differing,
		legacyLagMs: (v2.trades[0]?.time ?? 0) - (legacy.trades[0]?.time ?? 0),
		onlyV2,
		onlyLegacy: [...onlyLegacy],
	};
}

/** The operations of each configured interface. */
export type Interfaces = {
	readonly v2: ReturnType<typeof createV2Operations> | undefined;
	readonly legacy: ReturnType<typeof createV1Operations> | undefined;
};

const mostComparisons = 3;
const fresh = {fresh: true};

/**
 * Probes one operation, the other, and the first again, so that unchanged values can be compared; and again while these
 * differ. Nothing is probed where a fault of one operation alone would show as a difference.
 */
export async function compareAround<T, A extends object>(
	{probe, symbol}: Session,
	[outer, inner]: readonly [InspectedOperation<T>, InspectedOperation<T>],
	compare: (three: Three<T>, earlier?: A) => A,
): Promise<A | Obstacle> {
	const answers = [outer, inner].flatMap(operation => lastAnswer(operation) ?? []);
	if (answers.length < 2) return 'failed';
	const flaws = answers.flatMap(({data}) => outer.examine(data, symbol()));
	if (flaws.some(({kind}) => kind === 'crossed')) return 'crossed';
	if (answers.some(({dropped}) => dropped > 0)) return 'unreadable';
	let found: A | undefined;
	for (let made = 0; made < mostComparisons; made++) {
		const probes = [await probe(outer, fresh), await probe(inner, fresh), await probe(outer, fresh)];
		const [before, between, after] = probes.map(({answer}) => answer?.data);
		if (!before || !between || !after) return 'failed';
		if (probes.some(({answer}) => answer?.cache?.isHit)) return 'cached';
		found = compare({before, between, after}, found);
		const parts: readonly (Agreement | undefined)[] = Object.values(found);
		if (parts.every(part => !part || part.differing.length === 0)) break;
	}

	return found ?? 'failed';
}

/** How the states of the tickers agree with those of v2's list of markets; none without that, or without tickers. */
export function stateAgreementsOf({v2, legacy}: Interfaces): readonly StateAgreement[] {
	if (!v2) return [];
	const lists = dataOf(v2.markets);
	return [v2.ticker, v2.summary, ...(legacy ? [legacy.ticker] : [])]
		.map(tickers => stateAgreement(lists, dataOf(tickers), tickers))
		.filter(({compared}) => compared > 0);
}

const dataOf = <T>({samples}: InspectedOperation<T>): readonly T[] =>
	samples.flatMap(({answer}) => (answer ? [answer.data] : []));

/** Compares the trades of the last round in which both interfaces answered. */
export function compareTrades(
	v2: InspectedOperation<readonly Trade[]>,
	legacy: InspectedOperation<readonly Trade[]>,
): TradeAgreement | Obstacle {
	const round = v2.samples.findLastIndex(({answer}, index) => answer && legacy.samples[index]?.answer);
	const [ours, theirs] = [v2.samples[round], legacy.samples[round]];
	if (!ours?.answer || !theirs?.answer) return 'failed';
	if (ours.answer.dropped + theirs.answer.dropped > 0) return 'unreadable';
	if (hasBadTimes(v2) || hasBadTimes(legacy)) return 'bad-times';
	const [ourClock, theirClock] = [tradeClockOf(v2.samples), tradeClockOf(legacy.samples)];
	if (!ourClock || !theirClock) return 'failed';
	const [ourAheadMs, theirAheadMs] = [aheadOf(ours, ourClock), aheadOf(theirs, theirClock)];
	if (Math.abs(ourAheadMs - theirAheadMs) > secondMs) return 'clocks-differ';
	const v2Page = {trades: ours.answer.data, until: ours.startedAt + ourAheadMs};
	const legacyPage = {trades: theirs.answer.data, until: theirs.startedAt + theirAheadMs};
	return tradeAgreement(v2Page, legacyPage) ?? 'no-trades';
}

/** The delay of each ticker against the trades of its own interface that were probed in the same round. */
export function tickerDelays(
	{v2, legacy}: Interfaces,
	symbol: string,
	agreement: TradeAgreement | Obstacle | undefined,
): Inspection['tickerDelays'] {
	const pairs = [
		...(v2 ? [v2.ticker, v2.summary].map(ticker => ({ticker, trades: v2.trades})) : []),
		...(legacy ? [{ticker: legacy.ticker, trades: legacy.trades}] : []),
	];
	const doTradesDiffer =
		typeof agreement === 'object' &&
		agreement.differing.length + agreement.onlyV2.length + agreement.onlyLegacy.length > 0;
	return pairs.map(({ticker, trades}) => {
		const rounds = ticker.samples.flatMap((sample, round) => {
			const after = trades.samples[round];
			return after ? [{ticker: sample, trades: after}] : [];
		});
		const obstacle = hasBadTimes(trades) ? 'bad-times' : doTradesDiffer ? 'trades-differ' : undefined;
		const {interface: source, operation} = ticker;
		return {interface: source, operation, delay: obstacle ?? tickerDelay(rounds, symbol, tradeClockOf(trades.samples))};
	});
}

/** Of each configured interface whose trades were read. */
export const tradeClocksOf = ({v2, legacy}: Interfaces): Inspection['tradeClocks'] =>
	[v2?.trades, legacy?.trades].flatMap(trades => {
		const clock = trades && !hasBadTimes(trades) && tradeClockOf(trades.samples);
		return clock ? [{interface: trades.interface, serverTimeAheadMs: stampsAheadMs(clock.stamps)}] : [];
	});

/** Compares the lists of markets that could be read whole. */
export function shortListsOf({v2, legacy}: Interfaces): readonly ShortList[] {
	const lists: readonly InspectedOperation<ReadonlyArray<{readonly symbol: string}>>[] = [
		...(v2 ? [v2.markets, v2.ticker, v2.summary] : []),
		...(legacy ? [legacy.ticker] : []),
	];
	return shortLists(
		lists.flatMap(list => {
			const {data = [], dropped = 1} = lastAnswer(list) ?? {};
			const {interface: source, operation} = list;
			const symbols = new Set(data.map(({symbol}) => symbol));
			return dropped === 0 && symbols.size > 0 ? [{interface: source, operation, symbols}] : [];
		}),
	);
}
