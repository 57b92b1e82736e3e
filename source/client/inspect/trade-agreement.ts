import type {Trade} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';

/** The trades of the time that the pages of both interfaces cover. Trades of one time, price and quantity agree. */
export type TradeAgreement = {
	readonly agreeing: number;
	/** How many of those have one id. On legacy the id is the order's: exchange-api.md, Legacy trade. */
	readonly sameIds: number;
	/** Trades for which the other interface has one of the same id or millisecond that differs in these fields. */
	readonly differing: readonly DifferingTrades[];
	/** By how much the newest trade of legacy is older than that of v2; below 0: newer. */
	readonly legacyLagMs: number;
	/** Trades that the other interface lacks. */
	readonly onlyV2: readonly Trade[];
	readonly onlyLegacy: readonly Trade[];
};

type DifferingTrades = {
	readonly v2: Trade;
	readonly legacy: Trade;
	readonly fields: ReadonlyArray<'time' | 'price' | 'quantity'>;
};

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
	const differing: DifferingTrades[] = [];
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
