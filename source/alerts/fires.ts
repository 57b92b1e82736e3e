import type {Holding, Judgement} from './judge.ts';

/** Where a rule is between two alerts. */
export type Rest = {
	/** Whether it was false since it fired. */
	readonly isReleased: boolean;
	/** When it fired last, by `ages.passed`; before all that: it did not. */
	readonly firedAt: number;
	/** The time of the trade at which it did, epoch ms by the exchange's clock; absent: it was none. */
	readonly tradeAt?: number | undefined;
};

type Fires = {
	/** The moments at which it fires, in order. */
	readonly holdings: readonly Holding[];
	readonly rest: Rest;
};

/**
 * When a rule fires in what it was judged on: each time that it begins to hold, at most once in `everyMs` (absent: once), by the
 * times of the trades, else by `passed` (now by `ages.passed`).
 */
export function firesIn(
	{moments, holdsNow}: Judgement,
	before: Rest,
	everyMs: number | undefined,
	passed: number,
): Fires {
	const holdings: Holding[] = [];
	let rest = before;
	for (const {holding, isFalse} of moments) {
		if (isFalse && !rest.isReleased) rest = {...rest, isReleased: true};
		const isSpent = everyMs === undefined && holdings.length > 0;
		if (!holding || !rest.isReleased || isSpent || sinceMs(rest, holding, passed) < (everyMs ?? 0)) continue;
		holdings.push(holding);
		rest = {isReleased: false, firedAt: passed, tradeAt: holding.trade?.time};
	}

	// A single trade that holds is over with it, though what else the rule needs may be unknown after it.
	return {holdings, rest: holdings.length > 0 && !holdsNow ? {...rest, isReleased: true} : rest};
}

/** Ms since it fired last. The exchange may have set its clock back since. */
function sinceMs({firedAt, tradeAt = Infinity}: Rest, {trade}: Holding, passed: number): number {
	return trade && trade.time >= tradeAt ? trade.time - tradeAt : passed - firedAt;
}
