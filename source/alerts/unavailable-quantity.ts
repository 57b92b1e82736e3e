import type {InterfaceChoice} from '../client/exchange.ts';
import type {Interface} from '../market/types.ts';
import {type Condition, printExpression, type Quantity, type QuantityName, quantitiesIn} from './condition.ts';

/** A quantity that an exchange never shows. */
export type UnavailableQuantity = {
	readonly quantity: Quantity;
	readonly reason: string;
	/** The interface that would show it. */
	readonly needs: Interface;
};

type Shown = {
	/** Those that are configured. */
	readonly interfaces: readonly Interface[];
	readonly choice: InterfaceChoice;
	/** Whether the v2 order books had bids, although their specification shows none. Absent: none has come, and they may. */
	readonly hasV2Bids?: boolean | undefined;
};

const noOpen = 'the legacy interface shows neither the change nor the opening price (changePercent is known)';
const noCandles = 'the legacy interface has no candles';
const noSides = 'the trades of the legacy interface have no side';

/** Not in its ticker. */
const notInLegacyTicker: Readonly<Partial<Record<QuantityName, string>>> = {
	volume: 'the legacy interface does not say which unit its volume has',
	change: noOpen,
	open: noOpen,
};

const notInLegacy: Readonly<Partial<Record<QuantityName, string>>> = {
	sma: noCandles,
	ema: noCandles,
	rsi: noCandles,
	vwap: noCandles,
	buyVolume: noSides,
	sellVolume: noSides,
};

const ofBids: ReadonlySet<QuantityName> = new Set([
	...(['bid', 'mid', 'spread', 'spreadPercent', 'bidDepth', 'askDepth', 'imbalance'] as const),
]);

/** The first quantity of the condition that these interfaces never show. exchange-api.md */
export function unavailableQuantity(
	condition: Condition,
	{interfaces, choice, hasV2Bids}: Shown,
): UnavailableQuantity | undefined {
	const reads = (each: Interface) => interfaces.includes(each) && (choice === 'auto' || choice === each);
	for (const quantity of quantitiesIn(condition)) {
		const inLegacy = reads('v2') ? undefined : reasonInLegacy(quantity);
		if (inLegacy !== undefined) return {quantity, reason: inLegacy, needs: 'v2'};
		if (ofBids.has(quantity.name) && !reads('legacy') && hasV2Bids === false) {
			return {quantity, reason: 'the v2 order book shows no bids', needs: 'legacy'};
		}
	}

	return undefined;
}

/** Trades show what happened in a window. */
const reasonInLegacy = ({name, windowMs}: Quantity): string | undefined =>
	notInLegacy[name] ?? (windowMs === undefined ? notInLegacyTicker[name] : undefined);

/** `imbalance is never available: the v2 order book shows no bids`. */
export const unavailableQuantityText = ({quantity, reason}: UnavailableQuantity): string =>
	`${printExpression({...quantity, market: undefined})} is never available: ${reason}`;
