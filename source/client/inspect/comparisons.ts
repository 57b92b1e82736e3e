import {stampsAheadMs} from '../../market/trade-clock.ts';
import type {Trade} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import {
	type Agreement,
	type ShortList,
	type StateAgreement,
	shortLists,
	stateAgreement,
	type Three,
} from './agreement.ts';
import {hasBadTimes} from './deviations.ts';
import type {createV1Operations, createV2Operations, InspectedOperation, Obstacle} from './operations.ts';
import type {Inspection} from './reports.ts';
import {lastAnswer, type Session} from './session.ts';
import {aheadOf, tickerDelay, tradeClockOf} from './timing.ts';
import {type TradeAgreement, tradeAgreement} from './trade-agreement.ts';

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
