import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import {type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {type Failure, type Ready, type Resource, waiting} from '../store/resource.ts';
import {completeTo} from '../store/trade-time.ts';
import {fresh, type MarketData, type NeededData} from './quantity-values.ts';

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
