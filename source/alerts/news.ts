import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import type {Trade} from '../market/types.ts';
import type {KnownMarket} from './quantity-values.ts';

/** Markets by their keys. */
export type KnownMarkets = ReadonlyMap<string, KnownMarket>;

/** What is known now, and the trades that are new since the last time, oldest first. */
export type News = {
	readonly known: KnownMarkets;
	readonly trades: readonly NewTrade[];
	/** Epoch ms. */
	readonly now: number;
};

/** A trade at its place in the tape of its market. */
export type NewTrade = {
	readonly market: string;
	readonly trade: Trade;
	readonly index: number;
	/** Where the next trades on both sides are that are not new; present if it comes late, after newer ones. */
	readonly lateBetween?: readonly [newer: number, older: number];
};

/** Finds what is new of each market since the last time. `now`: epoch ms. */
export function createNews(): (known: KnownMarkets, now: number) => News {
	const finders = new Map<string, NewTrades>();

	function newTrades(market: string, {state: {tape}}: KnownMarket): readonly NewTrade[] {
		if (tape.status !== 'ready') return [];
		const known = finders.get(market);
		const find = known ?? createNewTrades();
		finders.set(market, find);
		const {trades} = tape.data;
		const added = find(trades, tape.interface);
		// Those of the first tape happened before.
		return known ? placed(market, trades, added) : [];
	}

	function placed(market: string, trades: readonly Trade[], added: readonly Trade[]): readonly NewTrade[] {
		const all = new Set(added);
		const isKnown = (trade: Trade) => !all.has(trade);
		const newest = trades.findIndex(isKnown);
		return added.map(trade => {
			const index = trades.indexOf(trade);
			if (newest < 0 || index < newest) return {market, trade, index};
			const newer = index - 1 - trades.slice(0, index).reverse().findIndex(isKnown);
			const older = index + 1 + trades.slice(index + 1).findIndex(isKnown);
			return {market, trade, index, lateBetween: [newer, older > index ? older : trades.length]};
		});
	}

	return (known, now) => {
		const trades = [...known].flatMap(([market, each]) => newTrades(market, each));
		return {known, trades: trades.sort((a, b) => a.trade.time - b.trade.time), now};
	};
}
