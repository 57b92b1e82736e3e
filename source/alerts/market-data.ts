import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import {type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {type Failure, type Ready, type Resource, waiting} from '../store/resource.ts';
import {completeTo, lastTradeTime, quietIn} from '../store/trade-time.ts';
import {type Quantity, quantitiesIn} from './condition.ts';
import {
	candlesOf,
	dataOf,
	factsAt,
	fresh,
	type MarketData,
	type Moment,
	type NeededData,
	periodsOf,
} from './quantity-values.ts';
import {isByTicker, type Rule} from './rule.ts';

/** Markets by their keys. */
export type MarketsData = ReadonlyMap<string, MarketData>;

/** Data of the market with this key that a rule needs; of the list of tickers, the market's own. */
export type Needed = NeededData & {readonly market: string};

/** Equal for equal needs. */
export const needKey = (needed: Needed): string =>
	`${needed.market} ${needed.ask === 'candles' ? needed.period : needed.ask}`;

/** The state of the needed data; `waiting` for a market that is not followed. */
function resourceOf(data: MarketsData, needed: Needed): Resource<unknown> {
	const of = data.get(needed.market);
	if (!of) return waiting;
	return needed.ask === 'candles' ? of.candlesOf(needed.period) : of.state[needed.ask];
}

/** The last answer, stale or not; undefined: there was none. */
export function answerTo(data: MarketsData, needed: Needed): Ready<unknown> | undefined {
	const resource = resourceOf(data, needed);
	return resource.status === 'ready' ? resource : undefined;
}

/** Why there is no answer, or no newer one; undefined: none was expected so far. */
export function failureOf(data: MarketsData, needed: Needed): Failure | undefined {
	const resource = resourceOf(data, needed);
	return resource.status === 'waiting' ? resource.held : resource.failure;
}

/** Whether all of it was answered, and no refresh has failed since. */
export const areFresh = (data: MarketsData, needed: readonly Needed[]): boolean =>
	needed.every(each => fresh(resourceOf(data, each)) !== undefined);

/** The data that a rule is judged on. */
export type JudgedData = ReturnType<typeof judgedDataOf>;

/** `own`: key of the market that the rule is judged for. */
export function judgedDataOf(rule: Rule, own: string) {
	const byTicker = isByTicker(rule);
	const quantities = quantitiesIn(rule.condition);
	const isVaried = quantities.some(quantity => quantity.windowMs !== undefined || isOfDay(quantity));
	const needed = (dataFor: (quantity: Quantity, market: string) => readonly NeededData[]): readonly Needed[] => {
		const all = quantities.flatMap(quantity => {
			const {market = own} = quantity;
			return dataFor(quantity, market).map(data => ({...data, market}));
		});
		return [...new Map(all.map(each => [needKey(each), each])).values()];
	};
	const first = needed(quantity => dataOf(quantity, byTicker));
	return {
		/** Before any is known. */
		first,
		/** What must be known for it, its age, and where trades do not reach back. */
		needs: needed(quantity => neededFor(quantity, byTicker)),
		/** Of what is known: also candles, where trades do not reach back. */
		in({data, now}: Pick<News, 'data' | 'now'>): readonly Needed[] {
			if (!isVaried) return first;
			const moment = {now, newest: 0, isTrade: false, byTicker};
			return needed((quantity, market) => dataAt(quantity, data.get(market), moment));
		},
	};
}

/** The rule, by the delayed ticker if a market lacks the trades that it needs. */
export const byTickerWhere = (lacksTrades: (market: string) => boolean, rule: Rule, own: string): Rule =>
	tapesIn(judgedDataOf(rule, own).first).some(lacksTrades) ? {...rule, byTicker: true} : rule;

/** The keys of the markets whose trades are among this. */
export const tapesIn = (needed: readonly Needed[]): readonly string[] =>
	needed.flatMap(({market, ask}) => (ask === 'trades' ? market : []));

/** An answer that a rule is judged on. */
export type JudgedOn = Needed & {
	/** Epoch ms. Absent: there was none. */
	readonly receivedAt?: number | undefined;
	/** Of trades: the time of the newest, epoch ms by the exchange's clock. Absent: there is none. */
	readonly lastTradeAt?: number | undefined;
	/** Of trades: how long nothing was traded, ms; absent: less than a minute, or unknown. */
	readonly quietMs?: number | undefined;
};

/** The answer that a rule is judged on. */
export function judgedOnIn(data: MarketsData, needed: Needed): JudgedOn {
	const judgedOn = {...needed, receivedAt: answerTo(data, needed)?.receivedAt};
	const tape = needed.ask === 'trades' ? data.get(needed.market)?.state.trades : undefined;
	return tape ? {...judgedOn, lastTradeAt: lastTradeTime(tape), quietMs: quietIn(tape)?.ms} : judgedOn;
}

function neededFor(quantity: Quantity, byTicker: boolean): readonly NeededData[] {
	const {name} = quantity;
	// The trades have the clock by which a line is drawn.
	if (name === 'line') return [{ask: byTicker ? 'tickers' : 'trades'}];
	return name === 'age' ? [{ask: 'trades'}] : [...dataOf(quantity, byTicker), ...periodsOf(quantity).map(candlesOf)];
}

/** What a quantity is calculated from, as far as that is known of the market. */
function dataAt(quantity: Quantity, marketData: MarketData | undefined, moment: Moment): readonly NeededData[] {
	const first = dataOf(quantity, moment.byTicker);
	if (!marketData) return first;
	const {windowMs} = quantity;
	if (windowMs === undefined) return isOfDay(quantity) && hasNoOpen(marketData) ? [{ask: 'tickers'}] : first;
	const facts = factsAt(marketData, moment);
	const periods = periodsOf(quantity);
	const isOfTrades = !facts.trades || periods.length === 0;
	return isOfTrades ? first : [...first, ...(facts.window(windowMs)?.candles ?? periods).map(candlesOf)];
}

const isOfDay = ({name, windowMs}: Quantity): boolean =>
	windowMs === undefined && (name === 'change' || name === 'changePercent');

/** Whether the ticker, stale or not, has no opening price, so that the day's change is its own. */
function hasNoOpen({state: {symbol = '', tickers}}: MarketData): boolean {
	const ticker = tickers.status === 'ready' ? tickers.data.get(symbol) : undefined;
	return ticker !== undefined && ticker.open === undefined;
}

/** What is known now, and the trades that are new since the last time, oldest first. */
export type News = {
	readonly data: MarketsData;
	readonly trades: readonly NewTrade[];
	/** Epoch ms. */
	readonly now: number;
};

/** A trade at its place in the tape of its market. */
export type NewTrade = {
	readonly market: string;
	readonly trade: Trade;
	readonly index: number;
	/** Whether trades before it may be missing. */
	readonly isAfterGap: boolean;
	/** Indexes of the known neighbours of a late trade, which comes after newer ones; absent: it is not late. */
	readonly lateBetween?: readonly [newer: number, older: number];
};

/** Finds what is new of each market since the last time. `now`: epoch ms. */
export function createNews(): (data: MarketsData, now: number) => News {
	/** `since`: when the first tape came, by the clock of the trades. */
	type Finder = {readonly find: NewTrades; readonly tape: Tape; readonly since: number};
	const finders = new Map<string, Finder>();

	function newTrades(market: string, {state: {trades: tape}}: MarketData): readonly NewTrade[] {
		if (tape.status !== 'ready') return [];
		const finder = finders.get(market);
		const find = finder?.find ?? createNewTrades();
		const since = finder?.since ?? completeTo(tape);
		finders.set(market, {find, tape: tape.data, since});
		const found = find(tape.data.trades, tape.interface);
		// Those of the first tape happened before.
		if (!finder || found.length === 0) return [];
		const hadTrades = finder.tape.trades.length > 0;
		// An exchange can answer wrongly at first that there are none.
		const added = hadTrades ? found : found.filter(({time}) => time >= since);
		return placed(market, tape.data, new Set(added), hadTrades);
	}

	return (data, now) => {
		// What happens while a market is not followed is not new later.
		for (const market of finders.keys()) if (!data.has(market)) finders.delete(market);
		const trades = [...data].flatMap(([market, each]) => newTrades(market, each));
		return {data, trades: trades.sort((a, b) => a.trade.time - b.trade.time), now};
	};
}

/** `hadTrades`: the tape before had some, which it should still reach. Oldest first. */
function placed(market: string, {trades, gaps}: Tape, added: ReadonlySet<Trade>, hadTrades: boolean) {
	const found: NewTrade[] = [];
	let newer = -1;
	const olderThan = (index: number) => {
		const older = trades.findIndex((each, at) => at > index && !added.has(each));
		return older < 0 ? trades.length : older;
	};
	for (let index = 0; index < trades.length && found.length < added.size; index++) {
		const trade = trades[index];
		if (trade && added.has(trade)) {
			const isAfterGap = (hadTrades && index === trades.length - 1) || (gaps.size > 0 && gaps.has(tradeKey(trade)));
			const of = {market, trade, index, isAfterGap};
			found.push(newer < 0 ? of : {...of, lateBetween: [newer, olderThan(index)]});
		} else newer = index;
	}

	return found.reverse();
}
