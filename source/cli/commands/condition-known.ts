import type {InterfaceChoice} from '../../client/exchange.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {MarketState} from '../../store/state.ts';
import {UsageError} from '../exit.ts';
import type {ExchangeAddress} from '../options/options.ts';
import {type Comparison, type Condition, comparisonsIn, type Quantity} from './condition.ts';

type Address = Pick<ExchangeAddress, 'baseUrl' | 'legacyBaseUrl'>;

/** What the legacy interface never shows, and why. */
const notInLegacy: Readonly<Partial<Record<Quantity, string>>> = {
	volume: 'the legacy interface does not say which unit its volume has',
	change: 'the legacy interface shows neither the change nor the opening price (changePercent is known)',
};

const ofBids: ReadonlySet<Quantity> = new Set(['bid', 'spread', 'spreadPercent']);

/**
 * Throws a `UsageError` if the condition compares what these interfaces never show. `address` undefined: the embedded
 * exchange, which has both.
 */
export function refuseNeverKnown(condition: Condition, address: Address | undefined, choice: InterfaceChoice): void {
	const hasV2 = address === undefined || address.baseUrl !== undefined;
	if (hasV2 && choice !== 'v1') return;
	const advice = hasV2 ? 'use --interface auto' : 'set --base-url';
	for (const {quantity} of comparisonsIn(condition)) {
		const reason = notInLegacy[quantity];
		if (reason !== undefined) throw new UsageError(`--until: ${quantity} is never known: ${reason}; ${advice}`);
	}
}

/**
 * Why the condition compares what the books never show: they came from v2 alone, without bids. Undefined: it does not, or
 * some books are still missing.
 */
export function neverShown(condition: Condition, states: readonly MarketState[]): string | undefined {
	const isWithoutBids = ({market}: Comparison) => {
		const compared = states.filter(({symbol}) => market === undefined || symbolKey(symbol ?? '') === market);
		return compared.length > 0 && compared.every(({depth}) => hasNoBids(depth));
	};
	const first = comparisonsIn(condition).find(each => ofBids.has(each.quantity) && isWithoutBids(each));
	if (!first) return undefined;
	const reason = "this exchange's v2 order book shows no bids";
	return `--until: ${first.quantity} is never known: ${reason}; set --legacy-base-url, with --interface auto or legacy`;
}

/** Where legacy is read too, the book has bids, or says why they are missing. */
const hasNoBids = (depth: MarketState['depth']): boolean =>
	depth.status === 'ready' && !depth.data.bids && !depth.data.bidsFailure;
