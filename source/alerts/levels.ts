import {symbolKey} from '../market/symbol.ts';
import type {AlertEntry, JudgedMarket} from './alerts.ts';
import type {Condition, Expression} from './condition.ts';
import {constantValue} from './judge.ts';

/** A price that the last price of a market is compared with. */
export type PriceLevel = {
	/** Key of the market; absent: any that the condition is judged for. */
	readonly market?: string | undefined;
	readonly price: number;
};

/** The prices that a condition compares the last price itself with, from left to right: plain numbers, or sums of them. */
export function levelsIn(condition: Condition): readonly PriceLevel[] {
	const {type, left, right} = condition;
	if (type === 'and' || type === 'or') return [...levelsIn(left), ...levelsIn(right)];
	return [...levelOf(left, right), ...levelOf(right, left)];
}

function levelOf(side: Expression, other: Expression): readonly PriceLevel[] {
	if (side.type !== 'quantity' || side.name !== 'last') return [];
	const price = constantValue(other);
	return price !== undefined && price > 0 ? [{market: side.market, price}] : [];
}

/** Whether a rule is judged for a market from now on. */
export const isArmed = ({isOff}: AlertEntry, {isDone}: JudgedMarket): boolean => !isOff && !isDone;

/** The levels of all armed rules in the market, ascending, each once. */
export function armedLevels(entries: readonly AlertEntry[], symbol: string): readonly number[] {
	const key = symbolKey(symbol);
	const prices = entries.flatMap(entry => {
		const armed = entry.markets.filter(market => isArmed(entry, market)).map(market => symbolKey(market.symbol));
		return levelsIn(entry.rule.condition)
			.filter(({market}) => (market === undefined ? armed.includes(key) : market === key && armed.length > 0))
			.map(({price}) => price);
	});
	return [...new Set(prices)].sort((a, b) => a - b);
}

/** The keys of the markets that armed rules are judged for, and whether one of these is blind. */
export function armedMarkets(entries: readonly AlertEntry[]): ReadonlyArray<readonly [key: string, isBlind: boolean]> {
	const blind = new Map<string, boolean>();
	for (const entry of entries) {
		for (const market of entry.markets.filter(each => isArmed(entry, each))) {
			const key = symbolKey(market.symbol);
			blind.set(key, blind.get(key) === true || market.blind !== undefined);
		}
	}

	return [...blind];
}

/** The prices in the market that the rule's levels are at. */
export const levelsFor = ({rule}: AlertEntry, symbol: string): readonly number[] =>
	levelsIn(rule.condition)
		.filter(({market}) => market === undefined || market === symbolKey(symbol))
		.map(({price}) => price);
